"""Compare systems on the same pages: paired differences with confidence intervals and p-values, and ranks.

A ranking groups the systems that do not differ significantly by one measure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.corpus.score_table import ScoreTable
from pagemeter.errors import UsageError
from pagemeter.measure import Measure
from pagemeter.run_settings import Resampling
from pagemeter.stats.bootstrap import Jackknife, intervals, resampled_rates
from pagemeter.stats.budget import table_budgets
from pagemeter.stats.resampling import MAX_DRAWS, holm, permutation_test, strata

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget

DEFAULT_PRIMARY = Measure("CER", order=True, segmentation=True)
"""The measure by which systems are ranked, if they have it."""
_MOST_DIFFERENT = 5  # pages that a difference names


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several systems on the same pages.

    Args:
        systems: The systems.
        measures: The measures that all systems have on all pages.
        pages: The names of the pages.
        differences: The differences of every two systems, or of each and the first, measure by measure.
        left_out: The pages that could not be compared.
        resampling: How intervals and p-values were computed.
        primary: The measure by which systems are ranked, and whose p-values are corrected among themselves;
            None if there is no measure.

    """

    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    pages: tuple[str, ...] = field(repr=False)
    differences: tuple[Difference, ...]
    left_out: tuple[LeftOutPage, ...]
    resampling: Resampling
    primary: Measure | None = None

    @property
    def primary_differences(self) -> tuple[Difference, ...]:
        """The differences by the primary measure."""
        return tuple(one for one in self.differences if one.measure == self.primary)

    @property
    def smallest_p(self) -> float:
        """The smallest Holm-corrected p-value that is possible by the primary measure.

        With n pages there are 2ⁿ permutations, and both directions of a difference count.
        """
        return min(1.0, len(self.primary_differences) * 2.0 ** (1 - len(self.pages)))


@dataclass(frozen=True, slots=True)
class System:
    """One system: the scores of its pages and their sums, with intervals and error budgets."""

    name: str
    pages: ScoreTable = field(repr=False)
    total: Mapping[Measure, Score]
    intervals: Mapping[Measure, Interval]
    budgets: Mapping[Measure, Budget]


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two systems by one measure.

    Args:
        measure: The measure.
        first: The name of the first system.
        second: The name of the second system.
        rate: The rate of the second system minus that of the first; None without ground-truth text.
        interval: The confidence interval of `rate`.
        p: The p-value of the permutation test.
        exact: True if the permutation test counted all permutations.
        p_bootstrap: The p-value of the bootstrap.
        fewer: The number of pages on which the second system has fewer errors.
        same: The number of pages on which both have equally many errors.
        more: The number of pages on which the second system has more errors.
        most: The indices of the pages whose numbers of errors differ most.
        holm: `p` corrected for the tests of the primary measure if this is it, or else for all tests.
        holm_bootstrap: `p_bootstrap` corrected in the same way.

    """

    measure: Measure
    first: str
    second: str
    rate: float | None
    interval: Interval
    p: float
    exact: bool
    p_bootstrap: float
    fewer: int
    same: int
    more: int
    most: tuple[int, ...]
    holm: float = 1.0
    holm_bootstrap: float = 1.0


class LeftOutPage(NamedTuple):
    """A page that cannot be compared: its ground-truth file, the first system that lacks it, and why."""

    page: str
    system: str
    reason: str
    error: str | None = None


class MissingScores(NamedTuple):
    """The reason why a page of a system has no scores."""

    reason: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SystemPages:
    """The pages of one system.

    Args:
        table: The scores of the evaluated pages.
        names: The names of the evaluated pages.
        gts: The ground-truth files of the evaluated pages, by which pages are matched.
        order: The ground-truth files of all pages.
        gaps: Why pages were not evaluated, by their ground-truth files.

    """

    table: ScoreTable
    names: Sequence[str]
    gts: Sequence[str]
    order: Sequence[str]
    gaps: Mapping[str, MissingScores]

    @classmethod
    def of(cls, results: Iterable[PageResult]) -> SystemPages:
        """Return the pages of a system that have a ground truth; the results themselves are not stored."""
        pages = cls(ScoreTable(), names := [], gts := [], order := [], gaps := {})
        for page in results:
            if page.gt:
                order.append(page.gt)
                if page.evaluation is None:
                    gaps[page.gt] = MissingScores(page.status, page.error)
                else:
                    names.append(page.name)
                    gts.append(page.gt)
                    pages.table.append(page.rows, page.name.rpartition("/")[0], page.document)
        return pages


def compare_systems(
    systems: Mapping[str, Iterable[PageResult]],
    resampling: Resampling | None = None,
    *,
    baseline: bool = False,
    primary: Measure | None = None,
) -> Comparison:
    """Compare systems by the results of their pages.

    Pages are matched by their ground-truth files. A page that one system lacks is left out for all.

    Args:
        systems: The results of each system, by its name.
        resampling: How intervals and p-values are computed.
        baseline: Compare each system with the first only, instead of every two.
        primary: The measure by which systems are ranked; by default CER:RS, or else the first measure.

    Raises:
        UsageError: There are fewer than two systems, or they lack the primary measure.

    >>> from pagemeter import evaluate
    >>> from pagemeter.corpus import PageResult
    >>> gt = ["one line", "a second", "the third", "and more"]
    >>> texts = {"A": gt, "B": ["one lime", "a sec0nd", "the thrd", "and rnore"]}
    >>> results = {
    ...     name: [PageResult(str(i), str(i), "", evaluate(gt[i], hyp[i], ["CER"])) for i in range(4)]
    ...     for name, hyp in texts.items()
    ... }
    >>> (one,) = compare_systems(results).differences
    >>> (one.first, one.second, round(one.rate, 4), one.p, one.more)
    ('A', 'B', 0.1515, 0.125, 4)

    """
    pages = {name: SystemPages.of(results) for name, results in systems.items()}
    return compare_pages(pages, resampling, baseline=baseline, primary=primary)


def compare_pages(
    systems: Mapping[str, SystemPages],
    resampling: Resampling | None = None,
    *,
    baseline: bool = False,
    primary: Measure | None = None,
) -> Comparison:
    """Compare systems by the tables of their pages, as `compare_systems` does."""
    resampling = resampling or Resampling()
    aligned = _AlignedPages.of(systems)
    primary = _primary(aligned.measures, primary)
    names = list(aligned.tables)
    pairs = [(names[0], other) for other in names[1:]] if baseline else [*combinations(names, 2)]
    by_pair = [_differences(aligned, first, second, resampling) for first, second in pairs]
    by_measure = [one for several in zip(*by_pair, strict=True) for one in several]
    return Comparison(
        tuple(_system(aligned, name, resampling) for name in names),
        aligned.measures,
        aligned.names,
        _corrected(by_measure, primary),
        aligned.left_out,
        resampling,
        primary,
    )


def _primary(measures: Sequence[Measure], primary: Measure | None) -> Measure | None:
    """Return the measure by which systems are ranked."""
    if not measures:
        return None
    if primary is None:
        return DEFAULT_PRIMARY if DEFAULT_PRIMARY in measures else measures[0]
    if primary not in measures:
        raise UsageError(
            "not all pages of all systems have this measure",
            setting=("primary", str(primary)),
            remedy=f"use one of {', '.join(map(str, measures))}",
        )
    return primary


@dataclass(frozen=True, slots=True)
class _AlignedPages:
    """The pages that all systems have, in the order of the first, and the measures that all pages have."""

    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    tables: Mapping[str, ScoreTable]
    left_out: tuple[LeftOutPage, ...] = ()

    @classmethod
    def of(cls, systems: Mapping[str, SystemPages]) -> _AlignedPages:
        if len(systems) < 2:  # noqa: PLR2004
            raise UsageError("one system alone cannot be compared; give two or more")
        indices = {name: {gt: n for n, gt in enumerate(one.gts)} for name, one in systems.items()}
        order = dict.fromkeys(gt for one in systems.values() for gt in one.order)
        common = [gt for gt in order if all(gt in index for index in indices.values())]
        gone = order.keys() - set(common)
        left_out = [_left_out_page(gt, systems, indices) for gt in order if gt in gone]
        tables = {
            name: one.table.select([indices[name][gt] for gt in common]) for name, one in systems.items()
        }
        first = next(iter(systems))
        names = tuple(systems[first].names[indices[first][gt]] for gt in common)
        shared = set.intersection(*(set(table.common_measures) for table in tables.values()))
        measures = tuple(measure for measure in tables[first].measures if measure in shared)
        return cls(names, measures, tables, tuple(left_out))

    def errors(self, name: str) -> NDArray[np.int64]:
        """Return the errors of a system: one row per page, one column per measure."""
        return self.tables[name].errors(self.measures)

    @property
    def first(self) -> ScoreTable:
        """The table of the first system; ground-truth tokens and strata are the same for all systems."""
        return next(iter(self.tables.values()))

    @property
    def n_gt(self) -> NDArray[np.int64]:
        """The ground-truth tokens: one row per page, one column per measure."""
        return self.first.n_gt(self.measures)


def _left_out_page(
    gt: str, systems: Mapping[str, SystemPages], indices: Mapping[str, Mapping[str, int]]
) -> LeftOutPage:
    """Return the first system that has no scores of a page, and why."""
    name = next(name for name, index in indices.items() if gt not in index)
    return LeftOutPage(gt, name, *systems[name].gaps.get(gt, MissingScores("no such page")))


def _system(aligned: _AlignedPages, name: str, resampling: Resampling) -> System:
    table = aligned.tables[name]
    documents = aligned.first.labels(resampling.strata)
    spans = intervals(aligned.errors(name), aligned.n_gt, resampling, documents=documents)
    return System(
        name,
        table.select(measures=aligned.measures),
        {measure: table.total(measure) for measure in aligned.measures},
        dict(zip(aligned.measures, spans, strict=True)),
        table_budgets(table),
    )


def _differences(aligned: _AlignedPages, first: str, second: str, resampling: Resampling) -> list[Difference]:
    """Return the differences of two systems by all measures, with p-values that are not yet corrected."""
    differences, n_gt = aligned.errors(second) - aligned.errors(first), aligned.n_gt
    documents = aligned.first.labels(resampling.strata)
    spans = intervals(differences, n_gt, resampling, documents=documents, signed=True)
    p_bootstrap = _bootstrap_p_values(differences, n_gt, documents, resampling)
    by_measure = []
    for column, (measure, span) in enumerate(zip(aligned.measures, spans, strict=True)):
        pages, tokens = differences[:, column], int(n_gt[:, column].sum())
        p, exact = permutation_test(pages, resampling)
        rate = int(pages.sum()) / tokens if tokens else None
        fewer, same, more = (int(np.count_nonzero(np.sign(pages) == sign)) for sign in (-1, 0, 1))
        largest = np.argsort(-np.abs(pages), kind="stable")[:_MOST_DIFFERENT]
        most = tuple(int(page) for page in largest if pages[page])
        by_measure.append(
            Difference(
                measure, first, second, rate, span, p, exact, p_bootstrap[column], fewer, same, more, most
            )
        )
    return by_measure


def _bootstrap_p_values(
    differences: NDArray[np.int64],
    n_gt: NDArray[np.int64],
    documents: Sequence[str] | None,
    resampling: Resampling,
) -> list[float]:
    """Return the share of resamples at least as far from the observed difference as this is from 0."""
    groups = strata(documents if documents is not None else [""] * len(n_gt))
    with_text = [column for column in range(n_gt.shape[1]) if n_gt[:, column].any()]
    p_values = [1.0] * n_gt.shape[1]
    if not with_text:
        return p_values
    errors, tokens = (part[:, with_text].astype(np.float64) for part in (differences, n_gt))
    observed = errors.sum(0) / tokens.sum(0)
    if len(n_gt) * resampling.resamples > MAX_DRAWS:  # a sum over this many pages is normally distributed
        error = Jackknife.of(errors, tokens, groups).error
        for column, z in zip(with_text, np.abs(observed) / np.where(error > 0, error, np.inf), strict=True):
            p_values[column] = math.erfc(float(z) / math.sqrt(2))
        return p_values
    distances = np.abs(resampled_rates(errors, tokens, groups, resampling) - observed)
    hits = np.count_nonzero(distances >= np.abs(observed) * (1 - 1e-12), axis=0)
    for column, hit in zip(with_text, hits, strict=True):
        p_values[column] = (int(hit) + 1) / (resampling.resamples + 1)
    return p_values


def _corrected(differences: Sequence[Difference], primary: Measure | None) -> tuple[Difference, ...]:
    """Correct the p-values of the primary measure among themselves, and the others for all tests."""
    main = [one for one in differences if one.measure == primary]
    corrected = (*_with_holm(differences), *_with_holm(main))  # the later ones replace the earlier ones
    return tuple({(one.measure, one.first, one.second): one for one in corrected}.values())


def _with_holm(differences: Sequence[Difference]) -> Iterator[Difference]:
    p_values = holm([one.p for one in differences]), holm([one.p_bootstrap for one in differences])
    for one, p, other in zip(differences, *p_values, strict=True):
        yield replace(one, holm=p, holm_bootstrap=other)


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system in a ranking.

    Args:
        rank: Its rank; systems with equally many errors have the same.
        system: The system.
        groups: Its letters: two systems that share a letter do not differ significantly. Empty if not every
            two systems were compared.

    """

    rank: int
    system: System
    groups: str


def rank_systems(comparison: Comparison) -> tuple[RankedSystem, ...]:
    """Return the systems by their errors of the primary measure, the fewest first.

    Two systems differ significantly if the Holm-corrected p-value of the permutation test is at most one
    minus the confidence. The groups are a compact letter display (Piepho 2004).
    """
    measure = comparison.primary
    if measure is None:
        return ()
    systems = sorted(comparison.systems, key=lambda system: system.total[measure].errors)
    errors = [system.total[measure].errors for system in systems]
    tests = [one for one in comparison.differences if one.measure == measure]
    alpha = 1 - comparison.resampling.confidence
    different = {frozenset((one.first, one.second)) for one in tests if one.holm <= alpha}
    complete = 2 * len(tests) == len(systems) * (len(systems) - 1)
    names = [system.name for system in systems]
    groups = letter_groups(names, different) if complete else ("",) * len(systems)
    return tuple(
        RankedSystem(1 + errors.index(own), system, group)
        for own, system, group in zip(errors, systems, groups, strict=True)
    )


def letter_groups(names: Sequence[str], different: Collection[frozenset[str]]) -> tuple[str, ...]:
    """Return letters for each name; two names share a letter if and only if they do not differ.

    Args:
        names: The names in their order; the first gets the letter a.
        different: The pairs of names that are different.

    >>> letter_groups(["x", "y", "z"], {frozenset("xz")})
    ('a', 'ab', 'b')

    """
    columns = [frozenset(names)]
    for pair in different:
        split = [column - {name} for column in columns if pair <= column for name in pair]
        kept = [column for column in columns if not pair <= column]
        for column in sorted(split, key=len, reverse=True):
            if not any(column <= other for other in kept):
                kept.append(column)
        columns = kept
    columns.sort(key=lambda column: [name not in column for name in names])
    letters = dict(zip(columns, _letters(len(columns)), strict=True))
    return tuple("".join(letters[column] for column in columns if name in column) for name in names)


def _letters(number: int) -> list[str]:
    """Return the first letters of the alphabet; with numbers after the 26th."""
    rounds = (f"{letter}{turn or ''}" for turn in count() for letter in ascii_lowercase)
    return [next(rounds) for _ in range(number)]
