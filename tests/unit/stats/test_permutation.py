"""The permutation test and the correction for many tests."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from pagemeter.plan import Resampling
from pagemeter.stats import permutation as module
from pagemeter.stats.permutation import holm, permutation


def by_trying_all(differences: list[int]) -> float:
    signs = list(itertools.product((1, -1), repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(some, differences, strict=True))) for some in signs]
    return sum(found >= abs(sum(differences)) for found in sums) / len(signs)


def test_the_exact_test_is_that_of_trying_all_signs():
    rng = random.Random(3)
    for _ in range(300):
        differences = [rng.randint(-7, 7) * rng.choice([1, 10]) for _ in range(rng.randint(1, 9))]
        found = permutation(differences)
        assert found.exact
        assert found.p == pytest.approx(by_trying_all(differences), abs=1e-12)


def test_no_difference_at_all_is_certain_chance():
    assert permutation([0, 0, 0]) == (1.0, True)
    assert permutation([]) == (1.0, True)


def test_sixty_pages_that_all_differ_alike_are_no_chance():
    assert permutation([1] * 60).p == pytest.approx(2.0**-59)


def test_thousands_of_pages_do_not_underflow():
    differences = np.ones(5000, np.int64)
    differences[:2500] = -1
    assert permutation(differences).p == 1.0
    differences[:100] = 1
    assert permutation(differences).p == pytest.approx(0.00488, rel=0.02)  # 2 · P(X ≥ 2600), X binomial


def test_drawn_signs_agree_with_all_signs(monkeypatch):
    rng = np.random.default_rng(2)
    differences = rng.normal(0.4, 5, 200).round().astype(int)
    exact = permutation(differences)
    monkeypatch.setattr(module, "EXACT", 0)
    drawn = permutation(differences, Resampling(resamples=20_000))
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.015)
    assert drawn == permutation(differences, Resampling(resamples=20_000))


@pytest.mark.parametrize("mean", [0.02, 0.05])
def test_the_normal_of_many_pages_agrees_with_all_signs_and_with_drawn_ones(monkeypatch, mean):
    """More than 30,000 pages differ; a few by hundreds of errors, as pages do that a system has lost."""
    rng = np.random.default_rng(5)
    differences = rng.normal(mean, 3, 36_000).round().astype(int)
    differences[:20] += rng.integers(-300, 300, 20)
    assert np.count_nonzero(differences) * Resampling().resamples > module.MANY
    normal = permutation(differences)
    assert not normal.exact
    monkeypatch.setattr(module, "EXACT", 10**12)
    exact = permutation(differences)
    assert exact.exact
    assert normal.p == pytest.approx(exact.p, abs=0.002)
    monkeypatch.setattr(module, "EXACT", 0)
    monkeypatch.setattr(module, "MANY", 10**12)
    drawn = permutation(differences, Resampling(resamples=2000)).p
    assert drawn == pytest.approx(normal.p, abs=4 * (normal.p * (1 - normal.p) / 2000) ** 0.5 + 0.001)


def test_a_drawn_p_value_is_never_zero(monkeypatch):
    monkeypatch.setattr(module, "EXACT", 0)
    assert permutation([5] * 100, Resampling(resamples=999)).p == pytest.approx(1 / 1000)


@pytest.mark.parametrize("exact", [True, False])
def test_p_values_are_uniform_where_systems_do_not_differ(monkeypatch, exact):
    """Of 1000 comparisons of equal systems, 1 %, 5 %, 20 % … have a p-value below 0.01, 0.05, 0.2 …"""
    monkeypatch.setattr(module, "EXACT", module.EXACT if exact else 0)
    rng = np.random.default_rng(11)
    found = []
    for _ in range(1000):
        sizes = np.exp(rng.normal(7, 0.6, 30))
        both = rng.poisson(sizes * rng.beta(2, 40, 30), (2, 30))
        found.append(permutation(both[1] - both[0], Resampling(resamples=400, seed=int(rng.integers(1e6)))).p)
    for level in (0.01, 0.05, 0.2, 0.5, 0.8):
        share = np.mean(np.array(found) <= level)
        assert share == pytest.approx(level, abs=3.5 * (level * (1 - level) / 1000) ** 0.5 + 0.003)


def test_holm_is_that_of_the_paper():
    """The k-th smallest of m is multiplied by m − k + 1, and none falls below the one before."""
    given = [0.01, 0.013, 0.014, 0.19, 0.35, 0.5, 0.63, 0.67, 0.75, 0.81]
    expected = [0.1, 0.117, 0.117, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    shuffled = list(zip(given, expected, strict=True))
    random.Random(1).shuffle(shuffled)
    assert holm([p for p, _ in shuffled]) == pytest.approx([p for _, p in shuffled])


def test_holm_of_one_test_and_of_none_changes_nothing():
    assert holm([0.03]) == (0.03,)
    assert holm([]) == ()
