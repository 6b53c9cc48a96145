"""From results to rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pagemeter.measure import IDS
from pagemeter.plain_scores import NUMBERS, PlainScores
from pagemeter.report.spelling import portable
from pagemeter.store.schema import COUNTS, LINES, OF_MEASURE, OF_PAGE, PAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult

_NONE = 255  # in place of a measure where a page has none
_NO_SCORES = PlainScores(bytes([_NONE]), bytes(8 * len(NUMBERS)))


@dataclass(slots=True)
class Rows:
    """The rows of some pages in the making; `scores` has two of each page, asked for and besides."""

    pages: list[tuple[Any, ...]] = field(default_factory=list)
    scores: list[PlainScores] = field(default_factory=list)
    lines: list[tuple[Any, ...]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.pages)

    def add(self, key: str, result: PageResult) -> None:
        """Adds a page; `key` is that of its pair."""
        own, extra = result.plain
        self.scores += (own, extra) if own or extra else (_NO_SCORES, extra)
        self.pages.append(_page(key, result))
        if result.lines is not None:
            self.lines += _lines(key, result)

    def table(self, signature: str, version: str) -> pa.Table:
        """All rows; the columns of a page are repeated for its measures."""
        sizes = np.array([len(scores) for scores in self.scores])
        repeated = pa.array(np.repeat(np.arange(len(self)), sizes[::2] + sizes[1::2]))
        by_page = zip(OF_PAGE, zip(*self.pages, strict=True), strict=True)
        columns = {one.name: pa.array(values, one.type).take(repeated) for one, values in by_page}
        columns |= _measure_columns(self.scores, np.repeat(np.arange(len(sizes)) % 2 == 1, sizes))
        for name, value in (("signature", signature), ("version", version)):
            columns[name] = pa.repeat(value, len(repeated))
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


def _measure_columns(scores: Sequence[PlainScores], for_budget: NDArray[np.bool_]) -> dict[str, pa.Array]:
    places = np.frombuffer(b"".join(one.layout for one in scores), np.uint8)
    there = places != _NONE
    numbers = np.frombuffer(b"".join(one.numbers for one in scores)).reshape(-1, len(NUMBERS)).T
    *counts, canonical, seconds = numbers
    columns = {name: column.astype(np.int64) for name, column in zip(COUNTS, counts, strict=True)}
    columns["errors"] = columns["ins"] + columns["dels"] + columns["sub"]
    columns["n_gt"] = columns["cor"] + columns["sub"] + columns["ins"]
    columns["n_hyp"] = columns["cor"] + columns["sub"] + columns["dels"]
    ratios = {
        "rate": (columns["errors"], columns["n_gt"]),
        "precision": (columns["cor"], columns["n_hyp"]),
        "recall": (columns["cor"], columns["n_gt"]),
        "f1": (2 * columns["cor"], columns["n_gt"] + columns["n_hyp"]),
    }
    flags = {
        "for_budget": for_budget,
        "optimal": columns["errors"] == columns["lower_bound"],
        "canonical": canonical != 0,
    }
    made = {name: pa.array(values, mask=~there) for name, values in {**columns, **flags}.items()}
    made |= {name: _ratio(*parts, there) for name, parts in ratios.items()}
    made["seconds"] = pa.array(seconds, mask=~there)
    made["measure"] = pa.array(IDS).take(pa.array(places, mask=~there))
    return {name: made[name] for name in OF_MEASURE.names}


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
