"""The baselines of a page as the kernel wants them: one array of pixels and where each line's begin."""

from __future__ import annotations

import math
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pagemeter import _kernel
from pagemeter.errors import GeometryError
from pagemeter.geometry.baseline import baseline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.page import Page, Point, Points

LIMIT = 1_000_000  # pixels; no page is that large, and a baseline is drawn pixel by pixel
LONGEST = 100 * LIMIT  # pixels; all baselines of a page together

Pixels = NDArray[np.int32]
Starts = NDArray[np.int64]
Floats = NDArray[np.float64]


def page_pixels(page: Page) -> tuple[Pixels, Starts]:
    """The rounded corners of all baselines and the index of each line's first.

    A line without text may lack a place; it gets no corners, and so no neighbours.

    >>> from pagemeter.page import Line, Page
    >>> pixels, starts = page_pixels(Page((Line("a", ((0.2, 9.5), (70, 9))), Line(""))))
    >>> pixels.tolist(), starts.tolist()
    ([[0, 10], [70, 9]], [0, 2, 2])
    """
    spelled = _spelled(page)
    if spelled is not None and int(spelled[0].max(initial=0)) * len(spelled[0]) <= LONGEST:
        return spelled
    _check(page)
    baselines = [_corners(page, index) for index in range(len(page.lines))]
    flat = _flat(baselines)
    starts = np.array([0, *accumulate(map(len, baselines))], dtype=np.int64)
    drawn = _drawn(flat, starts)
    if drawn.sum() > LONGEST:
        worst = int(drawn.argmax())
        raise GeometryError(
            f"{_name(page, worst)}: its baseline is {drawn[worst]:.0f} px long, and those of "
            f"the page add up to more than {LONGEST} px; correct the coordinates in the file"
        )
    return np.floor(flat + 0.5).astype(np.int32), starts


def is_placed(page: Page) -> bool:
    """Whether the measures with G have a value: some line has a place, and every line with text has.

    >>> from pagemeter.page import Line, Page
    >>> is_placed(Page((Line("a", ((0, 9), (70, 9))), Line("b"))))
    False
    """
    try:
        page_pixels(page)
    except GeometryError:
        return False
    return page.has_geometry


def _spelled(page: Page) -> tuple[Pixels, Starts] | None:
    """The same of a page whose file spells all its baselines plainly, without a point made in Python."""
    texts: list[Any] = [getattr(line, "spelling", (None,))[0] for line in page.lines]
    if set(map(type, texts)) != {str}:
        return None
    found = _kernel.spelled_pixels(";".join(texts).encode())
    return found if found and len(found[1]) == len(texts) + 1 else None


def _corners(page: Page, index: int) -> Points:
    line = page.lines[index]
    baseline = baseline_of(line)
    if baseline is None and line.text.strip():
        raise GeometryError(
            f"{_name(page, index)}: neither baseline nor polygon, which a measure with G needs; add one to "
            "the file, or ask for measures without G"
        )
    return baseline or ()


def _check(page: Page) -> None:
    """Points must lie on a page, those of a polygon too where there is no baseline."""
    given = [line.baseline or line.polygon or () for line in page.lines]
    if _inside(_flat(given)).all():
        return
    index, (x, y) = next(
        (index, point)
        for index, points in enumerate(given)
        for point in points
        if not _inside(_flat([[point]])).all()
    )
    raise GeometryError(
        f"{_name(page, index)}: the point ({x}, {y}) lies on no page (|x|, |y| up to {LIMIT} px); "
        "correct it in the file, or ask for measures without G"
    )


def _flat(parts: Sequence[Sequence[Point]]) -> Floats:
    points = list(chain.from_iterable(parts))
    try:
        return np.array(points, dtype=np.float64).reshape(-1, 2)
    except OverflowError:  # an integer that no float can hold lies on no page
        return np.array([[math.nan, math.nan]])


def _inside(points: Floats) -> NDArray[np.bool_]:
    return np.abs(points) <= LIMIT  # so that NaN is outside


def _drawn(points: Floats, starts: Starts) -> Floats:
    """How many pixels each baseline has when drawn, but for one."""
    line = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    steps = np.abs(np.diff(points, axis=0)).max(axis=1, initial=0.0)
    steps[line[1:] != line[:-1]] = 0.0
    return np.bincount(line[1:], steps, len(starts) - 1).astype(np.float64, copy=False)


def _name(page: Page, index: int) -> str:
    line = page.lines[index]
    identity = f", id {line.id!r}" if line.id else ""
    return f"{page.source or 'page without a source'}: line with index {index}{identity}"
