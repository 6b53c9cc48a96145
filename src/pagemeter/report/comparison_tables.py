"""The tables of a comparison of systems, and the notes that explain them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.report.budget_bar import CAUSE_NAMES, BudgetBar, budgets_to_show
from pagemeter.report.columns import format_interval, format_rate
from pagemeter.report.grid import Grid
from pagemeter.report.names import printable, shorten
from pagemeter.report.tables import NO_VALUE, RANGE_NOTE, interval_notes, order_notes
from pagemeter.stats.comparison import rank_systems
from pagemeter.stats.resampling import MAX_DRAWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.comparison import Comparison, Difference, System

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


def format_points(difference: float | None) -> str:
    """Return a difference between two rates in percentage points, with its sign.

    >>> format_points(-0.0123), format_points(0.5), format_points(None)
    ('−1.23', '+50.00', '–')
    """
    return NO_VALUE if difference is None else _signed(f"{100 * abs(difference):.2f}", difference)


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
    return _signed(f"{abs(count):,}", count)


def _signed(number: str, value: float) -> str:
    return number if not value else f"{'−' if value < 0 else '+'}{number}"
