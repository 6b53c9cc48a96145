"""Pairs that are made of two collections of files as they are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, overload

import numpy as np

from pagemeter.corpus.files.listing import Listing
from pagemeter.corpus.pairs import Pair
from pagemeter.corpus.urls import Location, Url, location
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from numpy.typing import NDArray

    from pagemeter.corpus.files.folders import Found
    from pagemeter.corpus.files.names import Candidate

_BLOCK = 4096  # rows that are taken out of an array at once, which is quicker than one by one


@dataclass(frozen=True, slots=True)
class Matched(Sequence[Pair]):
    """Files that belong together, twelve bytes a pair.

    `places` has a row a pair: the place of the ground truth among `gts`, that of the hypothesis among `hyps`,
    −1 for none, and which of `keys` names it. `special` are pairs that more is to be said of, by the place of
    the ground truth; `problems` are those at the end, of files that could not even be found. `may_be_same`
    are the places of ground truths that may be the very file of the hypothesis; None if all may.

    >>> import numpy as np
    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> gts, hyps = [candidate(Path("gt/1.xml"))], [candidate(Path("hyp/1.txt"))]
    >>> [str(pair.hyp) for pair in Matched(gts, hyps, np.zeros((1, 3), np.int32), [lambda gt: gt.stem])]
    ['hyp/1.txt']
    """

    gts: Sequence[Candidate]
    hyps: Sequence[Candidate]
    places: NDArray[np.int32]
    keys: Sequence[Callable[[Candidate], str]]
    special: Mapping[int, Pair] = field(default_factory=dict)
    problems: tuple[Pair, ...] = ()
    may_be_same: Container[int] | None = None

    def __len__(self) -> int:
        return len(self.places) + len(self.problems)

    @overload
    def __getitem__(self, place: int) -> Pair: ...
    @overload
    def __getitem__(self, place: slice) -> list[Pair]: ...
    def __getitem__(self, place: int | slice) -> Pair | list[Pair]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if place < 0:
            place += len(self)
        if place >= len(self.places):
            return self.problems[place - len(self.places)]
        gt, hyp, key = self.places[place].tolist()
        return self._made(gt, hyp, key)

    def __iter__(self) -> Iterator[Pair]:
        for row in self._rows():
            yield self._made(*row)
        yield from self.problems

    def files(self) -> Iterator[str]:
        """The texts of all paths in the pairs, which are made sooner than the pairs."""
        for gt, hyp, _ in self._rows():
            if gt in self.special:
                yield from (os.fspath(path) for path in (self.special[gt].gt, self.special[gt].hyp) if path)
                continue
            if gt >= 0:
                yield _file(self.gts, gt)
            if hyp >= 0:
                yield _file(self.hyps, hyp)

    @property
    def is_any(self) -> bool:
        """Whether anything has been paired, or could not be for a reason that is known."""
        both = (self.places[:, :2] >= 0).all(axis=1).any()
        return bool(both or self.problems or any(made.error for made in self.special.values()))

    def _rows(self) -> Iterator[list[int]]:
        for begin in range(0, len(self.places), _BLOCK):
            yield from self.places[begin : begin + _BLOCK].tolist()

    def _made(self, gt: int, hyp: int, key: int) -> Pair:
        if gt in self.special:
            return marked(self.special[gt])
        if gt < 0:
            found = self.hyps[hyp]
            return Pair(self.keys[key](found), None, found.path)
        found = self.gts[gt]
        other = None if hyp < 0 else location(_file(self.hyps, hyp))
        made = Pair(self.keys[key](found), found.path, other)
        return marked(made) if self.may_be_same is None or gt in self.may_be_same else made


def may_be_same(places: NDArray[np.int32], gts: Found, hyps: Found) -> frozenset[int] | None:
    """The ground truths that may be the very file they are paired with, by the inodes; None for all.

    A folder tells the inodes of its files, so that none need be looked at.
    """
    if gts.inodes is None or hyps.inodes is None:
        return None
    gt, hyp = places[(places[:, :2] >= 0).all(axis=1), :2].T
    one = gts.candidates.chosen(np.array(gts.inodes))[gt]
    other = hyps.candidates.chosen(np.array(hyps.inodes))[hyp]
    return frozenset(gt[(one == other) | (one == 0) | (other == 0)].tolist())


def _file(files: Sequence[Candidate], place: int) -> str:
    return files.file(place) if isinstance(files, Listing) else files[place].file


def marked(made: Pair) -> Pair:
    """The pair with a warning if both sides are one file.

    >>> from pathlib import Path
    >>> [warn.reason for warn in marked(Pair("1", Path("1.xml"), Path("1.xml"))).warnings]
    ['ground truth and hypothesis are the same file']
    """
    if made.gt is None or made.hyp is None or not _same(made.gt, made.hyp):
        return made
    reason = "ground truth and hypothesis are the same file"
    return replace(made, warnings=(*made.warnings, Warn(str(made.gt), "file", reason)))


def _same(one: Location, other: Location) -> bool:
    """Whether two paths lead to one file, which may be missing."""
    if isinstance(one, Url) or isinstance(other, Url):
        return one == other
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  (a third of the time of Path.samefile)
    except OSError:
        return one == other
