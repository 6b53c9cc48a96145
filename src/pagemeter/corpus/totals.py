"""The sum over pages, and what happened on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.score import Score

if TYPE_CHECKING:
    from pagemeter.corpus.result import PageResult
    from pagemeter.measure import Measure
    from pagemeter.page import Warn


@dataclass(slots=True)
class Reason:
    """How often a warning was given, and where first."""

    first: Warn
    times: int = 1


@dataclass(slots=True)
class Totals:
    """Scores added up page by page, and the pages that something is to be said about.

    >>> from pagemeter.corpus import PageResult
    >>> totals = Totals()
    >>> totals.add(PageResult("0001", "gt/0001.xml", None))
    >>> totals.pages, totals.without_hyp
    (0, ['gt/0001.xml'])
    """

    scores: dict[Measure, Score] = field(default_factory=dict)
    pages: int = 0
    missed: int = 0
    warnings: int = 0
    reasons: dict[str, Reason] = field(default_factory=dict)
    without_hyp: list[str] = field(default_factory=list)
    without_gt: list[str] = field(default_factory=list)
    failed: list[PageResult] = field(default_factory=list)

    def add(self, result: PageResult) -> None:
        """Adds one page; scores are added and never averaged."""
        for measure, score in result.scores.items():
            self.scores[measure] = self.scores[measure] + score if measure in self.scores else _alone(score)
        self.pages += result.evaluation is not None
        self.missed += result.status == "missed"
        self._note(result.warnings)
        if result.error is not None:
            self.failed.append(result)
        elif result.gt is not None and result.hyp is None:
            self.without_hyp.append(result.gt)
        elif result.gt is None and result.hyp is not None:
            self.without_gt.append(result.hyp)

    def _note(self, warnings: tuple[Warn, ...]) -> None:
        self.warnings += len(warnings)
        for warn in warnings:
            if warn.reason in self.reasons:
                self.reasons[warn.reason].times += 1
            else:
                self.reasons[warn.reason] = Reason(warn)


def _alone(score: Score) -> Score:
    """The score without its matching, which belongs to one page."""
    return Score(score.measure, score.counts, score.lower_bound, score.canonical)
