"""Where FineReader says that a line stands: the edges l, t, r, b and the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.boxes import Box, drawn, parse_box
from pagemeter.formats.points import parse_number

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.formats.xml import Element
    from pagemeter.page import Points

_EDGES = ("l", "t", "r", "b")
# How many quarter turns against the clock each orientation is.
_TURNS = {"RotatedCounterclockwise": 1, "RotatedUpsidedown": 2, "RotatedClockwise": 3}


def place(line: Element, name: str, notes: Notes) -> tuple[Points | None, Points | None]:
    """The baseline and the polygon of a line.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse
    >>> place(parse(b'<line baseline="9" l="0" t="0" r="50" b="10"/>', "a.xml"), "line 1", Notes("a.xml"))[0]
    ((0.0, 9.0), (50.0, 9.0))
    """
    words = [line.get(edge) for edge in _EDGES]
    if None in words:
        if any(words):
            notes.add(name, "place left out: an edge is missing")
        return None, None
    try:
        box, exchanged = parse_box(words)
    except ValueError as error:
        notes.add(name, f"place left out: {error}")
        return None, None
    if exchanged:
        notes.add(name, "box with its corners exchanged: turned round")
    return _baseline(line, box, name, notes), box.corners


def _baseline(line: Element, box: Box, name: str, notes: Notes) -> Points | None:
    turn = _turn(line)
    try:
        position = None if line.get("baseline") is None else parse_number(line.get("baseline"))
    except ValueError as error:
        notes.add(name, f"baseline left out: {error}")
        position = None
    if position is not None and not _is_near(position, box, turn):
        notes.add(name, "baseline left out: it is far from the line")
        position = None
    if position is None:
        return drawn((0.0,), box, turn) if turn else None
    below = (position - box.bottom, position - box.right, box.top - position, box.left - position)[turn]
    return drawn((below,), box, turn)


def _turn(line: Element) -> int:
    """The turn of the text a line is in; the older schemas have it on the block."""
    for around in line.iterancestors():
        orientation = around.get("orientation")
        if orientation:
            return _TURNS.get(orientation, 0)
    return 0


def _is_near(position: float, box: Box, turn: int) -> bool:
    """Whether a baseline is inside its line or at most the line's height away."""
    low, high = (box.left, box.right) if turn % 2 else (box.top, box.bottom)
    margin = high - low
    return low - margin <= position <= high + margin
