"""The tables of a run, the totals and the worst pages, and the notes below them.

With a preset, the first note has the numbers in the terms of its tool.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.presets import find_preset
from pagemeter.report.columns import NO_VALUE, SCORE_COLUMNS, format_interval, format_measure, format_rate
from pagemeter.report.grid import Grid
from pagemeter.report.names import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pagemeter.corpus import PageResult, Totals
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
_LESS_IMPORTANT = ("HYP", "GT", "errors")
"""The columns that a narrow terminal does without first; errors are the sum of three others."""
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
        """Return the table; with a limited width, long names of pages are shortened."""
        name_width = max(12, int(columns * _NAME_SHARE)) if columns else None
        remarks = any(row.remark for row in self.rows)
        measures = [measure for measure in self.measures if any(measure in row.rates for row in self.rows)]
        rows = tuple(
            (
                shorten(row.name, name_width) if name_width else row.name,
                *((row.remark,) if remarks else ()),
                *(row.rates.get(measure, NO_VALUE) for measure in measures),
            )
            for row in self.rows
        )
        return Grid(("page", *(("",) if remarks else ()), *map(str, measures)), rows)


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
