"""Measure the coverage of intervals and the calibration of tests for docs/statistics.md."""

from __future__ import annotations

import sys

import numpy as np

from pagemeter.stats import Resampling, intervals
from pagemeter.stats.bootstrap import resampled_rates
from pagemeter.stats.resampling import permutation_test, strata

SIZES = (5, 10, 20, 50, 200)


def sizes(rng, pages):
    return np.exp(rng.normal(7, 0.6, pages)).astype(int) + 1


def even(rng, pages):
    """Return page rates with mean 5 % and standard deviation 2 %."""
    return rng.beta(4, 80, pages)


def skewed(rng, pages):
    """Return lognormal page rates with median 3 %; a sixth of the pages is above 8 %."""
    return np.minimum(1, np.exp(rng.normal(-3.5, 1, pages)))


def failing(rng, pages):
    """Return page rates of about 3 %; one page in twenty fails with 30 to 100 %."""
    return np.where(rng.random(pages) < 0.05, rng.uniform(0.3, 1, pages), rng.beta(2, 60, pages))


KINDS = (even, skewed, failing)


def truth(kind):
    return float(kind(np.random.default_rng(0), 10_000_000).mean())


def coverage(kind, pages, runs):
    """Return the share of intervals with the true rate: pagemeter's, and bootstrap percentiles."""
    rng, true, ours, plain = np.random.default_rng(pages), truth(kind), 0, 0
    for seed in range(runs):
        n_gt = sizes(rng, pages)
        errors = rng.binomial(n_gt, kind(rng, pages))
        resampling = Resampling(resamples=1000, seed=seed)
        (found,) = intervals(errors[:, None], n_gt[:, None], resampling)
        low, high = found.bounds
        ours += low <= true <= high
        columns = errors[:, None].astype(float), n_gt[:, None].astype(float)
        low, high = np.quantile(resampled_rates(*columns, strata([0] * pages), resampling), (0.025, 0.975))
        plain += low <= true <= high
    return ours / runs, plain / runs


def by_chance(kind, pages, runs):
    """Return, for equal systems, the share of intervals with 0 and of p ≤ 0.05 (permutation, bootstrap)."""
    rng, held, permuted, drawn = np.random.default_rng(pages), 0, 0, 0
    for seed in range(runs):
        n_gt = sizes(rng, pages)
        hard = kind(rng, pages)
        first, second = (rng.binomial(n_gt, np.minimum(1, hard * rng.gamma(4, 0.25, pages))) for _ in "ab")
        resampling = Resampling(resamples=1000, seed=seed)
        errors, tokens = (second - first)[:, None].astype(float), n_gt[:, None].astype(float)
        (found,) = intervals(errors, tokens, resampling, signed=True)
        held += found.bounds[0] <= 0 <= found.bounds[1]
        permuted += permutation_test(second - first).p <= 0.05
        observed = errors.sum() / tokens.sum()
        off = np.abs(resampled_rates(errors, tokens, strata([0] * pages), resampling) - observed)
        drawn += (np.count_nonzero(off >= abs(observed)) + 1) / (resampling.resamples + 1) <= 0.05
    return held / runs, permuted / runs, drawn / runs


def main(runs: int) -> None:
    for title, measured in (
        ("coverage: ours, percentiles", coverage),
        ("equal: 0 held, p, p_bootstrap", by_chance),
    ):
        print(title)
        for pages in SIZES:
            cells = (" ".join(f"{share:6.1%}" for share in measured(kind, pages, runs)) for kind in KINDS)
            print(f"{pages:5} | " + " | ".join(cells), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
