"""The text and the position of ALTO lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.formats.coordinates import BoxText, Rectangle, parse_number, text_to_points
from pagemeter.formats.words import mean, share, word
from pagemeter.formats.xml import LOCAL_NAMES, Element, element_label, single_line

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.formats.coordinates import RawPoints
    from pagemeter.page import Points, Word

# Characters that mark a divided word at the end of a line: - soft hyphen ¬ ⸗ = ‐ ‑ ⹀
_HYPHENS = frozenset("-\u00ad¬⸗=‐‑⹀")
_MOST_UNCERTAIN = 9
_UNITS_PER_INCH = {"mm10": 254.0, "inch1200": 1200.0}


class LineTextReader:
    """Reads the text of the lines of one page from their String, SP and HYP elements.

    If the page has SP elements, only they separate words: Strings without one between them are joined.
    Otherwise every String is a word. A String of white space counts as SP. HYP is appended, unless the last
    String already ends in a hyphen. SUBS_CONTENT and ALTERNATIVE are not read.

    >>> from pagemeter.formats.xml import parse_xml
    >>> data = b'<TextLine><String CONTENT="a"/><SP/><String CONTENT="b"/><HYP CONTENT="-"/></TextLine>'
    >>> line = parse_xml(data, "a.xml")
    >>> LineTextReader(line, None).line_text(line)
    ('a b-', None)
    """

    def __init__(self, page: Element, notes: Notes) -> None:
        self._notes = notes
        self._string, self._space = (_first_tag(page, name) for name in ("{*}String", "{*}SP"))

    def line_text(self, line: Element) -> tuple[str, Element | None]:
        """Return the text of a line, and its Shape element if it has one."""
        # Most lines have only words, with SP between them if the page has any.
        spaces = [] if self._space is None else [space.tag for space in line[1::2]]
        if spaces.count(self._space) == len(spaces):
            strings = line[:] if self._space is None else line[::2]
            words = [string.get("CONTENT") for string in strings if string.tag == self._string]
            if len(words) == len(strings) and all(words) and not any(map(str.isspace, words)):
                return single_line(" ".join(words), line, self._notes), None
        return self._join_elements(line)

    def _join_elements(self, line: Element) -> tuple[str, Element | None]:
        parts: list[str] = []
        after_space = False
        shape = None
        for child in line[:]:
            name = LOCAL_NAMES[child.tag]
            if name == "String":
                content = child.get("CONTENT")
                if content is None:
                    content = _glyphs(child, self._notes)
                if not content or content.isspace():
                    after_space = after_space or bool(content)
                    continue
                if parts and (after_space or self._space is None):
                    parts.append(" ")
                parts.append(content)
                after_space = False
            elif name == "SP":
                after_space = True
            elif name == "HYP":
                parts.append(_hyphen(child, line, parts, self._notes))
            elif name == "Shape":
                shape = child
        return single_line("".join(parts), line, self._notes), shape


def _first_tag(page: Element, name: str) -> str | None:
    first = next(page.iter(name), None)
    return None if first is None else str(first.tag)


def _hyphen(hyp: Element, line: Element, parts: list[str], notes: Notes) -> str:
    """Return the hyphen of HYP, or "" if the String before it ends in one."""
    hyphen: str | None = hyp.get("CONTENT")
    if not hyphen:
        notes.add(element_label(line), "HYP without CONTENT is read as -")
        hyphen = "-"
    if parts and parts[-1][-1:] in _HYPHENS and hyphen in _HYPHENS:
        notes.add(element_label(line), "the hyphen is in both String and HYP, and was used once")
        return ""
    return hyphen


def _glyphs(string: Element, notes: Notes) -> str:
    notes.add(element_label(string), "has no CONTENT, so its glyphs are used")
    return "".join([child.get("CONTENT") or "" for child in string if LOCAL_NAMES[child.tag] == "Glyph"])


@dataclass(slots=True)
class LinePositionReader:
    """Reads the positions of the lines of one file.

    `factor` converts the unit of the file to pixels; if it is None, positions are not read.
    """

    factor: float | None
    notes: Notes

    def line_position(self, line: Element, shape: Element | None) -> tuple[RawPoints, RawPoints]:
        """Return the baseline and the polygon of a line; without a shape, the polygon is its box."""
        if self.factor is None:
            return None, None
        baseline_text = line.get("BASELINE")
        baseline = None if baseline_text is None else self._baseline(line, baseline_text)
        polygon: RawPoints = None if shape is None else _polygon(shape)
        if polygon is None:
            polygon = self._box(line)
        if polygon is None and not baseline:
            polygon = self._box_of_words(line)
        if self.factor == 1:
            return baseline, polygon
        return _scaled(baseline, self.factor), _scaled(polygon, self.factor)

    def words(self, line: Element) -> tuple[Word, ...]:
        """Return the words of a line with their confidences: WC, or else CC, which has 0 for certain."""
        read = []
        for string in line.iterchildren("{*}String"):
            content = string.get("CONTENT") or ""
            if not content.strip():
                continue
            confidence = share(string.get("WC"))
            if confidence is None:
                confidence = _character_confidence(string.get("CC") or "")
            box = None if self.factor is None else self._box(string)
            scaled = box if box is None or self.factor in (None, 1) else _scaled(box, self.factor or 1)
            read.append(word(content, confidence, scaled))
        return tuple(read)

    def _baseline(self, line: Element, text: str) -> RawPoints:
        """Return the points of a baseline; a single number is the height of a horizontal one."""
        if " " in text.strip() or "," in text:
            return text
        box = self._box(line)
        try:
            height = parse_number(text)
            (left, _), (right, _), *_ = text_to_points(box) if box else ()
        except ValueError:
            reason = "the line has no box" if box is None else "it is not a number"
            self.notes.add(element_label(line), f"the baseline {text!r} was ignored: {reason}")
            return None
        return (left, height), (right, height)

    def _box(self, element: Element) -> BoxText | None:
        get = element.get
        left, top, width, height = get("HPOS"), get("VPOS"), get("WIDTH"), get("HEIGHT")
        if left is None or top is None or width is None or height is None:
            return None
        text = f"{left},{top} {width},{height}"
        if "-" in text and (width.startswith("-") or height.startswith("-")):
            self.notes.add(element_label(element), "the box was ignored: its width or height is negative")
            return None
        return BoxText(text)

    def _box_of_words(self, line: Element) -> Points | None:
        """Return the box around the words of a line that has no position itself."""
        boxes = [self._box(child) for child in line if LOCAL_NAMES[child.tag] == "String"]
        try:
            points = [corner for box in boxes if box for corner in text_to_points(box)]
        except ValueError:
            points = []
        if not points:
            return None
        self.notes.add(element_label(line), "has no position of its own, so the box around its words is used")
        xs, ys = zip(*points, strict=True)
        return Rectangle(min(xs), min(ys), max(xs), max(ys)).corners


def read_unit(root: Element) -> str:
    """Return the unit of the positions in a file, or ""."""
    for description in root.iterchildren("{*}Description"):
        for element in description.iterchildren("{*}MeasurementUnit"):
            return (element.text or "").strip()
    return ""


def pixels_per_unit(unit: str, dpi: float | None, notes: Notes) -> float | None:
    """Return the factor from a unit to pixels, or None, with a warning that names the unit."""
    if unit == "pixel":
        return 1
    if not unit:
        notes.add("MeasurementUnit", "is missing, so pixel is assumed")
        return 1
    if unit in _UNITS_PER_INCH and dpi:
        return dpi / _UNITS_PER_INCH[unit]
    detail = f"positions were ignored, because {unit} cannot be converted to pixels"
    if unit in _UNITS_PER_INCH:
        notes.add(
            f"MeasurementUnit {unit}", detail, "give the resolution of the image with {}", (("dpi", ""),)
        )
    else:
        notes.add(f"MeasurementUnit {unit}", f"{detail} (known units: pixel, mm10, inch1200)")
    return None


def _character_confidence(text: str) -> float | None:
    """Return the mean confidence of characters from digits, or from numbers, where 9 is the most uncertain.

    >>> _character_confidence("009"), _character_confidence("0 9"), _character_confidence("")
    (0.6666666666666666, 0.5, None)
    """
    digits = text.split() if " " in text else list(text)
    values = [int(digit) for digit in digits if digit.isascii() and digit.isdigit() and len(digit) == 1]
    return mean(1 - value / _MOST_UNCERTAIN for value in values)


def _scaled(raw: RawPoints, factor: float) -> RawPoints:
    try:
        points = text_to_points(raw) if isinstance(raw, str) else raw
    except ValueError:
        return raw  # `check_points` reports it
    return tuple((x * factor, y * factor) for x, y in points) if points else raw


def _polygon(shape: Element) -> str | None:
    """Return the points of a shape that is a polygon, not a circle or an ellipse."""
    for polygon in shape.iterchildren("{*}Polygon"):
        points: str | None = polygon.get("POINTS")
        return points
    return None
