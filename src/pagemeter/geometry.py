"""Geometry of a page: baselines, and the neighbours of each line for measures with G."""

from __future__ import annotations

import math
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pagemeter import _kernel
from pagemeter.errors import GeometryError, InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.page import Line, Page, Point, Points

_MAX_COORDINATE = 1_000_000  # pixels; no page is larger, and baselines are drawn pixel by pixel
_MAX_TOTAL_LENGTH = 100 * _MAX_COORDINATE  # pixels; all baselines of a page together

PagePixels = tuple[NDArray[np.int32], NDArray[np.int64]]
"""The corners of all baselines of a page in pixels, and the index of the first corner of each line."""
_Floats = NDArray[np.float64]
_REMEDY = "correct the coordinates, or use measures without G"
_VERTICAL_RATIO = 2.0  # height by width of a polygon from which several characters in it are vertical text


def neighbours(gt: Page, hyp: Page, threshold: float = 0.0) -> NDArray[np.bool_]:
    """Return the pairs of lines that are close: entry [x, y] is True iff COV(B_y, B_x, t_x) > threshold.

    COV and t are those of Grüning et al. (arXiv 1705.03311, sections III A 2 and 3). COV is the share of
    baseline B_y that runs within a tolerance of baseline B_x. The tolerance t_x depends on the distance to
    the next ground-truth baseline. A line without text and position has no neighbours.

    Raises:
        GeometryError: A line with text has no usable position.

    >>> from pagemeter.page import Line, Page
    >>> gt = Page((Line("one", ((0, 100), (300, 100))), Line("two", ((0, 140), (300, 140)))))
    >>> hyp = Page((Line("tw", ((0, 142), (200, 142))), Line("o", ((250, 97), (280, 97)))))
    >>> neighbours(gt, hyp)
    array([[False,  True],
           [ True, False]])

    """
    if not 0 <= threshold < 1:
        raise UsageError("give a share from 0 to below 1", setting=("threshold", f"{threshold:g}"))
    return neighbours_of_pixels(page_pixels(gt), page_pixels(hyp), threshold)


def neighbours_of_pixels(gt: PagePixels, hyp: PagePixels, threshold: float) -> NDArray[np.bool_]:
    """Return the pairs of lines that are close, from the pixels of both pages; see `neighbours`."""
    try:
        return _kernel.neighbours(*gt, *hyp, threshold)
    except OverflowError as error:
        raise InputError(
            f"measures with G: {error} ({len(gt[1]) - 1} and {len(hyp[1]) - 1} lines)",
            remedy="split them into pages, or use measures without G",
        ) from None


def covered_baselines(
    places: Sequence[Points],
    place_lines: Sequence[Points],
    hyp: Sequence[Points],
    *,
    lines: Sequence[Points],
    threshold: float,
    source: str = "",
) -> NDArray[np.bool_]:
    """Return the pairs of a part of a line and a baseline that lies on it: COV(B_y, B_x, t_x) > threshold.

    Args:
        places: The baselines of parts of lines, such as words.
        place_lines: The baseline of the line of each part, whose tolerance the part has.
        hyp: The baselines that are compared with them.
        lines: All lines of the page, on which tolerances depend; they include those of `place_lines`.
        threshold: The share of a baseline that must be exceeded.
        source: The name of the page, for messages.

    >>> line, word = ((0, 100), (300, 100)), ((200, 100), (260, 100))
    >>> hyp = ((210, 98), (270, 98)), ((0, 100), (80, 100))
    >>> covered_baselines([word], [line], hyp, lines=[line], threshold=0.5)
    array([[ True, False]])

    """
    from pagemeter.page import Line, Page  # noqa: PLC0415  (only for parts of lines)

    def resampled(baselines: Sequence[Points]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        page = Page(tuple(Line("", baseline) for baseline in baselines), source)
        return _kernel.resample(*page_pixels(page))

    of_lines = dict(zip(lines, _kernel.tolerances(*resampled(lines)).tolist(), strict=True))
    tolerances = np.array([of_lines[line] for line in place_lines])
    return _kernel.neighbour_mask(*resampled(places), *resampled(hyp), tolerances, threshold)


def page_pixels(page: Page) -> PagePixels:
    """Return the rounded corners of all baselines, and the index of the first corner of each line.

    A line without text may lack a position. It has no corners, and therefore no neighbours.

    Raises:
        GeometryError: A line with text has no position, or a coordinate is too large.

    >>> from pagemeter.page import Line, Page
    >>> pixels, starts = page_pixels(Page((Line("a", ((0.2, 9.5), (70, 9))), Line(""))))
    >>> pixels.tolist(), starts.tolist()
    ([[0, 10], [70, 9]], [0, 2, 2])

    """
    parsed = _parse_in_kernel(page)
    if parsed is not None and int(parsed[0].max(initial=0)) * len(parsed[0]) <= _MAX_TOTAL_LENGTH:
        return parsed
    _check_coordinates(page)
    baselines = [_corners(page, index) for index in range(len(page.lines))]
    flat = _flat(baselines)
    starts = np.array([0, *accumulate(map(len, baselines))], dtype=np.int64)
    lengths = _drawn_lengths(flat, starts)
    if lengths.sum() > _MAX_TOTAL_LENGTH:
        longest = int(lengths.argmax())
        raise _error(
            page,
            longest,
            f"the baseline is {lengths[longest]:.0f} px long, and those of the page add up to more than "
            f"{_MAX_TOTAL_LENGTH} px",
            _REMEDY,
        )
    return np.floor(flat + 0.5).astype(np.int32), starts


def _parse_in_kernel(page: Page) -> PagePixels | None:
    """Return the pixels of a page whose lines still have the text of their baselines, else None.

    The kernel parses the texts, which is much faster than creating points in Python.
    """
    texts: list[Any] = [getattr(line, "raw_points", (None,))[0] for line in page.lines]
    if set(map(type, texts)) != {str}:
        return None
    pixels = _kernel.spelled_pixels(";".join(texts).encode())
    return pixels if pixels and len(pixels[1]) == len(texts) + 1 else None


def _corners(page: Page, index: int) -> Points:
    line = page.lines[index]
    baseline = baseline_of(line)
    if baseline is None and line.text.strip():
        raise _error(
            page,
            index,
            "neither baseline nor polygon, but measures with G need positions",
            "use measures without G, or add baselines",
        )
    return baseline or ()


def _check_coordinates(page: Page) -> None:
    """Raise an error if a point of a baseline, or of a polygon without baseline, is outside any page."""
    points_of_lines = [line.baseline or line.polygon or () for line in page.lines]
    if _inside(_flat(points_of_lines)).all():
        return
    index, (x, y) = next(
        (index, point)
        for index, points in enumerate(points_of_lines)
        for point in points
        if not _inside(_flat([[point]])).all()
    )
    raise _error(
        page,
        index,
        f"the point ({x}, {y}) is outside any page (|x|, |y| up to {_MAX_COORDINATE} px)",
        _REMEDY,
    )


def _flat(parts: Sequence[Sequence[Point]]) -> _Floats:
    points = list(chain.from_iterable(parts))
    try:
        return np.array(points, dtype=np.float64).reshape(-1, 2)
    except OverflowError:  # an integer that no float can hold is outside any page
        return np.array([[math.nan, math.nan]])


def _inside(points: _Floats) -> NDArray[np.bool_]:
    return np.abs(points) <= _MAX_COORDINATE  # False for NaN


def _drawn_lengths(points: _Floats, starts: NDArray[np.int64]) -> _Floats:
    """Return the number of pixels of each drawn baseline, minus one."""
    line = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    steps = np.abs(np.diff(points, axis=0)).max(axis=1, initial=0.0)
    steps[line[1:] != line[:-1]] = 0.0
    return np.bincount(line[1:], steps, len(starts) - 1).astype(np.float64, copy=False)


def _error(page: Page, index: int, detail: str, remedy: str) -> GeometryError:
    name = page.lines[index].id
    element = f"line {name} (index {index})" if name else f"line with index {index}"
    return GeometryError(
        detail, source=page.source or "page without a source", element=element, remedy=remedy
    )


# Baselines


def baseline_of(line: Line) -> Points | None:
    """Return the baseline of a line, or the lower edge of its polygon, or None.

    A polygon more than twice as tall as wide with two or more characters is vertical text. Its lower edge
    would only be the position of the last character, so its vertical middle line is returned.

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
    if bottom - top > _VERTICAL_RATIO * (right - left) and len("".join(line.text.split())) > 1:
        middle = (left + right) / 2
        return ((middle, top), (middle, bottom))
    return lower_edge(line.polygon)


def lower_edge(polygon: Sequence[Point]) -> Points:
    """Return the lower part of the outline of a polygon, from its leftmost to its rightmost point.

    Of the two paths along the outline, it is the one with more area above it. Segments at its ends that are
    steeper than 45° belong to the sides and are left out. Two points are opposite corners of a box.

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
    paths = ring[: end + 1], [ring[0], *ring[: end - 1 : -1]]
    return _without_steep_ends(max(paths, key=_area_above))


def _box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _area_above(path: Sequence[Point]) -> float:
    """Return twice the integral of y, which points down, over x."""
    return sum((x2 - x1) * (y1 + y2) for (x1, y1), (x2, y2) in pairwise(path))


def _without_steep_ends(path: Sequence[Point]) -> Points:
    flat = [
        i
        for i, ((x1, y1), (x2, y2)) in enumerate(pairwise(path))
        if abs(x2 - x1) >= abs(y2 - y1) and x1 != x2
    ]
    return tuple(path[flat[0] : flat[-1] + 2]) if flat else tuple(path)
