"""The counts of many pages as columns of numbers, so that a million of them are added up in a moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from pagemeter.plain_scores import NUMBERS, PlainScores, measures_of
from pagemeter.score import Counts, Score
from pagemeter.stats.budget import budget_of_pages, needed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure, Unit
    from pagemeter.stats.budget import Budget

COUNTS = NUMBERS[:5]
"""What is added up of a score, in this order: INS, DEL, SUB, COR and the bound."""


_Arrays = tuple["NDArray[np.int64]", "NDArray[np.bool_]", "NDArray[np.bool_]"]


def empty(pages: int, measures: int) -> _Arrays:
    """Counts, whether they are canonical, and whether they are there, of so many pages: nothing yet."""
    shape = pages, measures
    return np.zeros((*shape, len(COUNTS)), np.int64), np.ones(shape, bool), np.zeros(shape, bool)


class PageNumbers(NamedTuple):
    """What the columns take of a page."""

    name: str
    gt: str
    document: str | None
    scores: PlainScores
    extra: PlainScores

    @classmethod
    def of(cls, page: PageResult) -> PageNumbers:
        """What they take of a page that was evaluated."""
        return cls(page.name, page.gt or "", page.document, *page.plain)


@dataclass(frozen=True, slots=True, eq=False)
class PageColumns:
    """Pages that were evaluated, down; measures across.

    `counts` has the numbers of `COUNTS` in its last dimension; `there` says which pages have which measures,
    and `extra` are the measures that only a budget needs.

    >>> from pagemeter import evaluate
    >>> from pagemeter.corpus import PageResult
    >>> pages = [PageResult(str(i), str(i), "", evaluate("one", "ore", ["CER"])) for i in range(3)]
    >>> columns = PageColumns.of([PageNumbers.of(page) for page in pages])
    >>> columns.total(columns.measures[0]).errors
    3
    """

    names: Sequence[str] = field(repr=False)
    gts: Sequence[str] = field(repr=False)
    documents: Sequence[str | None] = field(repr=False)
    measures: tuple[Measure, ...]
    extra: frozenset[Measure]
    counts: NDArray[np.int64] = field(repr=False)
    canonical: NDArray[np.bool_] = field(repr=False)
    there: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, pages: Sequence[PageNumbers]) -> PageColumns:
        """The columns of plain numbers."""
        layouts: dict[tuple[bytes, bytes], list[int]] = {}
        for number, page in enumerate(pages):
            layouts.setdefault((page.scores.layout, page.extra.layout), []).append(number)
        shown, extra = (dict.fromkeys(m for both in layouts for m in measures_of(both[i])) for i in (0, 1))
        place = {measure: number for number, measure in enumerate({**shown, **extra})}
        counts, canonical, there = made = empty(len(pages), len(place))
        for (own, more), rows in layouts.items():
            at = np.ix_(rows, [place[measure] for measure in (*measures_of(own), *measures_of(more))])
            data = b"".join(part.numbers for row in rows for part in (pages[row].scores, pages[row].extra))
            numbers = np.frombuffer(data).reshape(len(rows), -1, len(NUMBERS))
            counts[at] = numbers[:, :, : len(COUNTS)]
            canonical[at], there[at] = numbers[:, :, NUMBERS.index("canonical")], True
        names, gts = [page.name for page in pages], [page.gt for page in pages]
        return cls(names, gts, [page.document for page in pages], tuple(place), frozenset(extra), *made)

    @classmethod
    def together(cls, parts: Sequence[PageColumns]) -> PageColumns:
        """The pages of several tables as one."""
        measures = tuple(dict.fromkeys(measure for part in parts for measure in part.measures))
        names, gts, documents = (
            [text for part in parts for text in getattr(part, name)] for name in ("names", "gts", "documents")
        )
        made = empty(len(names), len(measures))
        begin = 0
        for part in parts:
            at = np.ix_(range(begin, begin + len(part)), [measures.index(m) for m in part.measures])
            for whole, own in zip(made, (part.counts, part.canonical, part.there), strict=True):
                whole[at] = own
            begin += len(part)
        extra = frozenset().union(*(part.extra for part in parts))
        return cls(names, gts, documents, measures, extra, *made)

    def __len__(self) -> int:
        return len(self.names)

    def take(self, places: Sequence[int]) -> PageColumns:
        """Some of the pages, in this order."""
        at = np.asarray(places, np.intp)
        names, gts = ([column[place] for place in places] for column in (self.names, self.gts))
        documents = [self.documents[place] for place in places]
        arrays = {name: getattr(self, name)[at] for name in ("counts", "canonical", "there")}
        return replace(self, names=names, gts=gts, documents=documents, **arrays)

    def of_every_page(self) -> tuple[Measure, ...]:
        """The measures that were asked for and that every page has."""
        return self._shown(np.asarray(self.there.all(axis=0) & (len(self) > 0)))

    def of_any_page(self) -> tuple[Measure, ...]:
        """The measures that were asked for and that any page has."""
        return self._shown(np.asarray(self.there.any(axis=0)))

    def total(self, measure: Measure) -> Score:
        """The sum over all pages that have a measure."""
        at = self.measures.index(measure)
        ins, dels, sub, cor, bound = (int(number) for number in self.counts[:, at].sum(axis=0))
        return Score(measure, Counts(ins, dels, sub, cor), bound, bool(self.canonical[:, at].all()))

    def errors(self, measures: Sequence[Measure]) -> NDArray[np.int64]:
        """The errors: a row a page, a column a measure."""
        return self._sums(measures, ("ins", "dels", "sub"))

    def n_gt(self, measures: Sequence[Measure]) -> NDArray[np.int64]:
        """The GT tokens: a row a page, a column a measure."""
        return self._sums(measures, ("ins", "sub", "cor"))

    def shares(self) -> dict[Measure, NDArray[np.int64]]:
        """The errors and the GT tokens of the pages that have a measure, a row a page."""
        measures = self.of_any_page()
        both = np.stack([self.errors(measures), self.n_gt(measures)], axis=-1)
        at = [self.measures.index(measure) for measure in measures]
        return {
            m: both[self.there[:, place], column]
            for column, (m, place) in enumerate(zip(measures, at, strict=True))
        }

    def budgets(self) -> dict[Measure, Budget]:
        """The sums of the error budgets that every page has, by the measure that is divided."""
        units: tuple[Unit, ...] = ("CER", "WER")
        made = (self._budget(unit, geometry=places) for unit in units for places in (True, False))
        return {found.measure: found for found in made if found}

    def scores(self, place: int, measures: Sequence[Measure]) -> dict[Measure, Score]:
        """The scores of one page."""
        made = {}
        for measure in measures:
            at = place, self.measures.index(measure)
            ins, dels, sub, cor, bound = self.counts[at].tolist()
            made[measure] = Score(measure, Counts(ins, dels, sub, cor), bound, bool(self.canonical[at]))
        return made

    def _shown(self, chosen: NDArray[np.bool_]) -> tuple[Measure, ...]:
        return tuple(m for m, yes in zip(self.measures, chosen, strict=True) if yes and m not in self.extra)

    def _sums(self, measures: Sequence[Measure], what: Sequence[str]) -> NDArray[np.int64]:
        at = [self.measures.index(measure) for measure in measures]
        parts = [self.counts[:, at, COUNTS.index(name)] for name in what]
        made: NDArray[np.int64] = np.sum(parts, axis=0)
        return made

    def _budget(self, unit: Unit, *, geometry: bool) -> Budget | None:
        measures = needed(unit, geometry=geometry)
        if not len(self) or not all(m in self.measures for m in measures):
            return None
        at = [self.measures.index(measure) for measure in measures]
        if not self.there[:, at].all():
            return None
        errors, bounds = self.errors(measures), self.counts[:, at, COUNTS.index("lower_bound")]
        n_gt = int(self.n_gt(measures[-1:]).sum())
        return budget_of_pages(list(errors.T), list(bounds.T), n_gt, unit)


@dataclass(frozen=True, slots=True, eq=False)
class ScoresByPage(Sequence["Mapping[Measure, Score]"]):
    """The scores of all pages, each made when somebody looks at it."""

    columns: PageColumns
    measures: tuple[Measure, ...]

    @overload
    def __getitem__(self, place: int) -> Mapping[Measure, Score]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Mapping[Measure, Score]]: ...
    def __getitem__(self, place: int | slice) -> Mapping[Measure, Score] | Sequence[Mapping[Measure, Score]]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        return self.columns.scores(range(len(self))[place], self.measures)

    def __len__(self) -> int:
        return len(self.columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # pages may be many
