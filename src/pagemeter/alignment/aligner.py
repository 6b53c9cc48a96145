"""Alignment of the pages of an evaluation: from the matches of a score to edit operations."""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter import _kernel
from pagemeter.alignment.page_alignment import (
    EDIT_KINDS,
    GAP_TOKEN,
    IN_GAP,
    ExtraText,
    HypPart,
    LineAlignment,
    Operation,
    PageAlignment,
)
from pagemeter.alignment.token_text import token_texts
from pagemeter.errors import NotEvaluatedError
from pagemeter.measure import UNITS, Measure
from pagemeter.text.notations import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.alignment.token_text import TokenText
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import UnitName
    from pagemeter.score import Match
    from pagemeter.text.notation_tokens import Notations

Operations = tuple[Operation, ...]
EditRuns = list[list[int]]
"""Runs of equal edits: the number of the kind, and the number of tokens."""

# Bytes of the table of one pair of lines; the kernel halves lines whose table is larger.
_MAX_CELLS = 1 << 26


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


def _matched_line(unit: TokenEdits, match: Match, edits: Operations) -> LineAlignment:
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


class MatchedSpan(NamedTuple):
    """A GT line (or its reading), and the HYP tokens from `begin` to before `end` matched with it."""

    gt: int
    begin: int
    end: int


class UnmatchedSpan(NamedTuple):
    """HYP tokens without a match: their start, end and words, and the number of tokens that count."""

    size: int
    begin: int
    end: int
    words: range


class TokenEdits:
    """Both pages as tokens of one unit, and the edits of all spans so far.

    Several measures often match the same spans; their edits are computed once.
    """

    def __init__(
        self, gt: TokenText, hyp: TokenText, alphabet: int, notations: Notations | None = None
    ) -> None:
        self.gt, self.hyp, self._alphabet, self.notations = gt, hyp, alphabet, notations
        if notations is not None:
            self._first = notations.first.tolist()
            self._shortest, self._sizes = notations.shortest.tolist(), notations.sizes.tolist()
            self._is_gap = notations.is_gap.tolist()
        self._runs: dict[MatchedSpan, EditRuns] = {}
        self._edits: dict[MatchedSpan, Operations] = {}

    def edits(self, measure: Measure, matches: Sequence[Match]) -> list[Operations]:
        """Return the edits of each match."""
        if measure.is_bag:
            return [self.bag_edits(match) for match in matches]
        spans = [self.span(match) for match in matches]
        for span, runs in self.runs(spans).items():
            if span not in self._edits:
                self._edits[span] = tuple(self._operations(span, runs))
        return [self._edits[span] for span in spans]

    def runs(self, spans: Iterable[MatchedSpan]) -> dict[MatchedSpan, EditRuns]:
        """Return the runs of equal edits of each span."""
        wanted = dict.fromkeys(spans)
        new = [span for span in wanted if span not in self._runs]
        if new:
            self._compute_runs(new)
        return {span: self._runs[span] for span in wanted}

    def unmatched(self, measure: Measure, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
        """Yield the spans of HYP without a match, except those of optional lines, which are not errors."""
        if measure.is_bag:
            return _unmatched_tokens(self.hyp, matches)
        return self._unmatched_words(matches) if measure.segmentation else self._unmatched_lines(matches)

    def span(self, match: Match) -> MatchedSpan:
        """Return the tokens of a match."""
        if match.hyp_line is None:
            return MatchedSpan(self.row(match), *self.hyp.span(match.hyp_words))
        return MatchedSpan(self.row(match), *self.hyp.spans[match.hyp_line])

    def row(self, match: Match) -> int:
        """Return the reading of a match among the lines of `gt`."""
        return match.gt if self.notations is None else int(self._first[match.gt]) + match.reading

    def missing_row(self, x: int) -> int:
        """Return the reading of a line without a match."""
        return x if self.notations is None else int(self._shortest[x])

    def missing(self, x: int) -> int:
        """Return the number of tokens that a line without a match lacks; 0 for an optional line."""
        if self.gt.optional[x]:
            return 0
        if self.notations is not None:
            return int(self._sizes[self._shortest[x]])
        begin, end = self.gt.spans[x]
        return end - begin

    def bag_edits(self, match: Match) -> Operations:
        """Return the edits of a GT line in a bag of words: a token that HYP has anywhere is right."""
        gt = self.gt
        begin, end = gt.spans[self.row(match)]
        if len(match.tokens) == end - begin:
            text = gt.slice(begin, end)
            return (Operation("equal", end - begin, text, text),)
        matched = {token for token, _ in match.tokens}
        operations, position = [], begin
        for (is_matched, is_gap), group in groupby(
            range(begin, end), lambda token: (token in matched, self._in_gap(token))
        ):
            size = sum(1 for _ in group)
            text = gt.slice(position, position + size)
            if is_matched:
                operations.append(Operation("equal", size, text, text))
            elif not is_gap and not gt.optional[match.gt]:
                operations.append(Operation("insert", size, text, ""))
            position += size
        return tuple(operations)

    def _in_gap(self, token: int) -> bool:
        return self.notations is not None and bool(self._is_gap[token])

    def _compute_runs(self, new: list[MatchedSpan]) -> None:
        gt, hyp = self.gt.page, self.hyp.page
        table = np.array(new, np.int32)
        spans = np.ascontiguousarray(gt.lines[table[:, 0]]), np.ascontiguousarray(table[:, 1:])
        if self.notations is None:
            rows = _kernel.edits(gt.tokens, spans[0], hyp.tokens, spans[1], self._alphabet, _MAX_CELLS)
        else:
            rows = self.notations.kernel().edits(np.ascontiguousarray(table[:, 0]), hyp.tokens, spans[1])
        ends = np.searchsorted(rows[:, 0], np.arange(len(new) + 1)).tolist()
        runs = rows[:, 1:].tolist()
        self._runs.update((span, runs[ends[i] : ends[i + 1]]) for i, span in enumerate(new))

    def _operations(self, span: MatchedSpan, runs: EditRuns) -> Iterator[Operation]:
        """Yield the runs with their texts."""
        gt, hyp = self.gt.slice, self.hyp.slice
        i, j = self.gt.spans[span.gt][0], span.begin
        for number, length in runs:
            if number == GAP_TOKEN:
                yield Operation("gap", 0, gt(i, i := i + length), "")
                continue
            if number == IN_GAP:
                yield Operation("gap", length, "", hyp(j, j := j + length))
                continue
            kind = EDIT_KINDS[number]
            if kind == "insert":
                yield Operation(kind, length, gt(i, i := i + length), "")
            elif kind == "delete":
                yield Operation(kind, length, "", hyp(j, j := j + length))
            elif kind == "equal":
                yield Operation(kind, length, gt(i, i := i + length), hyp(j, j := j + length))
            else:
                for _ in range(length):
                    yield Operation(kind, 1, gt(i, i := i + 1), hyp(j, j := j + 1))

    def _unmatched_lines(self, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
        matched = {match.hyp_line for match in matches}
        for y, (begin, end) in enumerate(self.hyp.spans):
            if y not in matched and begin < end and not self.hyp.optional[y]:
                yield UnmatchedSpan(end - begin, begin, end, self.hyp.words_of(y))

    def _unmatched_words(self, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
        """Yield runs of words without a match; the spaces that join them cost nothing and do not count."""
        ends = sorted((match.hyp_words[0], match.hyp_words[-1] + 1) for match in matches)
        free = 0
        for first, last in (*ends, (len(self.hyp.words),) * 2):
            for optional, group in groupby(range(free, first), self._is_optional):
                numbers = list(group)
                words = range(numbers[0], numbers[-1] + 1)
                size = sum(end - begin for begin, end in self.hyp.words[words.start : words.stop])
                if size and not optional:
                    yield UnmatchedSpan(size, *self.hyp.span(words), words)
            free = last

    def _is_optional(self, word: int) -> bool:
        """Return True if a word of HYP is in an optional line."""
        return self.hyp.optional[self.hyp.word_line[word]]


def _unmatched_tokens(hyp: TokenText, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
    """Yield the runs of unmatched tokens of a bag of words; no run crosses a line end."""
    matched = {token for match in matches for _, token in match.tokens}
    sizes = np.diff(hyp.page.words, axis=1)[:, 0]
    word_of = np.repeat(np.arange(len(hyp.words)), sizes).tolist()
    free = [
        token
        for token, word in enumerate(word_of)
        if token not in matched and not hyp.optional[hyp.word_line[word]]
    ]
    for _, group in groupby(
        enumerate(free), lambda item: (item[1] - item[0], hyp.word_line[word_of[item[1]]])
    ):
        run = [token for _, token in group]
        words = range(word_of[run[0]], word_of[run[-1]] + 1)
        yield UnmatchedSpan(len(run), run[0], run[-1] + 1, words)
