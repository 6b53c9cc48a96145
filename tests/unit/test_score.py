"""Counts and scores: what they derive, what they refuse, and how they add."""

from __future__ import annotations

import json
import math

import pytest

from pagemeter.errors import UsageError
from pagemeter.measure import Measure
from pagemeter.score import Counts, Score

CER = Measure("CER")


def score(lower_bound=None, canonical=True, **counts) -> Score:
    made = Counts(**counts)
    return Score(CER, made, made.errors if lower_bound is None else lower_bound, canonical)


def test_rates_follow_from_the_counts():
    found = score(ins=1, dels=2, sub=3, cor=6)
    assert (found.errors, found.n_gt, found.n_hyp) == (6, 10, 11)
    assert found.rate == 0.6
    assert found.recall == 0.6
    assert found.precision == 6 / 11
    assert found.f1 == pytest.approx(2 / (1 / found.precision + 1 / found.recall))


def test_nothing_against_nothing_is_no_error():
    found = score()
    assert (found.rate, found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0, 0.0)


def test_something_against_nothing_is_infinitely_wrong_and_null_in_json():
    found = score(dels=3)
    assert math.isinf(found.rate)
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["rate"] is None


def test_scores_add_by_counts_never_by_rates():
    total = score(ins=1, cor=1) + score(cor=98)
    assert total.rate == 0.01


def test_adding_keeps_what_is_not_proven():
    total = score(ins=5, lower_bound=4) + score(canonical=False)
    assert (total.errors, total.lower_bound, total.optimal, total.canonical) == (5, 4, False, False)


def test_different_measures_do_not_add():
    with pytest.raises(UsageError, match="different things"):
        score() + Score(Measure("WER"), Counts(), 0)


def test_negative_counts_are_refused():
    with pytest.raises(UsageError, match="negative"):
        Counts(ins=-1)


def test_a_sum_over_pages_can_be_optimal_only_if_all_are():
    assert not (score(ins=2, lower_bound=1) + score(ins=1)).optimal


def test_scores_and_counts_can_be_summed():
    assert sum([score(ins=1, cor=1), score(cor=98)]).rate == 0.01
    assert sum([Counts(ins=1), Counts(sub=2)]) == Counts(ins=1, sub=2)
    assert sum([score(ins=1)]) == score(ins=1)


@pytest.mark.parametrize("other", [1, 0.5, "a", None])
def test_nothing_else_is_added_to_a_score(other):
    for made in (score(), Counts()):
        with pytest.raises(TypeError, match="unsupported operand"):
            made + other
        with pytest.raises(TypeError):
            other + made
