"""The sentences that a report begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagemeter import evaluate
from pagemeter.alignment import Aligner, error_kinds
from pagemeter.corpus import Outcome, PageResult, ScoreTable, Totals
from pagemeter.measure import ALL, Measure
from pagemeter.report.alignments import ConfusionCounter, page_confusions
from pagemeter.report.story import tell, tell_comparison
from pagemeter.stats.bootstrap import Interval
from pagemeter.stats.comparison import RankedSystem, System

SEGMENTS = Measure.parse("CER:S")
FREE = [measure for measure in ALL if not measure.geometry and measure.unit == "CER"]


def story(*pages, measures=FREE, intervals=None):
    totals, counter = Totals(), ConfusionCounter()
    for number, (gt, hyp) in enumerate(pages):
        evaluation = evaluate(gt, hyp, measures)
        kinds = {SEGMENTS: error_kinds(evaluation, SEGMENTS)} if SEGMENTS in evaluation.scores else {}
        evaluation = replace(evaluation, known_kinds=kinds)
        totals.add(PageResult(str(number), "gt", "hyp", evaluation))
        counter.add(str(number), page_confusions(Aligner(evaluation, breaks=True)))
    outcome = Outcome(totals, "", (), intervals or {})
    return tell(totals.scores, totals.budgets, outcome.intervals, totals.table, counter.by_measure)


def test_the_rate_has_its_interval():
    measure = Measure.parse("CER:R")
    told = story((["abcd"], ["abxd"]), intervals={measure: Interval((0.1, 0.4), 0.95, "jackknife")})
    assert (told.measure, told.rate) == (measure, "25.00 %")
    assert told.interval == "10.00–40.00 %"


def test_a_vague_interval_is_not_shown():
    vague = {Measure.parse("CER:R"): Interval((0.1, 9), 0.95, "jackknife", "too few pages")}
    assert story((["abcd"], ["abxd"]), intervals=vague).interval == ""


@pytest.mark.parametrize(
    ("gt", "hyp", "sentence"),
    [
        (["abcd efgh"], ["abxd efgh"], "All of the loss is misread text."),
        (
            ["the old mill", "by the river"],
            ["by the river", "the old mill"],
            "All of the loss is reading order.",
        ),
        (["the old mill by", "a b"], ["by the old mill", "a c"], "loss is"),
        (["a line that is here and long", "x"], ["x"], "All of the loss is missed text."),
    ],
)
def test_the_main_loss_comes_first(gt, hyp, sentence):
    assert sentence in story((gt, hyp)).sentences[0]


def test_the_loss_is_in_points_of_the_rate():
    gt = ["the old mill", "by the river", "more text here"]
    told = story((gt, [gt[1], "the o1d mill", gt[2]]))
    assert told.sentences[0].startswith("Most of the loss is reading order: ")
    assert told.sentences[0].endswith(" points.")


def test_without_a_budget_the_largest_count_is_told():
    told = story((["abcd"], ["abxx"]), measures=["CER:R"])
    assert told.sentences[0] == "Most errors are wrong characters: 2 of 2."
    told = story((["abcd efg"], ["xbcd ef hhh"]), measures=["WER:R"])
    assert "words" in told.sentences[0]


def test_the_pages_with_most_errors_are_counted():
    good, bad = (["abcdefghij"], ["abcdefghij"]), (["abcdefghij"], ["zzzzzzzzzz"])
    assert story(good, good, good, bad).sentences[1] == "One of 4 pages holds 100 % of the errors."
    assert story(bad, bad).sentences[1] == "One of 2 pages holds 50 % of the errors."
    spread = story(*[(["abcdefghij"], ["abcdefghix"])] * 8)
    assert spread.sentences[1] == "Four of 8 pages hold 50 % of the errors."
    assert not any("pages" in one for one in story(bad).sentences)


def test_the_most_frequent_confusion_is_visible():
    told = story((["a b", "no"], ["a_b", "no"]), measures=["CER:R"])
    assert told.sentences[-1] == "The most frequent confusion is _ for ␣ (1 time)."


def test_without_errors_there_is_one_sentence():
    assert story((["abc"], ["abc"])).sentences == ("There are no errors by CER:R.",)


def test_without_measures_there_is_no_story():
    assert tell({}, {}, {}, ScoreTable(), {}).sentences == ()


def ranked(*systems):
    measure = Measure.parse("CER:R")
    found = []
    for name, hyp, groups in systems:
        total = evaluate("abcdefghij", hyp, ["CER:R"]).scores
        system = System(name, ScoreTable(), total, {measure: Interval(None, 0.95, "none", "one page")}, {})
        found.append(RankedSystem(len(found) + 1, system, groups))
    return tell_comparison(found, measure)


def test_a_comparison_names_the_best_and_those_that_do_not_differ():
    best, worse = "abcdefghij", "abcdefghxx"
    told = ranked(("x", best, "a"), ("y", worse, "ab"), ("z", "z" * 10, "b"))
    assert told.sentences == (
        "x has the fewest errors: CER:R 0.00 %.",
        "It does not differ significantly from y.",
        "The last is z with 100.00 %.",
    )
    told = ranked(("x", best, "a"), ("y", worse, "b"))
    assert told.sentences[1] == "It differs significantly from all others."
    assert ranked(("x", worse, ""), ("y", worse, "")).sentences[0] == (
        "All systems have the same errors: CER:R 20.00 %."
    )
