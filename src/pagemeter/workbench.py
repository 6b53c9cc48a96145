"""Two pages in the shapes that measures share: normalised once, token pages by unit, neighbours once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import GeometryError
from pagemeter.measure import Measure
from pagemeter.page import Warn
from pagemeter.solve import Problem, add_up, solve
from pagemeter.text import encode_pair, normalise
from pagemeter.text.encode import words_of_characters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.page import Page
    from pagemeter.score import Score
    from pagemeter.settings import Settings
    from pagemeter.solve import Solution
    from pagemeter.sources import Source
    from pagemeter.text.encode import Encoded

# Sizes that differ by less are those of one image, rounded or trimmed.
_SAME_SIZE = 0.01


class Workbench:
    """Both pages, and whatever of them has been prepared for a measure already."""

    def __init__(self, gt: Source, hyp: Source, settings: Settings) -> None:
        self.gt, self.hyp, self.settings = gt, hyp, settings
        self.warnings: tuple[Warn, ...] = ()
        self._lines = [normalise(source.texts, settings) for source in (gt, hyp)]
        self._tokens: dict[bool, Encoded] = {}
        self._minima: dict[Measure, Solution] = {}
        self._mask: NDArray[np.bool_] | None = None

    def score(self, measure: Measure) -> Score:
        """The score of one measure."""
        mask = self._neighbours() if measure.geometry else None
        tokens = self._encoded(characterwise=measure.unit == "CER")
        problem = Problem(*tokens, mask, self.settings.time_limit)
        solution = self._without_g(measure, mask) or solve(measure, problem, self.settings.solver)
        found = add_up(measure, problem, solution)
        if found.optimal and found.canonical:
            self._minima[measure] = solution
        return found

    def _without_g(self, measure: Measure, mask: NDArray[np.bool_] | None) -> Solution | None:
        """The minimum of the same measure without G, if it is known and keeps to neighbours: there is none
        better with a constraint more.
        """
        if mask is None or self.settings.solver != "exact":
            return None
        known = self._minima.get(Measure(measure.unit, measure.order, measure.segmentation))
        return known if known and known.keeps_to(mask) else None

    def _encoded(self, *, characterwise: bool) -> Encoded:
        if characterwise not in self._tokens:
            self._tokens[characterwise] = (
                encode_pair(*self._lines, characterwise=characterwise, settings=self.settings)
                if characterwise or self.settings.tokeniser != "whitespace"
                else words_of_characters(self._encoded(characterwise=True))
            )
        return self._tokens[characterwise]

    def _neighbours(self) -> NDArray[np.bool_]:
        if self._mask is None:
            from pagemeter.geometry import neighbours  # noqa: PLC0415  (only measures with G)

            for source, side in ((self.gt, "ground truth"), (self.hyp, "hypothesis")):
                if not source.has_geometry:
                    raise GeometryError(
                        f"{source.page.source or side}: a measure with G needs positions, but no line of the "
                        f"{side} has a baseline or polygon; choose measures without G"
                    )
            gt, hyp = self.gt.page, self.hyp.page
            self._mask = neighbours(gt, hyp, self.settings.threshold)
            self.warnings = _scales(gt, hyp)
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
