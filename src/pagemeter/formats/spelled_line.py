"""A line that reads its baseline and polygon from their spelling when they are first asked for.

A page of a recogniser can hold more than a hundred thousand points, and most measures need none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagemeter.formats.points import clean, corners
from pagemeter.page import Line, Points

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes

Spelled = str | Points | None


class SpelledLine(Line):
    """A `Line` in every respect; equal to the plain line with the same text and points.

    >>> line = spelled_line("a", "1,2 3,4", None, "l1", "r1")
    >>> line.baseline
    ((1, 2), (3, 4))
    >>> line == Line("a", ((1, 2), (3, 4)), None, "l1", "r1")
    True
    """

    __slots__ = ("spelling",)

    spelling: tuple[Spelled, Spelled]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (only reached for a field not read yet)
        if name == "spelling":
            return self.baseline, self.polygon
        if name not in ("baseline", "polygon"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        spelled = self.spelling[name == "polygon"]
        points = (corners(spelled) or None) if isinstance(spelled, str) else spelled
        object.__setattr__(self, name, points)
        return points

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        return _fields(self) == _fields(other)

    def __hash__(self) -> int:
        return hash(_fields(self))

    def __repr__(self) -> str:
        return repr(Line(*_fields(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return spelled_line, (self.text, *self.spelling, self.id, self.region)


def _fields(line: Line) -> tuple[str, Points | None, Points | None, str | None, str | None]:
    return line.text, line.baseline, line.polygon, line.id, line.region


# The descriptors of the slots write past the frozen dataclass, which costs half of its constructor.
_new = object.__new__
_set_text = Line.__dict__["text"].__set__
_set_id = Line.__dict__["id"].__set__
_set_region = Line.__dict__["region"].__set__
_set_spelling = SpelledLine.__dict__["spelling"].__set__


def spelled_line(
    text: str,
    baseline: Spelled,
    polygon: Spelled,
    line_id: str | None,
    region: str | None,
) -> SpelledLine:
    """A line whose points are given as spelled in a file, as points, or not at all.

    >>> spelled_line("a", None, ((0, 0), (9, 0), (9, 5)), None, None).polygon
    ((0, 0), (9, 0), (9, 5))
    """
    line = _new(SpelledLine)
    _set_text(line, text)
    _set_id(line, line_id)
    _set_region(line, region)
    _set_spelling(line, (baseline, polygon))
    return line


def check_spellings(lines: list[SpelledLine], element: str, notes: Notes) -> None:
    r"""Read now what cannot wait: points that are spelled unusually are read, or left out with a warning.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("p.xml")
    >>> check_spellings([spelled_line("a", "1,2 nan,4", "", "l1", None)], "TextLine", notes)
    >>> print(*notes.warnings(), sep="\n")
    p.xml: TextLine l1: baseline left out: a coordinate that is not a finite number
    p.xml: TextLine l1: polygon left out: no points
    """
    if clean([spelled for line in lines for spelled in line.spelling if isinstance(spelled, str)]):
        return
    for line in lines:
        if not clean([spelled for spelled in line.spelling if isinstance(spelled, str)]):
            baseline, polygon = line.spelling
            where = f"{element} {line.id}" if line.id else element
            checked = (
                _checked(baseline, f"{where}", "baseline", notes),
                _checked(polygon, where, "polygon", notes),
            )
            _set_spelling(line, checked)


def _checked(spelled: Spelled, where: str, kind: str, notes: Notes) -> Points | None:
    if not isinstance(spelled, str):
        return spelled
    try:
        points = corners(spelled)
    except ValueError as error:
        notes.add(where, f"{kind} left out: {error}")
        return None
    if not points:
        notes.add(where, f"{kind} left out: no points")
    return points or None
