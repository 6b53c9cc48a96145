"""The kinds of errors of random pages: whole numbers that sum to the errors, proven or not."""

from __future__ import annotations

import random

import pytest

from pagemeter import evaluate
from pagemeter.measure import ALL
from pages import noisy, text_lines

MEASURES = [measure for measure in ALL if not measure.geometry]


@pytest.mark.parametrize("settings", [{}, {"solver": "paper"}, {"effort": 0}], ids=str)
def test_kinds_sum_to_the_errors(settings):
    rng, seen = random.Random(str(settings)), set()
    for _ in range(100):
        gt = text_lines(rng, rng.randint(0, 6), rng.randint(1, 60), "abcd ")
        hyp = noisy(rng, gt, rng.choice([0.0, 0.1, 0.5]), "abcd ") + rng.choice([[], ["xyz " * 12] * 4])
        rng.shuffle(hyp)
        evaluation = evaluate(gt, hyp[rng.randint(0, 1) :], MEASURES, **settings)
        assert len(evaluation.kinds) == len(MEASURES) - 1
        for name, kinds in evaluation.kinds.items():
            assert kinds.errors == evaluation[name].errors
            assert min(kinds.values()) >= 0
            assert kinds.repeated <= kinds.invented
            seen |= {kind for kind, count in kinds.items() if count}
    assert len(seen) == 5, "the pages are meant to have errors of all kinds"
