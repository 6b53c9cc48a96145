"""Points, rectangles and baselines in files, and lines that parse their points when they are first used.

A page of a recogniser can have more than a hundred thousand points, and most measures need none of them.
Readers therefore create a `LazyLine`, which keeps the coordinates as the text of the file.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from pagemeter import _kernel
from pagemeter.page import Line, Points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.formats.base import Notes
    from pagemeter.page import LineType, Note, Reading, Word

# No scan is larger. A position beyond this limit would fill the memory when baselines are resampled.
MAX_COORDINATE = 1_000_000
"""Coordinates and page sizes, in pixels, are below this."""

_BATCH = 100_000  # characters; larger batches are slower, because their memory is allocated anew each time
_CURVE_STEPS = 16


def parse_points(text: str) -> Points:
    """Parse points in any of the usual notations, or raise ValueError with the reason.

    >>> parse_points("1,2 3.5,-4")
    ((1, 2), (3.5, -4))
    >>> parse_points("1 2 3 4"), parse_points("1,2;3,4")
    (((1, 2), (3, 4)), ((1, 2), (3, 4)))
    """
    numbers = [parse_number(word) for word in text.replace(",", " ").replace(";", " ").split()]
    if len(numbers) % 2:
        raise ValueError("an odd number of coordinates")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def parse_number(word: str) -> float:
    """Parse one coordinate, an int if it is written as one, or raise ValueError with the reason.

    >>> parse_number("12"), parse_number("12.5")
    (12, 12.5)
    """
    try:
        number: float = float(word) if "." in word else int(word)
    except ValueError:
        try:
            number = float(word)
        except ValueError:
            raise ValueError("a coordinate that is not a number") from None
    if not -MAX_COORDINATE < number < MAX_COORDINATE:
        raise ValueError(range_error(((number, 0),)))
    return number


def range_error(points: Points) -> str:
    """Return why points cannot be on a page, or "".

    >>> range_error(((10, 2_000_000),))
    'a coordinate beyond 1,000,000 pixels'
    """
    limit = MAX_COORDINATE
    # The comparison is false for nan, and exact for integers that are too large for a float.
    if all(-limit < x < limit and -limit < y < limit for x, y in points):
        return ""
    if any(isinstance(number, float) and not math.isfinite(number) for point in points for number in point):
        return "a coordinate that is not a finite number"
    return f"a coordinate beyond {limit:,} pixels"


class Rectangle(NamedTuple):
    """The edges of an upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> Points:
        """The corners, clockwise from the top left.

        >>> Rectangle(1, 2, 3, 4).corners
        ((1, 2), (3, 2), (3, 4), (1, 4))
        """
        left, top, right, bottom = self
        return (left, top), (right, top), (right, bottom), (left, bottom)


def parse_rectangle(words: Sequence[str]) -> tuple[Rectangle, bool]:
    """Parse left, top, right and bottom, or raise ValueError with the reason.

    The second value is True if opposite edges were swapped.

    >>> parse_rectangle(["9", "0", "1", "5"])
    (Rectangle(left=1, top=0, right=9, bottom=5), True)
    """
    if len(words) != 4:  # noqa: PLR2004 - a rectangle has four edges
        raise ValueError(f"{len(words)} numbers, not 4")
    left, top, right, bottom = map(parse_number, words)
    if left <= right and top <= bottom:
        return Rectangle(left, top, right, bottom), False
    return Rectangle(min(left, right), min(top, bottom), max(left, right), max(top, bottom)), True


def bounding_rectangle(rectangles: Sequence[Rectangle]) -> Rectangle | None:
    """Return the smallest rectangle around others, or None if there are none.

    >>> bounding_rectangle([Rectangle(0, 0, 5, 5), Rectangle(3, 1, 9, 4)])
    Rectangle(left=0, top=0, right=9, bottom=5)
    """
    if not rectangles:
        return None
    lefts, tops, rights, bottoms = zip(*rectangles, strict=True)
    return Rectangle(min(lefts), min(tops), max(rights), max(bottoms))


def polynomial_baseline(polynomial: Sequence[float], line: Rectangle, turns: int = 0) -> Points:
    """Return the baseline of a polynomial, which begins at the lower left corner in reading direction.

    `turns` is the number of quarter turns of the text, counter-clockwise: with 1 the text runs upwards.

    >>> polynomial_baseline((0.1, -5), Rectangle(0, 0, 100, 20))
    ((0.0, 15.0), (100.0, 25.0))
    >>> polynomial_baseline((0,), Rectangle(0, 0, 20, 100), turns=1)
    ((20.0, 100.0), (20.0, 0.0))
    """
    left, top, right, bottom = map(float, line)
    length = right - left if turns % 2 == 0 else bottom - top
    steps = 1 if len(polynomial) <= 2 else _CURVE_STEPS  # noqa: PLR2004  (a straight line has two ends)
    positions = [length * step / steps for step in range(steps + 1)]
    offsets = [(along, _value(polynomial, along)) for along in positions]
    if turns == 0:
        return tuple([(left + along, bottom + below) for along, below in offsets])
    if turns == 1:
        return tuple([(right + below, bottom - along) for along, below in offsets])
    if turns == 2:  # noqa: PLR2004  (upside down)
        return tuple([(right - along, top - below) for along, below in offsets])
    return tuple([(left - below, top + along) for along, below in offsets])


def _value(polynomial: Sequence[float], at: float) -> float:
    value = 0.0
    for coefficient in polynomial:
        value = value * at + coefficient
    return value


class PointsText(str):
    """Points in a special notation; a plain string is in one of the usual notations."""

    __slots__ = ()

    def points(self) -> Points:
        """Return the points, or raise ValueError with the reason."""
        return parse_points(self)


class BoxText(PointsText):
    """A rectangle as `left,top width,height`.

    >>> BoxText("1,2 10,20").points()
    ((1, 2), (11, 2), (11, 22), (1, 22))
    """

    __slots__ = ()

    def points(self) -> Points:
        """Return the corners, clockwise from the top left."""
        points = parse_points(self)
        if len(points) != 2:  # noqa: PLR2004  (a corner and a size)
            raise ValueError("a box that is not four numbers")
        (left, top), (width, height) = points
        if width < 0 or height < 0:
            raise ValueError("a negative width or height")
        return Rectangle(left, top, left + width, top + height).corners


def text_to_points(text: str) -> Points:
    """Parse points in the notation of their class, or raise ValueError with the reason.

    >>> text_to_points(BoxText("1,2 10,-20"))
    Traceback (most recent call last):
    ValueError: a negative width or height
    """
    return text.points() if isinstance(text, PointsText) else parse_points(text)


def are_simple(texts: Sequence[str]) -> bool:
    """Return True if all texts are pairs of whole numbers within the limit, so that parsing cannot fail.

    Checking all points of a page takes a hundredth of the time of parsing them. Numbers with a sign or a
    fraction are not simple.

    >>> are_simple(["1,2 3,4", "5 6 7 8"]), are_simple(["1,2 3,nan"])
    (True, False)
    """
    everything = "".join(texts)
    if ";" in everything:
        return False
    step = 1 + len(texts) * _BATCH // (1 + len(everything))
    return all(_are_simple(texts[start : start + step]) for start in range(0, len(texts), step))


def _are_simple(texts: Sequence[str]) -> bool:
    try:
        joined = ";".join(texts).encode("ascii")
    except UnicodeEncodeError:
        return False
    if not _kernel.clean_points(joined):
        return False
    if BoxText not in set(map(type, texts)):
        return True
    return all(text.count(",") == 2 for text in texts if type(text) is BoxText)  # noqa: PLR2004


RawPoints = str | Points | None
"""Points as the text of a file, as numbers, or None."""


class LazyLine(Line):
    """A `Line` that parses its baseline and polygon when they are first used.

    It is equal to the ordinary line with the same text and points.

    >>> line = lazy_line("a", "1,2 3,4", None, "l1", "r1")
    >>> line.baseline
    ((1, 2), (3, 4))
    >>> line == Line("a", ((1, 2), (3, 4)), None, "l1", "r1")
    True
    """

    __slots__ = ("raw_points",)

    raw_points: tuple[RawPoints, RawPoints]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (called only for a field that is not set yet)
        if name == "words":  # not set by `lazy_line`, because few lines have them
            return ()
        if name == "cell":
            return None
        if name == "raw_points":
            return self.baseline, self.polygon
        if name not in ("baseline", "polygon"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raw = self.raw_points[name == "polygon"]
        points = (text_to_points(raw) or None) if isinstance(raw, str) else raw
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
        own = self.text, *self.raw_points, self.id, self.region, self.type
        more = self.words, self.notes, self.readings, self.cell
        return lazy_line, (*own, *(more if any(more) else ()))


def _fields(line: Line) -> tuple[Any, ...]:
    own = line.text, line.baseline, line.polygon, line.id, line.region, line.type
    return *own, line.words, line.notes, line.readings, line.cell


# The descriptors of the slots bypass the frozen dataclass, whose constructor takes twice as long.
_new = object.__new__
_set_text = Line.__dict__["text"].__set__
_set_id = Line.__dict__["id"].__set__
_set_region = Line.__dict__["region"].__set__
_set_type = Line.__dict__["type"].__set__
_set_words = Line.__dict__["words"].__set__
_set_notes = Line.__dict__["notes"].__set__
_set_readings = Line.__dict__["readings"].__set__
_set_cell = Line.__dict__["cell"].__set__
_set_raw = LazyLine.__dict__["raw_points"].__set__


def lazy_line(  # noqa: PLR0917  (called for every line, and keywords take more time)
    text: str,
    baseline: RawPoints,
    polygon: RawPoints,
    line_id: str | None,
    region: str | None,
    line_type: LineType = "text",
    words: tuple[Word, ...] = (),
    notes: tuple[Note, ...] = (),
    readings: tuple[Reading, ...] = (),
    cell: tuple[int, int] | None = None,
) -> LazyLine:
    """Create a line from points in any form.

    >>> lazy_line("a", None, ((0, 0), (9, 0), (9, 5)), None, None).polygon
    ((0, 0), (9, 0), (9, 5))
    """
    line = _new(LazyLine)
    _set_text(line, text)
    _set_id(line, line_id)
    _set_region(line, region)
    _set_type(line, line_type)
    _set_raw(line, (baseline, polygon))
    if words:
        _set_words(line, words)
    _set_notes(line, notes)  # each evaluation asks for them
    _set_readings(line, readings)
    if cell is not None:
        _set_cell(line, cell)
    return line


def check_points(lines: list[LazyLine], element: str, notes: Notes) -> None:
    r"""Parse the points that are not simple now; unusable ones are dropped with a warning.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("p.xml")
    >>> check_points([lazy_line("a", "1,2 nan,4", "", "l1", None)], "TextLine", notes)
    >>> print(*notes.warnings(), sep="\n")
    p.xml: TextLine l1: the baseline was ignored: a coordinate that is not a finite number
    p.xml: TextLine l1: the polygon was ignored: no points
    """
    if are_simple([raw for line in lines for raw in line.raw_points if isinstance(raw, str)]):
        return
    for line in lines:
        if not are_simple([raw for raw in line.raw_points if isinstance(raw, str)]):
            baseline, polygon = line.raw_points
            label = f"{element} {line.id}" if line.id else element
            checked = _checked(baseline, label, "baseline", notes), _checked(polygon, label, "polygon", notes)
            _set_raw(line, checked)


def _checked(raw: RawPoints, label: str, kind: str, notes: Notes) -> Points | None:
    if not isinstance(raw, str):
        return raw
    try:
        points = text_to_points(raw)
    except ValueError as error:
        notes.add(label, f"the {kind} was ignored: {error}")
        return None
    if not points:
        notes.add(label, f"the {kind} was ignored: no points")
    return points or None
