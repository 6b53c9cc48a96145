"""What is said of a run besides its numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter import Measure, evaluate
from pagemeter.corpus import Outcome, PageResult, PassedOver
from pagemeter.corpus import totals as totals_module
from pagemeter.page import Warn
from pagemeter.report.jsonfile import JsonFile
from pagemeter.report.summary import EXAMPLES, MOST, messages, summary
from pagemeter.report.tables import NONE, PageTable
from reported import PASSED, made_totals, page, report


def test_the_summary_counts_every_kind():
    first, blank, second = summary(Outcome(made_totals(), "", PASSED))
    assert first == (
        "4 pages · 1 of them without hypothesis, counted as missed · 1 without hypothesis, left out · "
        "1 hypothesis without ground truth · 1 failed, left out of the totals · 1 warning"
    )
    assert blank.endswith("on pages whose ground truth has no text")
    assert second == "1 other file passed over: 1 × .jpg: none of a page file"


def test_lines_that_filters_left_out_are_counted():
    pages = [page("1", "a", "a", dropped=(3, 1)), page("2", "a", "a", dropped=(1, 0))]
    assert summary(Outcome(made_totals(pages), ""))[1] == (
        "left out by --keep-lines and --drop-lines: 4 lines of the ground truth, 1 of the hypothesis"
    )


def test_the_counts_of_what_was_passed_over_add_up():
    passed = tuple(PassedOver(Path(f"{i}"), reason) for i, reason in enumerate("aaabbcdef"))
    said = summary(Outcome(made_totals(), "", passed))[-1]
    assert said == "9 other files passed over: 3 × a; 2 × b; 1 × c; 3 × other reasons"


def test_pages_without_positions_are_counted_and_the_first_is_named():
    lines = [pm.Line("a line", baseline=((0, 9), (70, 9)))]
    placed = pm.Page(tuple(lines))
    pages = [
        PageResult("1", "gt/1.xml", "hyp/1.xml", evaluate(placed, placed, ["CER", "CER:G"]), has_places=True),
        PageResult("2", "gt/2.xml", "hyp/2.txt", evaluate(placed, "x", ["CER"]), unplaced=("hyp",)),
        PageResult("3", "gt/3.txt", "hyp/3.txt", evaluate("x", "x", ["CER"]), unplaced=("gt", "hyp")),
    ]
    said = summary(Outcome(made_totals(pages), ""))
    assert said[1] == (
        "no totals of measures with G: 2 of 3 pages without positions, first the hypothesis hyp/2.txt"
    )
    assert summary(Outcome(made_totals(pages[2:]), "")) == ["1 page"]
    assert json.loads(report(JsonFile, pages))["pages"][1]["without_positions"] == ["hyp"]
    table = PageTable((Measure("CER"), Measure.parse("CER:G"), Measure.parse("CER:SG")), every=True)
    for one in pages[:2]:
        table.add(one)
    assert table.grid().plain().split() == (
        ["page", "CER", "CER:G", "1", "0.00", "%", "0.00", "%", "2", "100.00", "%", NONE]
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
    warned = [page(str(i), "a", "a", warnings=(Warn(f"{i}.xml", "l1", "strange"),)) for i in range(3)]
    assert list(messages(made_totals(warned))) == ["warning: 0.xml: l1: strange (and 2 more such warnings)"]


def test_long_lists_are_cut_and_say_so():
    many = [PageResult(str(i), None, f"hyp/{i}") for i in range(MOST + 5)]
    said = list(messages(made_totals(many)))
    assert len(said) == MOST + 1
    assert said[-1] == "no ground truth: and 5 more, which --json lists"


def failed(errors):
    """Pages that failed, `@` standing for the ground truth file."""
    return [
        PageResult(str(i), f"gt: {i}.xml", f"hyp/{i}.xml", error=error.replace("@", f"gt: {i}.xml"))
        for i, error in enumerate(errors)
    ]


def test_of_very_many_pages_only_the_first_are_kept_and_the_json_has_all(monkeypatch):
    monkeypatch.setattr(totals_module, "KEPT", 3)
    pages = failed(["@: cut off"] * 30)
    pages += [PageResult(f"m{i}", f"gt/m{i}", None) for i in range(30)]
    pages += [PageResult(f"h{i}", None, f"hyp/h{i}") for i in range(30)]
    found = made_totals(pages)
    assert [len(kept.first) for kept in (found.failed, found.without_hyp, found.without_gt)] == [3] * 3
    found.note(tuple(Warn("file", "page", f"reason {i}") for i in range(30)))
    assert (len(found.reasons), found.warnings) == (3, 30)
    said = list(messages(found))
    assert "warning: and 27 more warnings for other reasons, which --json lists" in said
    assert "error: and 27 more, which --json lists" in said
    assert "no hypothesis: and 10 more, which --json lists" in said
    made = json.loads(report(JsonFile, pages))
    assert [one["page"] for one in made["failed"]] == [str(i) for i in range(30)]
    assert made["unpaired"] == {
        "gt": [f"gt/m{i}" for i in range(30)],
        "hyp": [f"hyp/h{i}" for i in range(30)],
    }
    assert (made["summary"]["failed"], made["summary"]["without_hyp"]) == (30, 30)


def test_many_pages_that_failed_for_one_reason_are_told_by_the_first():
    """Numbers and names of files do not make a reason another one."""
    said = messages(made_totals(failed([f"@: line {n}: cut off; copy it" for n in range(2005)])))
    assert list(said) == [
        "error: gt: 0.xml: line 0: cut off; copy it",
        "error: the same of 1, 2, 3, 4 and 2,000 more, which --json lists",
    ]


def test_a_few_pages_that_failed_for_one_reason_have_a_line_each():
    said = list(messages(made_totals(failed(["@: cut off"] * EXAMPLES))))
    assert said == [f"error: gt: {i}.xml: cut off" for i in range(EXAMPLES)]


def test_pages_of_many_reasons_are_counted_after_the_first():
    reasons = [f"@: the tag {'x' * n} is not known" for n in range(1, MOST + 4)]
    said = list(messages(made_totals(failed(reasons * 2))))
    assert len(said) == 2 * MOST + 1
    assert said[-1] == "error: and 6 more for other reasons, which --json lists"


def test_warnings_of_many_reasons_are_counted_after_the_first():
    warned = tuple(Warn("0.xml", "l1", "x" * n) for n in range(1, MOST + 4))
    said = list(messages(made_totals([page("0", "a", "a", warnings=warned)] * 2)))
    assert len(said) == MOST + 1
    assert said[-1] == "warning: and 6 more warnings for other reasons, which --json lists"


@pytest.mark.parametrize("error", ["a: x\nb: y"])
def test_two_bad_files_are_two_messages(error):
    assert list(messages(made_totals([PageResult("1", "a", "b", error=error)]))) == [
        "error: a: x",
        "error: b: y",
    ]


def test_a_page_whose_two_files_are_bad_for_one_reason_is_one_page():
    bad = [PageResult(str(n), f"g{n}", f"h{n}", error=f"g{n}: cut off\nh{n}: cut off") for n in range(7)]
    assert list(messages(made_totals(bad))) == [
        "error: g0: cut off",
        "error: the same of 1, 2, 3, 4 and 2 more, which --json lists",
    ]


def test_pages_are_counted_once_among_those_for_other_reasons():
    kinds = [f"{'a' * n} is wrong" for n in range(1, MOST + 3)]
    bad = [PageResult(k, f"g{k}", f"h{k}", error=f"g{k}: {k}\nh{k}: {k}, too") for k in kinds]
    assert list(messages(made_totals(bad)))[-1] == "error: and 12 more for other reasons, which --json lists"


def test_files_that_are_cut_off_in_any_element_are_told_together():
    cut = "the file is cut off; get a complete copy"
    bad = [
        f"@: line {n}, column 7: Couldn't find end of Start Tag {'TextEquiv'[: n % 9 + 1]} line 3: {cut}"
        for n in range(40)
    ]
    said = list(messages(made_totals(failed([*bad, "@: line 1, column 1: x: mend it"]))))
    assert [line for line in said if line.startswith("error: the same")] == [
        "error: the same of 1, 2, 3, 4 and 35 more, which --json lists"
    ]
    assert len(said) == 3
