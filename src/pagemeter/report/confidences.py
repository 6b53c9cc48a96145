"""Confidences of words in reports: the calibration table and the rejection curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagemeter.report.columns import format_percent
from pagemeter.report.grid import Grid
from pagemeter.report.plots import Axes, Picture, element, ticks

if TYPE_CHECKING:
    from pagemeter.alignment import Rejection, WordConfidences

CALIBRATION_TITLE = "Calibration: confidences of words and how many of them are right"
REJECTION_TITLE = "Rejection curve: error rate of the words that are kept"
_SHARES = (1.0, 0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25, 0.1)
"""The shares of words kept in the table of the rejection curve."""
_POINTS = 100  # of the rejection curve in JSON and pictures


def confidence_fields(words: WordConfidences, *, curves: bool = True) -> dict[str, Any]:
    """Return the JSON fields of confidences, with the calibration table and the rejection curve.

    >>> from pagemeter.alignment import WordConfidences
    >>> confidence_fields(WordConfidences({0.9: 3}, {0.9: 1}), curves=False)
    {'words': 4, 'unknown': 0, 'confidence': 0.9, 'right': 0.75, 'ece': 0.15}
    """
    fields: dict[str, Any] = {
        "words": words.words,
        "unknown": words.unknown,
        "confidence": words.confidence,
        "right": words.share_right,
        "ece": round(words.calibration_error, 12),
    }
    if curves:
        fields["calibration"] = [one._asdict() for one in words.calibration]
        fields["rejection"] = [point._asdict() for point in thinned(words)]
    return fields


def thinned(words: WordConfidences) -> tuple[Rejection, ...]:
    """Return the rejection curve with at most about a hundred points, evenly spread over the words kept."""
    points = words.rejection
    chosen: dict[int, Rejection] = {}
    for point in points:
        chosen.setdefault(int(point.kept * _POINTS), point)
    if points:
        chosen[_POINTS] = points[-1]
    return tuple(chosen.values())


def confidence_note(words: WordConfidences) -> str:
    """Return a summary of confidences in one sentence.

    >>> from pagemeter.alignment import WordConfidences
    >>> confidence_note(WordConfidences({0.9: 3}, {0.9: 1}, 2))
    'confidences of 4 words: mean 90.00 %, right 75.00 %, calibration error 15.00 %; 2 words have none'
    """
    if not words.words:
        return "no word of the hypotheses has a confidence"
    known = (
        f"confidences of {words.words:,} words: mean {format_percent(words.confidence)}, "
        f"right {format_percent(words.share_right)}, "
        f"calibration error {format_percent(words.calibration_error)}"
    )
    return f"{known}; {words.unknown:,} words have none" if words.unknown else known


def confidence_tables(words: WordConfidences) -> dict[str, Grid]:
    """Return the calibration table and the rejection curve as tables, by title."""
    bins = tuple(
        (
            f"{one.low:g} to {one.high:g}",
            f"{one.words:,}",
            format_percent(one.confidence),
            format_percent(one.right),
        )
        for one in words.calibration
    )
    points = dict.fromkeys(point for share in _SHARES if (point := words.kept(share)))
    rows = tuple(
        (
            format_percent(point.kept),
            f"{point.words:,}",
            f"{point.threshold:g}",
            f"{point.errors:,}",
            format_percent(point.error_rate),
        )
        for point in points
    )
    return {
        CALIBRATION_TITLE: Grid(("confidence", "words", "mean confidence", "right"), bins),
        REJECTION_TITLE: Grid(("kept", "words", "lowest confidence", "errors", "error rate"), rows),
    }


def rejection_plot(words: WordConfidences) -> Picture:
    """Return the rejection curve as a picture: the error rate by the share of words that are kept.

    >>> from pagemeter.alignment import WordConfidences
    >>> rejection_plot(WordConfidences({0.9: 3}, {0.5: 1})).title
    'error rate of 4 words by the share that is kept'
    """
    points = thinned(words)
    top = max((point.error_rate for point in points), default=0.0) or 1.0
    axes = Axes((0.0, 1.0), (0.0, top))
    pairs = " ".join(f"{axes.at_x(point.kept):.2f},{axes.at_y(point.error_rate):.2f}" for point in points)
    parts = [
        *axes.vertical("error rate", [f"{100 * tick:g} %" for tick in ticks(*axes.y)]),
        *axes.horizontal("words kept", [f"{100 * tick:g} %" for tick in ticks(*axes.x)]),
        element("polyline", points=pairs, fill="none", stroke="#3b82c4", stroke_width=2),
    ]
    return Picture(f"error rate of {words.words:,} words by the share that is kept", 640, 320, tuple(parts))
