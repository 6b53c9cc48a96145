"""The tables of a run: totals, worst pages, types of lines and confidences, and the notes below them.

With a preset, the first note has the numbers in the terms of its tool.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.alignment import Aligner, TypeCounts, counts_by_type
from pagemeter.page import LINE_TYPES
from pagemeter.presets import find_preset
from pagemeter.report.columns import (
    NO_VALUE,
    SCORE_COLUMNS,
    format_interval,
    format_measure,
    format_percent,
    format_rate,
)
from pagemeter.report.grid import Grid
from pagemeter.report.names import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pagemeter.alignment import Rejection, WordConfidences
    from pagemeter.corpus import Outcome, PageResult, Totals
    from pagemeter.corpus.page_result import Failure
    from pagemeter.measure import Measure
    from pagemeter.presets import Preset
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval

    CellFormatter = Callable[[Score], str]

MAX_WORST_PAGES = 5
"""The number of pages in the table of the worst pages."""
RANGE_NOTE = "a … b: the minimum is proven to be at least a, and the best solution found has b"
_COUNTS_NOTE = " · ".join(
    f"{column.heading}: {column.meaning}"
    for column in SCORE_COLUMNS
    if column.name in ("ins", "dels", "sub", "cor")
)
_CANONICAL_NOTE = (
    "*: solutions with the same number of errors may have other counts of missing, extra, wrong, right"
)
_LESS_IMPORTANT = ("HYP", "GT", "right", "F1")
"""The columns that a narrow terminal does without first, before those of errors."""
_INTERRUPTED_NOTE = (
    "interrupted: the time limit ended a search, so another run may find other numbers; without a time limit "
    "numbers are reproducible"
)
_FAILED_HYP: dict[Failure, str] = {
    "unreadable": "unusable hypothesis",
    "truncated": "truncated hypothesis",
    "empty": "empty hypothesis",
    "textless": "textless hypothesis",
    "refusal": "refusal",
}
_NAME_SHARE = 0.5  # of the width, at most


def score_grid(
    scores: Iterable[Score], intervals: Mapping[Measure, Interval] | None = None, *, wide: bool = False
) -> Grid:
    """Return a table with one row per measure; it has a column of intervals if any can be shown.

    >>> from pagemeter import evaluate
    >>> print(score_grid(evaluate("a line", "a lime", ["CER"]).scores.values()).plain())
    measure     rate  errors  missing  extra  wrong  right  GT  HYP       F1
    CER      16.67 %       1        0      0      1      5   6    6  83.33 %
    """
    columns: dict[str, CellFormatter] = {"measure": format_measure}
    intervals = intervals or {}
    for column in SCORE_COLUMNS:
        if column.tables == "all" or (wide and column.tables == "wide"):
            columns[column.heading] = column.text
        if column.name == "rate" and any(interval.shown_bounds for interval in intervals.values()):
            columns[interval_heading(intervals)] = lambda score: format_interval(intervals.get(score.measure))
    return _grid(scores, columns)


def fitted_score_grid(
    scores: Sequence[Score], intervals: Mapping[Measure, Interval] | None, columns: int | None
) -> tuple[Grid, tuple[str, ...]]:
    """Return the table of scores in this width, and the headings of the columns that do not fit.

    A pipe has no width, and its table has no precision and recall.
    """
    wide = score_grid(scores, intervals, wide=True)
    if columns is not None and wide.fitted(columns) == wide:
        return wide, ()
    grid = full = score_grid(scores, intervals)
    for heading in _LESS_IMPORTANT:
        if grid.fitted(columns) == grid:
            break
        grid = grid.without(heading)
    grid = grid.fitted(columns)
    return grid, tuple(heading for heading in full.headings if heading not in grid.headings)


def proof_grid(scores: Iterable[Score]) -> Grid:
    """Return a table with one row per measure: rate, errors, and whether they are proven to be the minimum.

    >>> from pagemeter import evaluate
    >>> print(proof_grid(evaluate("a line", "a lime", ["CER"]).scores.values()).plain())
    measure     rate  errors  proven
    CER      16.67 %       1     yes
    """
    columns = {column.heading: column.text for column in SCORE_COLUMNS if column.name in ("rate", "errors")}
    proven: dict[str, CellFormatter] = {"proven": lambda score: "yes" if score.optimal else "no"}
    return _grid(scores, {"measure": format_measure} | columns | proven)


def _grid(scores: Iterable[Score], columns: Mapping[str, CellFormatter]) -> Grid:
    return Grid(tuple(columns), tuple(tuple(cell(score) for cell in columns.values()) for score in scores))


EMPTY_GT_TITLE = "Pages without ground-truth text (part of the totals)"


def empty_gt_grid(totals: Totals) -> Grid | None:
    """Return the errors on pages without ground-truth text, and the rate of the others; None if no errors."""
    rows = tuple(
        (str(m), f"{totals.errors_without_text[m]:,}", format_rate(totals.scores[m]), format_rate(others))
        for m, others in totals.scores_with_text.items()
    )
    return (
        Grid(("measure", "errors there", "rate of all pages", "of the other pages"), rows) if rows else None
    )


def interval_heading(intervals: Mapping[Measure, Interval]) -> str:
    """Return the heading of the column of intervals, empty if there are none."""
    return next((f"{100 * interval.confidence:g} % interval" for interval in intervals.values()), "")


def score_notes(scores: Sequence[Score], intervals: Mapping[Measure, Interval] | None = None) -> list[str]:
    """Return the notes that explain a table of scores."""
    notes = [_COUNTS_NOTE, *order_notes([score.measure for score in scores])]
    if not all(score.optimal for score in scores):
        notes.append(RANGE_NOTE)
    if not all(score.canonical for score in scores):
        notes.append(_CANONICAL_NOTE)
    if any(score.interrupted for score in scores):
        notes.append(_INTERRUPTED_NOTE)
    return notes + interval_notes(intervals or {})


def order_notes(measures: Sequence[Measure]) -> list[str]:
    """Return a note for each unit whose rates ignore the order of lines, unless one in order is beside it.

    >>> from pagemeter.measure import Measure
    >>> order_notes([Measure("WER")])
    ['WER: the order of lines does not count; WER:R is the rate in reading order']
    """
    free: dict[str, list[str]] = {}
    for measure in measures:
        if measure.aligns_lines and not (measure.order or measure.segmentation):
            free.setdefault(measure.unit, []).append(str(measure))
    in_order = {measure.unit for measure in measures if measure.order and not measure.segmentation}
    return [
        f"{', '.join(ids)}: the order of lines does not count; {unit}:R is the rate in reading order"
        for unit, ids in free.items()
        if unit not in in_order
    ]


def interval_notes(intervals: Mapping[Measure, Interval]) -> list[str]:
    """Return why measures have no interval to show, one note per reason."""
    by_reason: dict[str, list[str]] = {}
    for measure, interval in intervals.items():
        if interval.shown_bounds is None:
            by_reason.setdefault(interval.reason, []).append(str(measure))
    measures = {
        reason: "" if len(ids) == len(intervals) else f" for {', '.join(ids)}"
        for reason, ids in by_reason.items()
    }
    return [f"no interval{measures[reason]}: {reason}" for reason in by_reason]


@dataclass(frozen=True, slots=True)
class PageRow:
    """One row of the table of pages."""

    name: str
    rates: Mapping[Measure, str]
    rank: tuple[float, int]
    remark: str


@dataclass(slots=True)
class PageTable:
    """The pages with the highest rates of the first measure, or all pages in their order."""

    measures: Sequence[Measure]
    every: bool = False
    rows: list[PageRow] = field(default_factory=list)

    def add(self, result: PageResult) -> None:
        """Add a page if it is among those to show."""
        if result.evaluation is None:
            return
        first = result.scores.get(self.measures[0])
        rank = (first.rate, first.errors) if first else (-1.0, 0)
        if not self.every and len(self.rows) == MAX_WORST_PAGES and rank <= self.rows[-1].rank:
            return
        rates = {measure: format_rate(score) for measure, score in result.scores.items()}
        self.rows.append(PageRow(printable(result.name), rates, rank, _remark(result)))
        if not self.every:
            self.rows.sort(key=lambda row: row.rank, reverse=True)
            del self.rows[MAX_WORST_PAGES:]

    @property
    def title(self) -> str:
        """The title of the table."""
        return "Pages" if self.every else f"Worst pages by {self.measures[0]}"

    def grid(self, columns: int | None = None) -> Grid:
        """Return the table, statuses last; with a limited width, long names of pages are shortened."""
        name_width = max(12, int(columns * _NAME_SHARE)) if columns else None
        remarks = any(row.remark for row in self.rows)
        measures = [measure for measure in self.measures if any(measure in row.rates for row in self.rows)]
        rows = tuple(
            (
                shorten(row.name, name_width) if name_width else row.name,
                *(row.rates.get(measure, NO_VALUE) for measure in measures),
                *((row.remark,) if remarks else ()),
            )
            for row in self.rows
        )
        return Grid(("page", *map(str, measures), *(("status",) if remarks else ())), rows)


def _remark(result: PageResult) -> str:
    parts = []
    if result.status == "missed":
        has_text = any(score.n_gt for score in result.scores.values())
        hypothesis = _FAILED_HYP[result.failure] if result.failure else "no hypothesis"
        parts.append(hypothesis if has_text else f"no text, {hypothesis}")
    parts += [flag for flag in result.flags if flag not in ("empty", result.failure)]
    if result.warnings:
        parts.append(f"{len(result.warnings)} warning{'s' * (len(result.warnings) > 1)}")
    return ", ".join(parts)


def peer_lines(totals: Totals) -> list[str]:
    """Return the numbers in the terms of the tool, and why the measures of pagemeter differ.

    >>> from pagemeter import evaluate_corpus
    >>> result = evaluate_corpus(["one line"], ["one lime"], preset="isri")
    >>> peer_lines(result.outcome.totals)[0]
    'isri@7.0: characters 8 · errors 1 · accuracy 87.5 · words 2 · misrecognized 1 · word accuracy 50'
    """
    preset, terms = _preset(totals), totals.peer
    if preset is None or not terms:
        return []
    numbers = " · ".join(f"{name} {_number(value)}" for name, value in terms.items())
    label = totals.settings.preset_label if totals.settings else preset.label
    return [f"{label}: {numbers}", "", *filter(None, (peer_note(totals),))]


def peer_note(totals: Totals) -> str:
    """Return why the measures of pagemeter differ from those of the tool, if they were evaluated."""
    preset = _preset(totals)
    return preset.why if preset and set(preset.own) & set(map(str, totals.scores)) else ""


def _preset(totals: Totals) -> Preset | None:
    label = totals.settings.preset if totals.settings else None
    return None if label is None else find_preset(label)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


# Breakdowns of the totals: by type of line, and by the confidence of words

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
