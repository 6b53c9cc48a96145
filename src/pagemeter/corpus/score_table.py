"""Scores of many pages as columns of numbers: one row per page and measure.

`ScoreTable` is the only form of the scores of more than one page. Worker processes send the rows of a page as
bytes, a store writes and reads them by the names of their columns, and totals, statistics and reports compute
with them. The rows of one page are consecutive and take 48 bytes each.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from pagemeter.alignment import ErrorKinds
from pagemeter.measure import EVERY, Measure
from pagemeter.score import Counts, Score, row_bases, row_rates, sum_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from pagemeter.run_settings import Strata
    from pagemeter.settings import Settings

COUNT_COLUMNS = ("ins", "dels", "sub", "cor", "lower_bound")
"""The columns that are added up over pages."""
KIND_COLUMNS = ("missed", "invented", "repeated", "replaced")
"""The errors by kind; the others are misread. They are -1 where the errors were not divided by kind."""
ROW = np.dtype(
    [
        ("measure", np.uint8),  # its index in `pagemeter.measure.EVERY`
        ("for_budget", np.bool_),  # True for a measure that was evaluated for an error budget only
        ("canonical", np.bool_),
        ("interrupted", np.bool_),
        # Solvers refuse pages of more tokens than 32 bits can count.
        *((name, np.int32) for name in (*COUNT_COLUMNS, *KIND_COLUMNS)),
        ("seconds", np.float64),
    ],
    align=True,
)
"""The columns of a row."""

_ROW = struct.Struct("B???5i4id")
_FIRST_COUNT = 4
_FIRST_KIND = _FIRST_COUNT + len(COUNT_COLUMNS)
_NO_KINDS = (-1,) * len(KIND_COLUMNS)
_CODES = {measure: code for code, measure in enumerate(EVERY)}
_T = TypeVar("_T")


def pack_scores(
    scores: Mapping[Measure, Score],
    extra: Mapping[Measure, Score],
    seconds: Mapping[Measure, float],
    kinds: Mapping[Measure, ErrorKinds] | None = None,
) -> bytes:
    """Return the rows of one page.

    Args:
        scores: The scores of the page.
        extra: Scores that only an error budget needs.
        seconds: How long each measure took.
        kinds: The errors by kind of the measures for which they are known.

    >>> from pagemeter import evaluate
    >>> len(pack_scores(evaluate("one", "ore", "CER, WER").scores, {}, {})) / ROW.itemsize
    2.0

    """
    by_kind = {m: tuple(one[name] for name in KIND_COLUMNS) for m, one in (kinds or {}).items()}
    return b"".join(
        _ROW.pack(
            _CODES[m],
            for_budget,
            s.canonical,
            s.interrupted,
            s.ins,
            s.dels,
            s.sub,
            s.cor,
            s.lower_bound,
            *by_kind.get(m, _NO_KINDS),
            seconds.get(m, 0.0),
        )
        for some, for_budget in ((scores, False), (extra, True))
        for m, s in some.items()
    )


def arrange_rows(
    rows: bytes,
    scores: Iterable[Measure],
    extra: Iterable[Measure],
    divided: Collection[Measure] | None = None,
) -> bytes:
    """Return those rows of a page that belong to some measures, in the order of these.

    Args:
        rows: The rows of a page.
        scores: Measures of the scores.
        extra: Further measures, which only an error budget needs.
        divided: The measures that keep their errors by kind; None for all.

    >>> from pagemeter import evaluate
    >>> rows = pack_scores(evaluate("one", "ore", "CER, WER").scores, {}, {})
    >>> [str(measure) for measure in PageScores(arrange_rows(rows, [Measure("WER")], []))]
    ['WER']

    """
    by_code = {row[0]: row for row in _ROW.iter_unpack(rows)}
    arranged = []
    for measures, for_budget in ((scores, False), (extra, True)):
        for code in (_CODES[measure] for measure in measures):
            if row := by_code.pop(code, None):
                has_kinds = divided is None or EVERY[code] in divided
                kinds = row[_FIRST_KIND:-1] if has_kinds else _NO_KINDS
                arranged.append(_ROW.pack(code, for_budget, *row[2:_FIRST_KIND], *kinds, row[-1]))
    return b"".join(arranged)


def complete_measures(rows: bytes, divided: Collection[Measure]) -> set[Measure]:
    """Return the measures of a page that need not be evaluated again.

    Others were interrupted, or lack the errors by kind although they are in `divided`.

    >>> from pagemeter import evaluate
    >>> rows = pack_scores(evaluate("one", "ore", "CER, WER").scores, {}, {})
    >>> sorted(map(str, complete_measures(rows, [Measure("WER")])))
    ['CER']
    """
    return {
        measure
        for code, _, _, interrupted, *numbers in _ROW.iter_unpack(rows)
        if not interrupted
        and ((measure := EVERY[code]) not in divided or numbers[_FIRST_KIND - _FIRST_COUNT] >= 0)
    }


class _PageRows(Mapping[Measure, _T]):
    """A mapping from the measures of one page to values that are computed when they are asked for."""

    __slots__ = ("rows",)

    def __init__(self, rows: bytes) -> None:
        self.rows = rows

    def _measures(self) -> tuple[Measure, ...]:
        """The measures of the page, in the order of the rows."""
        return _measures_of(self.rows[:: _ROW.size])

    def _row(self, measure: Measure) -> tuple[Any, ...]:
        if measure not in self._measures():
            raise KeyError(measure)
        return _ROW.unpack_from(self.rows, self.rows[:: _ROW.size].index(_CODES[measure]) * _ROW.size)

    def __iter__(self) -> Iterator[Measure]:
        return iter(self._measures())

    def __len__(self) -> int:
        return len(self._measures())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rows,)


class PageScores(_PageRows[Score]):
    """The scores of one page, without those that only an error budget needs.

    Args:
        rows: The rows of the page.
        settings: The settings with which the scores were made, or None for the default.

    >>> from pagemeter import evaluate
    >>> page = PageScores(pack_scores(evaluate("one", "ore", "CER, WER").scores, {}, {}))
    >>> {str(measure): score.errors for measure, score in page.items()}
    {'CER': 1, 'WER': 1}

    """

    __slots__ = ("_settings",)
    _for_budget = False

    def __init__(self, rows: bytes, settings: Settings | None = None) -> None:
        super().__init__(rows)
        self._settings = settings

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rows, self._settings)

    def _measures(self) -> tuple[Measure, ...]:
        return _measures_of(self.rows[:: _ROW.size], self.rows[1 :: _ROW.size], budget=self._for_budget)

    def __getitem__(self, measure: Measure) -> Score:
        _, _, canonical, interrupted, *counts, bound = self._row(measure)[:_FIRST_KIND]
        return Score(
            measure,
            Counts(*counts),
            bound,
            canonical,
            settings=self._settings,
            interrupted=interrupted,
        )


class BudgetScores(PageScores):
    """The scores of one page that only an error budget needs."""

    __slots__ = ()
    _for_budget = True


class PageSeconds(_PageRows[float]):
    """How long each measure of a page took."""

    __slots__ = ()

    def __getitem__(self, measure: Measure) -> float:
        seconds: float = self._row(measure)[-1]
        return seconds


class PageKinds(_PageRows[ErrorKinds]):
    """The errors by kind of the measures of a page for which they are known."""

    __slots__ = ()

    def _measures(self) -> tuple[Measure, ...]:
        rows = zip(_measures_of(self.rows[:: _ROW.size]), _ROW.iter_unpack(self.rows), strict=True)
        return tuple(measure for measure, row in rows if row[_FIRST_KIND] >= 0)

    def __getitem__(self, measure: Measure) -> ErrorKinds:
        row = self._row(measure)
        errors = sum(row[_FIRST_COUNT : _FIRST_COUNT + 3])  # missing, extra, wrong
        return _error_kinds(errors, row[_FIRST_KIND : _FIRST_KIND + len(KIND_COLUMNS)])


def _error_kinds(errors: int, by_kind: Iterable[int]) -> ErrorKinds:
    """Return the errors by kind, given all errors and those of `KIND_COLUMNS`."""
    kinds = ErrorKinds(**dict(zip(KIND_COLUMNS, by_kind, strict=True)))
    return replace(kinds, misread=errors - kinds.errors)


class ScoreTable(Sequence[PageScores]):
    """The scores of pages: columns of numbers, one row per page and measure.

    As a sequence, its items are the pages, each a mapping from measures to scores. `folders` and `documents`
    have the folder and the document of each page; pages are resampled within these.

    >>> from pagemeter import evaluate
    >>> table = ScoreTable()
    >>> for hyp in ("ore", "one"): table.append(pack_scores(evaluate("one", hyp, "CER").scores, {}, {}))
    >>> len(table), table.total(Measure("CER")).errors
    (2, 1)
    """

    __slots__ = ("_data", "_ends", "_labels", "_layouts", "documents", "folders", "settings")

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings
        self.folders: list[str] = []
        self.documents: list[str] = []
        self._data = bytearray()
        self._ends = array("q")  # the number of rows up to and including each page
        self._layouts: dict[tuple[bytes, bytes], None] = {}  # combinations of measures that pages have
        self._labels: dict[str, str] = {}  # one object for equal texts, because pages may be millions

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, NDArray[Any]],
        sizes: NDArray[np.int64],
        folders: Iterable[str],
        documents: Iterable[str],
    ) -> ScoreTable:
        """Return the table with these columns, named as in `ROW`, and this number of rows for each page."""
        rows = np.zeros(int(sizes.sum()), ROW)
        for name in ROW.names or ():
            rows[name] = columns[name]
        table = cls()
        table._data += rows.tobytes()
        table._ends.frombytes(np.cumsum(sizes, dtype=np.int64).tobytes())
        table._add_labels(folders, documents)
        codes, for_budget = rows["measure"].tobytes(), rows["for_budget"].tobytes()
        ends = table._ends.tolist()
        layouts = (slice(start, end) for start, end in zip([0, *ends], ends, strict=False))
        table._layouts |= dict.fromkeys((codes[page], for_budget[page]) for page in layouts)
        return table

    def append(self, rows: bytes, folder: str = "", document: str | None = None) -> None:
        """Add one page: its rows from `pack_scores`, its folder and its document."""
        self._data += rows
        self._ends.append(len(self._data) // _ROW.size)
        self._layouts[rows[:: _ROW.size], rows[1 :: _ROW.size]] = None
        document = document or ""
        self.folders.append(self._labels.setdefault(folder, folder))
        self.documents.append(self._labels.setdefault(document, document))

    def extend(self, other: ScoreTable) -> None:
        """Add the pages of another table."""
        rows = len(self._data) // ROW.itemsize
        self._data += other._data
        self._ends.extend(rows + end for end in other._ends)
        self._layouts |= other._layouts
        self._add_labels(other.folders, other.documents)

    def _add_labels(self, folders: Iterable[str], documents: Iterable[str]) -> None:
        self.folders.extend(self._labels.setdefault(text, text) for text in folders)
        self.documents.extend(self._labels.setdefault(text, text) for text in documents)

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, page: int) -> PageScores: ...
    @overload
    def __getitem__(self, page: slice) -> Sequence[PageScores]: ...
    def __getitem__(self, page: int | slice) -> PageScores | Sequence[PageScores]:
        if isinstance(page, slice):
            return [self[number] for number in range(len(self))[page]]
        return PageScores(self.rows(page), self.settings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreTable) and all(
            getattr(self, name) == getattr(other, name) for name in ("_data", "_ends", "folders", "documents")
        )

    __hash__ = None  # type: ignore[assignment]  # a table grows

    def rows(self, page: int) -> bytes:
        """Return the rows of one page."""
        page = range(len(self))[page]
        start = self._ends[page - 1] if page else 0
        return bytes(self._data[start * ROW.itemsize : self._ends[page] * ROW.itemsize])

    def select(
        self,
        pages: Sequence[int] | NDArray[np.int64] | None = None,
        measures: Iterable[Measure] | None = None,
    ) -> ScoreTable:
        """Return the table of some pages in this order, or of some measures."""
        chosen = np.arange(len(self)) if pages is None else np.asarray(pages, np.intp)
        sizes = self.sizes[chosen]
        starts = (np.array(self._ends, np.int64) - self.sizes)[chosen]
        first = np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
        rows = self._rows_at(first + np.arange(len(first)))
        if measures is not None:
            selected = np.isin(rows["measure"], [_CODES[measure] for measure in measures])
            page_of_row = np.repeat(np.arange(len(chosen)), sizes)
            rows, sizes = rows[selected], np.bincount(page_of_row[selected], minlength=len(chosen))
        labels = ([texts[page] for page in chosen] for texts in (self.folders, self.documents))
        return ScoreTable.from_columns({name: rows[name] for name in ROW.names or ()}, sizes, *labels)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of rows of each page."""
        sizes = np.array(self._ends, np.int64)
        sizes[1:] -= np.array(self._ends, np.int64)[:-1]
        return sizes

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """All columns by name."""
        return {name: self._rows[name].copy() for name in ROW.names or ()}

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that any page has, without those that only an error budget needs."""
        return tuple(dict.fromkeys(m for layout in self._layouts for m in _measures_of(*layout)))

    @property
    def common_measures(self) -> tuple[Measure, ...]:
        """The measures that every page has, without those that only an error budget needs."""
        layouts = [set(_measures_of(*layout)) for layout in self._layouts]
        return tuple(measure for measure in self.measures if all(measure in one for one in layouts))

    def has_measures(self, measures: Iterable[Measure]) -> bool:
        """Return True if there are pages and all of them have these measures, including budget measures."""
        wanted = set(measures)
        return bool(self._layouts) and all(wanted <= {*_measures_of(codes)} for codes, _ in self._layouts)

    def total(self, measure: Measure, *, without: Sequence[int] = ()) -> Score:
        """Return the sum over the pages that have a measure, without some pages."""
        pages, rows = self.rows_of(measure)
        if without:
            rows = rows[~np.isin(pages, without)]
        return sum_rows(measure, rows, self.settings)

    def total_without_text(self, measure: Measure) -> Score:
        """Return the sum over the pages whose ground truth has no text."""
        _, rows = self.rows_of(measure)
        return sum_rows(measure, rows[~_with_text(rows)], self.settings)

    def total_with_text(self, measure: Measure) -> Score:
        """Return the sum over the pages whose ground truth has text."""
        _, rows = self.rows_of(measure)
        return sum_rows(measure, rows[_with_text(rows)], self.settings)

    def kinds(self, measure: Measure) -> ErrorKinds | None:
        """Return the errors by kind over all pages; None if a page lacks them."""
        _, rows = self.rows_of(measure)
        if len(rows) < len(self) or not len(rows) or rows[KIND_COLUMNS[0]].min() < 0:
            return None
        sums = {name: int(rows[name].sum(dtype=np.int64)) for name in ("ins", "dels", "sub", *KIND_COLUMNS)}
        return _error_kinds(sums["ins"] + sums["dels"] + sums["sub"], (sums[name] for name in KIND_COLUMNS))

    @property
    def measures_by_kind(self) -> tuple[Measure, ...]:
        """The measures whose errors are divided by kind on some page."""
        rows = self._rows
        codes = np.unique(rows["measure"][rows[KIND_COLUMNS[0]] >= 0])
        return tuple(EVERY[code] for code in codes.tolist())

    def rows_of(self, measure: Measure) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Return the rows of a measure, and the number of the page of each."""
        at = np.flatnonzero(self._rows["measure"] == _CODES[measure])
        rows = self._rows_at(at)
        if len(at) == len(self):  # no page has a measure twice
            return np.arange(len(self)), rows
        return np.searchsorted(np.array(self._ends, np.int64), at, side="right"), rows

    def errors(self, measures: Sequence[Measure]) -> NDArray[np.int64]:
        """Return the errors: one row per page, one column per measure; 0 where a page lacks a measure."""
        return self.counts(measures, ("ins", "dels", "sub"))

    def n_gt(self, measures: Sequence[Measure]) -> NDArray[np.int64]:
        """Return the ground-truth tokens: one row per page, one column per measure."""
        return self.counts(measures, ("ins", "sub", "cor"))

    def rates(self, measures: Sequence[Measure]) -> NDArray[np.float64]:
        """Return the rates of all pages that have all of these measures: one column per measure."""
        return np.stack([row_rates(self.rows_of(m)[1], self.settings) for m in measures], axis=1)

    def bases(self, measures: Sequence[Measure]) -> NDArray[np.int64]:
        """Return what errors are divided by: one row per page, one column per measure."""
        denominator = self.settings.denominator if self.settings else "gt"
        parts = [self.counts(measures, (name,)) for name in COUNT_COLUMNS[:-1]]
        return row_bases(denominator, *parts)

    def counts(self, measures: Sequence[Measure], names: Sequence[str]) -> NDArray[np.int64]:
        """Return the sums of some of the `COUNT_COLUMNS`: one row per page, one column per measure."""
        matrix = np.zeros((len(self), len(measures)), np.int64)
        for column, measure in enumerate(measures):
            pages, rows = self.rows_of(measure)
            for name in names:
                matrix[pages, column] += rows[name]
        return matrix

    def labels(self, strata: Strata) -> list[str] | None:
        """Return the stratum of each page: its folder or document; None if there is only one stratum."""
        return {"none": None, "folder": self.folders, "document": self.documents}[strata]

    def _rows_at(self, indices: NDArray[np.int64]) -> NDArray[Any]:
        """Return copies of some rows. They are copied as plain bytes, which is four times as fast."""
        return self._rows.view(f"V{ROW.itemsize}")[indices].view(ROW)

    @property
    def _rows(self) -> NDArray[Any]:
        """A view of the data. It must not be kept, because the table cannot grow as long as it exists."""
        return np.frombuffer(self._data, ROW)


def _with_text(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Return True for each row of a page whose ground truth has text."""
    with_text: NDArray[np.bool_] = (rows["ins"] > 0) | (rows["sub"] > 0) | (rows["cor"] > 0)
    return with_text


@cache
def _measures_of(
    codes: bytes, for_budget: bytes | None = None, *, budget: bool = False
) -> tuple[Measure, ...]:
    """Return the measures with these codes; all, or only those whose mark is `budget`."""
    if for_budget is None:
        return tuple(EVERY[code] for code in codes)
    return tuple(EVERY[code] for code, flag in zip(codes, for_budget, strict=True) if flag == budget)
