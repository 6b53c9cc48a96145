"""The error budget: its definition, its exactness, its ranges and its errors."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

import pagemeter as pm
from pagemeter.errors import NotEvaluatedError, UsageError
from pagemeter.measure import Measure
from pagemeter.score import Counts, Score
from pagemeter.stats import budget, budget_measures, budgets

GT = ["the old mill", "by the river", "rent 12", "rent 21"]
HYP = ["the old mill", "rent 21", "by the riuer rent 12"]


def scores(errors: dict[str, int | tuple[int, int]], n_gt: int = 100):
    """Return scores with these errors, or pairs of the lower bound and the errors."""
    made = {}
    for name, found in errors.items():
        low, high = found if isinstance(found, tuple) else (found, found)
        measure = Measure.parse(name)
        made[measure] = Score(measure, Counts(sub=high, cor=n_gt - high), low)
    return made


EIGHT = {
    "CER:S": 10, "CER": 16, "CER:RS": 13, "CER:SG": 11, "CER:R": 21, "CER:G": 17, "CER:RSG": 15, "CER:RG": 25,
}  # fmt: skip


def test_the_readme_page_is_divided_into_recognition_segmentation_and_order():
    found = budget(pm.evaluate(GT, HYP, budget_measures("CER", geometry=False)).scores)
    assert [(share.cause, share.errors) for share in found.shares] == [
        ("recognition", 1), ("segmentation", 15), ("order", 13),
    ]  # fmt: skip
    assert (found.errors, found.n_gt, str(found.measure)) == (29, 38, "CER:R")


def test_shares_are_the_mean_over_all_orders_of_imposing_the_constraints():
    """Compute the definition: walk all six orders."""
    letters = {"segmentation": "S", "order": "R", "position": "G"}

    def errors(imposed: set[str]) -> int:
        on = {letters[c] for c in imposed ^ {"segmentation"}}
        return EIGHT[("CER:" + "".join(sorted(on, key="RSG".index))).rstrip(":")]

    expected = dict.fromkeys(letters, Fraction(0))
    for order in permutations(letters):
        for place, cause in enumerate(order):
            expected[cause] += Fraction(errors({*order[: place + 1]}) - errors({*order[:place]}), 6)
    found = budget(scores(EIGHT))
    assert {share.cause: share.errors for share in found.shares} == {"recognition": 10, **expected}
    assert sum(share.errors for share in found.shares) == 25 == found.errors
    assert found.proven


def test_without_positions_three_causes_remain():
    found = budget(scores({"WER:S": 1, "WER": 2, "WER:RS": 4, "WER:R": 9}), "WER")
    assert [(share.cause, share.errors) for share in found.shares] == [
        ("recognition", 1), ("segmentation", 3), ("order", 5),
    ]  # fmt: skip


def test_an_unproven_measure_gives_a_range_that_holds_every_possible_budget():
    unproven = budget(scores(EIGHT | {"CER:S": (8, 10), "CER:SG": (9, 11)}))
    assert not unproven.proven
    for s in (8, 9, 10):
        for sg in (max(s, 9), 11):
            possible = budget(scores(EIGHT | {"CER:S": s, "CER:SG": sg}))
            for share, inside in zip(unproven.shares, possible.shares, strict=True):
                assert share.low <= inside.sixths <= share.high


def test_a_solution_of_a_stricter_measure_counts_where_the_solver_found_a_worse_one():
    """The solution of CER:SG has fewer errors than that of CER:S, and is a solution of CER:S as well."""
    found = budget(scores(EIGHT | {"CER:S": (5, 12)}))
    assert found["recognition"].errors == 11
    assert min(share.sixths for share in found.shares) >= 0
    assert found.errors == 25


def test_budgets_add_up_as_counts_do():
    one, two = scores(EIGHT), scores({name: 2 * errors for name, errors in EIGHT.items()})
    assert budget(one) + budget(two) == budget({measure: one[measure] + two[measure] for measure in one})


def test_budgets_of_different_measures_cannot_be_added():
    three = budget(scores({"CER:S": 1, "CER": 2, "CER:RS": 4, "CER:R": 9}))
    with pytest.raises(UsageError, match="cannot add budgets of CER:R and CER:RG"):
        three + budget(scores(EIGHT))


def test_a_missing_measure_is_named():
    with pytest.raises(NotEvaluatedError, match=r"budget of CER needs CER, CER:RS\. Add them"):
        budget(scores({"CER:S": 1, "CER:R": 9}))


def test_an_unknown_cause_is_named():
    with pytest.raises(NotEvaluatedError, match="no share of 'layout'; it has recognition, segmentation"):
        budget(scores(EIGHT))["layout"]


def test_budgets_are_returned_if_all_their_measures_are_there():
    assert budgets(scores({"CER:S": 1, "CER:R": 9})) == {}
    assert [str(measure) for measure in budgets(scores(EIGHT | {"WER:R": 7}))] == ["CER:RG", "CER:R"]


def test_empty_pages_cost_nothing_and_junk_on_an_empty_page_has_no_rate():
    nothing = budget(pm.evaluate("", "", budget_measures("CER", geometry=False)).scores)
    assert (nothing.errors, nothing.rate) == (0, 0.0)
    junk = budget(pm.evaluate("", "junk", budget_measures("CER", geometry=False)).scores)
    assert junk.as_dict()["shares"]["recognition"]["rate"] is None
    assert junk["recognition"].errors == 4


def test_json_has_exact_sixths():
    made = budget(scores(EIGHT)).as_dict()
    assert sum(share["sixths"] for share in made["shares"].values()) == 6 * made["errors"]
    assert sum(share["rate"] for share in made["shares"].values()) == pytest.approx(0.25)
