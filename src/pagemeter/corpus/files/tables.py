"""Tables of pairs: TSV, or JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.files.line_file import LineFile
from pagemeter.corpus.files.lists import check_name, located
from pagemeter.corpus.files.names import stem_of
from pagemeter.corpus.files.repeated import Repeated
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.corpus.urls import Location, location
from pagemeter.errors import InputError
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TABLES = (".tsv", ".jsonl", ".ndjson")

Row = Mapping[str, str | None]
_COLUMNS = ("gt", "hyp", "page", "document")
_SIDES = ("gt", "hyp")
_KNOWN = f"known are: {', '.join(_COLUMNS)}"


def read_table(path: Location) -> Pairing:
    r"""The pairs of a TSV, or of JSON lines: ground truth, hypothesis and, if wanted, name and document.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("hyp\tgt\n1.txt\t1.gt.txt\n\t2.gt.txt\n")
    >>> [(pair.name, pair.hyp is None) for pair in read_table(path).pairs]
    [('1', False), ('2', True)]
    """
    pairs = TablePairs(Table(path))
    if not len(pairs):
        raise InputError(f"{path}: names no pair; write ground truth and hypothesis of a page in a line")
    return Pairing(pairs)


class Table:
    """The rows of a table, read as often as they are wanted; a row that cannot be read is its error."""

    def __init__(self, path: Location) -> None:
        self.path, self._lines = path, LineFile(path)
        self._parse: Callable[[str], Row] = _json
        self._has_headings = False
        if path.suffix.lower() == ".tsv":
            first = next(iter(self._lines), (0, ""))[1]
            headings = _headings(first, path)
            columns, self._has_headings = headings or _COLUMNS, headings is not None
            self._parse = lambda line: _tsv(line, columns)

    def __iter__(self) -> Iterator[tuple[int, Row | ValueError]]:
        for number, line in islice(iter(self._lines), self._has_headings, None):
            try:
                yield number, _checked(self._parse(line))
            except ValueError as error:
                yield number, error


class TablePairs(Collection[Pair]):
    """The pairs of a table, made as they are asked for, so that there may be more than memory holds.

    What pairs are told apart by is found out first: names that are shared are put behind their folder, or
    else numbered; a ground truth that has been named before has a warning, for it counts each time.
    """

    def __init__(self, table: Table) -> None:
        self._table, self._count = table, 0
        self._names, self._full_names, self._gts = Repeated(), Repeated(), Repeated()
        for _, row in table:
            self._count += 1
            if not isinstance(row, ValueError):
                self._names.add(_name(row))
                self._gts.add(row.get("gt") or "")
        for _, row in table if self._names else ():
            if not isinstance(row, ValueError):
                self._full_names.add(self._named(row))

    def __len__(self) -> int:
        return self._count

    def __contains__(self, made: object) -> bool:
        return any(made == one for one in self)

    def __iter__(self) -> Iterator[Pair]:
        path = self._table.path
        so_far, seen = Counter[str](), set[str]()
        for number, row in self._table:
            if isinstance(row, ValueError):
                yield Pair(f"{path.name}:{number}", None, None, error=f"{path}: line {number}: {row}")
            else:
                made = self._distinct(_pair(row, path, number), row, so_far)
                yield self._warned(made, row, seen)

    def _named(self, row: Row) -> str:
        """The name of a row, with its folder if it shares it."""
        name = _name(row)
        return f"{location(_first(row)).parent}/{name}" if name in self._names else name

    def _distinct(self, made: Pair, row: Row, so_far: Counter[str]) -> Pair:
        if made.name in self._names:
            made = replace(made, name=f"{(made.gt or made.hyp or Path()).parent}/{made.name}")
        if self._full_names and (full := self._named(row)) in self._full_names:
            so_far[full] += 1
            made = replace(made, name=f"{made.name} ({so_far[full]})")
        return made

    def _warned(self, made: Pair, row: Row, seen: set[str]) -> Pair:
        gt = row.get("gt")
        if gt is None or gt not in self._gts:
            return made
        if gt in seen:
            again = Warn(str(made.gt), "file", "named before, and counted each time")
            made = replace(made, warnings=(*made.warnings, again))
        seen.add(gt)
        return made


def _checked(row: Row) -> Row:
    if not _first(row):
        raise ValueError("names neither a ground truth nor a hypothesis; give at least one")
    for side in _SIDES:
        check_name(row.get(side) or "")
    return row


def _first(row: Row) -> str:
    return row.get("gt") or row.get("hyp") or ""


def _name(row: Row) -> str:
    return row.get("page") or stem_of(location(_first(row)))


def _pair(row: Row, path: Location, number: int) -> Pair:
    gt, hyp = (located(name, path) if (name := row.get(side)) else None for side in _SIDES)
    warnings = tuple(
        Warn(str(path), f"line {number}", f"key {key!r} is not known and was not read; {_KNOWN}")
        for key in _unknown(row)
    )
    return Pair(_name(row), gt, hyp, warnings, document=row.get("document"))


def _unknown(names: Iterable[str]) -> list[str]:
    return [name for name in names if name not in _COLUMNS]


def _headings(line: str, path: Location) -> tuple[str, ...] | None:
    """The columns, if the first line names them by gt or hyp; what it does not name may follow."""
    cells = tuple(cell.strip().lower() for cell in line.split("\t"))
    if not {"gt", "hyp"} & set(cells):
        return None
    if unknown := _unknown(cells):
        raise InputError(f"{path}: line 1: unknown heading {unknown[0]!r}; {_KNOWN}")
    if len(set(cells)) < len(cells) or not {"gt", "hyp"} <= set(cells):
        raise InputError(f"{path}: line 1: headings {', '.join(cells)}; give gt and hyp, and each once")
    return cells + tuple(name for name in _COLUMNS if name not in cells)


def _tsv(line: str, columns: Sequence[str]) -> Row:
    cells = [cell.strip() or None for cell in line.split("\t")]
    if not 2 <= len(cells) <= len(columns):  # noqa: PLR2004
        raise ValueError(f"{len(cells)} columns; give {', '.join(columns)}, with tabs between them")
    return dict(zip(columns, cells, strict=False))


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
        raise ValueError(f'no "hyp"{has}; give "hyp": path, or null where there is none; {_KNOWN}')
    if not all(value is None or isinstance(value, str) for value in map(fields.get, _COLUMNS)):
        raise ValueError('"gt", "hyp", "page" and "document" have to be text; put them in quotation marks')
    return fields
