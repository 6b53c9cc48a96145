"""The sum over pages, and what happened on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from pagemeter.corpus.count_table import CountTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus.result import PageResult
    from pagemeter.measure import Measure
    from pagemeter.page import Warn
    from pagemeter.score import Score
    from pagemeter.stats.budget import Budget
    from pagemeter.stats.columns import PageColumns


class _Addable(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


_Sum = TypeVar("_Sum", bound=_Addable)


@dataclass(slots=True)
class Reason:
    """How often a warning was given, and where first."""

    first: Warn
    times: int = 1


@dataclass(slots=True)
class Totals:
    """Scores added up page by page, and the pages that something is to be said about.

    `scores` has the measures that every evaluated page has, so that all totals are over the same pages;
    `partial` those that only some have, and `budgets` the error budgets that every page has.
    `counts` are those of every page, for intervals. `unplaced` counts the pages that were not evaluated by
    the measures with G, `first_unplaced` is the first of them, and `places` says whether there are positions.
    `dropped_gt` and `dropped_hyp` count the lines that line filters left out, `textless` the errors on pages
    whose ground truth has no text.

    >>> from pagemeter.corpus import PageResult
    >>> totals = Totals()
    >>> totals.add(PageResult("0001", "gt/0001.xml", None))
    >>> totals.pages, totals.without_hyp
    (0, ['gt/0001.xml'])
    """

    scores: dict[Measure, Score] = field(default_factory=dict)
    partial: set[Measure] = field(default_factory=set)
    budgets: dict[Measure, Budget] = field(default_factory=dict)
    counts: CountTable = field(default_factory=CountTable, repr=False)
    pages: int = 0
    missed: int = 0
    warnings: int = 0
    reasons: dict[str, Reason] = field(default_factory=dict)
    without_hyp: list[str] = field(default_factory=list)
    without_gt: list[str] = field(default_factory=list)
    failed: list[PageResult] = field(default_factory=list)
    unplaced: int = 0
    first_unplaced: PageResult | None = field(default=None, repr=False)
    places: bool = False
    dropped_gt: int = 0
    dropped_hyp: int = 0
    textless: Counter[Measure] = field(default_factory=Counter)

    def add(self, result: PageResult) -> None:
        """Adds one page; scores are added and never averaged."""
        if result.evaluation is not None:
            self._add_scores(result)
            self._add_places(result)
            self.counts.add(result)
            self.textless.update({m: score.errors for m, score in result.scores.items() if not score.n_gt})
            self.pages += 1
        self.missed += result.status == "missed"
        self.dropped_gt += result.dropped[0]
        self.dropped_hyp += result.dropped[1]
        self.note(result.warnings)
        self.list_odd(result)

    def add_columns(self, columns: PageColumns) -> None:
        """Adds the scores of pages that were evaluated, many at once."""
        common = columns.of_every_page()
        scores = {measure: columns.total(measure) for measure in common}
        if self.pages == 0:
            self.scores, self.budgets = scores, columns.budgets()
        else:
            self.partial |= self.scores.keys() ^ scores.keys()
            self.scores = _sums(self.scores, scores)
            self.budgets = _sums(self.budgets, columns.budgets())
        self.partial |= set(columns.of_any_page()) - set(common)
        shares = columns.shares()
        self.counts.extend(columns.names, columns.documents, shares)
        self.textless.update({m: int(rows[rows[:, 1] == 0, 0].sum()) for m, rows in shares.items()})
        self.pages += len(columns)

    def list_odd(self, result: PageResult) -> None:
        """Keeps the name of a page that failed or lacks a side."""
        if result.error is not None:
            self.failed.append(result)
        elif result.gt is not None and result.hyp is None:
            self.without_hyp.append(result.gt)
        elif result.gt is None and result.hyp is not None:
            self.without_gt.append(result.hyp)

    def _add_scores(self, result: PageResult) -> None:
        if self.pages == 0:
            self.scores = {measure: score.alone for measure, score in result.scores.items()}
            self.budgets = dict(result.budgets)
            return
        self.partial |= result.scores.keys() ^ self.scores.keys()
        self.scores = _sums(self.scores, result.scores)
        self.budgets = _sums(self.budgets, result.budgets)

    def _add_places(self, result: PageResult) -> None:
        self.places = self.places or result.has_places
        if result.unplaced:
            self.unplaced += 1
            self.first_unplaced = self.first_unplaced or result

    def note(self, warnings: tuple[Warn, ...]) -> None:
        """Counts warnings, and keeps the first for each reason."""
        self.warnings += len(warnings)
        for warn in warnings:
            if warn.reason in self.reasons:
                self.reasons[warn.reason].times += 1
            else:
                self.reasons[warn.reason] = Reason(warn)


def _sums(totals: Mapping[Measure, _Sum], found: Mapping[Measure, _Sum]) -> dict[Measure, _Sum]:
    """The totals with one page more; what the page lacks leaves them."""
    return {measure: total + found[measure] for measure, total in totals.items() if measure in found}
