"""The tables of a store, and the conversion of results to rows and back."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagemeter.atomic_io import encodable
from pagemeter.corpus.page_result import (
    LineResult,
    PageLines,
    PageResult,
    UnmatchedText,
    evaluation_from_rows,
)
from pagemeter.corpus.score_table import (
    COUNT_COLUMNS,
    KIND_COLUMNS,
    ROW,
    BudgetScores,
    ScoreTable,
    complete_measures,
)
from pagemeter.errors import Problem
from pagemeter.inputs.locations import Fingerprint, Fingerprints
from pagemeter.measure import EVERY, Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus import MeasureSelection
    from pagemeter.settings import Settings


LAYOUT = 7
"""The version of these tables and of the manifest. A store with another version is refused."""

_PROBLEM = pa.struct([(name, pa.string()) for name in ("source", "element", "reason")])

PAGE_COLUMNS = pa.schema(
    [
        ("pair", pa.string()),
        ("page", pa.string()),
        ("document", pa.string()),
        ("gt", pa.string()),
        ("hyp", pa.string()),
        ("status", pa.string()),
        ("failure", pa.string()),
        ("flags", pa.list_(pa.string())),
        ("empty_gt", pa.bool_()),
        ("error", pa.string()),
        ("problems", pa.list_(_PROBLEM)),
        ("warnings", pa.list_(_PROBLEM)),
        ("without_positions", pa.list_(pa.string())),
        ("has_positions", pa.bool_()),
        ("dropped_gt_lines", pa.int64()),
        ("dropped_hyp_lines", pa.int64()),
        ("page_seconds", pa.float64()),
        ("gt_sha256", pa.string()),
        ("hyp_sha256", pa.string()),
        ("gt_stamp", pa.string()),
        ("hyp_stamp", pa.string()),
        ("lines", pa.string()),
    ]
)
"""The columns that are equal in all rows of a page.

`pair` is the key of the pair of files, and `lines` the measure of the stored lines.
"""

_SCORE_COLUMNS = pa.schema(
    [
        ("measure", pa.string()),
        ("for_budget", pa.bool_()),
        *((name, pa.int64()) for name in (*COUNT_COLUMNS, "errors", "n_gt", "n_hyp")),
        *((name, pa.float64()) for name in ("rate", "precision", "recall", "f1")),
        ("optimal", pa.bool_()),
        ("canonical", pa.bool_()),
        ("interrupted", pa.bool_()),
        *((name, pa.int64()) for name in ("misread", *KIND_COLUMNS)),
        ("seconds", pa.float64()),
    ]
)
"""The columns of one measure of a page. They are null if a page has no scores; an infinite rate is null.

The errors by kind are null for measures whose errors were not divided by kind.
"""

PAGE_SCHEMA = pa.schema(
    [*PAGE_COLUMNS, *_SCORE_COLUMNS, ("signature", pa.string()), ("version", pa.string())]
)
"""One row per page and measure."""

LINE_SCHEMA = pa.schema(
    [
        ("pair", pa.string()),
        ("page", pa.string()),
        ("measure", pa.string()),
        ("number", pa.int64()),
        ("id", pa.string()),
        ("gt", pa.string()),
        ("hyp", pa.string()),
        ("hyp_line", pa.int64()),
        ("distance", pa.int64()),
        ("cor", pa.int64()),
        ("sub", pa.int64()),
        ("n_gt", pa.int64()),
    ]
)
"""One row per ground-truth line; unmatched hypothesis text is a row without `number` and `gt`."""

_INPUT_COLUMNS = ("gt_sha256", "hyp_sha256", "gt_stamp", "hyp_stamp")


# From results to tables


@dataclass(slots=True)
class UnwrittenPages:
    """Pages that are not yet written: their scores, their columns, and the rows of their lines."""

    scores: ScoreTable = field(default_factory=ScoreTable)
    pages: list[dict[str, Any]] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.pages)

    def add(self, key: str, result: PageResult, lines: str | None = None) -> None:
        """Add a page; `key` is that of its pair, and `lines` the measure of lines that are stored already."""
        self.scores.append(result.rows)
        measure = str(result.lines.measure) if result.lines else lines
        self.pages.append(_page_columns(key, result) | {"lines": measure})
        self.lines += _line_rows(key, result)

    def page_table(self, signature: str, version: str) -> pa.Table:
        """Return the rows of all pages; a page without scores has one row."""
        sizes = self.scores.sizes
        page_of_row = np.repeat(np.arange(len(self)), np.maximum(sizes, 1))
        score_of_row = np.full(len(page_of_row), -1)
        score_of_row[np.repeat(sizes, np.maximum(sizes, 1)) > 0] = np.arange(sizes.sum())
        pages = pa.Table.from_pylist(self.pages, PAGE_COLUMNS).take(pa.array(page_of_row))
        scores = _score_columns(self.scores).take(pa.array(score_of_row, mask=score_of_row < 0))
        last = {"signature": signature, "version": version}
        constants = (pa.repeat(value, len(page_of_row)) for value in last.values())
        return pa.table([*pages.columns, *scores.columns, *constants], PAGE_SCHEMA)

    def line_table(self) -> pa.Table:
        """Return the rows of all lines."""
        return pa.Table.from_pylist(self.lines, LINE_SCHEMA)


def _page_columns(key: str, result: PageResult) -> dict[str, Any]:
    gt, hyp = result.inputs
    return {
        "pair": key,
        "page": encodable(result.name),
        "document": _encodable(result.document),
        "gt": _encodable(result.gt),
        "hyp": _encodable(result.hyp),
        "status": result.status,
        "failure": result.failure,
        "flags": result.flags,
        "empty_gt": result.empty_gt,
        "error": _encodable(result.error),
        "problems": _problem_rows(result.errors),
        "warnings": _problem_rows(result.warnings),
        "without_positions": result.without_positions,
        "has_positions": result.has_positions,
        "dropped_gt_lines": result.dropped[0],
        "dropped_hyp_lines": result.dropped[1],
        "page_seconds": result.seconds,
        "gt_sha256": gt and gt.sha256,
        "hyp_sha256": hyp and hyp.sha256,
        "gt_stamp": gt and gt.stamp,
        "hyp_stamp": hyp and hyp.stamp,
    }


def _problem_rows(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{name: encodable(text) for name, text in one.as_dict().items()} for one in problems]


def _problems(rows: Iterable[dict[str, str]]) -> tuple[Problem, ...]:
    return tuple([Problem(row["reason"], row["source"], row["element"]) for row in rows])


def _encodable(text: str | None) -> str | None:
    return None if text is None else encodable(text)


def _score_columns(scores: ScoreTable) -> pa.Table:
    columns: dict[str, Any] = scores.columns
    counts = {name: columns[name].astype(np.int64) for name in COUNT_COLUMNS}
    errors = counts["ins"] + counts["dels"] + counts["sub"]
    n_gt = counts["cor"] + counts["sub"] + counts["ins"]
    n_hyp = counts["cor"] + counts["sub"] + counts["dels"]
    columns |= counts | {"errors": errors, "n_gt": n_gt, "n_hyp": n_hyp}
    columns["measure"] = pa.array(map(str, EVERY)).take(pa.array(columns["measure"]))
    columns["optimal"] = errors == counts["lower_bound"]
    columns["rate"] = _ratio(errors, n_gt)
    columns["precision"] = _ratio(counts["cor"], n_hyp)
    columns["recall"] = _ratio(counts["cor"], n_gt)
    columns["f1"] = _ratio(2 * counts["cor"], n_gt + n_hyp)
    columns |= _kind_columns(columns, errors)
    return pa.table([pa.array(columns[f.name], f.type) for f in _SCORE_COLUMNS], _SCORE_COLUMNS)


def _kind_columns(columns: dict[str, Any], errors: NDArray[np.int64]) -> dict[str, pa.Array]:
    """Return the errors by kind, null where they are unknown."""
    kinds = {name: columns[name].astype(np.int64) for name in KIND_COLUMNS}
    misread = errors - kinds["missed"] - kinds["invented"] - kinds["replaced"]
    unknown = kinds["missed"] < 0
    return {name: pa.array(values, mask=unknown) for name, values in ({"misread": misread} | kinds).items()}


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> pa.Array:
    """Return the ratios as `pagemeter.score.ratio` does; an infinite one is null."""
    values = np.divide(part, whole, out=np.zeros(len(part)), where=whole != 0)
    return pa.array(values, mask=(whole == 0) & (part != 0))


def _line_rows(key: str, result: PageResult) -> Iterator[dict[str, Any]]:
    if result.lines is None:
        return
    start = {"pair": key, "page": encodable(result.name), "measure": str(result.lines.measure)}
    for line in result.lines.lines:
        yield {
            **start,
            "number": line.number,
            "id": _encodable(line.id),
            "gt": encodable(line.gt),
            "hyp": _encodable(line.hyp),
            "hyp_line": line.hyp_line,
            "distance": line.distance,
            "cor": line.cor,
            "sub": line.sub,
            "n_gt": line.n_gt,
        }
    for text in result.lines.unmatched:
        yield {**start, "hyp": encodable(text.hyp), "distance": text.n_hyp, "cor": 0, "sub": 0, "n_gt": 0}


# From tables to results


def page_lines(table: pa.Table) -> dict[tuple[str, str], PageLines]:
    """Return the lines in a table by the key of their pair and the name of their page."""
    pages: dict[tuple[str, str], PageLines] = {}
    for row in table.to_pylist():
        key = row["pair"], row["page"]
        page = pages.get(key, PageLines(Measure.parse(row["measure"]), (), ()))
        if row["number"] is None:
            rest = UnmatchedText(row["hyp"], row["distance"], (), ())
            pages[key] = page._replace(unmatched=(*page.unmatched, rest))
        else:
            line = LineResult(**{field.name: row[field.name] for field in fields(LineResult)})
            pages[key] = page._replace(lines=(*page.lines, line))
    return pages


class StoredPart:
    """The numbers of the pages in one file of a store; stored lines have a file of their own."""

    def __init__(self, table: pa.Table, number: int = 0) -> None:
        self.table, self.number = table, number
        self.starts = _page_starts(table)

    def __len__(self) -> int:
        return len(self.starts)

    def column(self, name: str) -> list[Any]:
        """Return one of the `PAGE_COLUMNS`: one value per page."""
        values: list[Any] = self.table[name].take(self.starts).to_pylist()
        return values

    def array(self, name: str) -> NDArray[Any]:
        """Return one of the `PAGE_COLUMNS` as an array."""
        return np.asarray(self.table[name].take(self.starts))

    @cached_property
    def scores(self) -> ScoreTable:
        """The scores of all pages; a page without scores has no rows."""
        table = self.table.filter(pc.is_valid(self.table["measure"]))
        columns = {
            name: np.asarray(table[name].fill_null(-1) if name in KIND_COLUMNS else table[name])
            for name in ROW.names or ()
            if name != "measure"
        }
        columns["measure"] = np.asarray(pc.index_in(table["measure"], pa.array(map(str, EVERY))))
        has_scores = np.asarray(pc.is_valid(self.table["measure"]))
        sizes = (
            np.add.reduceat(has_scores.astype(np.int64), self.starts) if len(self) else np.zeros(0, np.int64)
        )
        folders = (name.rpartition("/")[0] for name in self.column("page"))
        return ScoreTable.from_columns(
            columns, sizes, folders, (one or "" for one in self.column("document"))
        )

    @property
    def evaluated(self) -> NDArray[np.int64]:
        """The indices of the pages that were evaluated."""
        return np.flatnonzero(np.isin(self.array("status"), ("evaluated", "missed")))

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """Whether each page counts as missing because it has no hypothesis."""
        missing: NDArray[np.bool_] = (self.array("status") == "missed") & (self.array("hyp") == None)  # noqa: E711
        return missing

    def results(
        self, pages: Sequence[int] | NDArray[np.int64] | None = None, settings: Settings | None = None
    ) -> Iterator[PageResult]:
        """Yield the results of all pages, or of those with these indices."""
        for index in range(len(self)) if pages is None else map(int, pages):
            columns = {name: values[index] for name, values in self._columns.items()}
            yield _page_result(columns, self.scores.rows(index), settings)

    @cached_property
    def _columns(self) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = self.table.select(PAGE_COLUMNS.names).take(self.starts).to_pydict()
        return columns

    def pairs(self) -> dict[str, StoredPair]:
        """Return the pairs of files by their keys, in the order of the rows."""
        pairs: dict[str, StoredPair] = {}
        for index, (key, error) in enumerate(zip(self._columns["pair"], self._columns["error"], strict=True)):
            if key not in pairs:
                columns = {name: self._columns[name][index] for name in _INPUT_COLUMNS}
                pairs[key] = StoredPair(self, _inputs(columns))
            unusable = self._columns["failure"][index] in ("unreadable", "truncated")
            pairs[key].failed |= error is not None or unusable
            pairs[key].lines = pairs[key].lines or self._columns["lines"][index]
            pairs[key].pages.append(index)
        return pairs

    def missing(self, page: int, selection: MeasureSelection) -> set[Measure]:
        """Return the measures that a page must still be evaluated by."""
        if self._columns["status"][page] not in ("evaluated", "missed"):
            return set()
        has_positions = not self._columns["without_positions"][page]
        divided = selection.divided(has_positions=has_positions)
        complete = complete_measures(self.scores.rows(page), divided)
        return {*selection.evaluated(has_positions=has_positions)} - complete


@dataclass(slots=True)
class StoredPair:
    """The stored pages of a pair of files, the digests of the files, and the measure of the stored lines."""

    part: StoredPart = field(repr=False)
    inputs: Fingerprints
    failed: bool = False
    lines: str | None = None
    pages: list[int] = field(default_factory=list)

    def results(self, settings: Settings | None) -> tuple[PageResult, ...]:
        """Return the results of the pages."""
        return tuple(self.part.results(self.pages, settings))

    def missing(self, selection: MeasureSelection) -> set[Measure]:
        """Return the measures that a page must still be evaluated by."""
        return {measure for page in self.pages for measure in self.part.missing(page, selection)}

    @property
    def lacks_lines(self) -> bool:
        """True if a page was evaluated without storing its lines."""
        return self.lines is None and any(page in self.part.evaluated for page in self.pages)


def _page_starts(table: pa.Table) -> NDArray[np.int64]:
    """Return the index of the first row of every page."""
    pages = pc.binary_join_element_wise(table["pair"], table["page"], "\0").combine_chunks()
    if not len(pages):
        return np.zeros(0, np.int64)
    differs = pc.not_equal(pages[1:], pages[:-1]).to_numpy(zero_copy_only=False)
    return np.append(0, np.flatnonzero(differs) + 1)


def _page_result(columns: dict[str, Any], rows: bytes, settings: Settings | None) -> PageResult:
    was_evaluated = columns["status"] in ("evaluated", "missed")
    return PageResult(
        name=columns["page"],
        gt=columns["gt"],
        hyp=columns["hyp"],
        evaluation=evaluation_from_rows(rows, settings, columns["flags"]) if was_evaluated else None,
        warnings=_problems(columns["warnings"]),
        errors=_problems(columns["problems"]),
        without_positions=tuple(columns["without_positions"]),
        dropped=(columns["dropped_gt_lines"], columns["dropped_hyp_lines"]),
        document=columns["document"],
        extra=BudgetScores(rows),
        has_positions=columns["has_positions"],
        seconds=columns["page_seconds"],
        inputs=_inputs(columns),
        failure=columns["failure"],
        flags=tuple(columns["flags"]),
        empty_gt=columns["empty_gt"],
    )


def _inputs(columns: dict[str, Any]) -> Fingerprints:
    gt, hyp = (
        None
        if (digest := columns[f"{side}_sha256"]) is None
        else Fingerprint(digest, columns[f"{side}_stamp"] or "")
        for side in ("gt", "hyp")
    )
    return gt, hyp
