"""A comparison of systems: on a terminal, as Markdown, LaTeX, JSON and CSV, and in the HTML report.

The tables are the ranking by the primary measure, its tests, the rates of all measures, and the pages with
the largest differences.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.atomic_io import encodable
from pagemeter.report.columns import (
    CAUSE_NAMES,
    NO_VALUE,
    SCORE_FIELDS,
    BudgetBar,
    budgets_to_show,
    format_interval,
    format_points,
    format_rate,
    score_fields,
    signed,
)
from pagemeter.report.csv import CsvFormulas, CsvTable
from pagemeter.report.grid import Grid, escape_markdown, latex_preamble, markdown_code
from pagemeter.report.json import budget_fields, dump_json, measure_fields
from pagemeter.report.names import printable, shorten
from pagemeter.report.tables import RANGE_NOTE, interval_notes, order_notes
from pagemeter.report.text_reports import MARKDOWN_MARK, Screen
from pagemeter.stats.comparison import rank_systems
from pagemeter.stats.resampling import MAX_DRAWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.report import ShowSetting
    from pagemeter.report.html import Overview
    from pagemeter.score import Score
    from pagemeter.stats.comparison import Comparison, Difference, LeftOutPage, RankedSystem, System

MAX_LISTED_TESTS = 10
"""The number of tests, those of five systems, that are listed one per row; more are shown as a matrix."""
MAX_DIFFERING_PAGES = 5
"""The number of pages in the table of pages with the largest differences."""

_DIFFERENCE_NOTE = "difference: second minus first, in percentage points · negative: the second is better"
_P_NOTE = "p: probability of such a difference between equal systems"
_PAGES_NOTE = "fewer / same / more: pages on which the second has fewer errors than the first, as many, more"
_SMALLEST_P = 0.0001
_MATRIX_NAME = 20  # characters of a name in the matrix of tests


def ranking_grid(comparison: Comparison) -> Grid:
    """Return the systems by the primary measure: rate, interval, and groups that do not differ."""
    ranking = rank_systems(comparison)
    measure = comparison.primary
    if measure is None:
        return Grid(("system",), ())
    grouped = any(one.groups for one in ranking)
    interval = f"{100 * comparison.resampling.confidence:g} % interval"
    rows = tuple(
        (
            f"{one.rank}  {printable(one.system.name)}",
            format_rate(one.system.total[measure]),
            format_interval(one.system.intervals[measure]),
            *((one.groups,) if grouped else ()),
        )
        for one in ranking
    )
    headings = ("system", str(measure), interval, *(("group",) if grouped else ()))
    return Grid(headings, rows, _best([one.system for one in ranking], [measure]))


def rate_grid(comparison: Comparison) -> Grid:
    """Return the rates of all measures: one row per system in the order of the ranking."""
    systems = [one.system for one in rank_systems(comparison)]
    rows = tuple(
        (printable(system.name), *(format_rate(system.total[m]) for m in comparison.measures))
        for system in systems
    )
    return Grid(("system", *map(str, comparison.measures)), rows, _best(systems, comparison.measures))


def _best(systems: Sequence[System], measures: Sequence[Measure]) -> frozenset[tuple[int, int]]:
    """Return the cells with the fewest errors of each measure, unless all systems have equally many."""
    best = set()
    for column, measure in enumerate(measures, 1):
        errors = [system.total[measure].errors for system in systems]
        if len(set(errors)) > 1:
            best |= {(row, column) for row, own in enumerate(errors) if own == min(errors)}
    return frozenset(best)


def budget_grid(comparison: Comparison) -> Grid | None:
    """Return the error budgets of all systems in per cent, or None if there are none to compare."""
    shown = [(one.system, budgets_to_show(one.system.budgets)) for one in rank_systems(comparison)]
    budgets = [(system, budgets[0]) for system, budgets in shown if budgets]
    if len({(budget.measure, len(budget.shares)) for _, budget in budgets}) != 1:
        return None
    first = budgets[0][1]
    headings = ("system", str(first.measure), *(CAUSE_NAMES[share.cause] for share in first.shares))
    rows = tuple(
        (printable(system.name), f"{100 * budget.rate:.2f}", *BudgetBar(budget).cause_numbers)
        for system, budget in budgets
    )
    return Grid(headings, rows)


def tests_grid(comparison: Comparison) -> Grid:
    """Return the tests of the primary measure: one row each, or a matrix if there are many."""
    tests = comparison.primary_differences
    if len(tests) <= MAX_LISTED_TESTS:
        return Grid(_test_headings(comparison)[1:], tuple(_difference_row(one)[1:] for one in tests))
    p_values = {frozenset((one.first, one.second)): one.holm for one in tests}
    ranking = rank_systems(comparison)
    rows = []
    for row, one in enumerate(ranking, 1):
        pairs = (frozenset((one.system.name, other.system.name)) for other in ranking[: len(ranking) - 1])
        cells = [_short_p_value(p_values.get(pair)) for pair in pairs]
        upper = ["" if column >= row else cell for column, cell in enumerate(cells, 1)]
        rows.append((f"{row}  {shorten(printable(one.system.name), _MATRIX_NAME)}", *upper))
    return Grid(("Holm p", *(str(column) for column in range(1, len(ranking)))), tuple(rows[1:]))


def difference_grid(comparison: Comparison) -> Grid:
    """Return a table with one row per measure and pair of systems: difference, interval, p-values, pages."""
    rows = tuple(map(_difference_row, comparison.differences))
    return _without_systems(Grid(_test_headings(comparison), rows))


def _test_headings(comparison: Comparison) -> tuple[str, ...]:
    interval = f"{100 * comparison.resampling.confidence:g} % interval"
    return "measure", "systems", "difference", interval, "p", "Holm", "fewer / same / more"


def pages_grid(comparison: Comparison, most: int | None = None) -> Grid | None:
    """Return pages by the primary measure, the largest differences in the number of errors first.

    With two systems, the difference is the second minus the first; with more, the highest rate minus the
    lowest.

    Args:
        comparison: The systems.
        most: The number of pages, only of those that differ; None for all pages.

    Returns:
        The table, or None if there are no pages to show.

    """
    measure, rows = comparison.primary, []
    for page, *systems in zip(comparison.pages, *(one.pages for one in comparison.systems), strict=True):
        scores = [scores[measure] for scores in systems] if measure else []
        low, high = scores if len(scores) == 2 else _extremes(scores)  # noqa: PLR2004
        more, tokens = high.errors - low.errors, high.n_gt
        difference = format_points(more / tokens if tokens else None), _signed_count(more)
        if more or most is None:
            rows.append((abs(more), (printable(page), *map(format_rate, scores), *difference)))
    rows.sort(key=lambda row: row[0], reverse=True)
    names = (printable(system.name) for system in comparison.systems)
    cells = tuple(cells for _, cells in rows[:most])
    return Grid(("page", *names, "difference", "errors"), cells) if rows else None


def _extremes(scores: list[Score]) -> tuple[Score, Score]:
    """Return the scores with the fewest and the most errors; on one page these have the extreme rates too."""
    ordered = sorted(scores, key=lambda score: score.errors)
    return ordered[0], ordered[-1]


def _without_systems(grid: Grid) -> Grid:
    """Return the table without the column of systems if all rows have the same ones."""
    if len({row[1] for row in grid.rows}) > 1:
        return grid
    headings = grid.headings[0], *grid.headings[2:]
    return Grid(headings, tuple((row[0], *row[2:]) for row in grid.rows))


def comparison_notes(comparison: Comparison, *, all_tests: bool = False) -> list[str]:
    """Return the notes that explain the tables; `all_tests` if those of all measures are shown."""
    systems, listed = comparison.systems, all_tests or len(comparison.primary_differences) <= MAX_LISTED_TESTS
    shown = comparison.differences if all_tests else comparison.primary_differences
    notes = ["*: best value"] if ranking_grid(comparison).best or rate_grid(comparison).best else []
    if any(one.groups for one in rank_systems(comparison)):
        share = f"{1 - comparison.resampling.confidence:g}"
        notes.append(f"group: systems that share a letter do not differ significantly (Holm p above {share})")
    if all_tests and len(systems) == 2:  # noqa: PLR2004
        notes.append(f"first: {printable(systems[0].name)} · second: {printable(systems[1].name)}")
    notes += _few_pages_note(comparison)
    notes += [_DIFFERENCE_NOTE] if listed else []
    notes.append(f"{_P_NOTE} · {_holm_note(comparison, all_tests=all_tests)}")
    notes += [_PAGES_NOTE] if listed else []
    notes += order_notes(comparison.measures)
    if not all(score.optimal for system in systems for score in system.total.values()):
        notes.append(f"{RANGE_NOTE}; differences are between the best solutions found")
    notes += _method_notes(comparison, shown)
    if comparison.primary:
        spans = [system.intervals[comparison.primary] for system in systems]
        notes += [f"no interval: {reason}" for reason in dict.fromkeys(one.reason for one in spans) if reason]
    known = {note.partition(": ")[2] for note in notes if note.startswith("no interval: ")}
    of_differences = {one.measure: one.interval for one in shown if one.interval.reason not in known}
    return [*notes, *(f"differences have {note}" for note in interval_notes(of_differences))]


def _few_pages_note(comparison: Comparison) -> list[str]:
    """Return a note if no difference can be significant, because there are too few pages for the tests."""
    if not comparison.primary or comparison.smallest_p <= 1 - comparison.resampling.confidence:
        return []
    pages, tests = len(comparison.pages), len(comparison.primary_differences)
    count = f"{pages:,} page{'s are' if pages != 1 else ' is'} too few for {tests} test{'s' * (tests != 1)}"
    smallest = format_p_value(comparison.smallest_p)
    return [f"{count}: the smallest possible Holm p is {smallest}, so no difference can be significant"]


def _holm_note(comparison: Comparison, *, all_tests: bool) -> str:
    number = len(comparison.primary_differences)
    others = f", those of other measures for all {len(comparison.differences)}" if all_tests else ""
    tests = f"the {number} tests" if number > 1 else "the one test"
    return f"Holm: p corrected for {tests} of {comparison.primary}{others}"


def _method_notes(comparison: Comparison, shown: Iterable[Difference]) -> list[str]:
    """Return how p-values that are not exact were computed."""
    resamples = comparison.resampling.resamples
    methods = {(one.fewer + one.more) * resamples <= MAX_DRAWS for one in shown if not one.exact}
    names = {True: f"from {resamples:,} random permutations", False: "from the normal distribution"}
    how = " or ".join(names[drawn] for drawn in sorted(methods, reverse=True))
    return [f"p of large collections: {how}; others are exact"] if methods else []


def format_p_value(p: float) -> str:
    """Return a p-value with four decimals.

    >>> format_p_value(0.03125), format_p_value(0.00001)
    ('0.0312', '< 0.0001')
    """
    return f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.4f}"


def _short_p_value(p: float | None) -> str:
    if p is None:
        return NO_VALUE
    return "<.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004


def _difference_row(one: Difference) -> tuple[str, ...]:
    bounds = one.interval.shown_bounds
    interval = " to ".join(map(format_points, bounds)) if bounds else format_interval(one.interval)
    pages = f"{one.fewer:,} / {one.same:,} / {one.more:,}"
    numbers = format_points(one.rate), interval, format_p_value(one.p), format_p_value(one.holm), pages
    return str(one.measure), _systems(one), *numbers


def _systems(one: Difference) -> str:
    return f"{printable(one.first)} → {printable(one.second)}"


def _signed_count(count: int) -> str:
    return signed(f"{abs(count):,}", count)


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
    comparison, screen = report.comparison, Screen(file, show_setting, "markdown")
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
