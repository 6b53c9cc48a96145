"""The sum over pages, and what happened on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from pagemeter.corpus.sums import Adding

if TYPE_CHECKING:
    from collections import Counter

    from pagemeter.corpus.count_table import CountTable
    from pagemeter.corpus.result import PageResult
    from pagemeter.measure import Measure
    from pagemeter.page import Warn
    from pagemeter.score import Score
    from pagemeter.stats.budget import Budget
    from pagemeter.stats.columns import PageColumns

KEPT = 10_000
"""How many pages that failed or lack a side, and reasons, are kept; reports list all of them as they come."""
_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class Reason:
    """How often a warning was given, and where first."""

    first: Warn
    times: int = 1


@dataclass(slots=True)
class First(Generic[_Thing]):
    """How many there were of something, and the first of them, so that millions take no memory.

    >>> names = First(["a"])
    >>> names.add("b")
    >>> names.times, names.first
    (2, ['a', 'b'])
    """

    first: list[_Thing] = field(default_factory=list)
    times: int = field(default=-1)

    def __post_init__(self) -> None:
        self.times = len(self.first) if self.times < 0 else self.times

    def add(self, thing: _Thing) -> None:
        """Counts one more, and keeps it if it is among the first."""
        self.times += 1
        if self.times <= KEPT:
            self.first.append(thing)

    def __bool__(self) -> bool:
        return self.times > 0


@dataclass(slots=True)
class Totals:
    """Scores added up page by page, and the pages that something is to be said about.

    All totals are over the same pages: measures and budgets that only some have are not among them.
    `unplaced` counts the pages that were not evaluated by the measures with G, `first_unplaced` is the first
    of them, and `places` says whether there are positions. `dropped_gt` and `dropped_hyp` count the lines
    that line filters left out.

    >>> from pagemeter.corpus import PageResult
    >>> totals = Totals()
    >>> totals.add(PageResult("0001", "gt/0001.xml", None))
    >>> totals.pages, totals.without_hyp.first
    (0, ['gt/0001.xml'])
    """

    adding: Adding = field(default_factory=Adding, repr=False)
    pages: int = 0
    missed: int = 0
    warnings: int = 0
    reasons: dict[str, Reason] = field(default_factory=dict)
    without_hyp: First[str] = field(default_factory=First)
    without_gt: First[str] = field(default_factory=First)
    failed: First[PageResult] = field(default_factory=First)
    unplaced: int = 0
    first_unplaced: PageResult | None = field(default=None, repr=False)
    places: bool = False
    dropped_gt: int = 0
    dropped_hyp: int = 0

    @property
    def scores(self) -> dict[Measure, Score]:
        """The sums of the measures that every page has."""
        return self.adding.sums.scores

    @property
    def partial(self) -> set[Measure]:
        """The measures that only some pages have."""
        return self.adding.sums.partial

    @property
    def budgets(self) -> dict[Measure, Budget]:
        """The sums of the error budgets that every page has."""
        return self.adding.sums.budgets

    @property
    def counts(self) -> CountTable:
        """What every page adds, for intervals."""
        return self.adding.sums.counts

    @property
    def textless(self) -> Counter[Measure]:
        """The errors on pages whose ground truth has no text."""
        return self.adding.sums.textless

    def add(self, result: PageResult) -> None:
        """Adds one page; scores are added and never averaged."""
        if result.evaluation is not None:
            self.adding.add(result)
            self._add_places(result)
            self.pages += 1
        self.missed += result.status == "missed"
        self.dropped_gt += result.dropped[0]
        self.dropped_hyp += result.dropped[1]
        self.note(result.warnings)
        self.list_odd(result)

    def add_columns(self, columns: PageColumns) -> None:
        """Adds the scores of pages that were evaluated, many at once."""
        self.adding.extend(columns)
        self.pages += len(columns)

    def list_odd(self, result: PageResult) -> None:
        """Counts a page that failed or lacks a side."""
        if result.error is not None:
            self.failed.add(result)
        elif result.gt is not None and result.hyp is None:
            self.without_hyp.add(result.gt)
        elif result.gt is None and result.hyp is not None:
            self.without_gt.add(result.hyp)

    def _add_places(self, result: PageResult) -> None:
        self.places = self.places or result.has_places
        if result.unplaced:
            self.unplaced += 1
            self.first_unplaced = self.first_unplaced or result

    def note(self, warnings: tuple[Warn, ...]) -> None:
        """Counts warnings, and keeps the first for each of the first reasons."""
        self.warnings += len(warnings)
        for warn in warnings:
            if warn.reason in self.reasons:
                self.reasons[warn.reason].times += 1
            elif len(self.reasons) < KEPT:
                self.reasons[warn.reason] = Reason(warn)
