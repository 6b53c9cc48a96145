"""Where hOCR says that an element stands: `bbox`, `poly`, `baseline` and `textangle`.

Most lines have a title as Tesseract writes it, in which nothing can be wrong: it is read when asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from pagemeter.formats.boxes import Box, drawn, parse_box
from pagemeter.formats.hocr_title import properties
from pagemeter.formats.points import LIMIT, Spelling, parse_number, parse_points

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.page import Points

_QUARTER = 90
_MOST_COEFFICIENTS = 8

# Whole numbers that are far from the limit, and a slope so small that the baseline is, too.
_CLEAN = re.compile(
    r"bbox ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5})"
    r"(; baseline -?(?:0|0?\.[0-9]{1,9}) -?[0-9]{1,5}(?:\.[0-9]{1,9})?)?"
    r"(?:; x_[a-z]+ -?[0-9.]+)*"
)

Properties = Mapping[str, Sequence[str]]


class TitleBox(Spelling):
    """A clean title, to be read as the corners of its `bbox`.

    >>> TitleBox("bbox 0 0 9 5").points()
    ((0, 0), (9, 0), (9, 5), (0, 5))
    """

    __slots__ = ()

    def points(self) -> Points:
        """The corners, clockwise from the top left."""
        return _box(properties(self)).corners


class TitleBaseline(Spelling):
    """A clean title, to be read as its `baseline`.

    >>> TitleBaseline("bbox 0 0 100 20; baseline 0 -5").points()
    ((0.0, 15.0), (100.0, 15.0))
    """

    __slots__ = ()

    def points(self) -> Points:
        """The two ends of the baseline."""
        title = properties(self)
        return drawn(tuple(map(parse_number, title["baseline"])), _box(title))


def late(title: str) -> tuple[TitleBaseline | None, TitleBox] | None:
    """The baseline and the polygon of an upright line to be read late, or None where its title is not clean.

    >>> late("bbox 0 0 100 20; baseline 0 -5; x_size 30")[0].points()
    ((0.0, 15.0), (100.0, 15.0))
    >>> late("bbox 100 20 0 0")
    """
    found = _CLEAN.fullmatch(title)
    if found is None:
        return None
    left, top, right, bottom = map(int, found.group(1, 2, 3, 4))
    if left > right or top > bottom:
        return None
    return TitleBaseline(title) if found[5] else None, TitleBox(title)


def _box(title: Properties) -> Box:
    return parse_box(title["bbox"])[0]


def bounding_box(title: Properties, name: str, notes: Notes) -> Box | None:
    """The `bbox` of an element, or None where it has none that can be used.

    >>> from pagemeter.formats.base import Notes
    >>> bounding_box({"bbox": ("0", "0", "9", "5")}, "line", Notes("a.hocr"))
    Box(left=0, top=0, right=9, bottom=5)
    """
    words = title.get("bbox")
    if words is None:
        return None
    try:
        box, exchanged = parse_box(words)
    except ValueError as error:
        notes.add(name, f"bbox left out: {error}")
        return None
    if exchanged:
        notes.add(name, "bbox with its corners exchanged: turned round")
    return box


def outline(title: Properties, box: Box | None, name: str, notes: Notes) -> Points | None:
    """The `poly` of an element, or the corners of its box.

    >>> from pagemeter.formats.base import Notes
    >>> outline({"poly": ("0", "0", "9", "0", "9", "5")}, None, "line", Notes("a.hocr"))
    ((0, 0), (9, 0), (9, 5))
    """
    words = title.get("poly")
    if words:
        try:
            return parse_points(" ".join(words))
        except ValueError as error:
            notes.add(name, f"poly left out: {error}")
    return None if box is None else box.corners


def baseline(title: Properties, angle: str | None, box: Box | None, name: str, notes: Notes) -> Points | None:
    """The baseline of a line: its polynomial, or where the text is turned the edge of its box below it.

    >>> from pagemeter.formats.base import Notes
    >>> baseline({"baseline": ("0", "-5")}, None, Box(0, 0, 100, 20), "line", Notes("a.hocr"))
    ((0.0, 15.0), (100.0, 15.0))
    >>> baseline({}, "180", Box(0, 0, 100, 20), "line", Notes("a.hocr"))
    ((100.0, 0.0), (0.0, 0.0))
    """
    turn = quarter_turns(angle, name, notes)
    polynomial = _coefficients(title, name, notes) or ((0.0,) if turn else None)
    if box is None or polynomial is None:
        return None
    points = drawn(polynomial, box, turn)
    if max(map(abs, chain.from_iterable(points))) >= LIMIT:
        notes.add(name, f"baseline left out: a coordinate beyond {LIMIT:,} pixels")
        return None
    return points


def quarter_turns(angle: str | None, name: str, notes: Notes) -> int:
    """How many quarter turns against the clock the text of a line makes.

    >>> from pagemeter.formats.base import Notes
    >>> quarter_turns("270", "line", Notes("a.hocr"))
    3
    """
    if angle is None:
        return 0
    try:
        degrees = parse_number(angle)
    except ValueError as error:
        notes.add(name, f"textangle left out: {error}")
        return 0
    if degrees % _QUARTER:
        notes.add(name, "textangle that is no multiple of 90: the nearest one is taken")
    return round(degrees / _QUARTER) % 4


def _coefficients(title: Properties, name: str, notes: Notes) -> tuple[float, ...] | None:
    words = title.get("baseline")
    if words is None:
        return None
    if not 1 <= len(words) <= _MOST_COEFFICIENTS:
        notes.add(name, f"baseline left out: {len(words)} coefficients")
        return None
    try:
        return tuple(map(parse_number, words))
    except ValueError as error:
        notes.add(name, f"baseline left out: {error}")
        return None
