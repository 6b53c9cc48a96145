"""Two pages in the shapes that measures share: normalised once, token pages by unit, neighbours once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.errors import GeometryError
from pagemeter.page import Warn
from pagemeter.solve import Problem, score
from pagemeter.text import encode_pair, normalise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.measure import Measure
    from pagemeter.page import Page
    from pagemeter.score import Score
    from pagemeter.settings import Settings

# Sizes that differ by less are those of one image, rounded or trimmed.
_SAME_SIZE = 0.01


class Workbench:
    """Both pages, and whatever of them has been prepared for a measure already."""

    def __init__(self, gt: Page, hyp: Page, settings: Settings) -> None:
        self.gt, self.hyp, self.settings = gt, hyp, settings
        self.warnings: tuple[Warn, ...] = ()
        self._lines = [normalise([line.text for line in page.lines], settings) for page in (gt, hyp)]
        self._problems: dict[bool, Problem] = {}
        self._mask: NDArray[np.bool_] | None = None

    def score(self, measure: Measure) -> Score:
        """The score of one measure."""
        problem = self._problem(
            characterwise=measure.unit == "CER", mask=self._neighbours() if measure.geometry else None
        )
        return score(measure, problem, self.settings.solver)

    def _problem(self, *, characterwise: bool, mask: NDArray[np.bool_] | None) -> Problem:
        if characterwise not in self._problems:
            encoded = encode_pair(*self._lines, characterwise=characterwise, settings=self.settings)
            self._problems[characterwise] = Problem(*encoded, time_limit=self.settings.time_limit)
        return replace(self._problems[characterwise], mask=mask)

    def _neighbours(self) -> NDArray[np.bool_]:
        if self._mask is None:
            from pagemeter.geometry import neighbours  # noqa: PLC0415  (only measures with G)

            for page, side in ((self.gt, "ground truth"), (self.hyp, "hypothesis")):
                if not page.has_geometry:
                    raise GeometryError(
                        f"{page.source or side}: a measure with G needs positions, but no line of the "
                        f"{side} has a baseline or polygon; choose measures without G"
                    )
            self._mask = neighbours(self.gt, self.hyp, self.settings.threshold)
            self.warnings = _scales(self.gt, self.hyp)
        return self._mask


def _scales(gt: Page, hyp: Page) -> tuple[Warn, ...]:
    """A warning where both pages know the size of their image and the sizes differ."""
    sizes = ((gt.width, hyp.width), (gt.height, hyp.height))
    if all(not g or not h or abs(g - h) <= _SAME_SIZE * max(g, h) for g, h in sizes):
        return ()
    reason = (
        f"{hyp.width} × {hyp.height} px, but the ground truth has {gt.width} × {gt.height}: positions may be "
        "on different scales, which measures with G would count as errors; give both in pixels of one image"
    )
    return (Warn(hyp.source or "hypothesis", "size of the page", reason),)
