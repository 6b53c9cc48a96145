"""A comparison of systems as tables of text: the rates, the differences, the pages that differ most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.report.figures import RANGE, no_intervals, rate, span
from pagemeter.report.grid import Grid
from pagemeter.report.spelling import shown
from pagemeter.stats.bootstrap import TOO_FEW
from pagemeter.stats.resampling import MANY

if TYPE_CHECKING:
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.comparison import Comparison, Difference

MEANING = (
    "difference: second less first, in percentage points · below 0 the second has fewer errors",
    "p: how often chance alone gives a difference as large · Holm: corrected for all comparisons here",
    "fewer / same / more: pages on which the second has fewer errors than the first, as many, or more",
)
_SMALLEST = 0.0001


def rate_grid(found: Comparison) -> Grid:
    """Measures down, systems across; each rate with its interval."""
    rows = tuple(
        (str(measure), *(_rate(system.total[measure], system.intervals[measure]) for system in found.systems))
        for measure in found.measures
    )
    return Grid(("measure", *(shown(system.name) for system in found.systems)), rows)


def difference_grid(found: Comparison) -> Grid:
    """Every measure of every two systems: difference, interval, p-values and pages."""
    headings = ("measure", "systems", "difference", _heading(found), "p", "Holm", "fewer / same / more")
    return _without_systems(Grid(headings, tuple(_difference_row(one) for one in found.differences)))


def page_grid(found: Comparison) -> Grid | None:
    """The pages on which two systems differ most by the first measure; None without any."""
    rows = []
    by_name = {system.name: system for system in found.systems}
    for one in found.differences:
        for place in one.most if one.measure == found.measures[0] else ():
            pair = [by_name[name].pages[place][one.measure] for name in (one.first, one.second)]
            more = pair[1].errors - pair[0].errors
            rows.append(
                (shown(found.pages[place]), _systems(one), *map(rate, pair), _signed(f"{abs(more):,}", more))
            )
    headings = ("page", "systems", "first", "second", "errors")
    return _without_systems(Grid(headings, tuple(rows))) if rows else None


def every_page_grid(found: Comparison) -> Grid:
    """All pages by the first measure, those whose numbers of errors differ most first.

    Of two systems it shows the second less the first, of more the highest rate less the lowest.
    """
    rows = []
    for page, *read in zip(found.pages, *(system.pages for system in found.systems), strict=True):
        scores = [one[found.measures[0]] for one in read]
        low, high = scores if len(scores) == 2 else _extremes(scores)  # noqa: PLR2004
        more, tokens = high.errors - low.errors, high.n_gt
        points = percentage_points(more / tokens if tokens else None)
        cells = shown(page), *map(rate, scores), points, _signed(f"{abs(more):,}", more)
        rows.append((abs(more), cells))
    rows.sort(key=lambda row: row[0], reverse=True)
    systems = (shown(system.name) for system in found.systems)
    return Grid(("page", *systems, "difference", "errors"), tuple(cells for _, cells in rows))


def _extremes(scores: list[Score]) -> tuple[Score, Score]:
    """The scores with the fewest and the most errors; all are of one page, so also in their rate."""
    ordered = sorted(scores, key=lambda score: score.errors)
    return ordered[0], ordered[-1]


def title_of_pages(found: Comparison, *, every: bool = False) -> str:
    """What `page_grid` shows, or `every_page_grid`."""
    what = "All pages by {}, those that differ most first" if every else "Pages that differ most by {}"
    return what.format(found.measures[0])


def _without_systems(grid: Grid) -> Grid:
    """The table without its second column if that says the same in every row: there are two systems only."""
    if len({row[1] for row in grid.rows}) > 1:
        return grid
    return Grid(*((grid.headings[0], *grid.headings[2:]), tuple((row[0], *row[2:]) for row in grid.rows)))


def comparison_notes(found: Comparison) -> list[str]:
    """What has to be said below the tables."""
    said = [f"first: {shown(found.systems[0].name)} · second: {shown(found.systems[1].name)}", *MEANING]
    if len(found.systems) > 2:  # noqa: PLR2004
        del said[0]
    if not all(score.optimal for system in found.systems for score in system.total.values()):
        said.append(f"{RANGE}; differences are of what was found")
    resamples = found.plan.resamples
    tested = [(one.fewer + one.more) * resamples <= MANY for one in found.differences if not one.exact]
    hows = {True: f"from {resamples:,} random exchanges", False: "by the normal distribution"}
    if tested:
        how = " or ".join(hows[drawn] for drawn in sorted(set(tested), reverse=True))
        said.append(f"p of large collections {how}, others exact")
    if any(one.bounds and not one.telling for system in found.systems for one in system.intervals.values()):
        said.append(f"rates without an interval: {TOO_FEW}")
    none = {one.measure: one.interval for one in found.differences}
    return [*said, *(f"difference: {note}" for note in no_intervals(none))]


def percentage_points(difference: float | None) -> str:
    """A difference between two rates, with its sign.

    >>> percentage_points(-0.0123), percentage_points(0.5), percentage_points(None)
    ('−1.23', '+50.00', '–')
    """
    return "–" if difference is None else _signed(f"{100 * abs(difference):.2f}", difference)


def p_value(p: float) -> str:
    """A p-value as people read it.

    >>> p_value(0.03125), p_value(0.00001)
    ('0.0312', '< 0.0001')
    """
    return f"< {_SMALLEST}" if p < _SMALLEST else f"{p:.4f}"


def _rate(score: Score, interval: Interval) -> str:
    return f"{rate(score)} ({span(interval)})" if interval.telling else rate(score)


def _heading(found: Comparison) -> str:
    return f"{100 * found.plan.confidence:g} % interval"


def _difference_row(one: Difference) -> tuple[str, ...]:
    bounds = one.interval.telling
    ends = " to ".join(map(percentage_points, bounds)) if bounds else span(one.interval)
    pages = f"{one.fewer:,} / {one.same:,} / {one.more:,}"
    numbers = percentage_points(one.rate), ends, p_value(one.p), p_value(one.holm), pages
    return str(one.measure), _systems(one), *numbers


def _systems(one: Difference) -> str:
    return f"{shown(one.first)} → {shown(one.second)}"


def _signed(number: str, value: float) -> str:
    return number if not value else f"{'−' if value < 0 else '+'}{number}"
