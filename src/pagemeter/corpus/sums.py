"""Scores added up, many pages at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from pagemeter.corpus.count_table import CountTable
from pagemeter.stats.columns import PageColumns, PageNumbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus.result import PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.budget import Budget

_AT_ONCE = 1000  # pages whose numbers wait until they are added up


class _Addable(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


_Sum = TypeVar("_Sum", bound=_Addable)


@dataclass(slots=True)
class Sums:
    """What the pages that were evaluated have in sum; `counts` are those of every page.

    `scores` has the measures that every page has, `partial` those that only some have, and `budgets` the
    error budgets that every page has. `textless` are the errors on pages whose ground truth has no text.
    """

    scores: dict[Measure, Score] = field(default_factory=dict)
    partial: set[Measure] = field(default_factory=set)
    budgets: dict[Measure, Budget] = field(default_factory=dict)
    counts: CountTable = field(default_factory=CountTable, repr=False)
    textless: Counter[Measure] = field(default_factory=Counter)
    pages: int = 0

    def extend(self, columns: PageColumns) -> None:
        """Adds pages."""
        common = columns.of_every_page()
        scores = {measure: columns.total(measure) for measure in common}
        if self.pages == 0:
            self.scores, self.budgets = scores, columns.budgets()
        else:
            self.partial |= self.scores.keys() ^ scores.keys()
            self.scores = _added(self.scores, scores)
            self.budgets = _added(self.budgets, columns.budgets())
        self.partial |= set(columns.of_any_page()) - set(common)
        shares = columns.shares()
        self.counts.extend(columns.names, columns.documents, shares)
        self.textless.update({m: int(rows[rows[:, 1] == 0, 0].sum()) for m, rows in shares.items()})
        self.pages += len(columns)


@dataclass(slots=True, eq=False)
class Adding:
    """Sums in the making: numbers of pages wait until they are many, or somebody asks for the sums.

    >>> from pagemeter import evaluate
    >>> from pagemeter.corpus import PageResult
    >>> adding = Adding()
    >>> for hyp in ("ore", "one"): adding.add(PageResult(hyp, "gt", "hyp", evaluate("one", hyp, "CER")))
    >>> [(str(measure), score.errors) for measure, score in adding.sums.scores.items()]
    [('CER', 1)]
    """

    _sums: Sums = field(default_factory=Sums)
    _waiting: list[PageNumbers] = field(default_factory=list, repr=False)

    def add(self, result: PageResult) -> None:
        """Adds a page that was evaluated."""
        self._waiting.append(PageNumbers.of(result))
        if len(self._waiting) >= _AT_ONCE:
            self._add_up()

    @property
    def sums(self) -> Sums:
        """The sums of all pages so far."""
        self._add_up()
        return self._sums

    def extend(self, columns: PageColumns) -> None:
        """Adds many pages that were evaluated."""
        self.sums.extend(columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Adding) and self.sums == other.sums

    __hash__ = None  # type: ignore[assignment]  # it grows

    def _add_up(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._sums.extend(PageColumns.of(waiting))


def _added(totals: Mapping[Measure, _Sum], found: Mapping[Measure, _Sum]) -> dict[Measure, _Sum]:
    """The totals with what was found; what that lacks leaves them."""
    return {measure: total + found[measure] for measure, total in totals.items() if measure in found}
