"""The words of lines, with the confidences of a recogniser, for readers that are asked for them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pagemeter.formats.coordinates import range_error, text_to_points
from pagemeter.page import Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.formats.coordinates import RawPoints
    from pagemeter.page import Points


def share(value: object, full: float = 1.0) -> float | None:
    """Return a confidence as a share; None if it is missing, not a number or out of range.

    Args:
        value: A number, or its text.
        full: The value of full confidence. A larger value than 1 is a number of per cent in any case.

    >>> share("0.5"), share("93", 100), share(97.5), share(1, 100), share("-1"), share("?"), share(None)
    (0.5, 0.93, 0.975, 0.01, None, None, None)

    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    if number > 1:
        full = 100.0
    found = number / full
    return found if 0 <= found <= 1 else None


def shares(text: str) -> float | None:
    """Return the mean of confidences, which are shares if all are at most 1, and otherwise per cent.

    >>> shares("100 50"), shares("0.5 1.0"), shares("90 x"), shares("")
    (0.75, 0.75, 0.9, None)
    """
    numbers = text.split()
    small = all(share(number) == _number(number) for number in numbers if _number(number) is not None)
    full = 1.0 if small else 100.0
    return mean(share(number, full) for number in numbers)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are known, None if none is.

    >>> mean([0.5, None, 1.0]), mean([None])
    (0.75, None)
    """
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def word(text: str, confidence: float | None, polygon: RawPoints, baseline: RawPoints = None) -> Word:
    """Return a word; points that cannot be used are left out, because those of lines matter.

    >>> word("a", None, "0,0 9,0 9,9", "0,9 x")
    Word(text='a', confidence=None, polygon=((0, 0), (9, 0), (9, 9)), baseline=None)
    """
    return Word(text, confidence, _points(polygon), _points(baseline))


def _points(raw: RawPoints) -> Points | None:
    try:
        points = text_to_points(raw) if isinstance(raw, str) else raw
    except ValueError:
        return None
    return None if not points or range_error(points) else points


def words_of_text(text: str, confidence: float | None) -> tuple[Word, ...]:
    """Return the words of a line whose confidence is known only as a whole, none if it is not known.

    >>> words_of_text("a line", 0.5)
    (Word(text='a', ...), Word(text='line', confidence=0.5, polygon=None, baseline=None))
    """
    return () if confidence is None else tuple(Word(part, confidence) for part in text.split())


def scaled(words: Sequence[Word], factors: tuple[float, float] | None) -> tuple[Word, ...]:
    """Return words with their positions multiplied; None removes the positions.

    >>> scaled([Word("a", None, ((0, 0), (1, 0.5)))], (10, 20))[0].polygon
    ((0, 0), (10, 10.0))
    """
    return tuple(
        Word(
            one.text,
            one.confidence,
            *(_multiplied(points, factors) for points in (one.polygon, one.baseline)),
        )
        for one in words
    )


def _multiplied(points: Points | None, factors: tuple[float, float] | None) -> Points | None:
    if points is None or factors is None:
        return None
    return tuple((x * factors[0], y * factors[1]) for x, y in points)
