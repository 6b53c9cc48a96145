"""Measures of a ranked list of hits: average precision, NDCG, precision at k, and the curve.

Hits of equal rank form a group. With the exact mean over all orders of a group, the mean of a measure has a
closed form, because each hit of a group is right with the same probability, and so is each pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.spotting.settings import SpottingSettings

Floats = NDArray[np.float64]
Indexes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits in groups of equal rank, from the first to the last.

    Args:
        sizes: The number of hits of each group.
        right: The number of right hits of each group.
        gains: The sum of the gains of each group, for NDCG.
        ideal_sizes: The numbers of references, from the largest gain to the smallest.
        ideal_gains: The gain of each of these references.

    """

    sizes: Floats
    right: Floats
    gains: Floats
    ideal_sizes: Floats
    ideal_gains: Floats

    @property
    def references(self) -> int:
        """The number of references."""
        return int(self.ideal_sizes.sum())

    @property
    def hits(self) -> int:
        """The number of hits."""
        return int(self.sizes.sum())

    @property
    def true_positives(self) -> int:
        """The number of right hits."""
        return int(self.right.sum())


@dataclass(frozen=True, slots=True)
class OrderedHits:
    """Hits sorted by their scores, and the references of their queries sorted by gain.

    Args:
        order: The indexes of the hits in their order.
        gains: The gain of each hit in that order: 0 for a false positive.
        begins: The first hit of each group of equal rank.
        ideal_order: The indexes of the references, from the largest gain to the smallest.
        ideal: The gain of each reference in that order.

    """

    order: Indexes
    gains: Floats
    begins: Indexes
    ideal_order: Indexes
    ideal: Floats

    @classmethod
    def of(
        cls,
        scores: Sequence[float],
        gains: Sequence[float],
        ideal: Sequence[float],
        settings: SpottingSettings,
        documents: Sequence[str] = (),
    ) -> OrderedHits:
        """Sort hits and references.

        Args:
            scores: The scores of the hits.
            gains: The gain of each hit: 0 for a false positive, otherwise that of its reference.
            ideal: The gains of all references.
            settings: The order of hits with equal scores.
            documents: The ids of the documents of the hits, for the order of trec_eval.

        """
        value, gain = np.asarray(scores, np.float64), np.asarray(gains, np.float64)
        order = _order(value, gain, settings, documents)
        grouped = settings.ties in ("mean", "one-point")
        begins = group_begins(value[order]) if grouped else np.arange(len(value))
        best = np.asarray(ideal, np.float64)
        ideal_order = np.argsort(-best, kind="stable")
        return cls(order, gain[order], begins, ideal_order, best[ideal_order])

    def ranking(
        self,
        settings: SpottingSettings,
        hit_weights: Floats | None = None,
        ideal_weights: Floats | None = None,
    ) -> Ranking:
        """Return the groups of hits; weights say how often each hit and each reference occurs.

        Weights are in the original order of hits and references.
        """
        weights = np.ones(len(self.order)) if hit_weights is None else hit_weights[self.order]
        ideal_sizes = np.ones(len(self.ideal)) if ideal_weights is None else ideal_weights[self.ideal_order]
        sizes, right = _sums(weights, self.begins), _sums(weights * (self.gains > 0), self.begins)
        ideal, gains = self.ideal, self.gains
        if settings.gain == "exponential":
            ideal = np.exp2(ideal) - 1
            if settings.ties == "one-point":  # the gain of the mean relevance of a group, as in kws-eval
                mean = _sums(weights * gains, self.begins) / np.maximum(sizes, 1)
                return Ranking(sizes, right, sizes * (np.exp2(mean) - 1), ideal_sizes, ideal)
            gains = np.exp2(gains) - 1
        return Ranking(sizes, right, _sums(weights * gains, self.begins), ideal_sizes, ideal)


def rank(
    scores: Sequence[float],
    gains: Sequence[float],
    ideal: Sequence[float],
    settings: SpottingSettings,
    documents: Sequence[str] = (),
) -> Ranking:
    """Sort hits by their scores, and group those of equal rank; the arguments are those of `OrderedHits.of`.

    >>> from pagemeter.spotting.settings import SpottingSettings
    >>> ranking = rank([0.5, 0.9, 0.5], [1, 0, 0], [1, 1], SpottingSettings())
    >>> ranking.sizes.tolist(), ranking.right.tolist()
    ([1.0, 2.0], [0.0, 1.0])
    >>> round(average_precision(ranking, SpottingSettings()), 6)
    0.208333
    """
    return OrderedHits.of(scores, gains, ideal, settings, documents).ranking(settings)


def _order(value: Floats, gain: Floats, settings: SpottingSettings, documents: Sequence[str]) -> Indexes:
    """Return the order of the hits, which is stable where the settings do not decide."""
    if settings.ties == "best":
        return np.lexsort((-gain, -value))
    if settings.ties == "worst":
        return np.lexsort((gain, -value))
    if settings.ties == "document" and documents:
        by_document = sorted(range(len(documents)), key=documents.__getitem__, reverse=True)
        place = np.empty(len(documents), np.intp)
        place[by_document] = np.arange(len(documents))
        return np.lexsort((place, -value))
    return np.argsort(-value, kind="stable")


def group_begins(ordered: Floats) -> Indexes:
    """Return the index of the first hit of each group of equal scores.

    >>> group_begins(np.array([0.9, 0.5, 0.5])).tolist()
    [0, 1]
    """
    if not len(ordered):
        return np.zeros(0, np.intp)
    return np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1))


def _sums(values: Floats, begins: Indexes) -> Floats:
    return np.add.reduceat(values, begins) if len(begins) else np.zeros(0)


def average_precision(ranking: Ranking, settings: SpottingSettings) -> float:
    """Return the average precision; without references it is 0."""
    if not ranking.references:
        return 0.0
    return precision_sum(ranking.sizes, ranking.right, settings) / ranking.references


def precision_sum(sizes: Floats, right: Floats, settings: SpottingSettings) -> float:
    """Return the sum of the precisions at the ranks of all right hits.

    Hits of equal rank count as `settings.ties` says. In a group of n hits of which r are right, after N hits
    of which R are right, the i-th hit is right with probability r/n. If it is, (i-1)(r-1)/(n-1) of the hits
    before it in the group are right on average. The mean over all orders is therefore

        r/n · Σ_i (R + 1 + a(i-1)) / (N+i) = r/n · (a·n + (R + 1 - a(N+1)) · (H(N+n) - H(N)))

    with a = (r-1)/(n-1) and the harmonic numbers H. Groups may be repeated, and have the size 0, in a
    resample.
    """
    present = sizes > 0
    sizes, right = sizes[present], right[present]
    if not len(sizes):
        return 0.0
    ends, found = np.cumsum(sizes), np.cumsum(right)
    if settings.interpolate or settings.trapezoid or settings.ties == "one-point":
        return float(right @ _curve_precision(ends, found, settings))
    before, found_before = ends - sizes, found - right
    several = sizes > 1
    total = float((right * (found_before + 1) / ends)[~several].sum())
    if several.any():
        n, r, big_n, big_r = sizes[several], right[several], before[several], found_before[several]
        slope = (r - 1) / (n - 1)
        harmonic = _harmonic(_table_length(int(ends[-1])))
        spread = harmonic[(big_n + n).astype(np.intp)] - harmonic[big_n.astype(np.intp)]
        total += float((r / n * (slope * n + (big_r + 1 - slope * (big_n + 1)) * spread)).sum())
    return total


def _curve_precision(ends: Floats, found: Floats, settings: SpottingSettings) -> Floats:
    """Return the precision that the right hits of each group count with."""
    precision = found / ends
    if settings.interpolate:
        precision = np.maximum.accumulate(precision[::-1])[::-1]
    if settings.trapezoid:  # as in kws-eval, the first point counts as it is
        precision = np.append(precision[:1], (precision[1:] + precision[:-1]) / 2)
    return precision


def discounts(length: int) -> Floats:
    """Return the sums of the discounts 1/log2(rank + 1) of the first 0, 1, … `length` ranks.

    >>> discounts(3).round(4).tolist()
    [0.0, 1.0, 1.6309, 2.1309]
    """
    return _discounts(_table_length(length))[: length + 1]


@lru_cache(maxsize=4)
def _discounts(length: int) -> Floats:
    return np.concatenate(([0.0], np.cumsum(1 / np.log2(np.arange(2, length + 2)))))


@lru_cache(maxsize=4)
def _harmonic(length: int) -> Floats:
    return np.concatenate(([0.0], np.cumsum(1 / np.arange(1, length + 1))))


def _table_length(length: int) -> int:
    """Return the length of a table that several rankings of similar length share."""
    return max(1024, 1 << length.bit_length())


def ndcg(ranking: Ranking, settings: SpottingSettings, first: int | None = None) -> float:
    """Return the normalised discounted cumulative gain, of the first hits only if their number is given.

    Without references it is 0. With "signed" gains it is the value of the Java tool, which is not NDCG: right
    hits have the gain 1, false positives and references without a hit -1, and the divisor is
    the sum of the discounts.

    >>> from pagemeter.spotting.settings import SpottingSettings
    >>> signed = SpottingSettings(gain="signed")
    >>> round(ndcg(rank([0.9, 0.7, 0.6], [1, 0, 1], [1, 1, 1], signed), signed), 6)
    0.17114
    """
    if settings.gain == "signed":
        return _signed_gain(ranking)
    if not ranking.references:
        return 0.0
    sums = discounts(max(ranking.hits, ranking.references))
    if first is not None:
        sums = np.minimum(sums, sums[min(first, len(sums) - 1)])
    best = float(ranking.ideal_gains @ _spread(sums, ranking.ideal_sizes))
    found = float(ranking.gains @ (_spread(sums, ranking.sizes) / np.maximum(ranking.sizes, 1)))
    return found / best if best else 0.0


def _spread(sums: Floats, sizes: Floats) -> Floats:
    """Return the sum of the discounts of each group."""
    ends = np.cumsum(sizes).astype(np.intp)
    return sums[ends] - sums[ends - sizes.astype(np.intp)]


def _signed_gain(ranking: Ranking) -> float:
    last = ranking.hits + ranking.references - ranking.true_positives
    if not last:
        return 1.0
    sums = discounts(last)
    means = (2 * ranking.right - ranking.sizes) / np.maximum(ranking.sizes, 1)
    return float((means @ _spread(sums, ranking.sizes) - (sums[last] - sums[ranking.hits])) / sums[last])


def right_among(ranking: Ranking, first: int) -> float:
    """Return the number of right hits among the first k, as the mean over the orders within groups."""
    before = np.cumsum(ranking.sizes) - ranking.sizes
    share = np.clip((first - before) / np.maximum(ranking.sizes, 1), 0, 1)
    return float(ranking.right @ share)


def precision_at(ranking: Ranking, first: int) -> float:
    """Return the precision of the first k hits; hits that a list lacks count as wrong.

    >>> from pagemeter.spotting.settings import SpottingSettings
    >>> precision_at(rank([3, 2, 2], [1, 1, 0], [1, 1], SpottingSettings()), 2)
    0.75
    """
    return right_among(ranking, first) / first if first else 0.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The hits with at least a score: their number, and how many of them are right."""

    threshold: float
    hits: int
    true_positives: int
    recall: float
    precision: float
    f1: float


def curve(scores: Sequence[float], right: Sequence[bool], references: int) -> tuple[CurvePoint, ...]:
    """Return one point per distinct score, from high to low.

    >>> curve([0.9, 0.5, 0.5], [False, True, False], 2)[1]
    CurvePoint(threshold=0.5, hits=3, true_positives=1, recall=0.5, precision=0.3333333333333333, f1=0.4)
    """
    value, hit = np.asarray(scores, np.float64), np.asarray(right, np.float64)
    order = np.argsort(-value, kind="stable")
    value, hit = value[order], hit[order]
    begins = group_begins(value)
    found = np.cumsum(_sums(hit, begins)).astype(np.int64).tolist()
    ends = np.append(begins[1:], len(value)).tolist() if len(begins) else []
    return tuple(
        CurvePoint(
            threshold,
            end,
            count,
            count / references if references else 0.0,
            count / end,
            2 * count / (end + references),
        )
        for threshold, end, count in zip(value[begins].tolist(), ends, found, strict=True)
    )
