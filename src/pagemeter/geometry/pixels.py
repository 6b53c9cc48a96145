"""The baselines of a page as the kernel wants them: one array of pixels and where each line's begin."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pagemeter.errors import GeometryError
from pagemeter.geometry.baseline import baseline_of

if TYPE_CHECKING:
    from pagemeter.page import Line, Page, Points

LIMIT = 1_000_000  # pixels; no page is that large, and a baseline is drawn pixel by pixel
LONGEST = 100 * LIMIT  # pixels; all baselines of a page together

Pixels = NDArray[np.int32]
Starts = NDArray[np.int64]


def page_pixels(page: Page) -> tuple[Pixels, Starts]:
    """The rounded corners of all baselines and the index of each line's first.

    A line without text may lack a place; it gets no corners, and so no neighbours.

    >>> from pagemeter.page import Line, Page
    >>> pixels, starts = page_pixels(Page((Line("a", ((0.2, 9.5), (70, 9))), Line(""))))
    >>> pixels.tolist(), starts.tolist()
    ([[0, 10], [70, 9]], [0, 2, 2])
    """
    baselines = [_corners(page, index) for index in range(len(page.lines))]
    if sum(map(_length, baselines)) > LONGEST:
        worst = max(range(len(baselines)), key=lambda index: _length(baselines[index]))
        raise GeometryError(
            f"{_name(page, worst)}: its baseline is {_length(baselines[worst]):.0f} px long, and those of "
            f"the page add up to more than {LONGEST} px; correct the coordinates in the file"
        )
    starts = np.array([0, *accumulate(map(len, baselines))], dtype=np.int64)
    flat = np.array(list(chain.from_iterable(baselines)), dtype=np.float64).reshape(-1, 2)
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


def _corners(page: Page, index: int) -> Points:
    line = page.lines[index]
    _check(page, index, line)
    baseline = baseline_of(line)
    if baseline is None and line.text.strip():
        raise GeometryError(
            f"{_name(page, index)}: neither baseline nor polygon, which a measure with G needs; add one to "
            "the file, or ask for measures without G"
        )
    return baseline or ()


def _check(page: Page, index: int, line: Line) -> None:
    for x, y in line.baseline or line.polygon or ():
        if not (-LIMIT <= x <= LIMIT and -LIMIT <= y <= LIMIT):  # so that NaN fails, too
            raise GeometryError(
                f"{_name(page, index)}: the point ({x}, {y}) lies on no page (|x|, |y| up to {LIMIT} px); "
                "correct it in the file, or ask for measures without G"
            )


def _length(baseline: Points) -> float:
    """How many pixels a baseline has when drawn, but for one."""
    return sum(max(abs(x2 - x1), abs(y2 - y1)) for (x1, y1), (x2, y2) in pairwise(baseline))


def _name(page: Page, index: int) -> str:
    line = page.lines[index]
    identity = f", id {line.id!r}" if line.id else ""
    return f"{page.source or 'page without a source'}: line with index {index}{identity}"
