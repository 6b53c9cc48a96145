"""From results to rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pagemeter.report.spelling import portable
from pagemeter.store.schema import COUNTS, LINES, OF_MEASURE, OF_PAGE, PAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score

_NOTHING = (None,) * (4 + len(COUNTS))
"""What stands in place of numbers where a page has none."""


@dataclass(slots=True)
class Rows:
    """The rows of some pages in the making; `sizes` are the rows of each page."""

    pages: list[tuple[Any, ...]] = field(default_factory=list)
    numbers: list[tuple[Any, ...]] = field(default_factory=list)
    lines: list[tuple[Any, ...]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def add(self, key: str, result: PageResult) -> None:
        """Adds a page; `key` is that of its pair."""
        before = len(self.numbers)
        seconds = result.evaluation.seconds if result.evaluation else {}
        self.numbers += (_numbers(score, seconds, extra=False) for score in result.scores.values())
        self.numbers += (_numbers(score, seconds, extra=True) for score in result.extra.values())
        if len(self.numbers) == before:
            self.numbers.append(_NOTHING)
        self.sizes.append(len(self.numbers) - before)
        self.pages.append(_page(key, result))
        if result.lines is not None:
            self.lines += _lines(key, result)

    def table(self, signature: str, version: str) -> pa.Table:
        """All rows; the columns of a page are repeated for its measures."""
        repeated = pa.array(np.repeat(np.arange(len(self.sizes)), self.sizes))
        by_page = zip(OF_PAGE, zip(*self.pages, strict=True), strict=True)
        columns = {one.name: pa.array(values, one.type).take(repeated) for one, values in by_page}
        columns |= _measure_columns(self.numbers)
        for name, value in (("signature", signature), ("version", version)):
            columns[name] = pa.repeat(value, len(self.numbers))
        return pa.table(columns, PAGES)

    def line_table(self) -> pa.Table:
        """The rows of all lines."""
        columns = zip(*self.lines, strict=True) if self.lines else [()] * len(LINES)
        return pa.table([pa.array(v, f.type) for v, f in zip(columns, LINES, strict=True)], LINES)


def _page(key: str, result: PageResult) -> tuple[Any, ...]:
    gt, hyp = result.inputs
    return (
        key,
        portable(result.name),
        _portable(result.document),
        _portable(result.gt),
        _portable(result.hyp),
        result.status,
        _portable(result.error),
        [tuple(map(portable, (warn.source, warn.element, warn.reason))) for warn in result.warnings],
        list(result.unplaced),
        result.has_places,
        *result.dropped,
        result.seconds,
        gt and gt.sha256,
        hyp and hyp.sha256,
        gt and gt.stamp,
        hyp and hyp.stamp,
    )


def _portable(text: str | None) -> str | None:
    return None if text is None else portable(text)


def _numbers(score: Score, seconds: Mapping[Measure, float], *, extra: bool) -> tuple[Any, ...]:
    counts, measure = score.counts, score.measure
    numbers = counts.ins, counts.dels, counts.sub, counts.cor, score.lower_bound
    return (str(measure), extra, score.canonical, *numbers, seconds.get(measure, 0.0))


def _measure_columns(rows: Sequence[tuple[Any, ...]]) -> dict[str, pa.Array]:
    measures, extra, canonical, *counts, seconds = zip(*rows, strict=True)
    there = np.array([measure is not None for measure in measures])
    columns = dict(zip(COUNTS, (_integers(values) for values in counts), strict=True))
    columns["errors"] = columns["ins"] + columns["dels"] + columns["sub"]
    columns["n_gt"] = columns["cor"] + columns["sub"] + columns["ins"]
    columns["n_hyp"] = columns["cor"] + columns["sub"] + columns["dels"]
    made = {name: pa.array(values, mask=~there) for name, values in columns.items()}
    ratios = {
        "rate": (columns["errors"], columns["n_gt"]),
        "precision": (columns["cor"], columns["n_hyp"]),
        "recall": (columns["cor"], columns["n_gt"]),
        "f1": (2 * columns["cor"], columns["n_gt"] + columns["n_hyp"]),
    }
    made |= {name: _ratio(*parts, there) for name, parts in ratios.items()}
    made["optimal"] = pa.array(columns["errors"] == columns["lower_bound"], mask=~there)
    values = {"measure": measures, "for_budget": extra, "canonical": canonical, "seconds": seconds}
    made |= {name: pa.array(column, OF_MEASURE.field(name).type) for name, column in values.items()}
    return {name: made[name] for name in OF_MEASURE.names}


def _integers(values: Sequence[int | None]) -> NDArray[np.int64]:
    return np.array([0 if value is None else value for value in values], np.int64)


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64], there: NDArray[np.bool_]) -> pa.Array:
    """As `pagemeter.score.ratio`; an infinite one is missing."""
    values = np.divide(part, whole, out=np.zeros(len(part)), where=whole != 0)
    return pa.array(values, mask=~there | ((whole == 0) & (part != 0)))


def _lines(key: str, result: PageResult) -> list[tuple[Any, ...]]:
    found = result.lines
    if found is None:
        return []
    start = (key, portable(result.name), str(found.measure))
    made: list[tuple[Any, ...]] = [
        (
            *start,
            x.number,
            _portable(x.id),
            portable(x.gt),
            _portable(x.hyp),
            x.hyp_line,
            x.distance,
            x.cor,
            x.sub,
            x.n_gt,
        )
        for x in found.lines
    ]
    rest = ((*start, None, None, None, portable(x.hyp), None, x.n_hyp, 0, 0, 0) for x in found.left_over)
    return [*made, *rest]
