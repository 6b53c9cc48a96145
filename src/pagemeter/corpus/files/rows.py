"""The rows of a table of pairs, in TSV, CSV or JSON lines."""

from __future__ import annotations

import csv
import json
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.corpus.files.line_file import LineFile
from pagemeter.corpus.files.locating import check_name
from pagemeter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pagemeter.corpus.urls import Location

COLUMNS = ("gt", "hyp", "page", "document")
"""What may be said of a pair."""
KNOWN = f"known are: {', '.join(COLUMNS)}"


class Row(NamedTuple):
    """What a line says of a pair; `unknown` are keys that nobody knows."""

    gt: str | None = None
    hyp: str | None = None
    page: str | None = None
    document: str | None = None
    unknown: tuple[str, ...] = ()

    @property
    def first(self) -> str:
        """The file that the page is named by."""
        return self.gt or self.hyp or ""


class Rows:
    r"""The rows of a table, read as often as they are wanted; a row that cannot be read is its error.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("hyp\tgt\n1.txt\t1.gt.txt\n")
    >>> [(number, row.gt) for number, row in Rows(path)]
    [(2, '1.gt.txt')]
    """

    def __init__(self, path: Location) -> None:
        self.path, self._lines = path, LineFile(path)
        self._parse: Callable[[str], Row] = _json
        self._has_headings = False
        if path.suffix.lower() in (".tsv", ".csv"):
            first = next(iter(self._lines), (0, ""))[1]
            cells = _commas(first) if path.suffix.lower() == ".csv" else _tabs
            headings = _headings(cells, first, path)
            columns, self._has_headings = headings or COLUMNS, headings is not None
            order = [columns.index(name) for name in COLUMNS]
            self._parse = lambda line: _row(cells(line), columns, order)

    def __iter__(self) -> Iterator[tuple[int, Row | ValueError]]:
        parse = self._parse
        for number, line in islice(iter(self._lines), self._has_headings, None):
            try:
                row = parse(line)
                _check(row)
            except ValueError as error:
                yield number, error
            else:
                yield number, row


def _check(row: Row) -> None:
    if not row.first:
        raise ValueError("names neither a ground truth nor a hypothesis; give at least one")
    check_name(row.gt or "")
    check_name(row.hyp or "")


def _unknown(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in COLUMNS)


def _tabs(line: str) -> list[str]:
    return line.split("\t")


def _commas(first: str) -> Callable[[str], list[str]]:
    """What cuts a line of CSV: at commas, or at semicolons if its first line has these and no comma."""
    mark = ";" if ";" in first and "," not in first else ","

    def cells(line: str) -> list[str]:
        try:
            return next(csv.reader([line], delimiter=mark, strict=True), [])
        except csv.Error as error:
            raise ValueError(f"{error}; close the quotation marks in the same line") from None

    return cells


def _headings(cut: Callable[[str], list[str]], first: str, path: Location) -> tuple[str, ...] | None:
    """The columns, if the first line names them by gt or hyp; what it does not name may follow."""
    try:
        cells = tuple(cell.strip().lower() for cell in cut(first))
    except ValueError:  # which is said where its turn comes
        return None
    if not {"gt", "hyp"} & set(cells):
        return None
    if unknown := _unknown(cells):
        raise InputError(f"{path}: line 1: unknown heading {unknown[0]!r}; {KNOWN}")
    if len(set(cells)) < len(cells) or not {"gt", "hyp"} <= set(cells):
        raise InputError(f"{path}: line 1: headings {', '.join(cells)}; give gt and hyp, and each once")
    return cells + tuple(name for name in COLUMNS if name not in cells)


def _row(given: Sequence[str], columns: Sequence[str], order: Sequence[int]) -> Row:
    cells = [cell.strip() or None for cell in given]
    if not 2 <= len(cells) <= len(columns):  # noqa: PLR2004
        raise ValueError(
            f"{len(cells)} columns; give {', '.join(columns)}, with tabs (in CSV commas) between"
        )
    cells += [None] * (len(columns) - len(cells))
    gt, hyp, page, document = order
    return Row(cells[gt], cells[hyp], cells[page], cells[document])


def _json(line: str) -> Row:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{error}; mend the JSON") from None
    if not isinstance(fields, dict) or "gt" not in fields:
        raise ValueError(
            'no object with "gt"; give {"gt": path, "hyp": path or null, "page": name}, or, if it holds the '
            "texts of one side, give the other side too"
        )
    if "hyp" not in fields:
        has = f", but {', '.join(map(repr, unknown))}" if (unknown := _unknown(fields)) else ""
        raise ValueError(f'no "hyp"{has}; give "hyp": path, or null where there is none; {KNOWN}')
    values = [fields.get(name) for name in COLUMNS]
    if not all(value is None or isinstance(value, str) for value in values):
        raise ValueError('"gt", "hyp", "page" and "document" have to be text; put them in quotation marks')
    gt, hyp, page, document = values
    return Row(gt, hyp, page, document, _unknown(fields))
