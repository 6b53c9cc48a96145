"""What several systems made of the same pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.errors import UsageError
from pagemeter.stats.columns import PageColumns, PageNumbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget

PageScores = Mapping["Measure", "Score"]


@dataclass(frozen=True, slots=True)
class System:
    """One system: its scores page by page, without matchings, and in total, with intervals and budgets."""

    name: str
    pages: Sequence[PageScores] = field(repr=False)
    total: PageScores
    intervals: Mapping[Measure, Interval]
    budgets: Mapping[Measure, Budget]


class LeftOut(NamedTuple):
    """A page that cannot be compared, the first system that lacks it, and why."""

    page: str
    system: str
    reason: str
    error: str | None = None


class Gap(NamedTuple):
    """Why a page of a system has no numbers."""

    reason: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SystemPages:
    """The pages of one system: the counts of those that were evaluated, and why others were not.

    `order` are all of them, known by their ground truth file.
    """

    columns: PageColumns
    order: Sequence[str]
    gaps: Mapping[str, Gap]

    @classmethod
    def of(cls, results: Iterable[PageResult]) -> SystemPages:
        """The pages of a system that have a ground truth; no result is kept."""
        numbers, order, gaps = list[PageNumbers](), list[str](), dict[str, Gap]()
        for page in results:
            if page.gt:
                order.append(page.gt)
                if page.evaluation is None:
                    gaps[page.gt] = Gap(page.status, page.error)
                else:
                    numbers.append(PageNumbers.of(page))
        return cls(PageColumns.of(numbers), order, gaps)


@dataclass(frozen=True, slots=True)
class Aligned:
    """The pages that all systems have, in the order of the first, and the measures that all of them have."""

    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    documents: tuple[str | None, ...]
    columns: Mapping[str, PageColumns] = field(repr=False)
    left_out: tuple[LeftOut, ...] = ()

    @classmethod
    def of(cls, systems: Mapping[str, SystemPages]) -> Aligned:
        """The same pages of every system: known by their ground truth file, in whatever order they come.

        A page that failed, or was left out, for one system is left out for all.
        """
        if len(systems) < 2:  # noqa: PLR2004
            raise UsageError("one system alone cannot be compared; give two or more")
        places = {name: {gt: n for n, gt in enumerate(one.columns.gts)} for name, one in systems.items()}
        order = dict.fromkeys(gt for one in systems.values() for gt in one.order)
        kept = [gt for gt in order if all(gt in found for found in places.values())]
        gone = order.keys() - set(kept)
        left_out = [_gap(gt, systems, places) for gt in order if gt in gone]
        columns = {name: one.columns.take([places[name][gt] for gt in kept]) for name, one in systems.items()}
        first = next(iter(columns.values()))
        common = set.intersection(*(set(one.of_every_page()) for one in columns.values()))
        measures = tuple(measure for measure in first.measures if measure in common)
        return cls(tuple(first.names), measures, tuple(first.documents), columns, tuple(left_out))

    def errors(self, name: str) -> NDArray[np.int64]:
        """The errors of a system: a row a page, a column a measure."""
        return self.columns[name].errors(self.measures)

    @property
    def n_gt(self) -> NDArray[np.int64]:
        """The GT tokens: a row a page, a column a measure; the same for all systems."""
        return next(iter(self.columns.values())).n_gt(self.measures)


def _gap(gt: str, systems: Mapping[str, SystemPages], places: Mapping[str, Mapping[str, int]]) -> LeftOut:
    """The first system that has nothing to compare on a page."""
    name = next(name for name, found in places.items() if gt not in found)
    reason, error = systems[name].gaps.get(gt, Gap("no such page"))
    return LeftOut(gt, name, reason, error)
