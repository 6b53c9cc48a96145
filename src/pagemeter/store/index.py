"""Which part of a store a pair is in: sixteen bytes a pair, and the rows of the parts in use."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.store.decoding import StoredPair, pairs_of
from pagemeter.store.files import read_table, without_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from pagemeter.corpus import Pair

_KEPT = 12  # parts in memory; results may be this far behind the pairs that are looked up


def key_of(pair: Pair) -> str:
    """A digest of all that a pair is known by: name, files, document and what was said of it.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair
    >>> key_of(Pair("1", Path("gt/1.xml"), None)) == key_of(Pair("1", Path("gt/1.xml"), Path("hyp/1.xml")))
    False
    """
    known = (pair.name, pair.gt and str(pair.gt), pair.hyp and str(pair.hyp), pair.document, pair.error)
    text = repr((known, [str(warn) for warn in pair.warnings]))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Index:
    """The pairs of all parts; those of parts that another version wrote are known but not current."""

    def __init__(self, parts: Mapping[int, Path], version: str) -> None:
        self._parts = dict(parts)
        self._cache: OrderedDict[int, dict[str, StoredPair]] = OrderedDict()
        self._old = {number for number, path in parts.items() if _version(path) != version}
        found = [(number, _hashes(path)) for number, path in parts.items()]
        hashes = np.concatenate([np.zeros(0, np.uint64), *(own for _, own in found)])
        numbers = np.repeat([number for number, _ in found], [len(own) for _, own in found]).astype(np.int32)
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._numbers = hashes[order], numbers[order]
        self._used = np.zeros(len(order), bool)

    def find(self, key: str) -> tuple[int, StoredPair | None] | None:
        """The part a pair is in and, if it is current, what stands there; None if it is in none."""
        wanted = np.uint64(int(key[:16], 16))
        place = int(np.searchsorted(self._hashes, wanted))
        while place < len(self._hashes) and self._hashes[place] == wanted:
            number = int(self._numbers[place])
            stored = self._pairs(number).get(key)
            if stored is not None:
                self._used[place] = True
                return number, None if number in self._old else stored
            place += 1
        return None

    def remove(self, number: int, keys: set[str]) -> None:
        """Takes pairs out of a part."""
        without_pairs(self._parts[number], keys)
        self._cache.pop(number, None)

    @property
    def unused(self) -> int:
        """How many pairs nobody has asked for."""
        return int(np.count_nonzero(~self._used))

    def unasked(self) -> Iterator[tuple[int, set[str]]]:
        """The pairs that nobody has asked for, part by part."""
        for number in np.unique(self._numbers[~self._used]).tolist():
            gone = {int(value) for value in self._hashes[~self._used & (self._numbers == number)]}
            yield number, {key for key in self._pairs(number) if int(key[:16], 16) in gone}

    def _pairs(self, number: int) -> dict[str, StoredPair]:
        if number not in self._cache:
            self._cache[number] = pairs_of(read_table(self._parts[number]))
            while len(self._cache) > _KEPT:
                self._cache.popitem(last=False)
        self._cache.move_to_end(number)
        return self._cache[number]


def _hashes(path: Path) -> NDArray[np.uint64]:
    keys: Iterable[str] = read_table(path, ["pair"])["pair"].unique().to_pylist()
    return np.array([int(key[:16], 16) for key in keys], np.uint64)


def _version(path: Path) -> str | None:
    rows = read_table(path, ["version"])["version"]
    return rows[0].as_py() if len(rows) else None
