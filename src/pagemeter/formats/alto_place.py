"""Where an ALTO line stands: baselines and boxes in all their spellings, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.formats.page_text import name_of
from pagemeter.formats.points import Box, box, corners, parse_number, scaled
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.formats.spelled_line import Spelled
    from pagemeter.page import Points

_PER_INCH = {"mm10": 254.0, "inch1200": 1200.0}


@dataclass(slots=True)
class Places:
    """Reads places of one file; `factor` turns its unit into pixels, or is None where that is impossible."""

    factor: float | None
    notes: Notes

    def of(self, line: Element, shape: Element | None) -> tuple[Spelled, Spelled]:
        """The baseline and the polygon of a line; the polygon is its box where it has no shape."""
        if self.factor is None:
            return None, None
        spelled = line.get("BASELINE")
        baseline = None if spelled is None else self._baseline(line, spelled)
        polygon: Spelled = None if shape is None else _polygon(shape)
        if polygon is None:
            polygon = self._box(line)
        if polygon is None and not baseline:
            polygon = self._box_of_words(line)
        if self.factor == 1:
            return baseline, polygon
        return _rescaled(baseline, self.factor), _rescaled(polygon, self.factor)

    def _baseline(self, line: Element, spelled: str) -> Spelled:
        """`x y x y` or `x,y x,y` as spelled; one number is the height of a level baseline under the box."""
        if " " in spelled.strip() or "," in spelled:
            return spelled
        frame = self._box(line)
        try:
            height = parse_number(spelled)
            (left, _), (right, _), *_ = corners(frame) if frame else ()
        except ValueError:
            reason = "its box does not say where it begins" if frame is None else "it is no number"
            self.notes.add(name_of(line), f"baseline {spelled!r} left out: {reason}")
            return None
        return (left, height), (right, height)

    def _box(self, element: Element) -> Box | None:
        get = element.get
        left, top, width, height = get("HPOS"), get("VPOS"), get("WIDTH"), get("HEIGHT")
        if left is None or top is None or width is None or height is None:
            return None
        spelled = f"{left},{top} {width},{height}"
        if "-" in spelled and (width.startswith("-") or height.startswith("-")):
            self.notes.add(name_of(element), "box left out: its width or height is negative")
            return None
        return Box(spelled)

    def _box_of_words(self, line: Element) -> Points | None:
        """The box around the words of a line that has none itself."""
        boxes = [self._box(child) for child in line if LOCAL[child.tag] == "String"]
        try:
            points = [corner for spelled in boxes if spelled for corner in corners(spelled)]
        except ValueError:
            points = []
        if not points:
            return None
        self.notes.add(name_of(line), "has no place of its own: the box around its words is taken")
        left, top = min(x for x, _ in points), min(y for _, y in points)
        return box(left, top, max(x for x, _ in points) - left, max(y for _, y in points) - top)


def pixels_per_unit(root: Element, dpi: float | None, notes: Notes) -> float | None:
    """What turns the positions of a file into pixels, or None with a warning that names the unit."""
    units = [
        element.text
        for description in root.iterchildren("{*}Description")
        for element in description.iterchildren("{*}MeasurementUnit")
    ]
    unit = (units[0] or "").strip() if units else ""
    if unit == "pixel":
        return 1
    if not unit:
        notes.add("MeasurementUnit", "missing: pixel is assumed")
        return 1
    if unit in _PER_INCH and dpi:
        return dpi / _PER_INCH[unit]
    remedy = (
        "give the resolution of the image with --dpi" if unit in _PER_INCH else "known: pixel, mm10, inch1200"
    )
    notes.add(
        f"MeasurementUnit {unit}", f"positions left out, for {unit} cannot be turned into pixels: {remedy}"
    )
    return None


def _rescaled(spelled: Spelled, factor: float) -> Spelled:
    try:
        points = corners(spelled) if isinstance(spelled, str) else spelled
    except ValueError:
        return spelled  # the check of all spellings reports it
    return scaled(points, factor) if points else spelled


def _polygon(shape: Element) -> str | None:
    """The points of a shape that is a polygon, not a circle or an ellipse."""
    for polygon in shape.iterchildren("{*}Polygon"):
        points: str | None = polygon.get("POINTS")
        return points
    return None
