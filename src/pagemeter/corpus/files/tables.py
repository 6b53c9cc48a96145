"""Tables of pairs: TSV, CSV, or JSON lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.files.locating import Locator, plain
from pagemeter.corpus.files.names import stem_of
from pagemeter.corpus.files.repeated import Repeated
from pagemeter.corpus.files.rows import KNOWN, Row, Rows
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.corpus.urls import Location, Url, location
from pagemeter.errors import InputError
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES = (".tsv", ".csv", ".jsonl", ".ndjson")


def read_table(path: Location) -> Pairing:
    r"""The pairs of TSV, CSV or JSON lines: ground truth, hypothesis and, if wanted, name and document.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("hyp\tgt\n1.txt\t1.gt.txt\n\t2.gt.txt\n")
    >>> [(pair.name, pair.hyp is None) for pair in read_table(path).pairs]
    [('1', False), ('2', True)]
    """
    pairs = TablePairs(Rows(path))
    if not len(pairs):
        raise InputError(f"{path}: names no pair; write ground truth and hypothesis of a page in a line")
    return Pairing(pairs)


class TablePairs(Collection[Pair]):
    """The pairs of a table, made as they are asked for, so that there may be more than memory holds.

    What pairs are told apart by is found out first: names that are shared are put behind their folder, or
    else numbered; a ground truth that has been named before has a warning, for it counts each time.
    """

    def __init__(self, table: Rows) -> None:
        self._table, self._count, self._locator = table, 0, Locator(table.path)
        self._names, self._full_names, self._gts = Repeated(), Repeated(), Repeated()
        for _, row in table:
            self._count += 1
            if not isinstance(row, ValueError):
                self._names.add(_name(row))
                self._gts.add(row.gt or "")
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
                made = self._distinct(self._pair(row, number), row, so_far)
                yield self._warned(made, row, seen)

    def _pair(self, row: Row, number: int) -> Pair:
        gt, hyp = (location(self._locator.file(name)) if name else None for name in (row.gt, row.hyp))
        warnings = _unknown(row, self._table.path, number) if row.unknown else ()
        return Pair(_name(row), gt, hyp, warnings, document=row.document)

    def _named(self, row: Row) -> str:
        """The name of a row, with its folder if it shares it."""
        name = _name(row)
        return f"{_folder(plain(row.first))}{name}" if name in self._names else name

    def _distinct(self, made: Pair, row: Row, so_far: Counter[str]) -> Pair:
        if made.name in self._names:
            made = replace(made, name=f"{(made.gt or made.hyp or Path()).parent}/{made.name}")
        if self._full_names and (full := self._named(row)) in self._full_names:
            so_far[full] += 1
            made = replace(made, name=f"{made.name} ({so_far[full]})")
        return made

    def _warned(self, made: Pair, row: Row, seen: set[str]) -> Pair:
        gt = row.gt
        if gt is None or gt not in self._gts:
            return made
        if gt in seen:
            again = Warn(str(made.gt), "file", "named before, and counted each time")
            made = replace(made, warnings=(*made.warnings, again))
        seen.add(gt)
        return made


def _name(row: Row) -> str:
    return row.page or stem_of(plain(row.first))


def _folder(file: str) -> str:
    return f"{file.parent}/" if isinstance(file, Url) else file[: file.rfind("/") + 1]


def _unknown(row: Row, path: Location, number: int) -> tuple[Warn, ...]:
    return tuple(
        Warn(str(path), f"line {number}", f"key {key!r} is not known and was not read; {KNOWN}")
        for key in row.unknown
    )
