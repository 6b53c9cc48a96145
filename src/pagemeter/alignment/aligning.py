"""From the matches of a score to the edits they stand for."""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.alignment import bag
from pagemeter.alignment.result import KINDS, LeftOver, LineAlignment, Operation, PageAlignment, Part
from pagemeter.alignment.spelled import Spelled, spell
from pagemeter.measure import Measure
from pagemeter.text import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.evaluation import Evaluation
    from pagemeter.score import Match

Span = tuple[int, int]
Rest = tuple[int, Span, range]  # how many tokens, where they are, and the words they are of
Operations = tuple[Operation, ...]

# Bytes for the table of one pair of lines; lines whose table is larger are halved first.
MOST_CELLS = 1 << 26


def align(evaluation: Evaluation, measure: str | Measure) -> PageAlignment:
    """What each GT line got by a measure that was evaluated, edit by edit.

    >>> from pagemeter import evaluate
    >>> page = align(evaluate(["one", "right side"], ["rght sjde", "two"], ["CER:R"]), "CER:R")
    >>> page.lines[0].hyp, [(o.kind, o.gt, o.hyp) for o in page.lines[1].operations][:2]
    (None, [('equal', 'r', 'r'), ('insert', 'i', '')])
    >>> page.left_over[0].hyp, page.counts
    ('two', Counts(ins=4, dels=3, sub=1, cor=8))
    """
    return Aligner(evaluation).align(measure)


class Aligner:
    r"""The alignments of one evaluation; what several measures share is made once.

    With `breaks`, HYP texts have `\n` where a HYP line ends and a blank where only words do.
    """

    def __init__(self, evaluation: Evaluation, *, breaks: bool = False) -> None:
        self.evaluation, self.breaks = evaluation, breaks
        self._units: dict[str, _Unit] = {}
        self._pages: dict[Measure, PageAlignment] = {}

    def align(self, measure: str | Measure) -> PageAlignment:
        """What each GT line got by one of the measures that were evaluated."""
        measure = Measure.parse(measure)
        if measure not in self._pages:
            found = self.unit(measure.unit).align(measure, self.evaluation[measure].matches)
            self._pages[measure] = found
        return self._pages[measure]

    def unit(self, name: str) -> _Unit:
        """The pages cut into the tokens of a unit."""
        name = "CER" if name == "CER" else "WER"
        if name not in self._units:
            pages = self.evaluation.gt, self.evaluation.hyp
            gt, hyp, alphabet = spell(pages, self.lines, name, self.evaluation.settings)
            self._units[name] = _Unit(gt, hyp.with_breaks() if self.breaks else hyp, alphabet)
        return self._units[name]

    @cached_property
    def lines(self) -> tuple[Sequence[str], Sequence[str]]:
        """The lines of both pages as they are compared."""
        gt, hyp = (
            normalise([line.text for line in page.lines], self.evaluation.settings)
            for page in (self.evaluation.gt, self.evaluation.hyp)
        )
        return gt, hyp


class _Unit:
    """Both pages as tokens of one unit, and what was found of the pairs that measures have matched so far."""

    def __init__(self, gt: Spelled, hyp: Spelled, alphabet: int) -> None:
        self.gt, self.hyp, self._alphabet = gt, hyp, alphabet
        self._edits: dict[tuple[int, int, int], Operations] = {}
        self._lines: dict[tuple[int, int, int, int | None], LineAlignment] = {}

    def align(self, measure: Measure, matches: Sequence[Match]) -> PageAlignment:
        by_line = {match.gt: match for match in matches}
        if measure.unit == "BOW":
            made, left = self._bag(by_line), bag.left_over(self.hyp, matches)
        else:
            made = self._runs(by_line)
            left = self._words_left(matches) if measure.segmentation else self._lines_left(matches)
        lines = (
            made[x] if x in made else self._unmatched(x, line.id)
            for x, line in enumerate(self.gt.source.lines)
        )
        return PageAlignment(measure, tuple(lines), tuple(self._left(*rest) for rest in left))

    def _runs(self, matches: dict[int, Match]) -> dict[int, LineAlignment]:
        spans = {x: self._span(match) for x, match in matches.items()}
        self._learn((x, *span) for x, span in spans.items())
        return {x: self._run(match, spans[x]) for x, match in matches.items()}

    def _run(self, match: Match, span: Span) -> LineAlignment:
        key = (match.gt, *span, match.hyp_line)
        if key not in self._lines:
            self._lines[key] = self._line(match, self.hyp.slice(*span), self._edits[match.gt, *span])
        return self._lines[key]

    def _span(self, match: Match) -> Span:
        if match.hyp_line is None:
            return self.hyp.span(match.hyp_words)
        begin, end = self.hyp.page.lines[match.hyp_line].tolist()
        return begin, end

    def _bag(self, matches: dict[int, Match]) -> dict[int, LineAlignment]:
        return {
            x: self._line(match, " ".join(map(self.hyp.word, match.hyp_words)), bag.edits(self.gt, match))
            for x, match in matches.items()
        }

    def _line(self, match: Match, hyp: str, operations: Operations) -> LineAlignment:
        x, words = match.gt, match.hyp_words
        id_, text = self.gt.source.lines[x].id, self.gt.lines[x]
        return LineAlignment(x, id_, text, hyp, match.hyp_line, words, self._parts(words), operations)

    def _unmatched(self, x: int, id_: str | None) -> LineAlignment:
        begin, end = self.gt.page.lines[x].tolist()
        missing = (Operation("insert", end - begin, self.gt.slice(begin, end), ""),) if begin < end else ()
        return LineAlignment(x, id_, self.gt.lines[x], None, None, (), (), missing)

    def _learn(self, pairs: Iterable[tuple[int, int, int]]) -> None:
        """Finds the edits of the pairs (GT line, HYP tokens from, to before) that were not met before."""
        new = [pair for pair in pairs if pair not in self._edits]
        gt, hyp = self.gt.page, self.hyp.page
        spans = np.array([pair[1:] for pair in new], np.int32).reshape(-1, 2)
        gt_spans = np.ascontiguousarray(gt.lines[[pair[0] for pair in new]])
        rows = _kernel.edits(gt.tokens, gt_spans, hyp.tokens, spans, self._alphabet, MOST_CELLS).tolist()
        starts = gt_spans[:, 0].tolist()
        self._edits.update(dict.fromkeys(new, ()))  # two empty lines have none
        for index, group in groupby(rows, lambda row: row[0]):
            self._edits[new[index]] = tuple(self._operations(group, starts[index], new[index][1]))

    def _operations(self, rows: Iterable[Sequence[int]], i: int, j: int) -> Iterator[Operation]:
        """The runs of the kernel with their texts, from token i of GT and j of HYP on."""
        for _, number, length in rows:
            kind = KINDS[number]
            size, times = (1, length) if kind == "substitute" else (length, 1)
            for _ in range(times):
                to_i, to_j = i + size * (kind != "delete"), j + size * (kind != "insert")
                yield Operation(kind, size, self.gt.slice(i, to_i), self.hyp.slice(j, to_j))
                i, j = to_i, to_j

    def _lines_left(self, matches: Sequence[Match]) -> Iterator[Rest]:
        got = {match.hyp_line for match in matches}
        for y, (begin, end) in enumerate(self.hyp.page.lines.tolist()):
            if y not in got and begin < end:
                yield end - begin, (begin, end), self.hyp.words_of(y)

    def _words_left(self, matches: Sequence[Match]) -> Iterator[Rest]:
        """Runs of words that no line got; their joining blanks cost nothing and are not counted."""
        free = [True] * len(self.hyp.words)
        for match in matches:
            first, last = match.hyp_words[0], match.hyp_words[-1]
            free[first : last + 1] = [False] * (last + 1 - first)
        for is_free, group in groupby(range(len(free)), free.__getitem__):
            run = list(group)
            size = sum(self.hyp.words[word][1] - self.hyp.words[word][0] for word in run)
            if is_free and size:
                yield size, self.hyp.span(run), range(run[0], run[-1] + 1)

    def _left(self, size: int, span: Span, words: range) -> LeftOver:
        return LeftOver(self.hyp.slice(*span), size, words, self._parts(words))

    def _parts(self, words: Sequence[int]) -> tuple[Part, ...]:
        line_of = self.hyp.word_line
        if isinstance(words, range) and words and line_of[words[0]] == line_of[words[-1]]:
            return (self._part(line_of[words[0]], words),)
        groups = groupby(sorted(words), line_of.__getitem__)
        return tuple(self._part(line, list(group)) for line, group in groups)

    def _part(self, line: int, words: Sequence[int]) -> Part:
        of = self.hyp.words_of(line)
        id_ = self.hyp.source.lines[line].id
        return Part(line, id_, words[0] - of.start, words[-1] + 1 - of.start, len(of))
