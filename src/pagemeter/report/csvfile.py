"""Tables for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, TextIO

from pagemeter.corpus.lines import LineResult, lines_of
from pagemeter.measure import Measure
from pagemeter.report.spelling import shown
from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.stats.bootstrap import Interval

_FIELDS = tuple(Score(Measure("CER"), Counts(), 0).as_dict())
_INTERVAL = ("rate_low", "rate_high", "interval")
_COLUMNS = ("kind", "page", "gt", "hyp", "measure", *_FIELDS, *_INTERVAL, "warnings", "error", "signature")
CSV = "csv"
"""The name of what is prepared for the table of pages."""
_LINE_COLUMNS = ("page", "measure", *(field.name for field in fields(LineResult)))


class CsvFile:
    """One row a page and measure, then one a measure for the totals; an infinite rate is empty.

    The column `kind` says what a row is: `page`, `missed` (a page without hypothesis, all of it missing),
    `failed` (with the error), `no hypothesis` and `no ground truth` (not counted), or `total`.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        _writer(file).writeheader()

    def add(self, result: PageResult) -> None:
        """Writes the rows of one page."""
        self._file.write(result.prepared.get(CSV) or prepare_csv(result))

    def finish(self, outcome: Outcome) -> None:
        """Writes the totals."""
        totals = outcome.totals
        start = {"kind": "total", "warnings": totals.warnings, "signature": outcome.signature}
        _writer(self._file).writerows(_rows(start, totals.scores, outcome.intervals))


def prepare_csv(result: PageResult) -> str:
    """The rows that `CsvFile` writes of a page."""
    kind = {"evaluated": "page", "left out": "no hypothesis"}.get(result.status, result.status)
    start = {"kind": kind, "page": shown(result.name), "warnings": len(result.warnings)}
    start |= {side: shown(path) for side, path in (("gt", result.gt), ("hyp", result.hyp)) if path}
    writer = _writer(text := io.StringIO(newline=""))
    if result.evaluation is None:
        error = "\n".join(map(shown, (result.error or "").split("\n")))  # a line a file
        writer.writerow(start | {"error": error})
    writer.writerows(_rows(start, result.scores))
    return text.getvalue()


def _writer(file: TextIO) -> csv.DictWriter[str]:
    return csv.DictWriter(file, _COLUMNS, restval="", lineterminator="\n")


def _rows(
    start: Mapping[str, object],
    scores: Mapping[Measure, Score],
    intervals: Mapping[Measure, Interval] | None = None,
) -> Iterator[dict[str, object]]:
    for measure, score in scores.items():
        values = {name: cell(value) for name, value in score.as_dict().items()}
        if intervals and measure in intervals:
            found = intervals[measure]
            values |= zip(_INTERVAL, (*(found.bounds or ("", "")), found.method), strict=True)
        yield {**start, "measure": str(measure), **values}


class LineCsvFile:
    """One row a line of the ground truth; HYP text that no line got is a row without ground truth."""

    def __init__(self, file: TextIO, measure: Measure) -> None:
        self._measure = measure
        self._writer = csv.DictWriter(file, _LINE_COLUMNS, restval="", lineterminator="\n")
        self._writer.writeheader()

    def add(self, result: PageResult) -> None:
        """Writes the lines of one page."""
        if result.evaluation is None:
            return
        start = {"page": shown(result.name), "measure": str(self._measure)}
        lines, left_over = lines_of(result.evaluation, self._measure)
        for line in lines:
            self._writer.writerow(start | {name: cell(value) for name, value in asdict(line).items()})
        for rest in left_over:
            hyp_line = " ".join(map(str, rest.hyp_lines))
            self._writer.writerow(start | {"hyp": rest.hyp, "hyp_line": hyp_line, "distance": rest.n_hyp})

    def finish(self, outcome: Outcome) -> None:
        """Lines have no totals."""


def cell(value: object) -> object:
    """A value as spreadsheets take it.

    >>> cell(None), cell(True), cell(0.5)
    ('', 'true', 0.5)
    """
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value
