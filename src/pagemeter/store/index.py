"""Which part of a store a pair is in: sixteen bytes a pair, and the rows of the parts in use."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.corpus.urls import Url
from pagemeter.store.decoding import StoredPair, pairs_of
from pagemeter.store.files import read_table, without_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from pagemeter.corpus import Pair
    from pagemeter.corpus.urls import Location

_PAGE = 16  # letters of a key by which a page is the same, whatever it is compared with
_FOLDERS = 1024  # whose ways are remembered
_KEPT = 12  # parts in memory; results may be this far behind the pairs that are looked up


class Keys:
    """The keys of pairs in a store: two digests, of the page, its name and ground truth file, and of all.

    A file is known by its way from the folder of the store, links to folders followed, so that it does not
    matter from where a command is given, and all can be moved together.

    >>> from pagemeter.corpus import Pair
    >>> keys, paths = Keys(Path("store")), (Path("gt/1.xml"), Path("gt/1.xml").resolve())
    >>> one, other = (keys.of(Pair("1", path, None)) for path in paths)
    >>> one == other
    True
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._real = os.path.realpath(folder)
        self._to = lru_cache(_FOLDERS)(self._to_folder)

    def of(self, pair: Pair) -> str:
        """The key of a pair."""
        gt, hyp = self._way(pair.gt), self._way(pair.hyp)
        known = pair.name, gt, hyp, pair.document, pair.error
        warned = [(warn.element, warn.reason) for warn in pair.warnings]
        return self._page(pair, gt or hyp) + _digest((known, warned))

    def older(self, pair: Pair) -> Iterator[str]:
        """Keys of the same page from when it had no ground truth, or when links were not followed."""
        if pair.gt is not None and pair.hyp is not None:
            yield self.of(replace(pair, gt=None))
        first = pair.gt if pair.gt is not None else pair.hyp
        former = os.path.relpath(first, self._folder) if isinstance(first, Path) else first
        if former != self._way(first):
            yield self._page(pair, former) + _digest(None)

    def _page(self, pair: Pair, way: str | None) -> str:
        return _digest((pair.name, way, pair.gt is None, pair.error if way is None else None))

    def _way(self, path: Location | None) -> str | None:
        if path is None:
            return None
        links, chain, last = (
            os.fspath(path).rpartition("::") if isinstance(path, Url) else ("", "", str(path))
        )
        if "://" in last:
            return str(path)
        above, slash, name = last.rpartition("/")
        if name == "..":
            above, name = last, ""
        return f"{links}{chain}{self._to(above or slash)}{name}"

    def _to_folder(self, folder: str) -> str:
        way = os.path.relpath(os.path.realpath(folder), self._real)
        return "" if way == "." else f"{way}/"


def _digest(value: object) -> str:
    text = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=_PAGE // 2).hexdigest()


class Found(NamedTuple):
    """Where a page stands: the part, the key it has there, and what stands there if it is current."""

    part: int
    key: str
    stored: StoredPair | None


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

    def find(self, key: str) -> Found | None:
        """Where a pair is, or else another one of the same page; None if there is none."""
        wanted = np.uint64(int(key[:_PAGE], 16))
        place = int(np.searchsorted(self._hashes, wanted))
        other = None
        while place < len(self._hashes) and self._hashes[place] == wanted:
            number = int(self._numbers[place])
            stored = self._pairs(number).get(key)
            if stored is not None:
                self._used[place] = True
                return Found(number, key, None if number in self._old else stored)
            other = place if other is None else other
            place += 1
        return None if other is None else self._replaced(other, key)

    def _replaced(self, place: int, key: str) -> Found:
        self._used[place] = True
        number = int(self._numbers[place])
        there = next(own for own in self._pairs(number) if own.startswith(key[:_PAGE]))
        return Found(number, there, None)

    def remove(self, number: int, keys: set[str]) -> None:
        """Takes pairs out of a part."""
        without_pairs(self._parts[number], keys)
        self._cache.pop(number, None)

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing when it was read."""
        return not len(self._hashes)

    @property
    def unused(self) -> int:
        """How many pairs nobody has asked for."""
        return int(np.count_nonzero(~self._used))

    def unasked(self) -> Iterator[tuple[int, set[str]]]:
        """The pairs that nobody has asked for, part by part."""
        for number in np.unique(self._numbers[~self._used]).tolist():
            gone = {int(value) for value in self._hashes[~self._used & (self._numbers == number)]}
            yield number, {key for key in self._pairs(number) if int(key[:_PAGE], 16) in gone}

    def _pairs(self, number: int) -> dict[str, StoredPair]:
        if number not in self._cache:
            self._cache[number] = pairs_of(read_table(self._parts[number]))
            while len(self._cache) > _KEPT:
                self._cache.popitem(last=False)
        self._cache.move_to_end(number)
        return self._cache[number]


def _hashes(path: Path) -> NDArray[np.uint64]:
    keys: Iterable[str] = read_table(path, ["pair"])["pair"].unique().to_pylist()
    return np.array([int(key[:_PAGE], 16) for key in keys], np.uint64)


def _version(path: Path) -> str | None:
    rows = read_table(path, ["version"])["version"]
    return rows[0].as_py() if len(rows) else None
