"""Measures of ranked lists, compared with brute force over all orders of tied hits."""

from __future__ import annotations

import math
import random
from itertools import chain, permutations, product

import numpy as np
import pytest

from pagemeter.spotting import SpottingSettings
from pagemeter.spotting.measures import (
    OrderedHits,
    average_precision,
    curve,
    ndcg,
    precision_at,
    rank,
)

MEAN = SpottingSettings()


def orders(hits):
    """Iterate over all orders of hits (score, gain) in which scores do not rise."""
    groups: dict[float, list[float]] = {}
    for score, gain in sorted(hits, key=lambda hit: -hit[0]):
        groups.setdefault(score, []).append(gain)
    for chosen in product(*(permutations(group) for group in groups.values())):
        yield list(chain.from_iterable(chosen))


def plain_ap(gains, references):
    found, total = 0, 0.0
    for place, gain in enumerate(gains, 1):
        if gain:
            found += 1
            total += found / place
    return total / references if references else 0.0


def plain_ndcg(gains, ideal):
    def dcg(values):
        return sum(value / math.log2(place + 1) for place, value in enumerate(values, 1))

    return dcg(gains) / dcg(sorted(ideal, reverse=True)) if ideal else 0.0


def plain_curve_ap(hits, references, *, interpolate, trapezoid):
    """Return the area under the curve of the distinct scores, point by point."""
    points = []
    for threshold in sorted({score for score, _ in hits}, reverse=True):
        chosen = [gain for score, gain in hits if score >= threshold]
        points.append((sum(map(bool, chosen)), sum(map(bool, chosen)) / len(chosen)))
    if interpolate:
        points = [(found, max(value for _, value in points[at:])) for at, (found, _) in enumerate(points)]
    total = 0.0
    for at, (found, value) in enumerate(points):
        before, value_before = points[at - 1] if at else (0, value)
        total += (found - before) * ((value + value_before) / 2 if trapezoid else value)
    return total / references


def random_hits(rng, grades=(0, 1)):
    count = rng.randint(0, 6)
    hits = [(rng.choice([0.1, 0.2, 0.3]), float(rng.choice(grades))) for _ in range(count)]
    ideal = [gain for _, gain in hits if gain] + [float(max(grades))] * rng.randint(0, 2)
    return hits, ideal


def ranking_of(hits, ideal, settings):
    return rank([score for score, _ in hits], [gain for _, gain in hits], ideal, settings)


@pytest.mark.parametrize("seed", range(60))
def test_means_over_ties_equal_brute_force_over_all_orders(seed):
    hits, ideal = random_hits(random.Random(seed), (0, 0, 1, 2))
    ranking, all_orders = ranking_of(hits, ideal, MEAN), list(orders(hits))

    def mean(measure):
        return math.fsum(map(measure, all_orders)) / len(all_orders)

    assert average_precision(ranking, MEAN) == pytest.approx(mean(lambda one: plain_ap(one, len(ideal))))
    assert ndcg(ranking, MEAN) == pytest.approx(mean(lambda one: plain_ndcg(one, ideal)))
    for first in (1, 2, 3, 7):
        expected = mean(lambda one, k=first: sum(map(bool, one[:k])) / k)
        assert precision_at(ranking, first) == pytest.approx(expected)
        expected = mean(
            lambda one, k=first: plain_ndcg(one[:k], sorted(ideal, reverse=True)[:k]) if ideal else 0.0
        )
        assert ndcg(ranking, MEAN, first) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(40))
def test_best_and_worst_are_the_extremes_over_all_orders(seed):
    hits, ideal = random_hits(random.Random(seed))
    values = [plain_ap(one, len(ideal)) for one in orders(hits)]
    for ties, expected in (("best", max(values)), ("worst", min(values))):
        settings = SpottingSettings(ties=ties)
        assert average_precision(ranking_of(hits, ideal, settings), settings) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("interpolate", [False, True])
@pytest.mark.parametrize("trapezoid", [False, True])
def test_curves_equal_their_definition(seed, interpolate, trapezoid):
    hits, ideal = random_hits(random.Random(seed))
    if not ideal:
        return
    settings = SpottingSettings(ties="one-point", interpolate=interpolate, trapezoid=trapezoid)
    expected = plain_curve_ap(hits, len(ideal), interpolate=interpolate, trapezoid=trapezoid)
    assert average_precision(ranking_of(hits, ideal, settings), settings) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("ties", ["mean", "one-point", "best", "worst"])
@pytest.mark.parametrize("gain", ["linear", "exponential", "signed"])
def test_weights_are_repeated_hits(seed, ties, gain):
    rng = random.Random(seed)
    settings = SpottingSettings(ties=ties, gain=gain)
    hits, ideal = random_hits(rng)
    weights = np.array([rng.randint(0, 3) for _ in hits], np.float64)
    ideal_weights = np.array([rng.randint(0, 3) for _ in ideal], np.float64)
    if sum(ideal_weights) < sum(w for w, (_, g) in zip(weights, hits, strict=True) if g):
        return
    ordered = OrderedHits.of([s for s, _ in hits], [g for _, g in hits], ideal, settings)
    weighted = ordered.ranking(settings, weights, ideal_weights)
    repeated = [hit for hit, times in zip(hits, weights, strict=True) for _ in range(int(times))]
    more = [one for one, times in zip(ideal, ideal_weights, strict=True) for _ in range(int(times))]
    plain = ranking_of(repeated, more, settings)
    for measure in (average_precision, ndcg):
        assert measure(weighted, settings) == pytest.approx(measure(plain, settings))
    assert precision_at(weighted, 2) == pytest.approx(precision_at(plain, 2))


def test_long_ties_lose_no_precision():
    """The closed form for 100,000 tied hits equals the sum over positions."""
    n, r, first = 100_000, 30_000, 7
    gains = [0.0] * first + [1.0] * r + [0.0] * (n - r)
    scores = [2.0] * first + [1.0] * n
    slope = (r - 1) / (n - 1)
    total = math.fsum(r / n * (1 + slope * i) / (first + i + 1) for i in range(n))
    ranking = rank(scores, gains, [1.0] * r, MEAN)
    assert average_precision(ranking, MEAN) == pytest.approx(total / r, rel=1e-12)


def test_the_order_of_trec_eval_is_by_document_from_high_to_low():
    settings = SpottingSettings(ties="document")
    ranking = rank([1, 1, 1], [0, 1, 0], [1], settings, ["a", "b", "c"])
    assert ranking.right.tolist() == [0, 1, 0]
    assert average_precision(ranking, settings) == 0.5
    listed = SpottingSettings(ties="listed")
    assert average_precision(rank([1, 1, 1], [1, 0, 0], [1], listed, ["a", "b", "c"]), listed) == 1


def test_empty_lists():
    for settings in (MEAN, SpottingSettings(interpolate=True, trapezoid=True)):
        nothing = rank([], [], [1, 1, 1], settings)
        assert average_precision(nothing, settings) == ndcg(nothing, settings) == 0
        assert precision_at(nothing, 5) == precision_at(nothing, 0) == 0
        assert average_precision(rank([0.5], [0], [], settings), settings) == 0
    signed = SpottingSettings(gain="signed")
    assert ndcg(rank([], [], [], signed), signed) == 1
    assert ndcg(rank([], [], [1], signed), signed) == -1
    assert curve([], [], 3) == ()


def test_the_best_f1_is_at_a_threshold_that_exists():
    points = curve([3, 2, 2, 1], [True, True, False, True], 3)
    assert [(point.threshold, point.hits, point.true_positives) for point in points] == [
        (3, 1, 1),
        (2, 3, 2),
        (1, 4, 3),
    ]
    assert points[-1].f1 == pytest.approx(6 / 7)
