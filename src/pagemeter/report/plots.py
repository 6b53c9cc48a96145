"""Four pictures for notebooks and papers: a budget, a histogram, a scatter plot and a forest plot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pagemeter.errors import UsageError
from pagemeter.report.axes import BOTTOM, HEIGHT, TOP, WIDTH, Axes, percents
from pagemeter.report.budget import NAMES, BudgetBar
from pagemeter.report.comparison_tables import percentage_points
from pagemeter.report.figures import percent
from pagemeter.report.spelling import shortened
from pagemeter.report.svg import Picture, element, joined, label, line, text, ticks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.stats.budget import Budget, Cause
    from pagemeter.stats.comparison import Difference

_BLUE = "#3b82c4"  # of middle lightness, so that it stands out on dark and on light ground

_NAME = 38  # characters of a name that find room

_FILLS: dict[Cause, tuple[str, str]] = {
    "recognition": ("#c2572b", ""),
    "segmentation": ("#b8860b", "M0 8L8 0"),
    "order": ("#2f8f83", "M0 4H8"),
    "position": ("#8a63b3", "M0 0L8 8M0 8L8 0"),
}
"""The colours of causes, and the hatching that tells them apart without colour."""


def budget_bar(budget: Budget) -> Picture:
    """An error budget as one stacked bar.

    >>> import pagemeter as pm
    >>> budget_bar(pm.evaluate(["one", "two"], ["two", "one"]).budget()).title
    'CER:R 100.00 % by cause'
    """
    title = f"{budget.measure} {percent(budget.rate)} by cause"
    if not budget.errors or not budget.n_gt:
        return Picture(title, WIDTH, 24, (label(0, 16, f"{budget.measure}: nothing to divide"),))
    patterns = element("defs", *(_pattern(share.cause) for share in budget.shares))
    return Picture(title, WIDTH, 84, (label(0, 14, title), patterns, *joined(_bar_parts(budget))))


def _pattern(cause: Cause) -> str:
    colour, hatching = _FILLS[cause]
    ground = element("rect", width=8, height=8, fill=colour)
    lines = [element("path", d=hatching, stroke="#fff", stroke_width=1.5, fill="none")] if hatching else []
    return element(
        "pattern", ground, *lines, id=f"pagemeter-{cause}", width=8, height=8, patternUnits="userSpaceOnUse"
    )


def _bar_parts(budget: Budget) -> Iterator[list[str]]:
    x = 0.0
    for place, (share, shown) in enumerate(zip(budget.shares, BudgetBar(budget).numbers, strict=True)):
        wide = WIDTH * float(share.errors) / budget.errors
        fill, said = f"url(#pagemeter-{share.cause})", f"{NAMES[share.cause]} {shown} %"
        key = 160.0 * place
        yield [
            element("rect", element("title", text(said)), x=x, y=24, width=wide, height=28, fill=fill),
            element("rect", x=key, y=64, width=14, height=14, fill=fill),
            label(key + 20, 75, said),
        ]
        x += wide


def histogram(rates: Sequence[float], name: str = "rate", bins: int = 20) -> Picture:
    """How many pages have which rate; infinite ones are counted below.

    >>> histogram([0.01, 0.02, 0.4], "CER:R").title
    'CER:R of 3 pages'
    """
    finite = [rate for rate in rates if math.isfinite(rate)]
    if bins < 1:
        raise UsageError(f"bins={bins}: give 1 or more")
    top = max(finite, default=0.0) or 1.0
    counts = [0] * bins
    for rate in finite:
        counts[min(bins - 1, int(bins * rate / top))] += 1
    axes = Axes((0.0, top), (0.0, float(max(*counts, 1))))
    bars = [_bin(axes, place, count, top / bins) for place, count in enumerate(counts) if count]
    infinite = len(rates) - len(finite)
    title = f"{name} of {len(rates):,} pages" + (f", {infinite:,} of them infinite" if infinite else "")
    return Picture(
        title,
        WIDTH,
        HEIGHT,
        (
            *axes.upwards("pages", [f"{tick:g}" for tick in ticks(*axes.y)]),
            *bars,
            *axes.across(name, percents(axes.x)),
            *_infinite(infinite),
        ),
    )


def _infinite(count: int) -> list[str]:
    """How many pages have no place in a picture, in the corner where nothing else stands."""
    said = f"not shown: {count:,} page{'s' * (count != 1)} with an infinite rate"
    return [label(0, HEIGHT - 6, said)] if count else []


def _bin(axes: Axes, place: int, count: int, wide: float) -> str:
    x, end, y = axes.at_x(place * wide), axes.at_x((place + 1) * wide), axes.at_y(count)
    said = f"{percent(place * wide)} to {percent((place + 1) * wide)}: {count:,}"
    title = element("title", text(said))
    return element(
        "rect", title, x=x + 1, y=y, width=max(1.0, end - x - 2), height=axes.at_y(0) - y, fill=_BLUE
    )


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    names: Sequence[str],
    x_name: str = "first",
    y_name: str = "second",
) -> Picture:
    """Pages by two rates, each with its name; on the diagonal both are the same, infinite ones are counted.

    >>> scatter([0.1, 0.2], [0.1, 0.3], ["page 1", "page 2"], "CER:R", "CER:S").title
    'CER:S by CER:R, 2 pages'
    """
    if not len(x) == len(y) == len(names):
        raise UsageError(f"{len(x)} and {len(y)} rates and {len(names)} names; give as many of each")
    points = [point for point in zip(x, y, names, strict=True) if all(map(math.isfinite, point[:2]))]
    top = max((rate for point in points for rate in point[:2]), default=0.0) or 1.0
    axes = Axes((0.0, top), (0.0, top))
    circles = [
        element(
            "circle",
            element("title", text(f"{page}: {x_name} {percent(across)}, {y_name} {percent(up)}")),
            cx=axes.at_x(across), cy=axes.at_y(up), r=4, fill=_BLUE, fill_opacity=0.6,
        )
        for across, up, page in points
    ]  # fmt: skip
    same = line(
        axes.at_x(0), axes.at_y(0), axes.at_x(top), axes.at_y(top), stroke_dasharray="4 4", stroke_opacity=0.5
    )
    frame = (*axes.upwards(y_name, percents(axes.y)), *axes.across(x_name, percents(axes.x)))
    drawn = *frame, same, *circles, *_infinite(len(x) - len(points))
    return Picture(f"{y_name} by {x_name}, {len(points):,} pages", WIDTH, HEIGHT, drawn)


def forest(differences: Sequence[Difference]) -> Picture:
    """Differences between systems with their intervals, one below the other, and where none would be.

    >>> forest([]).title
    'differences in percentage points'
    """
    shown = [one for one in differences if one.rate is not None]
    ends = [end for one in shown for end in (*(one.interval.bounds or ()), one.rate or 0.0)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    room = 0.05 * (high - low) or 0.01
    height = 28.0 * len(shown) + TOP + BOTTOM
    axes = Axes((low - room, high + room), (0.0, 1.0), 260.0, height)
    none = line(axes.at_x(0), TOP, axes.at_x(0), height - BOTTOM, stroke_dasharray="4 4", stroke_opacity=0.6)
    rows = joined(_row(axes, one, TOP + 28 * place + 14) for place, one in enumerate(shown))
    title = "differences in percentage points"
    values = [percentage_points(tick) for tick in ticks(*axes.x)]
    return Picture(title, WIDTH, height, (none, *axes.across(title, values), *rows))


def _row(axes: Axes, one: Difference, y: float) -> list[str]:
    said = shortened(f"{one.measure}: {one.first} → {one.second}", _NAME)
    made = [label(axes.left - 10, y + 4, said, text_anchor="end")]
    if one.interval.bounds:
        low, high = map(axes.at_x, one.interval.bounds)
        made.append(line(low, y, high, y, stroke_width=2))
    hint = element("title", text(f"{percentage_points(one.rate)}, p = {one.p:.4f}, Holm {one.holm:.4f}"))
    made.append(element("circle", hint, cx=axes.at_x(one.rate or 0.0), cy=y, r=5, fill=_BLUE))
    return made
