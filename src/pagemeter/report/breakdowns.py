"""Breakdowns of the totals: the rates of each type of line, and how right words are by their confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.alignment import Aligner, TypeCounts, counts_by_type
from pagemeter.page import LINE_TYPES
from pagemeter.report.columns import format_percent
from pagemeter.report.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.alignment import Rejection, WordConfidences
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure

TYPES = "types"
"""The key of `prepare_types` in `PageResult.prepared`."""
PageTypes = dict["Measure", dict[str, TypeCounts]]
"""The counts of each type of line, by measure."""


def prepare_types(result: PageResult) -> PageTypes:
    """Return the counts of a page by type, for all measures that align lines."""
    if result.evaluation is None:
        return {}
    aligner = Aligner(result.evaluation)
    return {measure: counts_by_type(aligner, measure) for measure in result.scores if not measure.is_bag}


class TypeTotals:
    """The sums of the counts by type over pages."""

    def __init__(self) -> None:
        self.by_measure: PageTypes = {}

    def add(self, result: PageResult) -> None:
        """Add one page."""
        prepared = result.prepared
        page = prepared[TYPES] if TYPES in prepared else prepare_types(result)
        for measure, types in (page or {}).items():
            sums = self.by_measure.setdefault(measure, {})
            for name, one in types.items():
                sums[name] = sums.get(name, TypeCounts()) + one

    def grid(self) -> Grid:
        """Return the table: one row per measure and type, in the order of `LINE_TYPES`."""
        rows = [
            (
                str(measure),
                name,
                format_percent(one.rate),
                *(f"{number:,}" for number in _numbers(one)),
            )
            for measure, types in self.by_measure.items()
            for name, one in sorted(types.items(), key=lambda item: _ORDER[item[0]])
        ]
        headings = ("measure", "type", "rate", "errors", "missing", "extra", "wrong", "right", "GT", "lines")
        return Grid(headings, tuple(rows))


_ORDER: dict[str, int] = {name: number for number, name in enumerate(LINE_TYPES)}


def _numbers(one: TypeCounts) -> tuple[int, ...]:
    counts = one.counts
    shown = counts.errors, counts.missing, counts.extra, counts.wrong, counts.right, counts.n_gt
    return *shown, one.lines


def type_fields(types: Mapping[str, TypeCounts]) -> dict[str, dict[str, Any]]:
    """Return the JSON fields of the counts by type; an infinite rate is null."""
    names = ("errors", "ins", "dels", "sub", "cor", "n_gt")
    return {
        name: {"rate": one.rate if one.counts.n_gt or not one.counts.errors else None, "lines": one.lines}
        | {field: getattr(one.counts, field) for field in names}
        for name, one in sorted(types.items(), key=lambda item: _ORDER[item[0]])
    }


class TypeTable:
    """Prints the table of rates by type after all pages."""

    def __init__(self, file: TextIO) -> None:
        self._file, self._totals = file, TypeTotals()

    def add(self, result: PageResult) -> None:
        """Add one page."""
        self._totals.add(result)

    def finish(self, outcome: Outcome) -> None:  # noqa: ARG002
        """Print the table."""
        if self._totals.by_measure:
            self._file.write(f"By type of line\n{self._totals.grid().plain()}\n\n")


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
