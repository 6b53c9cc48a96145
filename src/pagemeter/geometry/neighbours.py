"""N(x): the hypothesis lines that may be matched with ground truth line x under a measure with G."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter import _kernel
from pagemeter.errors import UsageError
from pagemeter.geometry.pixels import page_pixels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.page import Page


def neighbours(gt: Page, hyp: Page, threshold: float = 0.0) -> NDArray[np.bool_]:
    """The pairs of lines that are close: entry [x, y] is true iff COV(B_y, B_x, t_x) > threshold.

    COV and t are those of Grüning et al. (arXiv 1705.03311, sections III A 2 and 3): the share of baseline
    B_y that runs within a tolerance of baseline B_x, the tolerance t_x depending on the distance to the next
    ground truth baseline. A line without text and without a place has no neighbours.

    >>> from pagemeter.page import Line, Page
    >>> gt = Page((Line("one", ((0, 100), (300, 100))), Line("two", ((0, 140), (300, 140)))))
    >>> hyp = Page((Line("tw", ((0, 142), (200, 142))), Line("o", ((250, 97), (280, 97)))))
    >>> neighbours(gt, hyp)
    array([[False,  True],
           [ True, False]])
    """
    if not 0 <= threshold < 1:
        raise UsageError(f"a coverage lies between 0 and 1, so a threshold of {threshold} has no meaning")
    gt_points, hyp_points = (_kernel.resample(*page_pixels(page)) for page in (gt, hyp))
    return _kernel.neighbour_mask(*gt_points, *hyp_points, _kernel.tolerances(*gt_points), threshold)
