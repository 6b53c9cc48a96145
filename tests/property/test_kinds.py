"""The kinds of errors of random pages: whole numbers that sum to the errors, proven or not."""

from __future__ import annotations

import random

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.alignment import Aligner, error_kinds
from pagemeter.alignment.accounting import _PageErrors
from pagemeter.measure import ALL
from pages import noisy, text_lines

MEASURES = [measure for measure in ALL if not measure.geometry]


@pytest.mark.parametrize(
    "settings",
    [{}, pytest.param({"solver": "paper"}, marks=pytest.mark.exhaustive), {"effort": 0}],
    ids=str,
)
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


@pytest.mark.parametrize(
    "settings",
    [{}, {"effort": 0}, {"counts": "rapidfuzz"}, {"optional": ("header",)}, {"tokeniser": "uax29"}],
    ids=str,
)
def test_pairs_counted_together_have_the_kinds_of_each_pair(settings):
    rng, compared = random.Random(str(settings)), 0
    for _ in range(40):
        gt = text_lines(rng, rng.randint(0, 6), rng.randint(1, 60), "abcd ")
        hyp = noisy(rng, gt, rng.choice([0.0, 0.1, 0.5]), "abcd ") + rng.choice(
            [[], ["xyz " * 12] * 4, ["", " "]]
        )
        rng.shuffle(hyp)
        pages = (
            Page([Line(line, type=rng.choice(["text", "header"])) for line in side]) for side in (gt, hyp)
        )
        evaluation = evaluate(*pages, MEASURES, **settings)
        for measure in MEASURES:
            if not measure.aligns_lines or not evaluation[measure].errors:
                continue
            by_arrays = error_kinds(evaluation, measure)  # before the matches are objects
            one_by_one = _PageErrors(Aligner(evaluation).unit(measure.unit), measure)
            assert one_by_one.kinds(evaluation[measure].matches) == by_arrays
            assert error_kinds(evaluation, measure) == by_arrays
            compared += 1
    assert compared > 100
