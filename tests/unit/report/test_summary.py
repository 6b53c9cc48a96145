"""Sentences about a run: its story, and messages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter import evaluate
from pagemeter.alignment import Aligner, error_kinds
from pagemeter.corpus import Outcome, PageResult, ScoreTable, Totals
from pagemeter.corpus import totals as totals_module
from pagemeter.errors import Problem
from pagemeter.inputs.page_files import PassedOver
from pagemeter.measure import ALL, Measure
from pagemeter.report.alignments import ConfusionCounter, page_confusions
from pagemeter.report.columns import NO_VALUE
from pagemeter.report.json import JsonFile
from pagemeter.report.summary import MOST_EXAMPLES, MOST_LISTED, messages, summary, tell, tell_comparison
from pagemeter.report.tables import PageTable
from pagemeter.stats.bootstrap import Interval
from pagemeter.stats.comparison import RankedSystem, System
from reported import PASSED, made_totals, page, report


def test_the_summary_counts_every_kind():
    first, second = summary(Outcome(made_totals(), "", PASSED))
    assert first == (
        "4 pages · 1 of them without a hypothesis, counted as missing · 1 without a hypothesis, skipped · "
        "1 hypothesis without ground truth · 1 failed, not in the totals · 1 warning"
    )
    assert second == "1 other file ignored: 1 × .jpg: none of a page file"


def test_lines_removed_by_filters_are_counted():
    pages = [page("1", "a", "a", dropped=(3, 1)), page("2", "a", "a", dropped=(1, 0))]
    assert summary(Outcome(made_totals(pages), ""))[1] == (
        "line filters removed 4 lines of the ground truth and 1 of the hypothesis"
    )


def test_the_counts_of_ignored_files_add_up():
    passed = tuple(PassedOver(Path(f"{i}"), reason) for i, reason in enumerate("aaabbcdef"))
    said = summary(Outcome(made_totals(), "", passed))[-1]
    assert said == "9 other files ignored: 3 × a; 2 × b; 1 × c; 3 × other reasons"


def test_pages_without_positions_are_counted_and_the_first_is_named():
    lines = [pm.Line("a line", baseline=((0, 9), (70, 9)))]
    placed = pm.Page(tuple(lines))
    pages = [
        PageResult("1", "gt/1.xml", "hyp/1.xml", evaluate(placed, placed, "CER, CER:G"), has_positions=True),
        PageResult("2", "gt/2.xml", "hyp/2.txt", evaluate(placed, "x", ["CER"]), without_positions=("hyp",)),
        PageResult("3", "gt/3.txt", "b.txt", evaluate("x", "x", ["CER"]), without_positions=("gt", "hyp")),
    ]
    said = summary(Outcome(made_totals(pages), ""))
    assert said[1] == (
        "no totals with positions (G): 2 of 3 pages have no positions, first the hypothesis hyp/2.txt"
    )
    assert summary(Outcome(made_totals(pages[2:]), "")) == ["1 page"]
    assert json.loads(report(JsonFile, pages))["pages"][1]["without_positions"] == ["hyp"]
    table = PageTable((Measure("CER"), Measure.parse("CER:G"), Measure.parse("CER:SG")), every=True)
    for one in pages[:2]:
        table.add(one)
    assert table.grid().plain().split() == (
        ["page", "CER", "CER:G", "1", "0.00", "%", "0.00", "%", "2", "100.00", "%", NO_VALUE]
    )


def test_messages_name_every_file():
    assert list(messages(made_totals())) == [
        "error: gt/broken.xml: cut off; get a complete copy",
        "no hypothesis: gt/missed.txt",
        "no hypothesis: gt/skipped.txt",
        "no ground truth: hyp/extra.txt",
        "warning: gt/bad.txt: line 1: strange",
    ]


def test_equal_warnings_are_one_message_with_their_number():
    warned = [page(str(i), "a", "a", warnings=(Problem("strange", f"{i}.xml", "l1"),)) for i in range(3)]
    assert list(messages(made_totals(warned))) == ["warning: 0.xml: l1: strange (and 2 more such warnings)"]


def test_long_lists_are_shortened():
    many = [PageResult(str(i), None, f"hyp/{i}") for i in range(MOST_LISTED + 5)]
    said = list(messages(made_totals(many)))
    assert len(said) == MOST_LISTED + 1
    assert said[-1] == "no ground truth: 5 more. Use json to list all."


def failed(details, **fields):
    """Pages whose ground truth could not be read for these reasons."""
    return [
        PageResult(str(i), f"gt: {i}.xml", f"hyp/{i}.xml", errors=(Problem(text, f"gt: {i}.xml", **fields),))
        for i, text in enumerate(details)
    ]


def test_of_very_many_pages_only_the_first_are_kept_and_the_json_has_all(monkeypatch):
    monkeypatch.setattr(totals_module, "MAX_LISTED", 3)
    pages = failed(["cut off"] * 30)
    pages += [PageResult(f"m{i}", f"gt/m{i}", None) for i in range(30)]
    pages += [PageResult(f"h{i}", None, f"hyp/h{i}") for i in range(30)]
    found = made_totals(pages)
    assert [len(kept.items) for kept in (found.failed, found.without_hyp, found.without_gt)] == [3] * 3
    found.add_warnings(tuple(Problem(f"reason {i}", "file", "page") for i in range(30)))
    assert (len(found.warning_groups), found.warnings) == (3, 30)
    said = list(messages(found))
    assert "warning: 27 more warnings for other reasons. Use json to list all." in said
    assert "error: 27 more pages failed. Use json to list all." in said
    assert "no hypothesis: 10 more. Use json to list all." in said
    made = json.loads(report(JsonFile, pages))
    assert [one["page"] for one in made["failed"]] == [str(i) for i in range(30)]
    assert made["unpaired"] == {
        "gt": [f"gt/m{i}" for i in range(30)],
        "hyp": [f"hyp/h{i}" for i in range(30)],
    }
    assert (made["summary"]["failed"], made["summary"]["without_hyp"]) == (30, 30)


def test_many_pages_that_failed_for_one_reason_are_counted_after_the_first():
    """Numbers and names of files do not make a different reason."""
    lines = messages(made_totals(failed([f"cut off after {n} lines" for n in range(2005)], remedy="copy it")))
    assert list(lines) == [
        "error: gt: 0.xml: cut off after 0 lines. Copy it.",
        "error: the same for 1, 2, 3, 4 and 2,000 more pages. Use json to list all.",
    ]


def test_a_few_pages_that_failed_for_one_reason_have_a_line_each():
    said = list(messages(made_totals(failed(["cut off"] * MOST_EXAMPLES))))
    assert said == [f"error: gt: {i}.xml: cut off" for i in range(MOST_EXAMPLES)]


def test_pages_of_many_reasons_are_counted_after_the_first():
    reasons = [f"the tag {'x' * n} is not known" for n in range(1, MOST_LISTED + 4)]
    said = list(messages(made_totals(failed(reasons * 2))))
    assert len(said) == 2 * MOST_LISTED + 1
    assert said[-1] == "error: 6 more pages failed for other reasons. Use json to list all."


def test_warnings_of_many_reasons_are_counted_after_the_first():
    warned = tuple(Problem("x" * n, "0.xml", "l1") for n in range(1, MOST_LISTED + 4))
    said = list(messages(made_totals([page("0", "a", "a", warnings=warned)] * 2)))
    assert len(said) == MOST_LISTED + 1
    assert said[-1] == "warning: 6 more warnings for other reasons. Use json to list all."


def test_two_bad_files_are_two_messages():
    errors = Problem("is empty", "a"), Problem("is no page", "b")
    assert list(messages(made_totals([PageResult("1", "a", "b", errors=errors)]))) == [
        "error: a: is empty",
        "error: b: is no page",
    ]


def both_bad(number, detail, other):
    errors = Problem(detail, f"g{number}"), Problem(other, f"h{number}")
    return PageResult(str(number), f"g{number}", f"h{number}", errors=errors)


def test_a_page_whose_two_files_are_bad_for_one_reason_is_one_page():
    bad = [both_bad(number, "cut off", "cut off") for number in range(7)]
    assert list(messages(made_totals(bad))) == [
        "error: g0: cut off",
        "error: the same for 1, 2, 3, 4 and 2 more pages. Use json to list all.",
    ]


def test_pages_are_counted_once_among_those_for_other_reasons():
    bad = [both_bad(n, f"{'a' * n} is wrong", f"{'a' * n} is wrong, too") for n in range(1, MOST_LISTED + 3)]
    last = list(messages(made_totals(bad)))[-1]
    assert last == "error: 12 more pages failed for other reasons. Use json to list all."


def test_the_message_of_a_parser_does_not_make_a_different_reason():
    """A file can be cut off in any element."""
    details = [f"the file is cut off (end of Start Tag {'TextEquiv'[: n % 9 + 1]})" for n in range(40)]
    bad = failed(details, remedy="get a complete copy") + failed(
        ["not well-formed XML (x)"], remedy="repair it"
    )
    lines = list(messages(made_totals(bad)))
    assert lines[1] == "error: the same for 1, 2, 3, 4 and 35 more pages. Use json to list all."
    assert len(lines) == 3


def test_errors_name_settings_as_the_caller_shows_them():
    bad = failed(["bytes that are not UTF-8"], remedy="give {}", settings=(("gt_encoding", ""),))
    (line,) = messages(made_totals(bad), lambda name, _: f"<{name}>")
    assert line == "error: gt: 0.xml: bytes that are not UTF-8. Give <gt_encoding>."


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
    assert told.interval == "95 % interval 10.00–40.00 %"


def test_a_vague_interval_is_not_shown():
    vague = {Measure.parse("CER:R"): Interval((0.1, 9), 0.95, "jackknife", "too few pages")}
    assert story((["abcd"], ["abxd"]), intervals=vague).interval == "no interval: too few pages"


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
    worse = (["abcdefghij"], ["abcdefgxxx"])
    assert story(good, worse, bad).sentences[1] == "One of 3 pages holds 77 % of the errors."
    spread = story(*[(["abcdefghij"], ["abcdefghix"])] * 8)
    assert spread.sentences[1] == "The errors are spread evenly over all 8 pages."
    assert not any("pages" in one for one in story(bad).sentences)


def test_the_most_frequent_confusion_is_visible():
    told = story((["a b", "no"], ["a_b", "no"]), measures=["CER:R"])
    assert told.sentences[-1] == "The most frequent confusion is _ for ␣ (1 time)."


def test_without_errors_there_is_one_sentence():
    assert story((["abc"], ["abc"])).sentences == ("There are no errors by CER:R.",)


def test_without_measures_there_is_no_story():
    assert tell({}, {}, {}, ScoreTable(), {}).sentences == ()


def ranked(*systems, pages=20):
    measure = Measure.parse("CER:R")
    found = []
    for name, hyp, groups in systems:
        total = evaluate("abcdefghij", hyp, ["CER:R"]).scores
        system = System(name, ScoreTable(), total, {measure: Interval(None, 0.95, "none", "one page")}, {})
        found.append(RankedSystem(len(found) + 1, system, groups))
    return tell_comparison(found, measure, pages)


def test_a_comparison_names_the_best_and_those_that_do_not_differ():
    best, worse = "abcdefghij", "abcdefghxx"
    told = ranked(("x", best, "a"), ("y", worse, "ab"), ("z", "z" * 10, "b"))
    assert told.sentences == (
        "x has the fewest errors: CER:R 0.00 %.",
        "It does not differ significantly from y.",
        "The last is z with 100.00 %.",
    )
    told = ranked(("x", best, "a"), ("y", worse, "a"), pages=5)
    assert told.sentences[1] == "Five pages are too few to show a significant difference."
    told = ranked(("x", best, "a"), ("y", worse, "a"), pages=6)
    assert told.sentences[1] == "It does not differ significantly from y."
    told = ranked(("x", best, "a"), ("y", worse, "b"))
    assert told.sentences[1] == "It differs significantly from all others."
    assert ranked(("x", worse, ""), ("y", worse, "")).sentences[0] == (
        "All systems have the same errors: CER:R 20.00 %."
    )
