"""The rates of each type of line: a table for the terminal, and the fields of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.alignment import Aligner
from pagemeter.alignment.types import TypeCounts, counts_by_type
from pagemeter.page import LINE_TYPES
from pagemeter.report.columns import format_percent
from pagemeter.report.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure

TYPES = "types"
"""The key of `prepare_types` in `PageResult.prepared`."""
PageTypes = dict["Measure", dict[str, TypeCounts]]
"""The counts of each type of line, by measure."""


def prepare_types(result: PageResult) -> PageTypes:
    """Return the counts of a page by type, for all measures that align lines."""
    if result.evaluation is None:
        return {}
    aligner = Aligner(result.evaluation)
    return {measure: counts_by_type(aligner, measure) for measure in result.scores if not measure.is_bag}


class TypeTotals:
    """The sums of the counts by type over pages."""

    def __init__(self) -> None:
        self.by_measure: PageTypes = {}

    def add(self, result: PageResult) -> None:
        """Add one page."""
        prepared = result.prepared
        page = prepared[TYPES] if TYPES in prepared else prepare_types(result)
        for measure, types in (page or {}).items():
            sums = self.by_measure.setdefault(measure, {})
            for name, one in types.items():
                sums[name] = sums.get(name, TypeCounts()) + one

    def grid(self) -> Grid:
        """Return the table: one row per measure and type, in the order of `LINE_TYPES`."""
        rows = [
            (
                str(measure),
                name,
                format_percent(one.rate),
                *(f"{number:,}" for number in _numbers(one)),
            )
            for measure, types in self.by_measure.items()
            for name, one in sorted(types.items(), key=lambda item: _ORDER[item[0]])
        ]
        headings = ("measure", "type", "rate", "errors", "missing", "extra", "wrong", "right", "GT", "lines")
        return Grid(headings, tuple(rows))


_ORDER: dict[str, int] = {name: number for number, name in enumerate(LINE_TYPES)}


def _numbers(one: TypeCounts) -> tuple[int, ...]:
    counts = one.counts
    shown = counts.errors, counts.missing, counts.extra, counts.wrong, counts.right, counts.n_gt
    return *shown, one.lines


def type_fields(types: Mapping[str, TypeCounts]) -> dict[str, dict[str, Any]]:
    """Return the JSON fields of the counts by type; an infinite rate is null."""
    names = ("errors", "ins", "dels", "sub", "cor", "n_gt")
    return {
        name: {"rate": one.rate if one.counts.n_gt or not one.counts.errors else None, "lines": one.lines}
        | {field: getattr(one.counts, field) for field in names}
        for name, one in sorted(types.items(), key=lambda item: _ORDER[item[0]])
    }


class TypeTable:
    """Prints the table of rates by type after all pages."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._totals = file, TypeTotals()

    def add(self, result: PageResult) -> None:
        """Add one page."""
        self._totals.add(result)

    def finish(self, outcome: Outcome) -> None:  # noqa: ARG002
        """Print the table."""
        if self._totals.by_measure:
            self._file.write(f"By type of line\n{self._totals.grid().plain()}\n\n")
