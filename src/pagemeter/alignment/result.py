"""The alignment of a page: values only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.score import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.measure import Measure

Kind = Literal["equal", "substitute", "insert", "delete"]
KINDS: tuple[Kind, ...] = ("equal", "substitute", "insert", "delete")
"""In the order of the kernel's numbers."""


class Operation(NamedTuple):
    """A run of `size` tokens that are edited alike, named from the view of editing HYP into GT.

    `insert`: GT has the tokens, HYP lacks them, and `hyp` is empty; `delete` is the other way round.
    Substitutions stand one by one, so that each says what was read for what.
    """

    kind: Kind
    size: int
    gt: str
    hyp: str

    @property
    def counts(self) -> Counts:
        """What the run adds to a score."""
        size = self.size
        match self.kind:
            case "equal":
                return Counts(cor=size)
            case "substitute":
                return Counts(sub=size)
            case "insert":
                return Counts(ins=size)
            case _:
                return Counts(dels=size)


@dataclass(frozen=True, slots=True)
class Part:
    """Words of one HYP line: those from `first` to before `last`, of all `of` words on it.

    A bag of words takes any words of a line; then these are the outermost.
    """

    line: int
    id: str | None
    first: int
    last: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether these are all words of the line."""
        return self.last - self.first == self.of


@dataclass(frozen=True, slots=True)
class LineAlignment:
    """One GT line as it was compared, and what it got; `hyp` is None where it got nothing.

    `gt` is the index of the line, `hyp_words` are indices into the words of the HYP page, and `hyp_line` is
    the HYP line that was matched as a whole, None where words were (measures with S, and BOW).
    """

    gt: int
    id: str | None
    text: str
    hyp: str | None
    hyp_line: int | None
    hyp_words: Sequence[int]
    parts: tuple[Part, ...]
    operations: tuple[Operation, ...]

    @property
    def counts(self) -> Counts:
        """INS, DEL, SUB and COR of this line."""
        return _sum(operation.counts for operation in self.operations)


@dataclass(frozen=True, slots=True)
class LeftOver:
    """HYP text that no GT line got: `size` tokens, all of which are deleted."""

    hyp: str
    size: int
    hyp_words: range
    parts: tuple[Part, ...]

    @property
    def counts(self) -> Counts:
        """What the text adds to a score."""
        return Counts(dels=self.size)


@dataclass(frozen=True, slots=True)
class PageAlignment:
    """All GT lines in their order, and the rest of HYP; together they have the counts of the score."""

    measure: Measure
    lines: tuple[LineAlignment, ...]
    left_over: tuple[LeftOver, ...]

    @property
    def counts(self) -> Counts:
        """INS, DEL, SUB and COR of the page."""
        return _sum(line.counts for line in self.lines) + _sum(rest.counts for rest in self.left_over)


class Rest(NamedTuple):
    """HYP tokens that no line got: how many count, from where to where they stand, and their words."""

    size: int
    begin: int
    end: int
    words: range


def _sum(counts: Iterable[Counts]) -> Counts:
    return reduce(add, counts, Counts())
