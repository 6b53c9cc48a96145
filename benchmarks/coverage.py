"""How often intervals hold the true rate, and how often equal systems seem to differ: docs/statistics.md."""

from __future__ import annotations

import sys

import numpy as np

from pagemeter.stats import Resampling, intervals
from pagemeter.stats.bootstrap import drawn_rates
from pagemeter.stats.permutation import permutation
from pagemeter.stats.resampling import strata

SIZES = (5, 10, 20, 50, 200)


def sizes(rng, pages):
    return np.exp(rng.normal(7, 0.6, pages)).astype(int) + 1


def even(rng, pages):
    """Error rates of pages around 5 %, standard deviation 2 %."""
    return rng.beta(4, 80, pages)


def skewed(rng, pages):
    """Rates of 3 % in the middle, a sixth of the pages beyond 8 %: lognormal."""
    return np.minimum(1, np.exp(rng.normal(-3.5, 1, pages)))


def failing(rng, pages):
    """One page in twenty fails, with 30 to 100 %; the others have about 3 %."""
    return np.where(rng.random(pages) < 0.05, rng.uniform(0.3, 1, pages), rng.beta(2, 60, pages))


KINDS = (even, skewed, failing)


def truth(kind):
    return float(kind(np.random.default_rng(0), 10_000_000).mean())


def coverage(kind, pages, runs):
    """The share of runs whose interval holds the true rate: ours, and plain percentiles of the bootstrap."""
    rng, true, ours, plain = np.random.default_rng(pages), truth(kind), 0, 0
    for seed in range(runs):
        n_gt = sizes(rng, pages)
        errors = rng.binomial(n_gt, kind(rng, pages))
        plan = Resampling(resamples=1000, seed=seed)
        (found,) = intervals(errors[:, None], n_gt[:, None], plan)
        low, high = found.bounds
        ours += low <= true <= high
        columns = errors[:, None].astype(float), n_gt[:, None].astype(float)
        low, high = np.quantile(drawn_rates(*columns, strata([0] * pages), plan), (0.025, 0.975))
        plain += low <= true <= high
    return ours / runs, plain / runs


def by_chance(kind, pages, runs):
    """Equal systems: the share of intervals that hold 0, and of p up to 0.05 (permutation, bootstrap)."""
    rng, held, permuted, drawn = np.random.default_rng(pages), 0, 0, 0
    for seed in range(runs):
        n_gt = sizes(rng, pages)
        hard = kind(rng, pages)
        first, second = (rng.binomial(n_gt, np.minimum(1, hard * rng.gamma(4, 0.25, pages))) for _ in "ab")
        plan = Resampling(resamples=1000, seed=seed)
        errors, tokens = (second - first)[:, None].astype(float), n_gt[:, None].astype(float)
        (found,) = intervals(errors, tokens, plan, signed=True)
        held += found.bounds[0] <= 0 <= found.bounds[1]
        permuted += permutation(second - first).p <= 0.05
        observed = errors.sum() / tokens.sum()
        off = np.abs(drawn_rates(errors, tokens, strata([0] * pages), plan) - observed)
        drawn += (np.count_nonzero(off >= abs(observed)) + 1) / (plan.resamples + 1) <= 0.05
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
