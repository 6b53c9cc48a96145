"""Rates of pages and of runs: denominators, averages and pages without ground-truth text."""

from __future__ import annotations

import math
from statistics import mean, median

import pytest

import pagemeter as pm
from pagemeter.errors import UsageError

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
