"""What several systems made of the same pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    pages: tuple[PageScores, ...] = field(repr=False)
    total: PageScores
    intervals: Mapping[Measure, Interval]
    budgets: Mapping[Measure, Budget]


class LeftOut(NamedTuple):
    """A page that cannot be compared, the first system that lacks it, and why."""

    page: str
    system: str
    reason: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Aligned:
    """The pages that all systems have, in the order of the first, and the measures that all of them have."""

    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    documents: tuple[str | None, ...]
    results: Mapping[str, tuple[PageResult, ...]] = field(repr=False)
    left_out: tuple[LeftOut, ...] = ()

    @classmethod
    def of(cls, systems: Mapping[str, Iterable[PageResult]]) -> Aligned:
        """The same pages of every system: known by their ground truth file, in whatever order they come.

        A page that failed, or was left out, for one system is left out for all.
        """
        if len(systems) < 2:  # noqa: PLR2004
            raise UsageError("one system alone cannot be compared; give two or more")
        by_page = {name: {r.gt: r for r in results if r.gt} for name, results in systems.items()}
        order = list(dict.fromkeys(gt for pages in by_page.values() for gt in pages))
        left_out = [gap for gt in order if (gap := _gap(gt, by_page))]
        gone = {gap.page for gap in left_out}
        kept = [gt for gt in order if gt not in gone]
        results = {name: tuple(pages[gt] for gt in kept) for name, pages in by_page.items()}
        first = next(iter(results.values()))
        return cls(
            tuple(result.name for result in first),
            _common([result.scores for pages in results.values() for result in pages]),
            tuple(result.document for result in first),
            results,
            tuple(left_out),
        )

    def errors(self, name: str) -> NDArray[np.int64]:
        """The errors of a system: a row a page, a column a measure."""
        return self._table(name, "errors")

    @property
    def n_gt(self) -> NDArray[np.int64]:
        """The GT tokens: a row a page, a column a measure; the same for all systems."""
        return self._table(next(iter(self.results)), "n_gt")

    def _table(self, name: str, what: str) -> NDArray[np.int64]:
        rows = [[getattr(page.scores[m], what) for m in self.measures] for page in self.results[name]]
        return np.array(rows, np.int64).reshape(len(rows), len(self.measures))


def _gap(gt: str, by_page: Mapping[str, Mapping[str, PageResult]]) -> LeftOut | None:
    """The first system that has nothing to compare on a page."""
    for name, pages in by_page.items():
        found = pages.get(gt)
        if found is None or found.evaluation is None:
            return LeftOut(
                gt, name, found.status if found else "no such page", found.error if found else None
            )
    return None


def _common(pages: Sequence[PageScores]) -> tuple[Measure, ...]:
    return tuple(m for m in (pages[0] if pages else ()) if all(m in scores for scores in pages))
