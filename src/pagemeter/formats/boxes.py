"""Upright boxes and the baselines that files describe by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pagemeter.formats.points import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.page import Points

_CURVE_STEPS = 16


class Box(NamedTuple):
    """The edges of an upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> Points:
        """Its corners, clockwise from the top left.

        >>> Box(1, 2, 3, 4).corners
        ((1, 2), (3, 2), (3, 4), (1, 4))
        """
        left, top, right, bottom = self
        return (left, top), (right, top), (right, bottom), (left, bottom)


def parse_box(words: Sequence[str]) -> tuple[Box, bool]:
    """A box from left, top, right and bottom, and whether they were exchanged; ValueError says what is wrong.

    >>> parse_box(["9", "0", "1", "5"])
    (Box(left=1, top=0, right=9, bottom=5), True)
    """
    if len(words) != 4:  # noqa: PLR2004 - a box has four edges
        raise ValueError(f"{len(words)} numbers, not 4")
    left, top, right, bottom = map(parse_number, words)
    if left <= right and top <= bottom:
        return Box(left, top, right, bottom), False
    return Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom)), True


def union(boxes: Sequence[Box]) -> Box | None:
    """The smallest box around boxes.

    >>> union([Box(0, 0, 5, 5), Box(3, 1, 9, 4)])
    Box(left=0, top=0, right=9, bottom=5)
    """
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def drawn(polynomial: Sequence[float], box: Box, turn: int = 0) -> Points:
    """The baseline that a polynomial describes, from the corner that is lower left as the text is read.

    `turn` counts the quarter turns against the clock that the text makes: with 1 it runs upwards.

    >>> drawn((0.1, -5), Box(0, 0, 100, 20))
    ((0.0, 15.0), (100.0, 25.0))
    >>> drawn((0,), Box(0, 0, 20, 100), turn=1)
    ((20.0, 100.0), (20.0, 0.0))
    """
    left, top, right, bottom = map(float, box)
    length = right - left if turn % 2 == 0 else bottom - top
    steps = 1 if len(polynomial) <= 2 else _CURVE_STEPS  # noqa: PLR2004  (slope and offset)
    steps_along = [length * step / steps for step in range(steps + 1)]
    places = [(along, _value(polynomial, along)) for along in steps_along]
    if turn == 0:
        return tuple([(left + along, bottom + below) for along, below in places])
    if turn == 1:
        return tuple([(right + below, bottom - along) for along, below in places])
    if turn == 2:  # noqa: PLR2004  (upside down)
        return tuple([(right - along, top - below) for along, below in places])
    return tuple([(left - below, top + along) for along, below in places])


def _value(polynomial: Sequence[float], at: float) -> float:
    value = 0.0
    for coefficient in polynomial:
        value = value * at + coefficient
    return value
