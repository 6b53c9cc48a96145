"""The baseline of a line: the one it has, or the one its polygon suggests."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.page import Line, Point, Points

_TALL = 2.0  # a polygon this many times taller than wide holds a column, if it holds more than one character


def baseline_of(line: Line) -> Points | None:
    """The baseline of a line, else the lower edge of its polygon, else None.

    A polygon more than twice as tall as wide that holds two or more characters is vertical text; its lower
    edge would stand for its last character only, so the line down its middle is taken.

    >>> from pagemeter.page import Line
    >>> baseline_of(Line("ab", polygon=((0, 0), (60, 0), (60, 20), (0, 20))))
    ((0, 20), (60, 20))
    >>> baseline_of(Line("ab", polygon=((0, 0), (20, 0), (20, 60), (0, 60))))
    ((10.0, 0), (10.0, 60))
    """
    if line.baseline:
        return line.baseline
    if not line.polygon:
        return None
    left, top, right, bottom = _box(line.polygon)
    if bottom - top > _TALL * (right - left) and len("".join(line.text.split())) > 1:
        middle = (left + right) / 2
        return ((middle, top), (middle, bottom))
    return lower_edge(line.polygon)


def lower_edge(polygon: Sequence[Point]) -> Points:
    """The part of a polygon's outline that runs below it from its leftmost to its rightmost point.

    Of the two ways round the outline it is the one with more area above it. Walls (pieces steeper than 45°)
    at its two ends belong to the sides and are left out. Two points are opposite corners of a box.

    >>> lower_edge(((0, 0), (60, 20)))
    ((0, 20), (60, 20))
    >>> lower_edge(((2, 0), (62, 10), (60, 30), (0, 20)))
    ((0, 20), (60, 30))
    """
    if len(polygon) < 3:  # noqa: PLR2004  two corners
        left, _, right, bottom = _box(polygon)
        return ((left, bottom), (right, bottom))
    start = min(range(len(polygon)), key=lambda i: (polygon[i][0], -polygon[i][1]))
    ring = [*polygon[start:], *polygon[:start]]
    end = max(range(len(ring)), key=lambda i: ring[i])
    ways = ring[: end + 1], [ring[0], *ring[: end - 1 : -1]]
    return _without_walls(max(ways, key=_area_above))


def _box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _area_above(way: Sequence[Point]) -> float:
    """Twice the integral of y, which points down, over x."""
    return sum((x2 - x1) * (y1 + y2) for (x1, y1), (x2, y2) in pairwise(way))


def _without_walls(way: Sequence[Point]) -> Points:
    floor = [
        i for i, ((x1, y1), (x2, y2)) in enumerate(pairwise(way)) if abs(x2 - x1) >= abs(y2 - y1) and x1 != x2
    ]
    return tuple(way[floor[0] : floor[-1] + 2]) if floor else tuple(way)
