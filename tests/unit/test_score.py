"""Counts and scores: rates, sums and errors."""

from __future__ import annotations

import json
import math
from statistics import mean, median

import pytest

import pagemeter as pm
from pagemeter.corpus import PageResult
from pagemeter.corpus.page_result import evaluation_from_rows
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


def test_two_empty_pages_have_rate_zero():
    found = score()
    assert (found.rate, found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0, 0.0)


def test_text_against_no_text_has_an_infinite_rate_and_null_in_json():
    found = score(dels=3)
    assert math.isinf(found.rate)
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["rate"] is None


def test_scores_add_by_counts_never_by_rates():
    total = score(ins=1, cor=1) + score(cor=98)
    assert total.rate == 0.01


def test_a_sum_with_an_unproven_score_is_not_proven():
    total = score(ins=5, lower_bound=4) + score(canonical=False)
    assert (total.errors, total.lower_bound, total.optimal, total.canonical) == (5, 4, False, False)


def test_different_measures_do_not_add():
    with pytest.raises(UsageError, match="different things"):
        score() + Score(Measure("WER"), Counts(), 0)


def test_scores_of_different_settings_do_not_add():
    pages = [pm.evaluate("A page", "a page", "CER", **given)["CER"] for given in ({}, {"case": "fold"}, {})]
    assert (pages[0] + pages[2]).settings == pm.Settings()
    with pytest.raises(UsageError, match="with different settings: case:keep and case:fold"):
        pages[0] + pages[1]
    assert (pages[1] + score(cor=1)).settings is None  # a score made by hand has unknown settings
    stored = evaluation_from_rows(
        PageResult("1", "gt", "hyp", pm.evaluate("a", "b", "CER")).rows, pm.Settings()
    )
    with pytest.raises(UsageError, match="different settings"):
        stored["CER"] + pages[1]


def test_settings_with_the_same_function_made_twice_are_the_same_settings():
    def settings():
        return pm.Settings(tokeniser=lambda text: text.split())

    one, other = (pm.evaluate("a b", "a b", "WER", settings=settings())["WER"] for _ in range(2))
    assert one.settings != other.settings
    assert (one + other).n_gt == 4


@pytest.mark.parametrize(
    ("shown", "made"),
    [
        ("<Score CER 10.00 %: 1 error, 10 characters>", score(ins=1, cor=9)),
        ("<Score CER 40.00 … 50.00 %: 4 … 5 errors, 10 characters>", score(sub=5, cor=5, lower_bound=4)),
        ("<Score CER ∞: 2 errors, 0 characters>", score(dels=2)),
        ("<Score WER 0.00 %: 0 errors, 1 word>", Score(Measure("WER"), Counts(cor=1), 0)),
    ],
)
def test_a_score_is_shown_with_its_rate(shown, made):
    assert repr(made) == shown


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
def test_other_objects_cannot_be_added_to_a_score(other):
    for made in (score(), Counts()):
        with pytest.raises(TypeError, match="unsupported operand"):
            made + other
        with pytest.raises(TypeError):
            other + made


def test_counts_and_scores_have_plain_aliases():
    counts = Counts(ins=1, dels=2, sub=3, cor=4)
    for thing in (counts, Score(Measure("CER"), counts, 6)):
        assert (thing.missing, thing.extra, thing.wrong, thing.right) == (1, 2, 3, 4)


def test_normalised_edit_distance_is_a_mean_over_pages() -> None:
    one, two, none = (Score(CER, Counts(*counts), 0) for counts in ((0, 3, 0, 1), (1, 0, 0, 3), ()))
    assert (one.ned, two.ned, none.ned) == (0.75, 0.25, 0.0)
    assert (one + two + none).ned == pytest.approx(1 / 3)
    assert sum([one, one + two]).ned == pytest.approx(1.75 / 3)


# Rates of pages and of runs


GTS, HYPS = ["abcd", "ab", "", "abcdef", "x"], ["abcx", "abcd", "y", "", "x"]


@pytest.mark.parametrize(
    ("denominator", "rates"),
    [
        ("gt", (1 / 4, 2 / 2, math.inf, 1.0, 0.0)),
        ("max", (1 / 4, 2 / 4, 1.0, 1.0, 0.0)),
        ("path", (1 / 4, 2 / 4, 1.0, 1.0, 0.0)),
        ("both", (1 / 8, 2 / 6, 1.0, 1.0, 0.0)),
    ],
)
def test_a_rate_has_the_denominator_of_the_settings(denominator, rates):
    result = pm.evaluate_corpus(GTS, HYPS, ["CER:T"], denominator=denominator)
    pages = [page.scores["CER:T"] for page in result.pages]
    assert tuple(page.rate for page in pages) == rates
    total = result["CER:T"]
    assert total.rate == total.errors / sum(page.base(denominator) for page in pages)
    assert sum(pages).rate == total.rate
    packed = pm.evaluate_corpus(GTS, HYPS, ["CER:T"], denominator=denominator, details=False)
    assert [page.scores["CER:T"].rate for page in packed.pages] == list(rates)
    assert packed["CER:T"].rate == total.rate


@pytest.mark.parametrize(("empty", "rate"), [("inf", math.inf), ("count", 3.0), ("zero", 0.0)])
def test_the_rate_without_ground_truth_text(empty, rate):
    assert pm.evaluate("", "abc", "CER:T", empty=empty)["CER:T"].rate == rate
    assert pm.evaluate("", "", "CER:T", empty=empty)["CER:T"].rate == 0.0
    assert pm.cer("", "abc", empty=empty) == rate


@pytest.mark.parametrize("empty", ["inf", "count", "zero"])
@pytest.mark.parametrize(("average", "of"), [("macro", mean), ("median", median)])
def test_the_average_of_pages(average, of, empty):
    result = pm.evaluate_corpus(GTS, HYPS, ["CER:T"], average=average, empty=empty)
    rates = [page.scores["CER:T"].rate for page in result.pages]
    assert result["CER:T"].rate == pytest.approx(of(rates))
    assert result["CER:T"].errors == sum(page.scores["CER:T"].errors for page in result.pages)


def test_scores_add_up_to_their_mean_but_not_to_their_median():
    def scores(average: str) -> list[pm.Score]:
        pages = zip(GTS, HYPS, strict=True)
        return [pm.evaluate(*page, "CER:T", average=average, empty="zero")["CER:T"] for page in pages]

    pages = scores("macro")
    assert sum(pages).rate == pytest.approx(mean(page.rate for page in pages))
    assert (sum(pages[:2]) + sum(pages[2:])).rate == pytest.approx(sum(pages).rate)
    with pytest.raises(UsageError, match="median of several pages cannot be computed"):
        sum(scores("median"))


def test_intervals_follow_the_average():
    gts, hyps = ["abcdefgh"] * 30, ["abcdefgh"[: n % 8] for n in range(30)]
    for average in ("micro", "macro"):
        result = pm.evaluate_corpus(gts, hyps, ["CER:T"], average=average)
        low, high = result.intervals["CER:T"].bounds
        assert low < result["CER:T"].rate < high
    assert pm.evaluate_corpus(gts, hyps, ["CER:T"], average="median").intervals["CER:T"].bounds is None
    without_text = pm.evaluate_corpus(["", *gts], ["x", *hyps], ["CER:T"], average="macro")
    assert "infinite" in without_text.intervals["CER:T"].reason


def test_other_values_of_a_score():
    score = pm.evaluate("a b c d", "a x c d e", "WER:T")["WER:T"]  # 3 right, 1 wrong, 1 extra
    assert score.accuracy == 1 - 2 / 4
    assert score.mer == score.path_rate == 2 / 5
    assert score.wip == pytest.approx(9 / 20)
    assert score.wil == 1 - score.wip
    assert pm.evaluate("a b", "b c d", "BOW")["BOW"].bwe == 3 / 5
    nothing = pm.evaluate("", "", "WER:T")["WER:T"]
    assert (nothing.mer, nothing.wip, nothing.wil, nothing.bwe, nothing.accuracy) == (0, 1, 0, 0, 1)
    fields = score.as_dict()
    assert {name: fields[name] for name in ("mer", "wip", "wil", "bwe", "accuracy", "path_rate")} == {
        name: getattr(score, name) for name in ("mer", "wip", "wil", "bwe", "accuracy", "path_rate")
    }


def test_totals_without_flagged_pages_have_the_mean_of_the_others():
    loop = "and so on " * 30
    result = pm.evaluate_corpus(["one line", "two"], ["one lime", loop], ["CER:R"], average="macro")
    without = result.outcome.totals.scores_without_flagged
    assert [score.rate for score in without.values()] == [1 / 8]
    by_median = pm.evaluate_corpus(["one line", "two"], ["one lime", loop], ["CER:R"], average="median")
    assert by_median.outcome.totals.scores_without_flagged == {}


def test_other_pages_have_a_finite_mean_although_that_of_all_pages_is_infinite():
    loop = "and so on " * 30
    gts, hyps = ["one line", "two words", "", "two"], ["one lime", "two words", loop, loop]
    totals = pm.evaluate_corpus(gts, hyps, ["CER:R"], average="macro").outcome.totals
    assert math.isinf(totals.scores[pm.Measure("CER", order=True)].rate)
    (with_text,) = totals.scores_with_text.values()
    rates = [pm.evaluate(gt, hyp, "CER:R")["CER:R"].rate for gt, hyp in zip(gts, hyps, strict=True) if gt]
    assert with_text.rate == pytest.approx(sum(rates) / 3)
    (without_flagged,) = totals.scores_without_flagged.values()
    assert totals.flagged.tolist() == [2, 3]
    assert (without_flagged.rate, without_flagged.pages) == (1 / 8 / 2, 2)
