"""Alignment of the pages of an evaluation: the edits of each line, and hypothesis text without a match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import groupby
from operator import add
from typing import TYPE_CHECKING

from pagemeter.alignment.token_edits import Operation, TokenEdits, token_texts
from pagemeter.errors import NotEvaluatedError
from pagemeter.measure import UNITS, Measure
from pagemeter.score import Counts
from pagemeter.text.notations import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.alignment.token_edits import TokenText
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import UnitName
    from pagemeter.page import LineType
    from pagemeter.score import Match


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


def align(evaluation: Evaluation, measure: str | Measure) -> PageAlignment:
    """Return the alignment of each line by a measure that was evaluated.

    Args:
        evaluation: The evaluation of a page.
        measure: One of its measures.

    Raises:
        NotEvaluatedError: The evaluation does not have the measure, or it compares the page as one text.

    >>> from pagemeter import evaluate
    >>> page = align(evaluate(["one", "right side"], ["rght sjde", "two"], ["CER:R"]), "CER:R")
    >>> page.lines[0].hyp, [(o.kind, o.gt, o.hyp) for o in page.lines[1].operations][:2]
    (None, [('equal', 'r', 'r'), ('insert', 'i', '')])
    >>> page.unmatched[0].hyp, page.counts
    ('two', Counts(ins=4, dels=3, sub=1, cor=8))

    """
    return Aligner(evaluation).align(measure)


class Aligner:
    r"""The alignments of one evaluation; work that several measures share is done once.

    Args:
        evaluation: The evaluation.
        breaks: True to have `\n` in HYP texts at the end of a HYP line, and a space between words.

    """

    def __init__(self, evaluation: Evaluation, *, breaks: bool = False) -> None:
        self.evaluation, self.breaks = evaluation, breaks
        self._units: dict[str, TokenEdits] = {}

    def align(self, measure: str | Measure) -> PageAlignment:
        """Return the alignment of each line by one of the measures that were evaluated."""
        measure = Measure.parse(measure)
        if measure.whole:
            raise NotEvaluatedError(
                f"{measure} compares the page as one text, so its lines have no alignment",
                remedy="use a measure of lines, such as CER:R",
            )
        unit, matches = self.unit(measure.unit), self.evaluation[measure].matches
        matched = {
            match.gt: _matched_line(unit, match, edits)
            for match, edits in zip(matches, unit.edits(measure, matches), strict=True)
        }
        count = len(self.evaluation.gt.lines)
        lines = (matched.get(x) or _missing_line(unit, x) for x in range(count))
        unmatched = (
            ExtraText(
                unit.hyp.slice(span.begin, span.end), span.size, span.words, _parts(unit.hyp, span.words)
            )
            for span in unit.unmatched(measure, matches)
        )
        return PageAlignment(measure, tuple(lines), tuple(unmatched))

    def unit(self, name: UnitName) -> TokenEdits:
        """Return both pages as tokens of a unit."""
        name = UNITS[name].aligned_as
        if name not in self._units:
            pages = self.evaluation.gt, self.evaluation.hyp
            settings, noted = self.evaluation.settings, self.evaluation.sources[0].noted
            readings = noted and noted.normalised(settings)
            self._units[name] = TokenEdits(
                *token_texts(
                    pages, self.evaluation.lines, name, settings, breaks=self.breaks, readings=readings
                )
            )
        return self._units[name]

    @cached_property
    def lines(self) -> tuple[Sequence[str], Sequence[str]]:
        """The normalised lines of both pages, with notations as they are shown."""
        gt, hyp = self.evaluation.lines
        return [line.translate(SHOWN) for line in gt] if self.evaluation.sources[0].noted else gt, hyp


def _matched_line(unit: TokenEdits, match: Match, edits: tuple[Operation, ...]) -> LineAlignment:
    x, words, gt, hyp = match.gt, match.hyp_words, unit.gt, unit.hyp
    if match.tokens:
        text = " ".join(map(hyp.word, words))
    else:
        span = unit.span(match)
        text = hyp.slice(span.begin, span.end)
    parts, row = _parts(hyp, words), unit.row(match)
    line = gt.source.lines[x]
    return LineAlignment(x, line.id, gt.lines[row], text, match.hyp_line, words, parts, edits, line.type)


def _missing_line(unit: TokenEdits, x: int) -> LineAlignment:
    gt, row, size = unit.gt, unit.missing_row(x), unit.missing(x)
    missing = (Operation("insert", size, gt.slice(*gt.spans[row]), ""),) if size else ()
    line = gt.source.lines[x]
    return LineAlignment(x, line.id, gt.lines[row], None, None, (), (), missing, line.type)


def _parts(hyp: TokenText, words: Sequence[int]) -> tuple[HypPart, ...]:
    parts = []
    for line, group in groupby(sorted(words), hyp.word_line.__getitem__):
        run, of = list(group), hyp.words_of(line)
        first, last = run[0] - of.start, run[-1] + 1 - of.start
        source = hyp.source.lines[line]
        parts.append(HypPart(line, source.id, first, last, len(of), source.type))
    return tuple(parts)


def _sum(counts: Iterable[Counts]) -> Counts:
    return reduce(add, counts, Counts())
