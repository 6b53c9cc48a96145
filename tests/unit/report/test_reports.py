"""Reports of a run: JSON, CSV, Markdown, text and terminal."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re

import pytest

import pagemeter as pm
from pagemeter import Measure, evaluate
from pagemeter.corpus import PageResult
from pagemeter.errors import Problem
from pagemeter.measure import IDS
from pagemeter.report import text_reports
from pagemeter.report.alignments import LineCsvFile, LineTextFile, line_texts
from pagemeter.report.csv import CsvFile
from pagemeter.report.json import JsonFile
from pagemeter.report.text_reports import MarkdownFile, Terminal
from reported import CER, MEASURES, RESULTS, page, report


def as_json(results=RESULTS, **options):
    return json.loads(report(lambda file: JsonFile(file, **options), results))


def test_json_has_the_promised_shape():
    made = as_json()
    assert list(made)[:2] == ["signature", "total"]
    assert made["signature"] == "the|signature"
    assert set(made["total"]) == {"CER", "WER"}
    assert made["total"]["CER"]["n_gt"] == 15
    assert [one["page"] for one in made["pages"]] == ["good", "bad", "invented", "missed", "broken"]
    assert made["unpaired"] == {"gt": ["gt/missed.txt", "gt/skipped.txt"], "hyp": ["hyp/extra.txt"]}
    assert made["failed"] == [{"page": "broken", "error": "gt/broken.xml: cut off; get a complete copy"}]
    assert made["passed_over"] == [{"path": "gt/1.jpg", "reason": ".jpg: none of a page file"}]


def test_a_json_page_has_files_measures_and_warnings():
    good, bad, *_ = as_json()["pages"]
    assert (good["gt"], good["hyp"], good["warnings"]) == ("gt/good.txt", "hyp/good.txt", [])
    assert bad["measures"]["CER"] == evaluate("a line", "a lime", ["CER"])["CER"].as_dict()
    assert bad["warnings"] == [{"source": "gt/bad.txt", "element": "line 1", "reason": "strange"}]


def test_json_pages_that_are_missed_or_broken_say_so():
    pages = {one["page"]: one for one in as_json()["pages"]}
    assert pages["missed"]["hyp"] is None
    assert pages["missed"]["measures"]["CER"]["ins"] == 3
    assert pages["broken"]["measures"] == {}
    assert "cut off" in pages["broken"]["error"]


def test_json_has_null_for_infinite_and_never_nan():
    def refuse(constant):
        raise AssertionError(constant)

    text = report(lambda file: JsonFile(file, ""))
    made = json.loads(text, parse_constant=refuse)
    assert next(one for one in made["pages"] if one["page"] == "invented")["measures"]["CER"]["rate"] is None


def test_json_of_no_pages_is_still_json():
    made = as_json([])
    assert (made["total"], made["pages"]) == ({}, [])
    assert made["summary"]["pages"] == 0


def test_json_counts_are_those_of_the_run():
    assert as_json()["summary"] == {
        "pages": 4, "missed": 1, "unusable_hyp": 0, "warnings": 1, "without_hyp": 2, "without_gt": 1,
        "failed": 1, "without_positions": 0, "dropped_gt_lines": 0, "dropped_hyp_lines": 0,
        "flagged": 0, "excluded_empty_gt": 0, "empty_hyp": 0, "textless_hyp": 0, "truncated_hyp": 0,
        "unreadable_hyp": 0, "refusal_hyp": 0,
    }  # fmt: skip


def test_json_lines_have_the_alignment_of_each_line():
    made = as_json([page("1", "one\nright side", "rght side\ntwo")], per_line=CER)
    assert made["per_line"] == "CER"
    assert made["pages"][0]["lines"][1] == {
        "number": 2, "id": None, "gt": "right side", "hyp": "rght side", "hyp_line": 1,
        "distance": 1, "cor": 9, "sub": 0, "n_gt": 10,
    }  # fmt: skip
    assert "left_over" in made["pages"][0]


def test_json_keeps_names_that_are_not_utf8():
    name = os.fsdecode(b"\xe4")
    made = as_json([PageResult(name, f"gt/{name}", None), page(name, "a", "a")])
    assert made["pages"][0]["page"] == "\\xe4"
    assert made["unpaired"]["gt"] == ["gt/\\xe4"]


def rows(results=RESULTS, make=CsvFile):
    return list(csv.DictReader(io.StringIO(report(make, results))))


def test_csv_has_one_row_per_page_and_measure_and_marked_totals():
    made = rows()
    assert [(row["kind"], row["page"], row["measure"]) for row in made[:4]] == [
        ("page", "good", "CER"), ("page", "good", "WER"), ("page", "bad", "CER"), ("page", "bad", "WER"),
    ]  # fmt: skip
    assert [row["measure"] for row in made if row["kind"] == "total"] == ["CER", "WER"]
    assert made[-1]["signature"] == "the|signature"


def test_csv_has_the_pages_that_were_not_evaluated():
    kinds = {row["page"]: row["kind"] for row in rows()}
    assert (kinds["missed"], kinds["skipped"], kinds["extra"], kinds["broken"]) == (
        "missed", "no hypothesis", "no ground truth", "failed",
    )  # fmt: skip
    assert "cut off" in next(row for row in rows() if row["page"] == "broken")["error"]


def test_csv_numbers_can_be_read_again_and_infinite_is_empty():
    made = {(row["page"], row["measure"]): row for row in rows()}
    assert math.isclose(float(made["bad", "CER"]["rate"]), 1 / 6)
    assert made["invented", "CER"]["rate"] == ""
    assert made["bad", "CER"]["optimal"] == "true"


def test_csv_by_line_has_one_row_per_line_and_the_unmatched_text():
    results = [page("1", "one\nright side", "rght side\none\nxyz"), RESULTS[-1]]
    made = rows(results, lambda file: LineCsvFile(file, CER))
    assert [(row["number"], row["gt"], row["hyp"], row["distance"]) for row in made] == [
        ("1", "one", "one", "0"), ("2", "right side", "rght side", "1"), ("", "", "xyz", "3"),
    ]  # fmt: skip


def test_csv_holds_text_with_quotes_commas_and_line_breaks():
    made = rows([page('a,"b"', "x", "x")])
    assert made[0]["page"] == 'a,"b"'


def test_markdown_is_a_table_with_its_meaning_and_signature():
    text = report(lambda file: MarkdownFile(file, MEASURES))
    assert text.startswith("<!-- pagemeter report -->\n\n| measure | rate | errors | missing |")
    assert "missing: in the ground truth only" in text
    assert text.rstrip().endswith("`the|signature`")
    assert "| good |" not in text


def test_markdown_may_have_all_pages():
    text = report(lambda file: MarkdownFile(file, MEASURES, per_page=True))
    assert "| good |" in text
    assert "| ∞ |" in text


def test_the_plain_table_has_totals_worst_pages_and_meaning():
    text = report(lambda file: Terminal(file, MEASURES))
    assert text.splitlines()[0].split() == [
        "measure",
        "rate",
        "errors",
        "missing",
        "extra",
        "wrong",
        "right",
        "GT",
        "HYP",
        "F1",
    ]
    assert "Worst pages by CER" in text
    assert text.index("invented") < text.index("missed") < text.index("bad ")
    assert "missing: in the ground truth only · extra: in the hypothesis only · " in text
    assert text.rstrip().endswith("the|signature")
    assert "\x1b" not in text
    assert not set(text) & set("─━│┃")


def test_one_page_needs_no_table_of_pages():
    assert "Worst" not in report(lambda file: Terminal(file, MEASURES), RESULTS[:1])


def test_all_pages_are_shown_in_their_order_if_asked_for():
    text = report(lambda file: Terminal(file, MEASURES, per_page=True))
    assert "Pages\n" in text
    assert text.index("good") < text.index("bad") < text.index("invented")


def test_without_any_page_there_is_no_table():
    text = report(lambda file: Terminal(file, MEASURES), RESULTS[-1:])
    assert text.startswith("0 pages · 1 failed, not in the totals")
    assert "the|signature" not in text


def test_lines_with_errors_are_shown_with_both_texts():
    text = report(lambda file: LineTextFile(file, io.StringIO(), CER))
    assert "bad, line 1: 1 error, 6 characters (CER)\n  GT   a line\n  HYP  a lime\n" in text
    assert "missed, line 1: 3 errors, 3 characters (CER)\n  GT   one\n  HYP  (no match)\n" in text
    assert "invented, extra in line 1 of the hypothesis: 4 characters (CER)\n  HYP  junk\n" in text
    assert "good" not in text


@pytest.mark.parametrize(
    ("name", "said", "numbers", "ids"),
    [
        (
            "CER:R",
            ["line 2 (b) of the hypothesis: 4", "line 3 of the hypothesis: 2"],
            [[2], [3]],
            [["b"], [None]],
        ),
        ("CER:RS", ["line 1 (a), 2 (b), 3 of the hypothesis: 8"], [[1, 2, 3]], [["a", "b", None]]),
    ],
)
def test_unmatched_text_is_shown_with_the_numbers_and_ids_of_its_lines(name, said, numbers, ids):
    measure = Measure.parse(name)
    hyp = pm.Page((pm.Line("one two", id="a"), pm.Line("xx x", id="b"), pm.Line("yy")))
    done = PageResult("p", "gt", "hyp", evaluate("one", hyp, [name]))
    left = [line for line in line_texts(done, measure) if "extra in" in line]
    assert left == [f"p, extra in {place} characters ({name})" for place in said]
    made = as_json([done], per_line=measure)["pages"][0]["left_over"]
    assert [rest["hyp_lines"] for rest in made] == numbers
    assert [rest["ids"] for rest in made] == ids
    written = rows([done], lambda file: LineCsvFile(file, measure))[-len(numbers) :]
    assert [row["hyp_line"] for row in written] == [" ".join(map(str, some)) for some in numbers]


@pytest.fixture
def on_terminal(monkeypatch):
    """Return a function that returns the report on a terminal of this width, without styles."""

    def make(columns, results, measures=MEASURES, **options):
        monkeypatch.setattr(text_reports, "is_terminal", lambda _: True)
        monkeypatch.setenv("COLUMNS", str(columns))
        text = report(lambda file: Terminal(file, measures, **options), results)
        return re.sub(r"\x1b\[[\d;]*m", "", text)

    return make


def many_measures():
    """Return all measures, and two pages with long names."""
    many = tuple(map(Measure.parse, IDS))
    placed = pm.Page((pm.Line("a line", baseline=((0, 9), (70, 9))),))
    return many, [
        PageResult(f"a-rather-long-name-{i}", "", "", evaluate(placed, placed, many)) for i in (1, 2)
    ]


def test_columns_that_do_not_fit_are_named(on_terminal):
    many, pages = many_measures()
    worst = on_terminal(100, pages, many).partition("Worst pages")[2]
    shown = worst.splitlines()[1].split()[1:]
    said = " ".join(worst.partition("columns that do not fit: ")[2].partition("\n\n")[0].split())
    assert said == f"{', '.join(IDS[len(shown) :])}. Use csv to get all columns."
    every = on_terminal(100, pages, many, per_page=True)
    assert "do not fit" not in every.partition("Pages\n")[2]


def test_a_pipe_has_all_columns_of_the_worst_pages():
    many, pages = many_measures()
    text = report(lambda file: Terminal(file, many), pages)
    assert text.partition("Worst pages")[2].splitlines()[1].split() == ["page", *IDS]
    assert "do not fit" not in text


@pytest.mark.parametrize(("columns", "shown"), [(60, ["CER", "WER", "status"]), (20, ["CER"])])
def test_the_measure_of_the_worst_pages_stays_and_their_status_goes_first(on_terminal, columns, shown):
    pages = [page("good", "a line", "a line"), page("bad", "a", "b", warnings=(Problem("strange"),))]
    text = on_terminal(columns, pages).partition("Worst pages")[2]
    assert text.splitlines()[1].split() == ["page", *shown]


@pytest.mark.parametrize("columns", [30, 60, 80])
def test_notes_on_a_terminal_are_wrapped_at_words_and_indented(on_terminal, columns):
    pages = [page(f"page-{number}", "a line of text" * 9, "a lime of text" * 9) for number in range(20)]
    pages[3] = page("page-3", "a line of text" * 9, "x" * 200)
    wide, narrow = on_terminal(1000, pages), on_terminal(columns, pages)
    notes = wide.partition("missing: ")[2].splitlines()
    lines = narrow.partition("missing: ")[2].splitlines()
    assert max(map(len, lines)) <= columns
    assert "\n".join(lines).replace("\n  ", " ").splitlines() == notes
    (dominant,) = [line for line in wide.splitlines() if line.startswith("1 page of 20 has")]
    assert dominant in narrow.replace("\n  ", " ")


def test_where_all_pages_failed_there_is_no_table_of_pages():
    text = report(lambda file: Terminal(file, MEASURES, per_page=True), RESULTS[-1:])
    assert "Pages" not in text
