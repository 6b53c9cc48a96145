"""Where hOCR says that an element stands: `bbox`, `poly`, `baseline` and `textangle`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from pagemeter.formats.boxes import Box, drawn, parse_box
from pagemeter.formats.points import LIMIT, parse_number, parse_points

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.page import Points

_QUARTER = 90
_MOST_COEFFICIENTS = 8

Properties = Mapping[str, Sequence[str]]


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
