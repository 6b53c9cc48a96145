"""`pagemeter eval` with answers of models that fail: flags, failed hypotheses, and pages without text."""

from __future__ import annotations

import csv
import json

import pytest

import model_answers as answers
from pagemeter.cli import main

REFUSAL = "I'm sorry, but I can't read the text in this image."


@pytest.fixture
def run(tmp_path, capsys):
    """Return a function that evaluates made-up answers and returns the exit code, the JSON and all output."""

    def call(hyps, *options, gts=None):
        for side, pages in (("gt", gts or [answers.GT] * len(hyps)), ("hyp", hyps)):
            (tmp_path / side).mkdir(exist_ok=True)
            for number, lines in enumerate(pages, 1):
                content = lines if isinstance(lines, str) else "\n".join(lines)
                suffix = ".xml" if content.startswith("<") else ".txt"
                (tmp_path / side / f"p{number:02}{suffix}").write_text(content)
        paths = [str(tmp_path / name) for name in ("gt", "hyp")]
        made = tmp_path / "out.json"
        code = main(["eval", *paths, "-m", "CER:R,CER:S", "--jobs", "1", "--json", str(made), *options])
        said = capsys.readouterr()
        return code, json.loads(made.read_text()), said.out + said.err

    return call


def test_the_first_line_below_the_table_names_the_page_that_has_most_errors(run):
    _, made, text = run([answers.MISREAD] * 11 + [answers.GT + [answers.GT[-1]] * 400])
    assert made["total"]["CER:R"]["rate"] > 2
    table, _, below = text.partition("\n\n")
    assert "CER:S" in table
    first = below.splitlines()[0]
    assert first.startswith("1 page of 12 has 99.")
    assert "p12 (" in first
    assert "flagged loop, length" in first
    assert "the other pages have CER:R" in first


def test_a_mean_of_rates_has_no_rate_of_the_other_pages_by_their_sum(run):
    _, _, text = run([answers.MISREAD] * 11 + [answers.GT + [answers.GT[-1]] * 400], "--average", "macro")
    assert "1 page of 12 has 99." in text
    assert "the other pages have" not in text


def test_totals_are_reported_with_and_without_flagged_pages(run, tmp_path):
    hyps = [answers.GT] * 5 + [answers.LOOP, [REFUSAL]]
    _, made, text = run(hyps, "--csv", str(tmp_path / "out.csv"))
    assert [page["flags"] for page in made["pages"]][4:] == [[], ["loop", "length"], ["refusal", "length"]]
    flags = made["flags"]
    assert (flags["pages"], flags["counts"]["loop"], flags["counts"]["unlike"]) == (2, 1, 0)
    assert flags["total_without_flagged"]["CER:R"]["errors"] == 0
    assert "2 flagged pages (1 refusal, 1 loop, 2 length); without them: CER:R 0.00 %" in text
    assert made["distribution"]["CER:R"]["median_rate"] == 0
    assert made["distribution"]["CER:R"]["worst_pages"] == 1
    assert "median page: CER:R 0.00 % · worst 5 % of pages (1 page): " in text
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert [row["flags"] for row in rows if row["page"] == "p06"] == ["loop length"] * 2
    assert [row["errors"] for row in rows if row["kind"] == "total without flagged"] == ["0", "0"]


def test_flags_change_no_number_but_refusals_can_count_as_missing(run):
    kept = run([answers.GT, [REFUSAL]])[1]
    assert "refusals" not in kept["signature"]
    _, made, text = run([answers.GT, [REFUSAL]], "--refusals", "missing")
    assert "|refusals:missing|" in made["signature"]
    assert "1 of them with a refusal as hypothesis, counted as missing" in text
    assert made["summary"]["refusal_hyp"] == 1
    score = made["pages"][1]["measures"]["CER:R"]
    assert score["ins"] == score["errors"] == score["n_gt"]
    assert kept["pages"][1]["measures"]["CER:R"]["dels"] + kept["pages"][1]["measures"]["CER:R"]["sub"] > 0
    assert made["pages"][1]["flags"] == kept["pages"][1]["flags"] == ["refusal", "length"]


TEXTLESS = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page>'
    '<TextRegion id="r"><TextLine id="l"><Coords points="0,0 9,0 9,9"/></TextLine></TextRegion>'
    "</Page></PcGts>"
)


@pytest.mark.parametrize(
    ("hyp", "failure", "code"),
    [
        ("", "empty", 0),
        (" \n", "empty", 0),
        (TEXTLESS, "textless", 0),
        ("<PcGts><Page/></PcGts>", "empty", 0),
        (TEXTLESS[:-30], "truncated", 1),
        ("<PcGts><Page></PcGts></Page>", "unreadable", 1),
    ],
)
def test_a_failed_hypothesis_counts_as_missed_with_a_warning_and_a_count(run, hyp, failure, code):
    found, made, text = run([answers.GT, hyp])
    assert found == code
    page = made["pages"][1]
    assert page["failure"] == failure
    assert ("empty" in page["flags"]) == (failure in ("empty", "textless"))
    assert page["measures"]["CER:S"]["ins"] == page["measures"]["CER:S"]["n_gt"]
    assert made["summary"][f"{failure}_hyp"] == made["summary"]["missed"] == 1
    assert "all text of the page counts as missing" in page["warnings"][-1]["reason"]
    assert "of them with a" in text
    found, made, _ = run([answers.GT, hyp], "--failed", "exclude")
    assert found == 1
    assert (made["summary"]["pages"], made["summary"]["failed"]) == (1, 1)
    assert made["total"]["CER:S"]["errors"] == 0


def test_errors_on_pages_without_ground_truth_text_are_a_row_below_the_total(run):
    gts = [answers.GT, ""]
    _, made, text = run([answers.MISREAD, answers.INVENTED], gts=gts)
    total, row = made["total"]["CER:R"], made["empty_gt"]["CER:R"]
    assert row["errors"] + row["others"]["errors"] == total["errors"]
    assert row["others"]["rate"] == made["pages"][0]["measures"]["CER:R"]["rate"]
    assert "Pages without ground-truth text (part of the totals)" in text
    _, made, text = run([answers.MISREAD, answers.INVENTED], "--empty-gt", "exclude", gts=gts)
    assert "|empty_gt:exclude|" in made["signature"]
    assert made["total"]["CER:R"]["errors"] == row["others"]["errors"]
    assert made["summary"]["excluded_empty_gt"] == 1
    assert made["empty_gt"] == {}
    assert "1 without ground-truth text, excluded" in text


def test_a_store_keeps_flags_failures_and_kinds(run, tmp_path, capsys):
    pytest.importorskip("pyarrow")
    hyps = [answers.GT] * 4 + [answers.LOOP, [REFUSAL], "", answers.INVENTED]
    store, gts = str(tmp_path / "store"), [answers.GT] * 7 + [""]
    _, made, text = run(hyps, "--store", store, gts=gts)
    main(["report", store, "--json", str(tmp_path / "again.json")])
    again, said = json.loads((tmp_path / "again.json").read_text()), capsys.readouterr()
    for name in ("flags", "distribution", "empty_gt", "kinds", "summary"):
        assert again[name] == made[name]
    assert [page["flags"] for page in again["pages"]] == [page["flags"] for page in made["pages"]]
    notes = [line for line in said.out.splitlines() if "flagged" in line or "of 8" in line]
    assert notes
    assert all(line in text for line in notes)
