"""Random draws (exact sums, distribution, strata), the permutation test, and the correction of p-values."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from collected import exhaustive
from pagemeter.run_settings import Resampling
from pagemeter.stats import resampling as module
from pagemeter.stats.resampling import holm, permutation_test, resampled_sums, strata, subset_sums
from reference import drawing


def times_drawn(groups: str, resampling: Resampling) -> np.ndarray:
    """Return how often each page is drawn in each resample; pages with the same letter are a stratum."""
    return resampled_sums(np.eye(len(groups)), strata(groups), resampling)


@pytest.mark.parametrize("pages", [1, 2, 3, 4, 5, 63, 64, 65, 511, 513])
@pytest.mark.parametrize("columns", [1, 5, 14])
def test_sums_are_those_of_pages_drawn_one_at_a_time(pages, columns):
    counts = np.random.default_rng(pages).integers(0, 2**40, (pages, columns)).astype(float)
    drawn = drawing.resamples(1, pages, 103)
    expected = np.array([counts[places].sum(0) for places in drawn])
    assert np.array_equal(resampled_sums(counts, strata("a" * pages), Resampling(resamples=103)), expected)


@pytest.mark.parametrize("at_once", [1, 50, 1000, 10**6])
def test_sums_do_not_depend_on_how_many_draws_are_in_memory(monkeypatch, at_once):
    counts = np.random.default_rng(1).integers(0, 2**20, (37, 3)).astype(float)
    groups, resampling = strata("a" * 20 + "b" * 17), Resampling(resamples=500)
    expected = resampled_sums(counts, groups, resampling)
    monkeypatch.setattr("pagemeter.stats.resampling._AT_ONCE", at_once)
    assert np.array_equal(resampled_sums(counts, groups, resampling), expected)


def test_every_number_is_in_a_subset_by_itself_and_in_half_of_them():
    """The numbers are powers of two, so a sum shows which of them are in it."""
    sums = subset_sums(2 ** np.arange(43), Resampling(resamples=100_000))
    inside = sums[:, np.newaxis] >> np.arange(43) & 1
    assert inside.mean(0) == pytest.approx(np.full(43, 0.5), abs=4.5 / 2 / 100_000**0.5)
    assert np.cov(inside.T) == pytest.approx(np.eye(43) / 4, abs=4.5 / 4 / 100_000**0.5)


def test_sums_of_subsets_depend_on_the_seed_alone():
    first, again, other = (subset_sums(np.arange(20), Resampling(seed=seed)).tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_every_resample_draws_as_many_pages_as_there_are():
    assert (times_drawn("a" * 37, Resampling(resamples=500)).sum(1) == 37).all()


def test_draw_counts_have_the_moments_of_a_multinomial():
    """Mean 1, variance 1 − 1/n, covariance −1/n."""
    pages, resampling = 7, Resampling(resamples=200_000)
    times = times_drawn("a" * pages, resampling)
    assert times.mean(0) == pytest.approx(np.ones(pages), abs=4.5 / resampling.resamples**0.5)
    expected = np.eye(pages) - 1 / pages
    assert np.cov(times.T) == pytest.approx(expected, abs=4.5 * 2 / resampling.resamples**0.5)


def test_pages_are_drawn_within_their_document():
    times = times_drawn("aabbbabbcc", Resampling(resamples=300))
    for letter, size in (("a", 3), ("b", 5), ("c", 2)):
        assert (times[:, [one == letter for one in "aabbbabbcc"]].sum(1) == size).all()


def test_strata_are_drawn_independently():
    """The draw counts of two strata of the same size are not correlated."""
    times = times_drawn("a" * 10 + "b" * 10, Resampling(resamples=5000))
    for page in range(10):
        assert abs(np.corrcoef(times[:, page], times[:, page + 10])[0, 1]) < 0.06


def test_the_first_resamples_are_the_same_however_many_follow():
    few, many = (times_drawn("a" * 21, Resampling(resamples=count)) for count in (101, 1003))
    assert np.array_equal(few, many[:101])


def test_a_column_has_the_same_sums_alone_and_beside_equal_ones():
    counts = np.random.default_rng(3).integers(0, 1000, (30, 3)).astype(float)[:, [0, 1, 0, 2, 1, 1]]
    together = resampled_sums(counts, strata("a" * 30), Resampling())
    for column in range(6):
        alone = resampled_sums(counts[:, [column]], strata("a" * 30), Resampling())
        assert np.array_equal(together[:, [column]], alone)


def test_every_seed_has_its_own_draws():
    seeds = (0, 1, 2**64, 2**64 + 1, 10**30)
    sums = {times_drawn("abc" * 9, Resampling(resamples=100, seed=seed)).tobytes() for seed in seeds}
    assert len(sums) == len(seeds)


def by_trying_all(differences: list[int]) -> float:
    signs = list(itertools.product((1, -1), repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(some, differences, strict=True))) for some in signs]
    return sum(found >= abs(sum(differences)) for found in sums) / len(signs)


def test_the_exact_test_equals_trying_all_signs():
    rng = random.Random(3)
    for _ in range(300):
        differences = [rng.randint(-7, 7) * rng.choice([1, 10]) for _ in range(rng.randint(1, 9))]
        found = permutation_test(differences)
        assert found.exact
        assert found.p == pytest.approx(by_trying_all(differences), abs=1e-12)


def test_without_differences_the_p_value_is_one():
    assert permutation_test([0, 0, 0]) == (1.0, True)
    assert permutation_test([]) == (1.0, True)


def test_sixty_equal_differences_have_a_tiny_p_value():
    assert permutation_test([1] * 60).p == pytest.approx(2.0**-59)


def test_thousands_of_pages_do_not_underflow():
    differences = np.ones(5000, np.int64)
    differences[:2500] = -1
    assert permutation_test(differences).p == 1.0
    differences[:100] = 1
    assert permutation_test(differences).p == pytest.approx(0.00488, rel=0.02)  # 2 · P(X ≥ 2600), X binomial


def test_random_signs_agree_with_all_signs(monkeypatch):
    rng = np.random.default_rng(2)
    differences = rng.normal(0.4, 5, 200).round().astype(int)
    exact = permutation_test(differences)
    monkeypatch.setattr(module, "MAX_EXACT_STEPS", 0)
    drawn = permutation_test(differences, Resampling(resamples=20_000))
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.015)
    assert drawn == permutation_test(differences, Resampling(resamples=20_000))


@pytest.mark.parametrize("mean", [0.02, *exhaustive(0.05)])
def test_the_normal_approximation_agrees_with_all_signs_and_with_random_ones(monkeypatch, mean):
    """More than 30,000 pages differ, a few by hundreds of errors, as if a system had missed them."""
    rng = np.random.default_rng(5)
    differences = rng.normal(mean, 3, 36_000).round().astype(int)
    differences[:20] += rng.integers(-300, 300, 20)
    assert np.count_nonzero(differences) * Resampling().resamples > module.MAX_DRAWS
    normal = permutation_test(differences)
    assert not normal.exact
    monkeypatch.setattr(module, "MAX_EXACT_STEPS", 10**12)
    exact = permutation_test(differences)
    assert exact.exact
    assert normal.p == pytest.approx(exact.p, abs=0.002)
    monkeypatch.setattr(module, "MAX_EXACT_STEPS", 0)
    monkeypatch.setattr(module, "MAX_DRAWS", 10**12)
    drawn = permutation_test(differences, Resampling(resamples=2000)).p
    assert drawn == pytest.approx(normal.p, abs=4 * (normal.p * (1 - normal.p) / 2000) ** 0.5 + 0.001)


def test_a_p_value_from_random_signs_is_never_zero(monkeypatch):
    monkeypatch.setattr(module, "MAX_EXACT_STEPS", 0)
    assert permutation_test([5] * 100, Resampling(resamples=999)).p == pytest.approx(1 / 1000)


@pytest.mark.parametrize("exact", [True, False])
def test_p_values_of_equal_systems_are_uniform(monkeypatch, exact):
    """Of 1000 comparisons of equal systems, 1 %, 5 %, 20 % … have a p-value below 0.01, 0.05, 0.2 …"""
    monkeypatch.setattr(module, "MAX_EXACT_STEPS", module.MAX_EXACT_STEPS if exact else 0)
    rng = np.random.default_rng(11)
    found = []
    for _ in range(1000):
        sizes = np.exp(rng.normal(7, 0.6, 30))
        both = rng.poisson(sizes * rng.beta(2, 40, 30), (2, 30))
        found.append(
            permutation_test(both[1] - both[0], Resampling(resamples=400, seed=int(rng.integers(1e6)))).p
        )
    for level in (0.01, 0.05, 0.2, 0.5, 0.8):
        share = np.mean(np.array(found) <= level)
        assert share == pytest.approx(level, abs=3.5 * (level * (1 - level) / 1000) ** 0.5 + 0.003)


def test_holm_equals_its_definition():
    """The k-th smallest of m is multiplied by m − k + 1, and none falls below the one before."""
    given = [0.01, 0.013, 0.014, 0.19, 0.35, 0.5, 0.63, 0.67, 0.75, 0.81]
    expected = [0.1, 0.117, 0.117, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    shuffled = list(zip(given, expected, strict=True))
    random.Random(1).shuffle(shuffled)
    assert holm([p for p, _ in shuffled]) == pytest.approx([p for _, p in shuffled])


def test_holm_of_one_test_and_of_none_changes_nothing():
    assert holm([0.03]) == (0.03,)
    assert holm([]) == ()
