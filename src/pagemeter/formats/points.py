"""Points as files spell them: `x,y x,y`, `x y x y`, or a box, and what is wrong with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pagemeter import _kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.page import Points

# No scan is wider than this; a position beyond it would only fill the memory when baselines are resampled.
LIMIT = 1_000_000

# More characters than this are looked at in pieces: memory that is new each time costs more than the look.
_AT_ONCE = 100_000


def parse_points(spelling: str) -> Points:
    """The points of a spelling; ValueError says why it has none that can be used.

    >>> parse_points("1,2 3.5,-4")
    ((1, 2), (3.5, -4))
    >>> parse_points("1 2 3 4"), parse_points("1,2;3,4")
    (((1, 2), (3, 4)), ((1, 2), (3, 4)))
    """
    numbers = [parse_number(word) for word in spelling.replace(",", " ").replace(";", " ").split()]
    if len(numbers) % 2:
        raise ValueError("an odd number of coordinates")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def parse_number(word: str) -> float:
    """One coordinate, an int where it is spelled as one; ValueError says what is wrong with it.

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
    if not -LIMIT < number < LIMIT:
        raise ValueError(beyond(((number, 0),)))
    return number


def beyond(points: Points) -> str:
    """Why points lie where no page is, or nothing.

    >>> beyond(((10, 2_000_000),))
    'a coordinate beyond 1,000,000 pixels'
    """
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        return "a coordinate that is not a finite number"
    if any(abs(x) >= LIMIT or abs(y) >= LIMIT for x, y in points):
        return f"a coordinate beyond {LIMIT:,} pixels"
    return ""


def clean(spellings: Sequence[str]) -> bool:
    """Whether all spellings are pairs of whole numbers within the limit, so that reading them can wait.

    One look at all points of a page costs a hundredth of building them. Signs and fractions are not clean.

    >>> clean(["1,2 3,4", "5 6 7 8"]), clean(["1,2 3,nan"])
    (True, False)
    """
    step = 1 + len(spellings) * _AT_ONCE // (1 + sum(map(len, spellings)))
    return all(_clean(spellings[at : at + step]) for at in range(0, len(spellings), step))


def _clean(spellings: Sequence[str]) -> bool:
    if any(";" in spelled for spelled in spellings):
        return False
    try:
        text = ";".join(spellings).encode("ascii")
    except UnicodeEncodeError:
        return False
    boxes = [spelled for spelled in spellings if type(spelled) is Box]
    return _kernel.clean_points(text) and all(box.count(",") == 2 for box in boxes)  # noqa: PLR2004


class Spelling(str):
    """Points as a file spells them in a way of its own; a plain string spells them one after the other."""

    __slots__ = ()

    def points(self) -> Points:
        """The points; ValueError says why there are none."""
        return parse_points(self)


class Box(Spelling):
    """A box as files spell it, `left,top width,height`, to be read as its corners.

    >>> Box("1,2 10,20").points()
    ((1, 2), (11, 2), (11, 22), (1, 22))
    """

    __slots__ = ()

    def points(self) -> Points:
        """The corners, clockwise from the top left."""
        points = parse_points(self)
        if len(points) != 2:  # noqa: PLR2004  (a corner and a size)
            raise ValueError("a box that is not four numbers")
        (left, top), (width, height) = points
        if width < 0 or height < 0:
            raise ValueError("a negative width or height")
        return box(left, top, width, height)


def corners(spelling: str) -> Points:
    """The points of a spelling, which for a box are its corners; ValueError says why it has none.

    >>> corners(Box("1,2 10,-20"))
    Traceback (most recent call last):
    ValueError: a negative width or height
    """
    return spelling.points() if isinstance(spelling, Spelling) else parse_points(spelling)


def box(left: float, top: float, width: float, height: float) -> Points:
    """The four corners of a box, clockwise from its top left.

    >>> box(1, 2, 10, 20)
    ((1, 2), (11, 2), (11, 22), (1, 22))
    """
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def scaled(points: Points, factor: float) -> Points:
    """The points in another unit.

    >>> scaled(((10, 20),), 0.5)
    ((5.0, 10.0),)
    """
    return tuple((x * factor, y * factor) for x, y in points)
