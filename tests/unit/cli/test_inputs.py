"""The command protects its inputs from being overwritten, and reports problems with them."""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import pagemeter as pm
from collected import TIMEOUT, command, until
from pagemeter.cli import outputs
from pagemeter.cli.compare import system_names

REPORTS = ("--json", "--csv", "--markdown", "--html", "--alignments", "--confusions")


@pytest.fixture
def top(tmp_path, monkeypatch):
    """Make two folders of two pages and change to the folder above them."""
    for side, texts in (("gt", ("a line", "second page")), ("hyp", ("a lime", "second page"))):
        (tmp_path / side).mkdir()
        for number, text in enumerate(texts, 1):
            (tmp_path / side / f"{number}.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("option", REPORTS)
@pytest.mark.parametrize("target", ["gt/1.txt", "hyp/2.txt", "gt/../hyp/1.txt"])
def test_a_report_does_not_replace_a_page(run, top, option, target):
    before = (top / target).read_bytes()
    code, out, err = run("eval", "gt", "hyp", option, target)
    assert (code, out) == (2, "")
    assert f"{option} " in err
    assert "this is an input" in err
    assert (top / target).read_bytes() == before


@pytest.mark.parametrize("target", ["gt.lst", "gt.txt", "hyp/1.txt", "elsewhere/1.txt", "rules.tsv"])
def test_a_report_does_not_replace_lists_mappings_or_listed_files(run, top, target):
    (top / "elsewhere").mkdir()
    (top / "elsewhere/1.txt").write_text("a line")
    (top / "rules.tsv").write_text("a\tb\n")
    for name in ("gt.lst", "gt.txt"):
        (top / name).write_text("elsewhere/1.txt\n")
    for given in ("gt.lst", "@gt.txt"):
        code, _, err = run("eval", given, "hyp", "--mapping", "rules.tsv", "--csv", target)
        expected = target != {"gt.lst": "gt.txt", "@gt.txt": "gt.lst"}[given]
        assert ("this is an input" in err) == expected
        assert not expected or code == 2
        (top / "gt.lst").write_text("elsewhere/1.txt\n")
        (top / "gt.txt").write_text("elsewhere/1.txt\n")


def test_a_report_does_not_replace_a_table_of_pairs_or_its_files(run, top):
    (top / "pairs.tsv").write_text("gt/1.txt\thyp/1.txt\n")
    for target in ("pairs.tsv", "hyp/1.txt"):
        code, _, err = run("eval", "pairs.tsv", "--json", target)
        assert code == 2
        assert "this is an input" in err


def test_a_report_does_not_replace_a_file_of_many_pairs_that_are_checked_one_by_one(run, top, monkeypatch):
    monkeypatch.setattr(outputs, "_MAX_CHECKED_FIRST", 1)
    rows = "".join(f"gt/{n}.txt\thyp/{n}.txt\n" for n in (1, 2))
    (top / "pairs.tsv").write_text(rows)
    for given in (("pairs.tsv",), ("gt", "hyp")):
        for target in ("hyp/2.txt", "gt/1.txt"):
            before = (top / target).read_text()
            code, out, err = run("eval", *given, "--jobs", "2", "--json", target)
            assert (code, out) == (2, "")
            assert "this is an input" in err
            assert (top / target).read_text() == before
    assert [run("eval", "pairs.tsv", "--json", "all.json")[0] for _ in range(2)] == [0, 0]


def test_a_report_through_a_link_does_not_replace_a_page(run, top):
    (top / "out.csv").symlink_to(top / "gt/1.txt")
    assert run("eval", "gt", "hyp", "--csv", "out.csv")[0] == 2
    assert (top / "gt/1.txt").read_text() == "a line"


def test_a_report_that_a_page_links_to_is_not_replaced(run, top):
    (top / "all.json").write_text("a line")
    for link in (Path.hardlink_to, Path.symlink_to):
        (top / "hyp/1.txt").unlink()
        link(top / "hyp/1.txt", top / "all.json")
        code, _, err = run("eval", "gt", "hyp", "--json", "all.json")
        assert code == 2
        assert "--json hyp/1.txt: this is an input" in err


def test_a_report_does_not_replace_one_of_two_files_of_a_page(run, top):
    (top / "hyp/1.md").write_text("a line")
    assert run("eval", "gt", "hyp", "--markdown", "hyp/1.md")[0] == 2
    assert (top / "hyp/1.md").read_text() == "a line"


@pytest.mark.usefixtures("top")
def test_a_report_in_a_folder_of_pages_may_be_replaced(run):
    for _ in range(2):
        code, _, err = run("eval", "gt", "hyp", "--json", "hyp/all.json", "--csv", "gt/all.csv")
        assert (code, err) == (0, "")


def test_an_input_folder_cannot_be_the_store(run, top):
    code, _, err = run("eval", "gt", "hyp", "--store", "gt/")
    assert code == 2
    assert "Give another folder" in err
    assert sorted(path.name for path in (top / "gt").iterdir()) == ["1.txt", "2.txt"]


@pytest.mark.parametrize("option", ["--json", "--markdown", "--latex", "--html"])
def test_a_report_of_a_comparison_does_not_replace_a_page(run, top, option):
    (top / "other").mkdir()
    (top / "other/1.txt").write_text("a line")
    code, _, err = run("compare", "gt", "hyp", "other", option, "other/1.txt")
    assert code == 2
    assert "this is an input" in err
    assert (top / "other/1.txt").read_text() == "a line"


def test_the_name_of_a_system_at_the_root_has_no_double_slash():
    assert system_names([Path("/hyp"), Path("/a/hyp")]) == ("/hyp", "a/hyp")


@pytest.mark.usefixtures("top")
def test_a_measure_without_totals_because_of_missing_positions_is_explained(run):
    code, out, err = run("eval", "gt", "hyp", "-m", "CER:G?")
    assert code == 1
    assert (
        "no totals with positions (G): 2 of 2 pages have no positions, first the ground truth gt/1.txt" in out
    )
    assert "error: no page could be evaluated by any measure" in err
    assert "2 of 2 pages have no positions" in run("eval", "gt", "hyp", "-m", "CER,CER:G?")[1]
    assert "positions" not in run("eval", "gt", "hyp")[1]


def test_without_any_hypothesis_there_are_no_rates(run, top):
    (top / "pairs.jsonl").write_text(
        '{"gt": "gt/1.txt", "hyp": null}\n{"gt": "gt/2.txt", "hyp": "none.txt"}\n'
    )
    code, out, err = run("eval", "pairs.jsonl", "--csv", "out.csv")
    assert (code, out) == (1, "")
    assert "none.txt: no such file" in err
    assert "no hypothesis could be used" in err
    assert not (top / "out.csv").exists()


def test_a_damaged_hypothesis_is_counted_as_missing_or_excluded(run, top):
    (top / "hyp/2.txt").write_bytes(b"\xff\xff")
    code, out, err = run("eval", "gt", "hyp", "-m", "CER", "--json", "out.json", "--skip-missing")
    assert code == 1
    assert "2 pages · 1 of them with an unusable hypothesis, counted as missing" in out
    assert "failed:" not in out
    assert "warning: hyp/2.txt: byte 0: not valid utf-8; all text of the page counts as missing" in err
    report = json.loads((top / "out.json").read_text())
    names = ("pages", "missed", "unusable_hyp", "without_hyp", "failed")
    assert [report["summary"][name] for name in names] == [2, 1, 1, 0, 0]
    assert [page.get("unusable_hyp") for page in report["pages"]] == [None, True]
    code, out, _ = run("eval", "gt", "hyp", "-m", "CER", "--failed", "exclude")
    assert code == 1
    assert "1 page · 1 failed, not in the totals" in out
    assert "failed:exclude" in out
    again = run("eval", "gt", "hyp", "--from-signature", out.splitlines()[-1])
    assert again[:2] == (code, out)


@pytest.mark.usefixtures("top")
def test_an_unknown_treatment_of_failed_pages_is_refused(run):
    code, out, err = run("eval", "gt", "hyp", "--failed", "excluded")
    assert (code, out) == (2, "")
    assert "--failed excluded: unknown value (did you mean exclude?). Use missing or exclude." in err


@pytest.mark.usefixtures("top")
def test_a_store_keeps_that_a_hypothesis_is_unusable(run, top):
    (top / "hyp/2.txt").write_bytes(b"\xff\xff")
    first = run("eval", "gt", "hyp", "-m", "CER", "--store", "results")
    again = run("eval", "gt", "hyp", "-m", "CER", "--store", "results")
    assert again[:2] == first[:2]
    assert "1 evaluated, 1 reused" in again[2]
    assert "1 of them with an unusable hypothesis" in run("report", "results")[1]


def test_errors_on_pages_without_text_are_summarised(run, top):
    (top / "gt/3.txt").write_text("")
    (top / "hyp/3.txt").write_text("dirt")
    (top / "gt/4.txt").write_text("")
    out = run("eval", "gt", "hyp", "-m", "CER", "--per-page")[1]
    assert "measure  errors there  rate of all pages  of the other pages" in out
    assert ["CER", "4", "29.41", "%", "5.88", "%"] in [line.split() for line in out.splitlines()]
    assert ["4", "0.00", "%", "no", "text,", "no", "hypothesis"] in [
        line.split() for line in out.splitlines()
    ]
    assert "missed" not in out.partition("missing:")[0]


def test_errors_with_the_same_reason_are_reported_once_with_examples(run, top):
    for number in range(1, 8):
        for path in (f"gt/{number}.txt", f"hyp/{number}.txt", f"hyp/{number}.md"):
            (top / path).write_text("a line")
    for side in ("gt", "hyp"):
        (top / side / "x.txt").write_text("a line")
    err = run("eval", "gt", "hyp", "-m", "CER", "--failed", "exclude")[2]
    assert err.count("Choose with") == 1
    assert "error: the same for 2, 3, 4, 5 and 2 more pages. Use --json to list all.\n" in err


@pytest.mark.usefixtures("top")
def test_a_limit_for_a_geometry_measure_does_not_change_other_totals(run):
    code, out, err = run("eval", "gt", "hyp", "-m", "CER", "--fail-above", "CER:G=0.5")
    assert code == 1
    assert "2 pages" in out
    assert "error: CER:G has no total to compare with its limit" in err


@pytest.mark.usefixtures("top")
@pytest.mark.parametrize("number", ["0", "-1"])
def test_the_number_of_jobs_must_be_positive(run, number):
    assert run("eval", "gt/1.txt", "hyp/1.txt", "--jobs", number)[0] == 2


def test_errors_are_reported_if_standard_output_is_closed(top, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    (top / "gt/3.txt").write_bytes(b"\xff\xff")
    (top / "hyp/3.txt").write_text("third")
    arguments = command("eval", "gt", "hyp", "--jobs", "1")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert "error: gt/3.txt" in process.stderr.read()


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_run_without_leaving_files(top, sent, code):
    os.mkfifo(top / "page.txt")
    default = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL); "  # not so under nohup
    arguments = command("eval", "page.txt", "hyp/1.txt", "--json", "out.json", before=default)
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: list(top.glob(".out.json*")))
        process.send_signal(sent)
        assert process.wait(TIMEOUT) == code
        assert "interrupted; nothing was written" in process.stderr.read()
    assert not list(top.glob("*out.json*"))


def test_mets_needs_its_groups(run, top):
    (top / "mets.xml").write_text("<mets xmlns='http://www.loc.gov/METS/'/>")
    code, _, err = run("eval", "mets.xml", "hyp/1.txt")
    assert code == 2
    assert "mets.xml: a METS file needs the file groups to compare" in err
    assert "--gt-group GROUP and --hyp-group GROUP" in err


@pytest.mark.usefixtures("top")
def test_a_missing_folder_of_images_is_wrong_usage(run):
    code, _, err = run("eval", "gt", "hyp", "--html", "out.html", "--images", "nowhere")
    assert code == 2
    assert "--images nowhere: no such folder" in err


@pytest.mark.usefixtures("top")
def test_pages_without_image_are_counted(run):
    code, _, err = run("eval", "gt", "hyp", "-m", "CER", "--html", "out.html", "--images", ".")
    assert code == 0
    why = (
        "no image in the folder of images has the name of the page. Set --images to the folder of the images."
    )
    assert err == f"out.html: 2 of 2 pages without image, first 1: {why}\n"


def test_another_encoding_for_valid_utf8_is_a_warning(run, top):
    (top / "hyp/1.txt").write_text("ä line", encoding="utf-8")
    err = run("eval", "gt", "hyp", "-m", "CER", "--hyp-encoding", "latin-1")[2]
    assert "warning: hyp/1.txt: encoding: read as latin-1, as requested, but all of it is valid UTF-8" in err
    assert run("eval", "gt", "hyp", "-m", "CER", "--hyp-encoding", "utf8")[2] == ""


def test_the_mapping_of_a_signature_must_exist(run, top):
    (top / "rules.tsv").write_text("a\tb\n")
    signature = run("eval", "gt", "hyp", "-m", "CER", "--mapping", "rules.tsv")[1].splitlines()[-1]
    (top / "rules.tsv").unlink()
    code, _, err = run("eval", "gt", "hyp", "--from-signature", signature)
    assert code == 1
    assert "rules.tsv: the mapping of this signature does not exist. Put the file there" in err


def test_pages_are_saved_as_json_only(top):
    with pytest.raises(pm.PagemeterError, match=r"page\.xml: pages are saved as JSON, not as \.xml"):
        pm.save(pm.Page(), top / "page.xml")
    with pytest.raises(pm.PagemeterError, match=r"^save: line 'a': "):
        pm.save(pm.Page((pm.Line("a", baseline=((0, math.nan), (1, 1))),)), top / "page.json")


def test_an_endless_file_is_too_large():
    with pytest.raises(pm.PagemeterError, match="/dev/zero: has more than 100 MB, the limit for a page file"):
        pm.load("/dev/zero", format="text")


def test_a_comparison_as_csv_has_all_systems_pages_and_measures(run, top):
    shutil.copytree(top / "gt", top / "best")
    assert run("compare", "gt", "hyp", "best", "-m", "CER,WER", "--csv", "out.csv")[0] == 0
    rows = list(csv.DictReader((top / "out.csv").read_text().splitlines()))
    assert len(rows) == 2 * (2 + 1) * 2
    errors = {(row["kind"], row["system"], row["page"], row["measure"]): row["errors"] for row in rows}
    assert errors["page", "hyp", "1", "CER"] == errors["total", "hyp", "", "WER"] == "1"
    assert errors["total", "best", "", "CER"] == "0"


@pytest.mark.usefixtures("top")
def test_reports_of_pagemeter_in_a_folder_of_pages_are_passed_over(run):
    reports = ("--html", "hyp/all.html", "--markdown", "hyp/all.md", "--json", "hyp/all.json")
    for _ in range(2):
        code, out, err = run("eval", "gt", "hyp", "-m", "CER", *reports)
        assert (code, err) == (0, "")
    assert "2 × a report of pagemeter" in out
