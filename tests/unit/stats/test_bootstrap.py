"""Intervals: equal to a plain computation, with the right coverage, and missing for a reason."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from pagemeter.errors import UsageError
from pagemeter.run_settings import Resampling
from pagemeter.stats.bootstrap import (
    MIN_BOOTSTRAP_PAGES,
    MIN_SHOWN_PAGES,
    Jackknife,
    _bca_level,
    intervals,
    student_quantile,
)
from pagemeter.stats.resampling import resampled_sums, strata
from reference import drawing

QUICK = Resampling(resamples=1000)


def pages(count: int, seed: int = 0, columns: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return errors and sizes of pages; sizes differ by a factor of ten, rates by more."""
    rng = np.random.default_rng(seed)
    n_gt = np.exp(rng.normal(7, 0.6, (count, columns))).astype(int) + 1
    return rng.binomial(n_gt, rng.beta(4, 80, (count, columns))), n_gt


@pytest.mark.parametrize(
    ("share", "freedom", "expected"),
    # The usual tables of Student's t.
    [(0.975, 1, 12.7062), (0.975, 2, 4.30265), (0.995, 3, 5.84091), (0.975, 9, 2.26216), (0.95, 30, 1.69726),
     (0.975, 1000, 1.96234), (0.5, 7, 0.0), (0.025, 2, -4.30265)],
)  # fmt: skip
def test_student_quantiles_equal_published_tables(share, freedom, expected):
    assert student_quantile(share, freedom) == pytest.approx(expected, rel=1e-5)


def test_student_with_many_degrees_of_freedom_is_normal():
    assert student_quantile(0.975, 100_000) == pytest.approx(NormalDist().inv_cdf(0.975), rel=1e-4)


def plain_bootstrap(errors: list[int], n_gt: list[int], resampling: Resampling) -> tuple[float, float]:
    """Return BCa bounds at widened levels, computed number by number from the same draws."""
    count, rate = len(errors), sum(errors) / sum(n_gt)
    drawn = drawing.resamples(resampling.seed, count, resampling.resamples)
    rates = sorted(sum(errors[i] for i in draw) / sum(n_gt[i] for i in draw) for draw in drawn)
    below = sum(1 if r < rate else 0.5 if r == rate else 0 for r in rates) / resampling.resamples
    without = [(sum(errors) - e) / (sum(n_gt) - n) for e, n in zip(errors, n_gt, strict=True)]
    pulls = [sum(without) / count - r for r in without]
    acceleration = sum(p**3 for p in pulls) / (6 * sum(p**2 for p in pulls) ** 1.5)
    bias = NormalDist().inv_cdf(below)
    reach = math.sqrt(count / (count - 1)) * student_quantile(1 - resampling.tail, count - 1)
    ends = []
    for z in (-reach, reach):
        place = NormalDist().cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) * (
            resampling.resamples - 1
        )
        under = math.floor(place)
        over = min(under + 1, resampling.resamples - 1)
        ends.append(rates[under] + (place - under) * (rates[over] - rates[under]))
    return ends[0], ends[1]


@pytest.mark.parametrize("count", [MIN_BOOTSTRAP_PAGES, 37])
def test_the_bootstrap_equals_a_plain_computation(count):
    errors, n_gt = pages(count, seed=count)
    (found,) = intervals(errors, n_gt, QUICK)
    assert found.method == "bootstrap"
    assert found.bounds == pytest.approx(plain_bootstrap(errors[:, 0].tolist(), n_gt[:, 0].tolist(), QUICK))


def test_the_jackknife_equals_a_plain_computation():
    errors, n_gt = (part[:, 0].tolist() for part in pages(7, seed=3))
    rate = sum(errors) / sum(n_gt)
    without = [(sum(errors) - e) / (sum(n_gt) - n) for e, n in zip(errors, n_gt, strict=True)]
    error = math.sqrt(6 / 7 * sum((r - sum(without) / 7) ** 2 for r in without))
    factor = math.exp(2.446911851 * error / rate)
    (found,) = intervals([[e] for e in errors], [[n] for n in n_gt])
    assert (found.method, found.confidence) == ("jackknife", 0.95)
    assert found.bounds == pytest.approx((rate / factor, rate * factor))


def test_differences_of_few_pages_may_be_negative():
    (found,) = intervals([[-5], [3], [-9], [-1]], [[100]] * 4, signed=True)
    low, high = found.bounds
    assert low < -0.03 < high
    assert low + high == pytest.approx(2 * -12 / 400)


def test_the_interval_of_a_column_does_not_depend_on_other_columns():
    errors, n_gt = pages(30, columns=3)
    together = intervals(errors, n_gt, QUICK)
    alone = [intervals(errors[:, [c]], n_gt[:, [c]], QUICK)[0] for c in range(3)]
    assert [one.bounds for one in together] == [pytest.approx(one.bounds) for one in alone]


def test_equal_seeds_give_equal_intervals_and_other_seeds_similar_ones():
    errors, n_gt = pages(50)
    first, again, other = (intervals(errors, n_gt, Resampling(seed=seed))[0].bounds for seed in (1, 1, 2))
    assert first == again != other
    assert first == pytest.approx(other, rel=0.03)


def test_higher_confidence_is_a_wider_interval():
    errors, n_gt = pages(50)
    widths = []
    for confidence in (0.8, 0.9, 0.99):
        low, high = intervals(errors, n_gt, Resampling(confidence))[0].bounds
        widths.append(high - low)
    assert widths == sorted(widths)


def test_pages_drawn_within_documents_keep_the_share_of_each_document():
    """In two documents of equal pages nothing varies within a document, but much over all pages."""
    errors, n_gt = [[1]] * 20 + [[50]] * 20, [[100]] * 40
    assert (resampled_sums(np.array(errors, float), strata("a" * 20 + "b" * 20), QUICK) == 1020).all()
    errors[0] = [2]
    low, high = intervals(errors, n_gt, QUICK, documents="a" * 20 + "b" * 20)[0].bounds
    wide_low, wide_high = intervals(errors, n_gt, QUICK)[0].bounds
    assert high - low < (wide_high - wide_low) / 20


def test_strata_of_one_page_are_merged():
    assert [places.tolist() for places in strata("aabbc")] == [[0, 1, 4], [2, 3]]
    assert [places.tolist() for places in strata("abc")] == [[0, 1, 2]]
    assert [places.tolist() for places in strata("aaabbcd")] == [[0, 1, 2], [3, 4], [5, 6]]
    assert [places.tolist() for places in strata("a")] == [[0]]
    assert strata("") == ()


def test_the_jackknife_within_strata_adds_their_variances():
    """With equal sizes a rate is a mean over documents, whose variances add up."""
    rng = np.random.default_rng(4)
    errors = rng.integers(0, 50, (30, 1)).astype(float)
    found = Jackknife.of(errors, np.full((30, 1), 100.0), strata("a" * 10 + "b" * 20))
    variance = sum(part.var(ddof=1) * len(part) for part in (errors[:10], errors[10:])) / 3000**2
    assert found.error[0] == pytest.approx(math.sqrt(variance))


@pytest.mark.parametrize(
    ("errors", "n_gt", "reason"),
    [
        ([], [], "no ground truth text"),
        ([3], [0], "no ground truth text"),
        ([3], [100], f"too few pages (1 with text, {MIN_SHOWN_PAGES} are needed)"),
        ([3, 1, 2], [100, 100, 0], f"too few pages (2 with text, {MIN_SHOWN_PAGES} are needed)"),
        ([0, 0, 0], [100, 90, 80], "all pages have the same rate"),
        ([10, 20, 30], [100, 200, 300], "all pages have the same rate"),
    ],
)
def test_a_missing_interval_has_a_reason(errors, n_gt, reason):
    (found,) = intervals(np.reshape(errors, (-1, 1)), np.reshape(n_gt, (-1, 1)))
    assert (found.bounds, found.method, found.reason) == (None, "none", reason)


@pytest.mark.parametrize(
    ("errors", "signed", "reason"),
    [
        ([10, 11, 9, 10], False, f"too few pages (4 with text, {MIN_SHOWN_PAGES} are needed)"),
        ([10, 11, 9, 10], True, f"too few pages (4 with text, {MIN_SHOWN_PAGES} are needed)"),
        ([10, 11, 9, 10, 12], False, ""),
        ([1, 1, 1, 1, 95], False, "too few pages (it would be wider than the range of the measure)"),
        ([0, 0, 0, 0, 9], False, "too few pages (its upper end would be more than 5 times the rate)"),
        ([1, 1, 1, 1, 95], True, ""),
    ],
)
def test_vague_bounds_are_computed_but_not_shown(errors, signed, reason):
    (found,) = intervals(np.reshape(errors, (-1, 1)), np.full((len(errors), 1), 100), signed=signed)
    assert found.reason == reason
    assert found.bounds
    assert found.shown_bounds == (None if reason else found.bounds)


def test_the_level_of_rates_that_are_too_skewed_is_the_highest():
    assert _bca_level(0.0, 0.0, 1.0) == pytest.approx(NormalDist().cdf(1))
    assert _bca_level(0.0, 0.9, 1.0) == pytest.approx(NormalDist().cdf(10))
    assert _bca_level(0.0, 1.0, 1.0) == _bca_level(1.0, 0.6, 1.0) == 1


def test_a_rate_without_interval_does_not_affect_others():
    errors, n_gt = pages(30, columns=2)
    errors[:, 0] = 0
    first, second = intervals(errors, n_gt, QUICK)
    assert first.bounds is None
    assert second.bounds is not None


def test_pages_without_text_only_add_errors():
    errors, n_gt = pages(30)
    n_gt[:5] = 0
    (found,) = intervals(errors, n_gt, QUICK)
    low, high = found.bounds
    assert low < errors.sum() / n_gt.sum() < high


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"confidence": 95}, "between 0.5 and 1"),
        ({"confidence": math.nan}, "between 0.5 and 1"),
        ({"resamples": 3}, "from 100"),
        ({"seed": -1}, "0 or more"),
    ],
)
def test_invalid_resampling_options_are_refused(fields, message):
    with pytest.raises(UsageError, match=message):
        Resampling(**fields)


@pytest.mark.parametrize(("count", "least"), [(6, 0.88), (30, 0.9), (100, 0.91)])
def test_the_coverage_of_intervals_is_about_their_confidence(count, least):
    """The rate of the population is 4/84; docs/statistics.md has the coverages of all sizes."""
    covered = 0
    for seed in range(400):
        (found,) = intervals(*pages(count, seed), QUICK)
        low, high = found.bounds
        covered += low <= 4 / 84 <= high
    assert least <= covered / 400 <= 0.99
