"""The scores of all pages as a table for spreadsheets, and as data frames of pandas.

The columns of a score are listed in `pagemeter.report.columns`.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Literal, TextIO

from pagemeter.errors import DependencyError
from pagemeter.report.columns import SCORE_FIELDS, score_fields
from pagemeter.report.names import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval

_INTERVAL_FIELDS = ("rate_low", "rate_high", "interval")
_CSV_FIELDS = (
    *("kind", "page", "gt", "hyp", "flags", "measure"),
    *SCORE_FIELDS,
    *_INTERVAL_FIELDS,
    *("warnings", "error", "signature"),
)
CSV = "csv"
"""The key of `prepare_csv` in `PageResult.prepared`."""
CsvFormulas = Literal["escape", "keep"]
"""How texts are written that a spreadsheet would take for formulas: after an apostrophe, or as they are."""
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")  # wide forms start formulas in some spreadsheets


class CsvFile:
    """One row per page and measure, then one row per measure for the totals; an infinite rate is empty.

    The column `kind` is `page`, `missed` (a page without a hypothesis, all of it missing), `failed` (with the
    error), `no hypothesis`, `no ground truth` or `no text` (not counted), or `total`. If some pages have
    flags, `total without flagged` is the total of the others.
    """

    def __init__(self, file: TextIO, formulas: CsvFormulas = "escape") -> None:
        self._file, self._formulas = file, formulas
        CsvTable(file, _CSV_FIELDS).write_header()

    def add(self, result: PageResult) -> None:
        """Write the rows of one page."""
        self._file.write(result.prepared.get(CSV) or prepare_csv(result, self._formulas))

    def finish(self, outcome: Outcome) -> None:
        """Write the totals."""
        totals = outcome.totals
        start = {"kind": "total", "warnings": totals.warnings, "signature": outcome.signature}
        table = CsvTable(self._file, _CSV_FIELDS, self._formulas)
        table.write(_rows(start, totals.scores, outcome.intervals))
        table.write(_rows(start | {"kind": "total without flagged"}, totals.scores_without_flagged))


def prepare_csv(result: PageResult, formulas: CsvFormulas = "escape") -> str:
    """Return the rows that `CsvFile` writes for a page."""
    left_out = "no text" if result.empty_gt else "no hypothesis"
    kind = {"evaluated": "page", "left out": left_out}.get(result.status, result.status)
    start = {"kind": kind, "page": printable(result.name), "warnings": len(result.warnings)}
    start["flags"] = " ".join(result.flags)
    start |= {side: printable(path) for side, path in (("gt", result.gt), ("hyp", result.hyp)) if path}
    table = CsvTable(text := io.StringIO(newline=""), _CSV_FIELDS, formulas)
    if result.evaluation is None:
        error = "\n".join(map(printable, (result.error or "").split("\n")))  # one line per file
        table.write([start | {"error": error}])
    table.write(_rows(start, result.scores))
    return text.getvalue()


class CsvTable:
    """A CSV file with named columns.

    Args:
        file: The file.
        fields: The names of the columns.
        formulas: "escape" writes an apostrophe before a text that a spreadsheet would take for a formula,
            because a text or file name of a page could otherwise run commands there. Numbers stay numbers.

    >>> import sys
    >>> table = CsvTable(sys.stdout, ("gt", "hyp", "errors"))
    >>> table.write([{"gt": "=1+1", "hyp": None, "errors": -1}, {"gt": "a-b", "hyp": True}])
    '=1+1,,-1
    a-b,true,

    """

    def __init__(self, file: TextIO, fields: Iterable[str], formulas: CsvFormulas = "escape") -> None:
        self._writer = csv.DictWriter(file, tuple(fields), restval="", lineterminator="\n")
        self._escape = formulas == "escape"

    def write_header(self) -> None:
        """Write the names of the columns."""
        self._writer.writeheader()

    def write(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Write rows; a column that a row does not have is empty."""
        for row in rows:
            self._writer.writerow({name: self._cell(value) for name, value in row.items()})

    def _cell(self, value: object) -> object:
        if value is None:
            return ""
        if isinstance(value, bool):
            return str(value).lower()
        is_formula = isinstance(value, str) and value.startswith(_FORMULA_STARTS)
        return f"'{value}" if is_formula and self._escape else value


def _rows(
    start: Mapping[str, object],
    scores: Mapping[Measure, Score],
    intervals: Mapping[Measure, Interval] | None = None,
) -> Iterator[dict[str, object]]:
    for measure, score in scores.items():
        values: dict[str, object] = dict(score_fields(score))
        if intervals and measure in intervals:
            interval = intervals[measure]
            bounds = interval.bounds or ("", "")
            values |= zip(_INTERVAL_FIELDS, (*bounds, interval.method), strict=True)
        yield {**start, "measure": str(measure), **values}


def corpus_frame(pages: Iterable[PageResult]) -> Any:  # noqa: ANN401
    """Return the scores of pages as a pandas data frame with one row per page and measure."""
    rows = [
        {
            "page": page.name,
            "measure": str(measure),
            "status": page.status,
            "flags": ",".join(page.flags),
            **score_fields(score),
        }
        for page in pages
        for measure, score in page.scores.items()
    ]
    return _frame(rows, ["page", "measure"])


def evaluation_frame(evaluation: Evaluation) -> Any:  # noqa: ANN401  (pandas is optional, and so is its type)
    """Return the scores as a pandas data frame with one row per measure."""
    rows = [{"measure": name, **score_fields(score)} for name, score in evaluation.items()]
    return _frame(rows, ["measure"])


def _frame(rows: list[dict[str, Any]], index: list[str]) -> Any:  # noqa: ANN401
    try:
        import pandas as pd  # noqa: PLC0415  (optional)
    except ImportError:
        raise DependencyError(
            "to_pandas() needs pandas, which is not installed", remedy="run pip install pandas"
        ) from None
    return pd.DataFrame(rows).set_index(index) if rows else pd.DataFrame()
