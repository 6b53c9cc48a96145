"""The error budget of random pages: exact and never negative."""

from __future__ import annotations

import random

import pytest

from pagemeter.solve import score
from pagemeter.stats import budget, budget_measures
from pages import noisy, problem, text_lines


def random_pair(rng: random.Random) -> tuple[list[str], list[str], list[list[bool]]]:
    """A small page, and the output of a bad system: misread, shuffled, merged, split, misplaced."""
    gt = text_lines(rng, rng.randint(0, 5), rng.randint(1, 14), "abc")
    hyp = noisy(rng, gt, rng.choice([0.0, 0.1, 0.4]), "abc ")
    if rng.random() < 0.5:
        rng.shuffle(hyp)
    if len(hyp) > 1 and rng.random() < 0.5:
        hyp[:2] = [" ".join(hyp[:2]).strip()]
    if hyp and rng.random() < 0.5:
        first, _, rest = hyp[0].partition(" ")
        hyp[:1] = [first, rest]
    return gt, hyp, [[rng.random() < 0.7 for _ in hyp] for _ in gt]


@pytest.mark.parametrize("unit", ["CER", "WER"])
@pytest.mark.parametrize("geometry", [True, False])
def test_shares_sum_exactly_to_the_strictest_measure_and_none_is_negative(unit, geometry):
    rng, several = random.Random(f"{unit}{geometry}"), 0
    for _ in range(1000):
        gt, hyp, near = random_pair(rng)
        scores = {m: score(m, problem(gt, hyp, m, near)) for m in budget_measures(unit, geometry=geometry)}
        found = budget(scores, unit)
        assert found.proven
        assert sum(share.errors for share in found.shares) == scores[found.measure].errors
        assert all(share.sixths >= 0 for share in found.shares)
        assert found["recognition"].errors == min(s.errors for s in scores.values())
        several += sum(share.sixths > 0 for share in found.shares) > 1
    assert several > 300, "the pages are meant to have errors of several causes"
