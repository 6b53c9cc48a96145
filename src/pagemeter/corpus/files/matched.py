"""Pairs that are made of two collections of files as they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, overload

from pagemeter.corpus.pairs import Pair
from pagemeter.corpus.urls import Location, Url
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.corpus.files.names import Candidate


@dataclass(frozen=True, slots=True)
class Matched(Sequence[Pair]):
    """Files that belong together, twelve bytes a pair.

    `places` has a row a pair: the place of the ground truth among `gts`, that of the hypothesis among `hyps`,
    −1 for none, and which of `keys` names it. `special` are pairs that more is to be said of, by the place of
    the ground truth; `problems` are those at the end, of files that could not even be found.

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
        return marked(self.special[gt] if gt in self.special else self._made(gt, hyp, self.keys[key]))

    @property
    def is_any(self) -> bool:
        """Whether anything has been paired, or could not be for a reason that is known."""
        both = (self.places[:, :2] >= 0).all(axis=1).any()
        return bool(both or self.problems or any(made.error for made in self.special.values()))

    def _made(self, gt: int, hyp: int, key: Callable[[Candidate], str]) -> Pair:
        gts, hyps = self.gts[gt : gt + 1] if gt >= 0 else [], self.hyps[hyp : hyp + 1] if hyp >= 0 else []
        one, other = (found[0].path if found else None for found in (gts, hyps))
        return Pair(key((*gts, *hyps)[0]), one, other)


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
        return one.samefile(other)
    except OSError:
        return one == other
