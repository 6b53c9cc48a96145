"""What each measure means, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagemeter.measure import Measure

_UNITS = {"CER": "Characters", "WER": "Words"}


def meaning(measure: Measure) -> str:
    """The meaning of a measure in a sentence.

    >>> from pagemeter.measure import Measure
    >>> meaning(Measure.parse("CER:RS"))
    'Characters read wrong, in reading order; where lines are cut does not matter.'
    >>> meaning(Measure.parse("BOW:G"))
    'Words missing or too many, wherever they stand in lines close by.'
    """
    if measure.unit == "BOW":
        place = " in lines close by" if measure.geometry else ""
        return f"Words missing or too many, wherever they stand{place}."
    order = "in reading order" if measure.order else "whatever the order of lines"
    lines = "where lines are cut does not matter" if measure.segmentation else "lines are matched whole"
    place = " and only with lines close by" if measure.geometry else ""
    return f"{_UNITS[measure.unit]} read wrong, {order}; {lines}{place}."
