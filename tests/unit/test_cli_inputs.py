"""The command line: what it refuses to do with its inputs, and what it says of them."""

from __future__ import annotations

import csv
import math
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

import pagemeter as pm
from collected import command
from pagemeter.commands import guarding
from pagemeter.commands.systems import names_of

REPORTS = ("--json", "--csv", "--markdown", "--html", "--alignments", "--confusions")


@pytest.fixture
def top(tmp_path, monkeypatch):
    """Two folders of two pages, and the working folder above them."""
    for side, texts in (("gt", ("a line", "second page")), ("hyp", ("a lime", "second page"))):
        (tmp_path / side).mkdir()
        for number, text in enumerate(texts, 1):
            (tmp_path / side / f"{number}.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("option", REPORTS)
@pytest.mark.parametrize("target", ["gt/1.txt", "hyp/2.txt", "gt/../hyp/1.txt"])
def test_a_report_in_the_place_of_a_page_is_refused_and_the_page_stays(run, top, option, target):
    before = (top / target).read_bytes()
    code, out, err = run("eval", "gt", "hyp", option, target)
    assert (code, out) == (2, "")
    assert f"{option} " in err
    assert "this is an input" in err
    assert (top / target).read_bytes() == before


@pytest.mark.parametrize("target", ["gt.lst", "gt.txt", "hyp/1.txt", "elsewhere/1.txt", "rules.tsv"])
def test_lists_tables_mappings_and_what_they_name_are_inputs_too(run, top, target):
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


def test_a_table_of_pairs_is_an_input(run, top):
    (top / "pairs.tsv").write_text("gt/1.txt\thyp/1.txt\n")
    for target in ("pairs.tsv", "hyp/1.txt"):
        code, _, err = run("eval", "pairs.tsv", "--json", target)
        assert code == 2
        assert "this is an input" in err


def test_of_very_many_pairs_none_is_replaced_either_though_each_is_checked_in_its_turn(run, top, monkeypatch):
    monkeypatch.setattr(guarding, "_MANY", 1)
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


def test_a_link_to_a_page_is_that_page(run, top):
    (top / "out.csv").symlink_to(top / "gt/1.txt")
    assert run("eval", "gt", "hyp", "--csv", "out.csv")[0] == 2
    assert (top / "gt/1.txt").read_text() == "a line"


def test_a_page_that_is_a_link_to_the_report_keeps_it_from_being_replaced(run, top):
    (top / "all.json").write_text("a line")
    for link in (Path.hardlink_to, Path.symlink_to):
        (top / "hyp/1.txt").unlink()
        link(top / "hyp/1.txt", top / "all.json")
        code, _, err = run("eval", "gt", "hyp", "--json", "all.json")
        assert code == 2
        assert "--json hyp/1.txt: this is an input" in err


def test_one_of_two_files_for_a_page_is_not_replaced_either(run, top):
    (top / "hyp/1.md").write_text("a line")
    assert run("eval", "gt", "hyp", "--markdown", "hyp/1.md")[0] == 2
    assert (top / "hyp/1.md").read_text() == "a line"


@pytest.mark.usefixtures("top")
def test_a_report_beside_pages_may_be_written_and_written_again(run):
    for _ in range(2):
        code, _, err = run("eval", "gt", "hyp", "--json", "hyp/all.json", "--csv", "gt/all.csv")
        assert (code, err) == (0, "")


def test_a_store_is_no_input(run, top):
    code, _, err = run("eval", "gt", "hyp", "--store", "gt/")
    assert code == 2
    assert "give a folder of its own" in err
    assert sorted(path.name for path in (top / "gt").iterdir()) == ["1.txt", "2.txt"]


@pytest.mark.parametrize("option", ["--json", "--markdown", "--latex", "--html"])
def test_a_comparison_replaces_no_page(run, top, option):
    (top / "other").mkdir()
    (top / "other/1.txt").write_text("a line")
    code, _, err = run("compare", "gt", "hyp", "other", option, "other/1.txt")
    assert code == 2
    assert "this is an input" in err
    assert (top / "other/1.txt").read_text() == "a line"


def test_systems_told_apart_by_the_root_have_no_double_slash():
    assert names_of([Path("/hyp"), Path("/a/hyp")]) == ("/hyp", "a/hyp")


@pytest.mark.usefixtures("top")
def test_a_measure_that_no_page_has_positions_for_is_explained(run):
    code, out, err = run("eval", "gt", "hyp", "-m", "CER:G?")
    assert code == 1
    assert (
        "no totals of measures with G: 2 of 2 pages without positions, first the ground truth gt/1.txt" in out
    )
    assert "error: no page could be evaluated by any measure" in err
    assert "2 of 2 pages without positions" in run("eval", "gt", "hyp", "-m", "CER,CER:G?")[1]
    assert "positions" not in run("eval", "gt", "hyp")[1]


def test_no_hypothesis_at_all_gives_no_rates(run, top):
    (top / "pairs.jsonl").write_text(
        '{"gt": "gt/1.txt", "hyp": null}\n{"gt": "gt/2.txt", "hyp": "none.txt"}\n'
    )
    code, out, err = run("eval", "pairs.jsonl", "--csv", "out.csv")
    assert (code, out) == (1, "")
    assert "none.txt: no such file" in err
    assert "no hypothesis could be read" in err
    assert not (top / "out.csv").exists()


def test_a_damaged_hypothesis_is_left_out_or_counted_as_missed(run, top):
    (top / "hyp/2.txt").write_bytes(b"\xff\xff")
    code, out, _ = run("eval", "gt", "hyp", "-m", "CER")
    assert code == 1
    assert "1 page · 1 failed, left out of the totals" in out
    code, out, err = run("eval", "gt", "hyp", "-m", "CER", "--failed-as-missing")
    assert code == 1
    assert "2 pages · 1 of them without hypothesis, counted as missed" in out
    assert "failed:missing" in out
    assert "warning: hyp/2.txt: file: counted as missed: " in err
    again = run("eval", "gt", "hyp", "--from-signature", out.splitlines()[-1])
    assert again[:2] == (code, out)


@pytest.mark.usefixtures("top")
def test_failed_pages_cannot_be_missed_and_skipped(run):
    assert run("eval", "gt", "hyp", "--failed-as-missing", "--skip-missing")[0] == 2


def test_what_pages_without_text_cost_is_said(run, top):
    (top / "gt/3.txt").write_text("")
    (top / "hyp/3.txt").write_text("dirt")
    (top / "gt/4.txt").write_text("")
    out = run("eval", "gt", "hyp", "-m", "CER", "--per-page")[1]
    assert "4 of the 5 errors of CER are on pages whose ground truth has no text" in out
    assert ["4", "no", "text,", "no", "hypothesis", "0.00", "%"] in [
        line.split() for line in out.splitlines()
    ]
    assert "missed" not in out.partition("INS:")[0]


def test_ambiguous_pages_are_told_once_with_examples(run, top):
    for number in range(1, 8):
        for path in (f"gt/{number}.txt", f"hyp/{number}.txt", f"hyp/{number}.md"):
            (top / path).write_text("a line")
    for side in ("gt", "hyp"):
        (top / side / "x.txt").write_text("a line")
    err = run("eval", "gt", "hyp", "-m", "CER")[2]
    assert err.count("choose with") == 1
    assert "error: the same of 2, 3, 4, 5 and 2 more, which --json lists\n" in err


@pytest.mark.usefixtures("top")
def test_a_limit_with_positions_takes_no_page_from_other_totals(run):
    code, out, err = run("eval", "gt", "hyp", "-m", "CER", "--fail-above", "CER:G=0.5")
    assert code == 1
    assert "2 pages" in out
    assert "error: CER:G has no total to hold against its limit" in err


@pytest.mark.usefixtures("top")
@pytest.mark.parametrize("number", ["0", "-1"])
def test_no_jobs_are_refused(run, number):
    assert run("eval", "gt/1.txt", "hyp/1.txt", "--jobs", number)[0] == 2


def test_errors_are_said_though_the_reader_of_the_table_has_gone(top, monkeypatch):
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
        while not list(top.glob(".out.json*")):
            time.sleep(0.05)
        process.send_signal(sent)
        assert process.wait(20) == code
        assert "interrupted; nothing was written" in process.stderr.read()
    assert not list(top.glob("*out.json*"))


def test_mets_is_told_to_be_none_of_a_page(run, top):
    (top / "mets.xml").write_text("<mets xmlns='http://www.loc.gov/METS/'/>")
    code, _, err = run("eval", "mets.xml", "hyp/1.txt")
    assert code == 1
    assert "METS, which names files and holds no page; give the folders" in err


@pytest.mark.usefixtures("top")
def test_a_folder_of_images_that_is_not_there_is_wrong_usage(run):
    code, _, err = run("eval", "gt", "hyp", "--html", "out.html", "--images", "nowhere")
    assert code == 2
    assert "--images nowhere: no such folder" in err


@pytest.mark.usefixtures("top")
def test_pages_that_find_no_image_are_counted_with_the_remedy(run):
    code, _, err = run("eval", "gt", "hyp", "-m", "CER", "--html", "out.html", "--images", ".")
    assert code == 0
    why = "no image of this name in .; give the folder that has it with --images"
    assert err == f"out.html: 2 of 2 pages without image, first 1: {why}\n"


def test_an_encoding_that_spoils_utf8_is_warned_of(run, top):
    (top / "hyp/1.txt").write_text("ä line", encoding="utf-8")
    err = run("eval", "gt", "hyp", "-m", "CER", "--hyp-encoding", "latin-1")[2]
    assert "warning: hyp/1.txt: encoding: read as latin-1, as was asked, but all of it is valid UTF-8" in err
    assert run("eval", "gt", "hyp", "-m", "CER", "--hyp-encoding", "utf8")[2] == ""


def test_a_mapping_that_a_signature_names_has_to_be_there(run, top):
    (top / "rules.tsv").write_text("a\tb\n")
    signature = run("eval", "gt", "hyp", "-m", "CER", "--mapping", "rules.tsv")[1].splitlines()[-1]
    (top / "rules.tsv").unlink()
    code, _, err = run("eval", "gt", "hyp", "--from-signature", signature)
    assert code == 1
    assert "rules.tsv: the mapping of this signature is not there; put the file there" in err


def test_pages_are_saved_as_json_only(top):
    with pytest.raises(pm.PagemeterError, match=r"page\.xml: pages are saved as JSON, and \.xml is not"):
        pm.save(pm.Page(), top / "page.xml")
    with pytest.raises(pm.PagemeterError, match=r"^save: line 'a': "):
        pm.save(pm.Page((pm.Line("a", baseline=((0, math.nan), (1, 1))),)), top / "page.json")


def test_what_never_ends_is_larger_than_a_page():
    with pytest.raises(pm.PagemeterError, match="/dev/zero: more than 100 MB, which no page file has"):
        pm.load("/dev/zero", format="text")


def test_a_comparison_as_csv_has_all_systems_pages_and_measures(run, top):
    shutil.copytree(top / "gt", top / "best")
    assert run("compare", "gt", "hyp", "best", "-m", "CER,WER", "--csv", "out.csv")[0] == 0
    rows = list(csv.DictReader((top / "out.csv").read_text().splitlines()))
    assert len(rows) == 2 * (2 + 1) * 2
    found = {(row["kind"], row["system"], row["page"], row["measure"]): row["errors"] for row in rows}
    assert found["page", "hyp", "1", "CER"] == found["total", "hyp", "", "WER"] == "1"
    assert found["total", "best", "", "CER"] == "0"


@pytest.mark.usefixtures("top")
def test_own_reports_among_pages_are_passed_over(run):
    reports = ("--html", "hyp/all.html", "--markdown", "hyp/all.md", "--json", "hyp/all.json")
    for _ in range(2):
        code, out, err = run("eval", "gt", "hyp", "-m", "CER", *reports)
        assert (code, err) == (0, "")
    assert "2 × a report of pagemeter" in out
