"""A part of a store as it is read: results, or columns of numbers, which are added up in a moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

from pagemeter.measure import Measure
from pagemeter.page import Warn
from pagemeter.stats.columns import COUNTS, PageColumns, empty
from pagemeter.store.decoding import pairs_of, starts_of

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult, Totals


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of a part, and the first row of every page."""

    table: pa.Table
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, table: pa.Table) -> Part:
        """A part with its pages found."""
        return cls(table, starts_of(table))

    def __len__(self) -> int:
        return len(self.starts)

    def column(self, name: str) -> list[Any]:
        """A column that is the same in all rows of a page: a value a page."""
        values: list[Any] = self.table[name].take(self.starts).to_pylist()
        return values

    def array(self, name: str) -> NDArray[Any]:
        """The same as numbers."""
        return np.asarray(self.table[name].take(self.starts))

    def results(self, places: NDArray[np.int64] | None = None) -> list[PageResult]:
        """The results of all pages, or of some of them, without texts."""
        rows = self.table if places is None else self.table.take(self._rows(places))
        return [result for pair in pairs_of(rows).values() for result in pair.results(None)]

    def columns(self) -> PageColumns:
        """The counts of the pages that were evaluated."""
        measures, codes = _encoded(self.table["measure"])
        has = codes >= 0
        sizes = np.diff([*self.starts, self.table.num_rows])
        page = np.repeat(np.arange(len(self)), sizes)[has]
        counts, canonical, there = empty(len(self), len(measures))
        at = page, codes[has]
        for place, name in enumerate(COUNTS):
            counts[(*at, place)] = _numbers(self.table[name], has)
        canonical[at], there[at] = _numbers(self.table["canonical"], has), True
        extra = codes[has][np.asarray(_numbers(self.table["for_budget"], has), bool)]
        kept = np.flatnonzero(there.any(axis=1))
        texts = ([column[place] for place in kept] for column in map(self.column, ("page", "gt", "document")))
        names, gts, documents = texts
        budget_only = frozenset(measures[code] for code in np.unique(extra))
        return PageColumns(
            names, gts, documents, measures, budget_only, counts[kept], canonical[kept], there[kept]
        )

    def worst(self, measure: Measure, count: int) -> list[PageResult]:
        """The pages with the highest rates of a measure, then with the most errors, as they stand here."""
        own = np.asarray(pc.fill_null(pc.equal(self.table["measure"], str(measure)), False))  # noqa: FBT003
        page = (np.searchsorted(self.starts, np.flatnonzero(own), side="right") - 1).astype(np.int64)
        rate, errors = (np.full(len(self), -1.0), np.zeros(len(self), np.int64))
        rate[page] = np.asarray(pc.fill_null(self.table["rate"], np.inf))[own]
        errors[page] = _numbers(self.table["errors"], own)
        highest_first = np.lexsort((np.arange(len(self)), -errors, -rate))
        evaluated = np.isin(self.array("status"), ("evaluated", "missed"))
        return self.results(np.sort(highest_first[evaluated[highest_first]][:count]))

    def _rows(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        ends = np.append(self.starts[1:], self.table.num_rows)
        spans = [np.arange(self.starts[place], ends[place]) for place in places]
        return np.concatenate([np.zeros(0, np.int64), *spans])


def add_part(totals: Totals, part: Part) -> None:
    """Adds all pages of a part to the totals, as `Totals.add` would one by one."""
    columns = part.columns()
    if len(columns):
        totals.add_columns(columns)
    status = part.array("status")
    totals.missed += int(np.count_nonzero(status == "missed"))
    totals.dropped_gt += int(part.array("dropped_gt_lines").sum())
    totals.dropped_hyp += int(part.array("dropped_hyp_lines").sum())
    totals.places = totals.places or bool(part.array("has_positions").any())
    _add_warnings(totals, part)
    for result in part.results(np.flatnonzero(status != "evaluated")):
        totals.list_odd(result)
    lacking = pc.list_value_length(part.table["without_positions"].take(part.starts))
    unplaced = np.flatnonzero(np.asarray(lacking))
    totals.unplaced += len(unplaced)
    if len(unplaced) and totals.first_unplaced is None:
        totals.first_unplaced = part.results(unplaced[:1])[0]


def _add_warnings(totals: Totals, part: Part) -> None:
    warned = pc.list_flatten(part.table["warnings"].take(part.starts)).to_pylist()
    totals.note(tuple(Warn(**one) for one in warned))


def _encoded(column: pa.ChunkedArray) -> tuple[tuple[Measure, ...], NDArray[np.int64]]:
    """The measures in the order of their first rows, and the number of each row's, −1 for none."""
    encoded = column.combine_chunks().dictionary_encode()
    codes = np.asarray(pc.fill_null(encoded.indices, -1), np.int64)
    return tuple(map(Measure.parse, encoded.dictionary.to_pylist())), codes


def _numbers(column: pa.ChunkedArray, has: NDArray[np.bool_]) -> NDArray[Any]:
    return np.asarray(pc.fill_null(column, 0 if str(column.type) != "bool" else False))[has]
