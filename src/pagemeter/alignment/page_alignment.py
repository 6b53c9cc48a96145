"""The alignment of a page as values: edit operations of each line, and hypothesis text without a match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.score import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.measure import Measure
    from pagemeter.page import LineType

EditKind = Literal["equal", "substitute", "insert", "delete"]
EDIT_KINDS: tuple[EditKind, ...] = ("equal", "substitute", "insert", "delete")
"""The kinds of edits in the order of the kernel's numbers."""
IN_GAP, GAP_TOKEN = 4, 5
"""Further numbers of the kernel: HYP tokens in a gap, and the gap in front of them."""


class Operation(NamedTuple):
    """A run of tokens with the same edit.

    The kinds are named from the view of editing HYP into GT: the tokens of `insert` are missing in HYP, and
    those of `delete` are extra. Substitutions are runs of one token.

    Args:
        kind: The kind of the edit.
        size: The number of tokens.
        gt: The text in the ground truth; empty for `delete`.
        hyp: The text in the hypothesis; empty for `insert`.

    A `gap` of the ground truth has the text that it takes up as `hyp`, and counts nothing.

    """

    kind: EditKind | Literal["gap"]
    size: int
    gt: str
    hyp: str

    @property
    def counts(self) -> Counts:
        """The counts that the run adds to a score."""
        size = self.size
        match self.kind:
            case "equal":
                return Counts(cor=size)
            case "substitute":
                return Counts(sub=size)
            case "insert":
                return Counts(ins=size)
            case "delete":
                return Counts(dels=size)
            case _:
                return Counts()


@dataclass(frozen=True, slots=True)
class HypPart:
    """The words of one HYP line that are part of a match.

    Args:
        line: The index of the HYP line.
        id: The id of the line.
        first: The first word, counted in the line. A bag of words can match any words of a line; then `first`
            and `last` enclose them.
        last: The word after the last one.
        of: The number of all words of the line.
        type: The type of the line.

    """

    line: int
    id: str | None
    first: int
    last: int
    of: int
    type: LineType = "text"

    @property
    def whole(self) -> bool:
        """True if these are all words of the line."""
        return self.last - self.first == self.of


@dataclass(frozen=True, slots=True)
class LineAlignment:
    """The alignment of one GT line.

    Args:
        gt: The index of the line.
        id: The id of the line.
        text: The normalised text of the line.
        hyp: The matched HYP text; None without a match.
        hyp_line: The index of the HYP line, or None if words are matched (measures with S, and BOW).
        hyp_words: Indices into the words of the HYP page.
        parts: The HYP lines of these words.
        operations: The edits, in the order of the text.
        type: The type of the line.

    """

    gt: int
    id: str | None
    text: str
    hyp: str | None
    hyp_line: int | None
    hyp_words: Sequence[int]
    parts: tuple[HypPart, ...]
    operations: tuple[Operation, ...]
    type: LineType = "text"

    @property
    def counts(self) -> Counts:
        """The counts of this line."""
        return _sum(operation.counts for operation in self.operations)


@dataclass(frozen=True, slots=True)
class ExtraText:
    """HYP text without a match; all its `size` tokens are extra."""

    hyp: str
    size: int
    hyp_words: range
    parts: tuple[HypPart, ...]

    @property
    def counts(self) -> Counts:
        """The counts that the text adds to a score."""
        return Counts(dels=self.size)


@dataclass(frozen=True, slots=True)
class PageAlignment:
    """The alignment of all GT lines in their order, and the HYP text without a match.

    Together they have the counts of the score. If lines are optional, they have the same errors. Optional
    text without a match has no edits.
    """

    measure: Measure
    lines: tuple[LineAlignment, ...]
    unmatched: tuple[ExtraText, ...]

    @property
    def counts(self) -> Counts:
        """The counts of the page."""
        return _sum(line.counts for line in self.lines) + _sum(text.counts for text in self.unmatched)


def _sum(counts: Iterable[Counts]) -> Counts:
    return reduce(add, counts, Counts())
