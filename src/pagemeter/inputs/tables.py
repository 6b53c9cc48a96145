"""Tables of pairs in TSV, CSV or JSON lines: one line per page with its ground truth and hypothesis file.

The pairs are created line by line on each iteration, so a table may have more pairs than memory can hold.
"""

from __future__ import annotations

import csv
from array import array
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.errors import InputError, Problem
from pagemeter.inputs.lists import LineFile, Locator, check_name, digest, normal_path
from pagemeter.inputs.locations import Location, Url, as_location, parse_json_line
from pagemeter.inputs.page_files import page_name
from pagemeter.inputs.pairs import Pair, Pairing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TABLE_SUFFIXES = (".tsv", ".csv", ".jsonl", ".ndjson")
_COLUMNS = ("gt", "hyp", "page", "document")
_COLUMN_LIST = ", ".join(_COLUMNS)
_SMALL = 100_000  # digests up to this number are in a set as well, where a search takes a tenth of the time


def read_pair_table(path: Location) -> Pairing:
    r"""Read a table of pairs with the columns gt and hyp, and optionally page and document.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("hyp\tgt\n1.txt\t1.gt.txt\n\t2.gt.txt\n")
    >>> [(pair.name, pair.hyp is None) for pair in read_pair_table(path).pairs]
    [('1', False), ('2', True)]
    """
    pairs = _TablePairs(_TableRows(path))
    if not len(pairs):
        remedy = "write the ground truth and the hypothesis of one page per line"
        raise InputError("the table has no pairs", source=str(path), remedy=remedy)
    return Pairing(pairs)


class _TablePairs(Collection[Pair]):
    """The pairs of a table, created on each iteration.

    The table is read first to find names that occur more than once: the folder is put in front of them, and
    if they are still equal they are numbered. A ground truth that occurs again gets a warning, because it is
    counted each time.
    """

    def __init__(self, table: _TableRows) -> None:
        self._table, self._count, self._locator = table, 0, Locator(table.path)
        self._names, self._full_names, self._gts = _Repeated(), _Repeated(), _Repeated()
        for _, row in table:
            self._count += 1
            if isinstance(row, _Row):
                self._names.add(row.name)
                self._gts.add(row.gt or "")
        for _, row in table if self._names else ():
            if isinstance(row, _Row):
                self._full_names.add(self._full_name(row))

    def __len__(self) -> int:
        return self._count

    def __contains__(self, pair: object) -> bool:
        return any(pair == own for own in self)

    def __iter__(self) -> Iterator[Pair]:
        path = self._table.path
        numbers, seen = Counter[str](), set[str]()
        for number, row in self._table:
            if isinstance(row, _Row):
                pair = self._with_unique_name(self._pair(row, number), row, numbers)
                yield self._with_repetition_warning(pair, row, seen)
            else:
                problem = replace(row, source=str(path), element=f"line {number}")
                yield Pair(f"{path.name}:{number}", None, None, errors=(problem,))

    def _pair(self, row: _Row, number: int) -> Pair:
        gt, hyp = (as_location(self._locator.file(name)) if name else None for name in (row.gt, row.hyp))
        warnings = self._unknown_key_warnings(row, number) if row.unknown else ()
        return Pair(row.name, gt, hyp, warnings, document=row.document)

    def _unknown_key_warnings(self, row: _Row, number: int) -> tuple[Problem, ...]:
        path, element = str(self._table.path), f"line {number}"
        remedy = f"use the keys {_COLUMN_LIST}"
        return tuple(Problem(f"unknown key {key!r}", path, element, remedy) for key in row.unknown)

    def _full_name(self, row: _Row) -> str:
        """Return the name of a row, with its folder if the name alone is not unique."""
        return f"{_folder(normal_path(row.file))}{row.name}" if row.name in self._names else row.name

    def _with_unique_name(self, pair: Pair, row: _Row, numbers: Counter[str]) -> Pair:
        if pair.name in self._names:
            pair = replace(pair, name=f"{(pair.gt or pair.hyp or Path()).parent}/{pair.name}")
        if self._full_names and (full := self._full_name(row)) in self._full_names:
            numbers[full] += 1
            pair = replace(pair, name=f"{pair.name} ({numbers[full]})")
        return pair

    def _with_repetition_warning(self, pair: Pair, row: _Row, seen: set[str]) -> Pair:
        gt = row.gt
        if gt is None or gt not in self._gts:
            return pair
        if gt in seen:
            detail = "the table names this file more than once; it is counted each time"
            warning = Problem(detail, str(pair.gt))
            pair = replace(pair, warnings=(*pair.warnings, warning))
        seen.add(gt)
        return pair


def _folder(file: str) -> str:
    return f"{file.parent}/" if isinstance(file, Url) else file[: file.rfind("/") + 1]


class _Row(NamedTuple):
    """One line of a table; `unknown` are keys that are not columns."""

    gt: str | None = None
    hyp: str | None = None
    page: str | None = None
    document: str | None = None
    unknown: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file that names the page."""
        return self.gt or self.hyp or ""

    @property
    def name(self) -> str:
        """The name of the page."""
        return self.page or page_name(normal_path(self.file))


class _TableRows:
    r"""The rows of a table with their line numbers; a row that cannot be read is a `Problem`.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("hyp\tgt\n1.txt\t1.gt.txt\n")
    >>> [(number, row.gt) for number, row in _TableRows(path)]
    [(2, '1.gt.txt')]
    """

    def __init__(self, path: Location) -> None:
        self.path, self._lines = path, LineFile(path)
        self._parse: Callable[[str], _Row] = _parse_json
        self._has_header = False
        if path.suffix.lower() in (".tsv", ".csv"):
            first = next(iter(self._lines), (0, ""))[1]
            split = _csv_splitter(first) if path.suffix.lower() == ".csv" else _split_tabs
            header = _read_header(split, first, path)
            columns, self._has_header = header or _COLUMNS, header is not None
            order = [columns.index(name) for name in _COLUMNS]
            self._parse = lambda line: _parse_cells(split(line), columns, order)

    def __iter__(self) -> Iterator[tuple[int, _Row | Problem]]:
        parse = self._parse
        for number, line in islice(iter(self._lines), self._has_header, None):
            try:
                row = parse(line)
                _check(row)
            except InputError as error:
                yield number, error.problem
            else:
                yield number, row


def _check(row: _Row) -> None:
    if not row.file:
        raise InputError("neither a ground truth nor a hypothesis is named", remedy="name at least one")
    check_name(row.gt or "")
    check_name(row.hyp or "")


def _unknown(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in _COLUMNS)


def _split_tabs(line: str) -> list[str]:
    return line.split("\t")


def _csv_splitter(first: str) -> Callable[[str], list[str]]:
    """Return a function that splits a line of CSV: at semicolons if the first line has some and no comma."""
    delimiter = ";" if ";" in first and "," not in first else ","

    def split(line: str) -> list[str]:
        try:
            return next(csv.reader([line], delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            raise InputError(str(error), remedy="close the quotation marks in the same line") from None

    return split


def _read_header(split: Callable[[str], list[str]], first: str, path: Location) -> tuple[str, ...] | None:
    """Return the columns in their order if the first line is a header, that is, if it has gt or hyp."""
    try:
        cells = tuple(cell.strip().lower() for cell in split(first))
    except InputError:  # reported with the row
        return None
    if not {"gt", "hyp"} & set(cells):
        return None
    if unknown := _unknown(cells):
        detail, remedy = f"unknown column {unknown[0]!r}", f"use the columns {_COLUMN_LIST}"
        raise InputError(detail, source=str(path), element="line 1", remedy=remedy)
    if len(set(cells)) < len(cells) or not {"gt", "hyp"} <= set(cells):
        detail, remedy = f"the columns are {', '.join(cells)}", "give gt and hyp, and each column once"
        raise InputError(detail, source=str(path), element="line 1", remedy=remedy)
    return cells + tuple(name for name in _COLUMNS if name not in cells)


def _parse_cells(given: Sequence[str], columns: Sequence[str], order: Sequence[int]) -> _Row:
    cells = [cell.strip() or None for cell in given]
    if not 2 <= len(cells) <= len(columns):  # noqa: PLR2004
        count = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
        remedy = f"give {', '.join(columns)}, separated by tabs (in CSV by commas)"
        raise InputError(count, remedy=remedy)
    cells += [None] * (len(columns) - len(cells))
    gt, hyp, page, document = order
    return _Row(cells[gt], cells[hyp], cells[page], cells[document])


def _parse_json(line: str) -> _Row:
    fields = parse_json_line(line)
    if not isinstance(fields, dict) or "gt" not in fields:
        raise InputError(
            'no object with the key "gt"',
            remedy='write {"gt": path, "hyp": path or null, "page": name}; if the file has the texts of one '
            "side, give the other side too",
        )
    unknown = _unknown(fields)
    if "hyp" not in fields:
        found = f", but {', '.join(map(repr, unknown))}" if unknown else ""
        raise InputError(f'no key "hyp"{found}', remedy='give "hyp": path, or null if there is none')
    values = [fields.get(name) for name in _COLUMNS]
    if not all(value is None or isinstance(value, str) for value in values):
        raise InputError(
            '"gt", "hyp", "page" and "document" must be strings', remedy="put them in quotation marks"
        )
    gt, hyp, page, document = values
    return _Row(gt, hyp, page, document, unknown)


class _Repeated:
    """The texts that were added more than once, stored as 8-byte digests.

    Texts are compared by digests. Among ten million texts, two different ones collide with a
    probability of 10⁻⁶.

    >>> repeated = _Repeated()
    >>> for text in ("a", "b", "a"): repeated.add(text)
    >>> "a" in repeated, "b" in repeated
    (True, False)
    """

    __slots__ = ("_added", "_repeated", "_set")

    def __init__(self) -> None:
        self._added = array("q")
        self._repeated = np.zeros(0, np.int64)
        self._set = frozenset[int]()

    def add(self, text: str) -> None:
        """Add a text; all texts must be added before the first search."""
        self._added.append(digest(text))

    def __contains__(self, text: str) -> bool:
        if not self:
            return False
        wanted = digest(text)
        if self._set:
            return wanted in self._set
        index = int(np.searchsorted(self._repeated, wanted))
        return index < len(self._repeated) and bool(self._repeated[index] == wanted)

    def __bool__(self) -> bool:
        if self._added:
            digests = np.array(self._added)
            self._added = array("q")
            digests.sort()
            self._repeated = np.unique(digests[1:][digests[1:] == digests[:-1]])
            self._set = frozenset(self._repeated.tolist() if len(self._repeated) < _SMALL else ())
        return len(self._repeated) > 0
