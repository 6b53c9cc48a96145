"""How the command treats pages that are missing, damaged, ambiguous or without positions."""

from __future__ import annotations

import json
import os

import pytest

from collected import PLACED, evaluate


def test_missing_pages_are_reported_and_the_exit_code_is_1(run, top):
    code, out, err = evaluate(run, top, "-m", "CER")
    assert code == 1
    assert "1 of them without a hypothesis, counted as missing" in out
    assert f"no hypothesis: {top}/gt/3.gt.txt" in err
    assert f"no ground truth: {top}/hyp/4.pred.txt" in err


def test_missing_pages_can_be_skipped(run, top):
    code, out, err = evaluate(run, top, "-m", "CER", "--skip-missing")
    assert code == 0
    assert "2 pages · 1 without a hypothesis, skipped" in out
    assert "no hypothesis" in err
    assert "missing:skip" in out


def test_a_damaged_file_is_an_error_and_the_others_are_evaluated(run, good):
    (good / "gt/9.xml").write_text("<PcGts><Page")
    (good / "hyp/9.xml").write_text("x")
    code, out, err = evaluate(run, good, "-m", "CER")
    assert code == 1
    assert "2 pages · 1 failed, not in the totals" in out
    assert len([line for line in err.splitlines() if line.startswith("error: ") and "9.xml" in line]) == 2


def test_an_ambiguous_page_is_an_error_and_the_suggested_option_works(run, good):
    (good / "hyp/1.hocr").write_text("x")
    (good / "hyp/1.xml").write_text("x")
    code, _, err = evaluate(run, good, "-m", "CER", "--hyp-suffix", ".hocr", "--hyp-suffix", ".xml")
    assert code == 1
    assert "Choose with --hyp-suffix .hocr or --hyp-suffix .xml." in err
    assert evaluate(run, good, "-m", "CER", "--hyp-suffix", ".pred.txt")[0] == 0


def test_a_page_without_positions_fails_if_a_geometry_measure_is_required(run, good):
    (good / "gt/5.json").write_text(PLACED)
    (good / "hyp/5.json").write_text(PLACED)
    code, out, err = evaluate(run, good, "-m", "CER:G")
    assert code == 1
    assert "1 page · 2 failed, not in the totals" in out
    assert f"{good}/gt/1.gt.txt: no line of the ground truth has a baseline or polygon, but G measures" in err


def test_optional_geometry_measures_have_no_total_if_a_page_has_no_positions(run, good):
    (good / "gt/5.json").write_text(PLACED)
    (good / "hyp/5.json").write_text(PLACED)
    code, out, _ = evaluate(run, good, "-m", "all", "--json", good / "a.json")
    assert code == 0
    assert f"2 of 3 pages have no positions, first the ground truth {good}/gt/1.gt.txt" in out
    report = json.loads((good / "a.json").read_text())
    assert "CER:RG" not in report["total"]
    assert "CER:RG" in report["pages"][2]["measures"]
    evaluate(run, good, "--from-signature", report["signature"], "--json", good / "b.json")
    assert json.loads((good / "b.json").read_text()) == report


def test_the_exit_code_is_1_if_no_page_was_evaluated(run, good):
    for path in (good / "hyp").iterdir():
        path.write_bytes(b"\xff\xff")
    code, out, err = evaluate(run, good, "-m", "CER", "--failed", "exclude")
    assert code == 1
    assert "0 pages" in out
    assert "no page was evaluated" in err


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [(["nowhere", "nowhere"], "no such file or folder"), (["gt", "empty"], "the folder is empty")],
)
def test_the_exit_code_is_1_if_an_argument_is_missing_or_empty(run, good, arguments, detail, monkeypatch):
    monkeypatch.chdir(good)
    (good / "empty").mkdir()
    code, out, err = run("eval", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"pagemeter: {arguments[1]}: {detail}. ")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda top: (top / "gt/9.gt.txt").write_text("x"),
        lambda top: (top / "hyp/9.pred.txt").write_text("x"),
        lambda top: (top / "hyp/2.pred.txt").write_text("a\x01b"),
        lambda top: (top / "hyp/2.pred.txt").write_bytes(b"\xff\xff"),
        lambda top: [(top / f"hyp/2.pred.{end}").write_text("x") for end in ("xml", "md")],
        lambda top: (top / "hyp/2.pred.txt").write_text("x\fy"),
    ],
    ids=["no hypothesis", "no ground truth", "warning", "bad file", "ambiguous", "surplus page"],
)
def test_strict_stops_at_the_first_problem_and_writes_nothing(run, good, spoil):
    assert evaluate(run, good, "-m", "CER", "--strict", "--json", good / "ok.json")[0] == 0
    spoil(good)
    before = set(good.iterdir())
    code, out, err = evaluate(run, good, "-m", "CER", "--strict", "--json", good / "out.json")
    assert (code, out) == (1, "")
    assert "9." in err or "2." in err or "2:" in err
    assert set(good.iterdir()) == before


def test_strict_accepts_missing_pages_that_are_skipped(run, top):
    assert evaluate(run, top, "-m", "CER", "--strict", "--skip-missing")[0] == 0


def test_pages_of_different_sizes_are_a_warning_with_geometry_measures(run, tmp_path):
    for name, width in (("gt", 1000), ("hyp", 500)):
        sized = PLACED.replace("{", f'{{"width": {width}, "height": 1800, ', 1)
        (tmp_path / f"{name}.json").write_text(sized)
    pair = tmp_path / "gt.json", tmp_path / "hyp.json"
    code, _, err = run("eval", *pair, "-m", "CER:G")
    assert code == 0
    assert "hyp.json: size of the page: 500 × 1800 px, but the ground truth has 1000 × 1800" in err
    assert run("eval", *pair, "-m", "CER")[2] == ""


def test_warnings_are_reported_and_the_exit_code_is_0(run, good):
    (good / "hyp/1.pred.txt").write_text("a\x01 line\nanother")
    code, out, err = evaluate(run, good, "-m", "CER", "--json", good / "a.json")
    assert code == 0
    assert "2 pages · 1 warning" in out
    assert "warning: " in err
    assert "U+0001" in err
    report = json.loads((good / "a.json").read_text())
    assert report["summary"]["warnings"] == 1
    assert report["pages"][0]["warnings"][0]["element"] == "line 1"


def test_file_names_that_are_not_utf8_are_escaped_in_all_reports(run, good):
    strange = os.fsdecode(b"\xe4\n\x1b")
    (good / f"gt/{strange}.txt").write_text("x")
    paths = [good / name for name in ("a.json", "a.csv", "a.md")]
    code, out, err = evaluate(
        run, good, "-m", "CER", "--json", paths[0], "--csv", paths[1], "--markdown", paths[2], "--per-page"
    )
    assert code == 1
    assert "\\xe4\\n\\x1b" in out
    assert "\\xe4\\n\\x1b.txt" in err
    assert all(path.read_text(encoding="utf-8") for path in paths)
    assert "\x1b" not in paths[1].read_text()
    assert "\\xe4\\n\\x1b.txt" in paths[1].read_text()
    assert json.loads(paths[0].read_text())["unpaired"]["gt"][0].endswith("\\xe4\n\x1b.txt")


def test_links_pipes_folders_and_foreign_files_do_not_stop_a_run(run, good):
    (good / "gt/a.xml").symlink_to("nowhere")
    (good / "hyp/a.xml").write_text("x")
    (good / "gt/b.xml").mkdir()
    (good / "gt/c.xml").symlink_to("c.xml")
    os.mkfifo(good / "gt/d.xml")
    (good / "gt/mets.xml").write_text("<mets/>")
    (good / "gt/e.xml").write_text("<other/>")
    (good / "gt/f.jpg").write_bytes(b"\xff\xd8\xff")
    code, out, err = evaluate(run, good, "-m", "CER")
    assert code == 1
    assert "2 pages" in out
    assert "symbolic link" in err
    assert "4 other files ignored" in out


@pytest.mark.parametrize("options", [[], ["--store", "store"]])
def test_a_page_that_fails_is_not_counted_as_missing_as_well(run, tmp_path, monkeypatch, options):
    """The hypothesis is unusable, and the ground truth has no positions for the measure."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("gt", "text"), ("hyp", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text(text)
    code, out, err = run("eval", "gt", "hyp", "-m", "CER:RG", *options)
    assert code == 1
    assert "0 pages · 1 failed, not in the totals" in out + err
    assert "-1" not in out
    assert "counted as missing" not in out
