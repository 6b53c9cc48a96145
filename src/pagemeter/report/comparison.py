"""A comparison of systems: on a terminal, as Markdown, LaTeX, JSON and CSV, and in the HTML report.

`comparison_tables` has the tables: the ranking by the primary measure, its tests, the rates of all measures,
and the pages with the largest differences.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.atomic_io import encodable
from pagemeter.report.columns import SCORE_FIELDS, score_fields
from pagemeter.report.comparison_tables import (
    MAX_DIFFERING_PAGES,
    budget_grid,
    comparison_notes,
    difference_grid,
    pages_grid,
    ranking_grid,
    rate_grid,
    tests_grid,
)
from pagemeter.report.csv import CsvFormulas, CsvTable
from pagemeter.report.grid import escape_markdown, latex_preamble, markdown_code
from pagemeter.report.json import budget_fields, dump_json, measure_fields
from pagemeter.report.markdown import MARKDOWN_MARK
from pagemeter.report.names import printable
from pagemeter.report.terminal import Screen
from pagemeter.stats.comparison import rank_systems

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.report import ShowSetting
    from pagemeter.report.grid import Grid
    from pagemeter.report.html import Overview
    from pagemeter.stats.comparison import Comparison, Difference, LeftOutPage, RankedSystem, System

_MOST_BARS = 3  # systems whose budgets are drawn as bars


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """The content of a comparison report.

    Args:
        comparison: The systems and their differences.
        summary: Notes about the run.
        signature: The line that reproduces the numbers.
        per_page: Show all pages, not only those with the largest differences.
        all_tests: Show the tests of all measures, not only those of the primary measure.
        failed: The systems that could not be used, by name, with the reason.

    """

    comparison: Comparison
    summary: list[str]
    signature: str
    per_page: bool = False
    all_tests: bool = False
    failed: Mapping[str, str] = field(default_factory=dict)

    def tables(self, *, pages: bool = True) -> dict[str, Grid]:
        """Return the tables by their titles: ranking, tests, all measures, and pages."""
        comparison, primary = self.comparison, self.comparison.primary
        tables = {f"Ranking by {primary}": ranking_grid(comparison)}
        if len(comparison.measures) > 1:
            tables["All measures"] = rate_grid(comparison)
        if self.all_tests:
            tables["Differences of all measures"] = difference_grid(comparison)
        else:
            tables[f"Differences in {primary}"] = tests_grid(comparison)
        if pages and self.per_page and (grid := pages_grid(comparison)):
            tables[f"All pages by {primary}, the largest differences first"] = grid
        elif pages and (grid := pages_grid(comparison, MAX_DIFFERING_PAGES)):
            tables[f"Pages with the largest differences in {primary}"] = grid
        return tables

    @property
    def notes(self) -> list[str]:
        """The notes below the tables."""
        return [*comparison_notes(self.comparison, all_tests=self.all_tests), *self.summary]


def print_comparison(file: TextIO, report: ComparisonReport, show_setting: ShowSetting) -> None:
    """Print the tables and their notes; `show_setting` shows the setting that lists all columns."""
    comparison, screen = report.comparison, Screen(file, show_setting)
    if not comparison.measures:
        screen.write_notes(report.summary)
        return
    ranking, *others = report.tables().items()
    screen.draw(ranking[1], title=ranking[0])
    _draw_budgets(screen, report)
    for title, grid in others:
        fitted = grid if report.per_page else grid.fitted(screen.columns)
        screen.draw(fitted, grid.headings[len(fitted.headings) :], title)
    screen.write_notes([*report.notes, report.signature])


def _draw_budgets(screen: Screen, report: ComparisonReport) -> None:
    """Print the error budgets: as bars, or as a table of many systems."""
    ranking = rank_systems(report.comparison)
    if len(ranking) <= _MOST_BARS or report.all_tests:
        for one in ranking:
            screen.draw_budgets(one.system.budgets, printable(one.system.name))
    elif grid := budget_grid(report.comparison):
        screen.draw(grid, title="Error budget in per cent")


def write_comparison_markdown(file: TextIO, report: ComparisonReport) -> None:
    """Write the tables in Markdown, the best values in bold."""
    blocks = [MARKDOWN_MARK]
    for title, grid in report.tables().items() if report.comparison.measures else ():
        blocks += [escape_markdown(title), grid.markdown()]
    notes = (note.replace("*: best", "bold: best") for note in report.notes)
    blocks += [*map(escape_markdown, notes), markdown_code(report.signature)]
    file.write(encodable("\n\n".join(blocks)) + "\n")


def write_comparison_latex(file: TextIO, report: ComparisonReport) -> None:
    """Write the tables for a paper, the best values in bold, with their notes as comments.

    They need the LaTeX package booktabs.
    """
    grids = report.tables(pages=False).items() if report.comparison.measures else ()
    tables = [f"% {printable(title)}\n{grid.latex()}" for title, grid in grids]
    notes = (note.replace("*: best", "bold: best") for note in (*report.notes, report.signature))
    comments = "\n".join(f"% {printable(line)}" for line in notes)
    file.write(encodable("\n\n".join((latex_preamble(*tables), *tables, comments))) + "\n")


def write_comparison_json(file: TextIO, report: ComparisonReport) -> None:
    """Write all numbers: totals, differences, and the counts of every page and system."""
    comparison = report.comparison
    failed = [{"system": encodable(name), "error": encodable(why)} for name, why in report.failed.items()]
    members = {
        "signature": report.signature,
        "primary": str(comparison.primary) if comparison.primary else None,
        "ranking": [_ranking_fields(one) for one in rank_systems(comparison)],
        "systems": [_system_fields(system) for system in comparison.systems],
        "differences": [_difference_fields(one, comparison) for one in comparison.differences],
        "pages": [_page_fields(index, comparison) for index in range(len(comparison.pages))],
        "left_out": [_left_out_fields(page) for page in comparison.left_out],
        "failed": failed,
    }
    lines = (f"{dump_json(name)}: {_dump_list(value)}" for name, value in members.items())
    file.write("{" + ",\n".join(lines) + "}\n")


def write_comparison_csv(file: TextIO, report: ComparisonReport, formulas: CsvFormulas = "escape") -> None:
    """Write one row per system, page and measure, then one row per system and measure for the totals."""
    comparison = report.comparison
    table = CsvTable(file, ("kind", "system", "page", "measure", *SCORE_FIELDS), formulas)
    table.write_header()
    for system in comparison.systems:
        pages = zip(comparison.pages, system.pages, strict=True)
        for kind, page, scores in (*(("page", *one) for one in pages), ("total", "", system.total)):
            for measure, score in scores.items():
                start = {"kind": kind, "system": encodable(system.name), "page": encodable(page)}
                table.write([{**start, "measure": str(measure), **score_fields(score)}])


COMPARISON_WRITERS: dict[str, Callable[..., None]] = {
    "json": write_comparison_json,
    "csv": write_comparison_csv,
    "markdown": write_comparison_markdown,
    "latex": write_comparison_latex,
}
"""The writers of files, by format."""


def comparison_overview(report: ComparisonReport, failed: Sequence[PageResult]) -> Overview:
    """Return the overview of the HTML report of a comparison."""
    from pagemeter.report.html import Overview, SystemTotals  # noqa: PLC0415  (only if asked for)

    comparison = report.comparison
    systems = [SystemTotals(one.name, one.total, one.budgets, one.intervals) for one in comparison.systems]
    tables = {title: grid.starred for title, grid in report.tables(pages=False).items()}
    return Overview(
        systems,
        report.signature,
        report.notes,
        failed,
        tables if comparison.measures else {},
        rank_systems(comparison),
        comparison.primary,
    )


def _dump_list(value: object) -> str:
    """Return a list as JSON with one line per member, and anything else on one line."""
    if not isinstance(value, list):
        return dump_json(value)
    return "[" + ",".join(f"\n {dump_json(member)}" for member in value) + "]"


def _ranking_fields(one: RankedSystem) -> dict[str, Any]:
    return {"rank": one.rank, "system": encodable(one.system.name), "groups": one.groups}


def _system_fields(system: System) -> dict[str, Any]:
    return {
        "name": encodable(system.name),
        "total": measure_fields(system.total),
        "intervals": {str(measure): interval.as_dict() for measure, interval in system.intervals.items()},
        "budgets": budget_fields(system.budgets),
    }


def _difference_fields(one: Difference, comparison: Comparison) -> dict[str, Any]:
    return {
        "measure": str(one.measure),
        "first": encodable(one.first),
        "second": encodable(one.second),
        "difference": one.rate,
        "interval": one.interval.as_dict(),
        "p_permutation": one.p,
        "p_permutation_exact": one.exact,
        "p_permutation_holm": one.holm,
        "p_bootstrap": one.p_bootstrap,
        "p_bootstrap_holm": one.holm_bootstrap,
        "fewer": one.fewer,
        "same": one.same,
        "more": one.more,
        "most_different": [encodable(comparison.pages[index]) for index in one.most],
    }


def _left_out_fields(page: LeftOutPage) -> dict[str, str]:
    return {name: encodable(value) for name, value in page._asdict().items() if value is not None}


def _page_fields(index: int, comparison: Comparison) -> dict[str, Any]:
    systems = {encodable(system.name): measure_fields(system.pages[index]) for system in comparison.systems}
    return {"page": encodable(comparison.pages[index]), "systems": systems}
