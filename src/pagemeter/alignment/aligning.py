"""From the matches of a score to the edits they stand for."""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from pagemeter.alignment.result import LeftOver, LineAlignment, Operation, PageAlignment, Part
from pagemeter.alignment.spelled import spell
from pagemeter.alignment.unit import Unit
from pagemeter.measure import Measure
from pagemeter.text import normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.alignment.spelled import Spelled
    from pagemeter.alignment.unit import Operations
    from pagemeter.evaluation import Evaluation
    from pagemeter.score import Match


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
        self._units: dict[str, Unit] = {}

    def align(self, measure: str | Measure) -> PageAlignment:
        """What each GT line got by one of the measures that were evaluated."""
        measure = Measure.parse(measure)
        unit, matches = self.unit(measure.unit), self.evaluation[measure].matches
        made = {
            match.gt: _line(unit, match, edits)
            for match, edits in zip(matches, unit.edits(measure, matches), strict=True)
        }
        lines = (made[x] if x in made else _unmatched(unit.gt, x) for x in range(len(unit.gt.lines)))
        left = (
            LeftOver(
                unit.hyp.slice(rest.begin, rest.end), rest.size, rest.words, _parts(unit.hyp, rest.words)
            )
            for rest in unit.left(measure, matches)
        )
        return PageAlignment(measure, tuple(lines), tuple(left))

    def unit(self, name: str) -> Unit:
        """The pages cut into the tokens of a unit."""
        name = "CER" if name == "CER" else "WER"
        if name not in self._units:
            pages = self.evaluation.gt, self.evaluation.hyp
            self._units[name] = Unit(
                *spell(pages, self.lines, name, self.evaluation.settings, breaks=self.breaks)
            )
        return self._units[name]

    @cached_property
    def lines(self) -> tuple[Sequence[str], Sequence[str]]:
        """The lines of both pages as they are compared."""
        gt, hyp = (
            normalise([line.text for line in page.lines], self.evaluation.settings)
            for page in (self.evaluation.gt, self.evaluation.hyp)
        )
        return gt, hyp


def _line(unit: Unit, match: Match, edits: Operations) -> LineAlignment:
    x, words, gt, hyp = match.gt, match.hyp_words, unit.gt, unit.hyp
    if match.tokens:
        text = " ".join(map(hyp.word, words))
    else:
        pair = unit.pair(match)
        text = hyp.slice(pair.begin, pair.end)
    parts = _parts(hyp, words)
    return LineAlignment(x, gt.source.lines[x].id, gt.lines[x], text, match.hyp_line, words, parts, edits)


def _unmatched(gt: Spelled, x: int) -> LineAlignment:
    begin, end = gt.spans[x]
    missing = (Operation("insert", end - begin, gt.slice(begin, end), ""),) if begin < end else ()
    return LineAlignment(x, gt.source.lines[x].id, gt.lines[x], None, None, (), (), missing)


def _parts(hyp: Spelled, words: Sequence[int]) -> tuple[Part, ...]:
    parts = []
    for line, group in groupby(sorted(words), hyp.word_line.__getitem__):
        run, of = list(group), hyp.words_of(line)
        first, last = run[0] - of.start, run[-1] + 1 - of.start
        parts.append(Part(line, hyp.source.lines[line].id, first, last, len(of)))
    return tuple(parts)
