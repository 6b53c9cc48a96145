"""From rows back to results, as far as numbers go."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

from pagemeter.corpus.contents import Input, Inputs
from pagemeter.corpus.runners.packing import result_of
from pagemeter.measure import IDS
from pagemeter.plain_scores import NUMBERS, PlainScores
from pagemeter.store.schema import OF_PAGE

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.settings import Settings

_PLACE = {name: place for place, name in enumerate(IDS)}
_COLUMNS = ("measure", "for_budget", *NUMBERS)


@dataclass(slots=True)
class StoredPair:
    """The pages of a pair of files as they stand in the store, and what the files held."""

    key: str
    inputs: Inputs
    failed: bool
    _pages: list[tuple[Any, ...]] = field(default_factory=list, repr=False)

    def results(self, settings: Settings | None) -> tuple[PageResult, ...]:
        """The results, without texts and matchings."""
        return tuple(result_of(fields, settings) for fields in self._pages)

    def add(self, fields: tuple[Any, ...]) -> None:
        """Adds the next page."""
        self._pages.append(fields)


def pairs_of(table: pa.Table) -> dict[str, StoredPair]:
    """The pairs of a part by their keys, in the order of its rows."""
    starts = starts_of(table)
    pages = table.select(OF_PAGE.names).take(starts).to_pydict()
    numbers = [table[name].to_pylist() for name in _COLUMNS]
    found: dict[str, StoredPair] = {}
    for number, (start, end) in enumerate(pairwise([*starts.tolist(), table.num_rows])):
        page = {name: values[number] for name, values in pages.items()}
        rows = list(zip(*(column[start:end] for column in numbers), strict=True))
        key = page["pair"]
        if key not in found:
            found[key] = StoredPair(key, _inputs(page), failed=False)
        found[key].failed |= page["error"] is not None
        found[key].add(_fields(page, rows))
    return found


def starts_of(table: pa.Table) -> NDArray[np.int64]:
    """The first row of every page."""
    pages = pc.binary_join_element_wise(table["pair"], table["page"], "\0").combine_chunks()
    if not len(pages):
        return np.zeros(0, np.int64)
    differs = pc.not_equal(pages[1:], pages[:-1]).to_numpy(zero_copy_only=False)
    return np.append(0, np.flatnonzero(differs) + 1)


def _inputs(page: dict[str, Any]) -> Inputs:
    gt, hyp = (
        None if page[f"{side}_sha256"] is None else Input(page[f"{side}_sha256"], page[f"{side}_stamp"] or "")
        for side in ("gt", "hyp")
    )
    return gt, hyp


def _fields(page: dict[str, Any], rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """A page as `pagemeter.corpus.runners.packing` has it."""
    own, extra = (
        PlainScores.from_rows((_PLACE[row[0]], *row[2:]) for row in rows if row[1] is of_budget)
        for of_budget in (False, True)
    )
    return (
        page["page"],
        page["gt"],
        page["hyp"],
        (own.layout, own.numbers) if own.layout else None,
        [(warn["source"], warn["element"], warn["reason"]) for warn in page["warnings"]],
        page["error"],
        tuple(page["without_positions"]),
        (page["dropped_gt_lines"], page["dropped_hyp_lines"]),
        page["document"],
        (extra.layout, extra.numbers),
        page["has_positions"],
        page["page_seconds"],
        _inputs(page),
    )
