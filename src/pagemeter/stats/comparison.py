"""Whether systems differ: paired differences with intervals and p-values, page by page and in sum."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.plan import Resampling
from pagemeter.stats.bootstrap import Interval, drawn_rates, intervals
from pagemeter.stats.columns import ScoresByPage
from pagemeter.stats.jackknife import Jackknife
from pagemeter.stats.over_pages import documents_of
from pagemeter.stats.permutation import holm, permutation
from pagemeter.stats.resampling import MANY, strata
from pagemeter.stats.systems import Aligned, LeftOut, System, SystemPages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure

MOST = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of two systems: the rate of the second less that of the first.

    `fewer`, `same` and `more` are the pages on which the second has fewer errors than the first, as many, or
    more; `most` are the pages, by their place, on which the numbers of errors differ most. `p` is that of the
    permutation test, `p_bootstrap` that of the bootstrap; with `holm` they are corrected for all comparisons
    of the run. Without GT text there is no rate and nothing to test.
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several systems on the same pages, and all differences between them."""

    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    pages: tuple[str, ...] = field(repr=False)
    differences: tuple[Difference, ...]
    left_out: tuple[LeftOut, ...]
    plan: Resampling


def compare(
    systems: Mapping[str, Iterable[PageResult]],
    plan: Resampling | None = None,
    *,
    baseline: bool = False,
) -> Comparison:
    """The comparison of systems by the results of their pages, every two, or with `baseline` with the first.

    >>> from pagemeter import evaluate
    >>> from pagemeter.corpus import PageResult
    >>> gt = ["one line", "a second", "the third", "and more"]
    >>> read = {"A": gt, "B": ["one lime", "a sec0nd", "the thrd", "and rnore"]}
    >>> results = {
    ...     name: [PageResult(str(i), str(i), "", evaluate(gt[i], hyp[i], ["CER"])) for i in range(4)]
    ...     for name, hyp in read.items()
    ... }
    >>> (found,) = compare(results).differences
    >>> (found.first, found.second, round(found.rate, 4), found.p, found.more)
    ('A', 'B', 0.1515, 0.125, 4)
    """
    return compare_pages(
        {name: SystemPages.of(found) for name, found in systems.items()}, plan, baseline=baseline
    )


def compare_pages(
    systems: Mapping[str, SystemPages], plan: Resampling | None = None, *, baseline: bool = False
) -> Comparison:
    """The same from columns of counts."""
    plan = plan or Resampling()
    aligned = Aligned.of(systems)
    names = list(aligned.columns)
    pairs = [(names[0], other) for other in names[1:]] if baseline else [*combinations(names, 2)]
    by_pair = [_differences(aligned, first, second, plan) for first, second in pairs]
    found = [one for by_measure in zip(*by_pair, strict=True) for one in by_measure]
    return Comparison(
        tuple(_system(aligned, name, plan) for name in names),
        aligned.measures,
        aligned.names,
        _corrected(found),
        aligned.left_out,
        plan,
    )


def _system(aligned: Aligned, name: str, plan: Resampling) -> System:
    columns = aligned.columns[name]
    documents = documents_of(aligned.names, aligned.documents, plan)
    found = intervals(aligned.errors(name), aligned.n_gt, plan, documents=documents)
    return System(
        name,
        ScoresByPage(columns, aligned.measures),
        {measure: columns.total(measure) for measure in aligned.measures},
        dict(zip(aligned.measures, found, strict=True)),
        columns.budgets(),
    )


def _differences(aligned: Aligned, first: str, second: str, plan: Resampling) -> list[Difference]:
    """All measures of two systems, not yet corrected."""
    differences, n_gt = aligned.errors(second) - aligned.errors(first), aligned.n_gt
    documents = documents_of(aligned.names, aligned.documents, plan)
    spans = intervals(differences, n_gt, plan, documents=documents, signed=True)
    by_chance = _bootstrap(differences, n_gt, documents, plan)
    made = []
    for column, (measure, span) in enumerate(zip(aligned.measures, spans, strict=True)):
        pages, tokens = differences[:, column], int(n_gt[:, column].sum())
        p, exact = permutation(pages, plan)
        rate = int(pages.sum()) / tokens if tokens else None
        fewer, same, more = (int(np.count_nonzero(np.sign(pages) == sign)) for sign in (-1, 0, 1))
        most = tuple(int(place) for place in np.argsort(-np.abs(pages), kind="stable")[:MOST] if pages[place])
        made.append(
            Difference(
                measure, first, second, rate, span, p, exact, by_chance[column], fewer, same, more, most
            )
        )
    return made


def _bootstrap(
    differences: NDArray[np.int64], n_gt: NDArray[np.int64], documents: Sequence[str] | None, plan: Resampling
) -> list[float]:
    """How often a resample's difference is as far from the observed one as that is from none."""
    groups = strata(documents if documents is not None else [""] * len(n_gt))
    sound = [column for column in range(n_gt.shape[1]) if n_gt[:, column].any()]
    made = [1.0] * n_gt.shape[1]
    if not sound:
        return made
    errors, tokens = (part[:, sound].astype(np.float64) for part in (differences, n_gt))
    observed = errors.sum(0) / tokens.sum(0)
    if len(n_gt) * plan.resamples > MANY:  # a sum of so many pages is normal
        reach = Jackknife.of(errors, tokens, groups).error
        for column, far in zip(sound, np.abs(observed) / np.where(reach > 0, reach, np.inf), strict=True):
            made[column] = math.erfc(float(far) / math.sqrt(2))
        return made
    off = np.abs(drawn_rates(errors, tokens, groups, plan) - observed)
    hits = np.count_nonzero(off >= np.abs(observed) * (1 - 1e-12), axis=0)
    for column, count in zip(sound, hits, strict=True):
        made[column] = (int(count) + 1) / (plan.resamples + 1)
    return made


def _corrected(found: Sequence[Difference]) -> tuple[Difference, ...]:
    both = zip(found, holm([one.p for one in found]), holm([one.p_bootstrap for one in found]), strict=True)
    return tuple(replace(one, holm=p, holm_bootstrap=other) for one, p, other in both)
