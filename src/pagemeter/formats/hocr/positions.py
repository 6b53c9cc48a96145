"""The `title` attribute of hOCR elements, with the positions bbox, poly, baseline and textangle.

Most titles are simple, as Tesseract writes them. They cannot be invalid, and are parsed when they are first
used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pagemeter.formats.coordinates import (
    PointsText,
    Rectangle,
    parse_number,
    parse_points,
    parse_rectangle,
    polynomial_baseline,
    range_error,
)

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.page import Points

_QUARTER_TURN = 90  # degrees
_MAX_COEFFICIENTS = 8
_TOKEN = re.compile(r'"(?P<double>[^"]*)"|\'(?P<single>[^\']*)\'|(?P<bare>[^;\s]+)|(?P<end>;)')

# Whole numbers far below the limit of coordinates, and a slope so small that the baseline is below it, too.
_SIMPLE_TITLE = re.compile(
    r"bbox ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5})"
    r"(; baseline -?(?:0|0?\.[0-9]{1,9}) -?[0-9]{1,5}(?:\.[0-9]{1,9})?)?"
    r"(?:; x_[a-z]+ -?[0-9.]+)*"
)

Properties = Mapping[str, Sequence[str]]


def parse_title(title: str) -> dict[str, tuple[str, ...]]:
    """Return the values of each property by its name; if a property is repeated, the first one is used.

    >>> parse_title("bbox 0 0 9 8; image 'a; b.png'")
    {'bbox': ('0', '0', '9', '8'), 'image': ('a; b.png',)}
    """
    properties: dict[str, tuple[str, ...]] = {}
    has_quotes = '"' in title or "'" in title
    for words in _split_quoted(title) if has_quotes else map(str.split, title.split(";")):
        if words:
            properties.setdefault(words[0].lower(), tuple(words[1:]))
    return properties


def _split_quoted(title: str) -> list[list[str]]:
    """Return the words of each property; semicolons and white space inside quotes are part of a word."""
    parts: list[list[str]] = [[]]
    for match in _TOKEN.finditer(title):
        if match["end"] is None:
            parts[-1].append(match[match.lastgroup or 0])
        else:
            parts.append([])
    return parts


class TitleBox(PointsText):
    """A simple title that is parsed as the corners of its `bbox`.

    >>> TitleBox("bbox 0 0 9 5").points()
    ((0, 0), (9, 0), (9, 5), (0, 5))
    """

    __slots__ = ()

    def points(self) -> Points:
        """Return the corners, clockwise from the top left."""
        return parse_rectangle(parse_title(self)["bbox"])[0].corners


class TitleBaseline(PointsText):
    """A simple title that is parsed as its `baseline`.

    >>> TitleBaseline("bbox 0 0 100 20; baseline 0 -5").points()
    ((0.0, 15.0), (100.0, 15.0))
    """

    __slots__ = ()

    def points(self) -> Points:
        """Return the two ends of the baseline."""
        properties = parse_title(self)
        coefficients = tuple(map(parse_number, properties["baseline"]))
        return polynomial_baseline(coefficients, parse_rectangle(properties["bbox"])[0])


def simple_position(title: str) -> tuple[TitleBaseline | None, TitleBox] | None:
    """Return the unparsed baseline and polygon of an upright line, or None if its title is not simple.

    >>> simple_position("bbox 0 0 100 20; baseline 0 -5; x_size 30")[0].points()
    ((0.0, 15.0), (100.0, 15.0))
    >>> simple_position("bbox 100 20 0 0")
    """
    match = _SIMPLE_TITLE.fullmatch(title)
    if match is None:
        return None
    left, top, right, bottom = map(int, match.group(1, 2, 3, 4))
    if left > right or top > bottom:
        return None
    return TitleBaseline(title) if match[5] else None, TitleBox(title)


def read_bbox(properties: Properties, label: str, notes: Notes) -> Rectangle | None:
    """Return the `bbox` of an element, or None if it is missing or unusable.

    >>> from pagemeter.formats.base import Notes
    >>> read_bbox({"bbox": ("0", "0", "9", "5")}, "line", Notes("a.hocr"))
    Rectangle(left=0, top=0, right=9, bottom=5)
    """
    words = properties.get("bbox")
    if words is None:
        return None
    try:
        box, swapped = parse_rectangle(words)
    except ValueError as error:
        notes.add(label, f"bbox was ignored: {error}")
        return None
    if swapped:
        notes.add(label, "opposite edges of bbox are swapped, and were corrected")
    return box


def read_polygon(properties: Properties, box: Rectangle | None, label: str, notes: Notes) -> Points | None:
    """Return the `poly` of an element, or the corners of its box.

    >>> from pagemeter.formats.base import Notes
    >>> read_polygon({"poly": ("0", "0", "9", "0", "9", "5")}, None, "line", Notes("a.hocr"))
    ((0, 0), (9, 0), (9, 5))
    """
    words = properties.get("poly")
    if words:
        try:
            return parse_points(" ".join(words))
        except ValueError as error:
            notes.add(label, f"poly was ignored: {error}")
    return None if box is None else box.corners


def read_baseline(
    properties: Properties, angle: str | None, box: Rectangle | None, label: str, notes: Notes
) -> Points | None:
    """Return the baseline of a line from its polynomial; without one, turned text has the edge of its box.

    >>> from pagemeter.formats.base import Notes
    >>> read_baseline({"baseline": ("0", "-5")}, None, Rectangle(0, 0, 100, 20), "line", Notes("a.hocr"))
    ((0.0, 15.0), (100.0, 15.0))
    >>> read_baseline({}, "180", Rectangle(0, 0, 100, 20), "line", Notes("a.hocr"))
    ((100.0, 0.0), (0.0, 0.0))
    """
    turns = _quarter_turns(angle, label, notes)
    polynomial = _coefficients(properties, label, notes) or ((0.0,) if turns else None)
    if box is None or polynomial is None:
        return None
    points = polynomial_baseline(polynomial, box, turns)
    if reason := range_error(points):
        notes.add(label, f"baseline was ignored: {reason}")
        return None
    return points


def _quarter_turns(angle: str | None, label: str, notes: Notes) -> int:
    """Return the number of quarter turns of the text of a line, counter-clockwise."""
    if angle is None:
        return 0
    try:
        degrees = parse_number(angle)
    except ValueError as error:
        notes.add(label, f"textangle was ignored: {error}")
        return 0
    if degrees % _QUARTER_TURN:
        notes.add(label, "textangle is not a multiple of 90, and was rounded")
    return round(degrees / _QUARTER_TURN) % 4


def _coefficients(properties: Properties, label: str, notes: Notes) -> tuple[float, ...] | None:
    words = properties.get("baseline")
    if words is None:
        return None
    if not 1 <= len(words) <= _MAX_COEFFICIENTS:
        notes.add(label, f"baseline was ignored: {len(words)} coefficients")
        return None
    try:
        return tuple(map(parse_number, words))
    except ValueError as error:
        notes.add(label, f"baseline was ignored: {error}")
        return None
