"""The command line: pages that are missing, bad, strange or without positions."""

from __future__ import annotations

import json
import os

import pytest

from collected import PLACED, evaluate


def test_missing_pages_are_named_counted_and_give_1(run, top):
    code, out, err = evaluate(run, top, "-m", "CER")
    assert code == 1
    assert "1 of them without hypothesis, counted as missed" in out
    assert f"no hypothesis: {top}/gt/3.gt.txt" in err
    assert f"no ground truth: {top}/hyp/4.pred.txt" in err


def test_missing_pages_can_be_left_out(run, top):
    code, out, err = evaluate(run, top, "-m", "CER", "--skip-missing")
    assert code == 0
    assert "2 pages · 1 without hypothesis, left out" in out
    assert "no hypothesis" in err
    assert "missing:skip" in out


def test_a_bad_file_is_named_and_the_others_are_reported(run, good):
    (good / "gt/9.xml").write_text("<PcGts><Page")
    (good / "hyp/9.xml").write_text("x")
    code, out, err = evaluate(run, good, "-m", "CER")
    assert code == 1
    assert "2 pages · 1 failed, left out of the totals" in out
    assert len([line for line in err.splitlines() if line.startswith("error: ") and "9.xml" in line]) == 2


def test_an_ambiguous_page_is_named_with_a_remedy_that_works(run, good):
    (good / "hyp/1.hocr").write_text("x")
    (good / "hyp/1.xml").write_text("x")
    code, _, err = evaluate(run, good, "-m", "CER", "--hyp-suffix", ".hocr", "--hyp-suffix", ".xml")
    assert code == 1
    assert "--hyp-suffix .hocr or --hyp-suffix .xml" in err
    assert evaluate(run, good, "-m", "CER", "--hyp-suffix", ".pred.txt")[0] == 0


def test_a_page_without_positions_fails_under_an_explicit_geometry_measure(run, good):
    (good / "gt/5.json").write_text(PLACED)
    (good / "hyp/5.json").write_text(PLACED)
    code, out, err = evaluate(run, good, "-m", "CER:G")
    assert code == 1
    assert "1 page · 2 failed, left out of the totals" in out
    assert f"{good}/gt/1.gt.txt: a measure with G needs positions" in err


def test_measures_with_positions_vanish_with_the_name_of_the_first_file_without(run, good):
    (good / "gt/5.json").write_text(PLACED)
    (good / "hyp/5.json").write_text(PLACED)
    code, out, _ = evaluate(run, good, "--json", good / "a.json")
    assert code == 0
    assert f"2 of 3 pages without positions, first the ground truth {good}/gt/1.gt.txt" in out
    made = json.loads((good / "a.json").read_text())
    assert "CER:RG" not in made["total"]
    assert "CER:RG" in made["pages"][2]["measures"]
    evaluate(run, good, "--from-signature", made["signature"], "--json", good / "b.json")
    assert json.loads((good / "b.json").read_text()) == made


def test_nothing_evaluated_is_1(run, good):
    for path in (good / "hyp").iterdir():
        path.write_bytes(b"\xff\xff")
    code, out, err = evaluate(run, good, "-m", "CER")
    assert code == 1
    assert "0 pages" in out
    assert "no page was evaluated" in err


@pytest.mark.parametrize("arguments", [["nowhere", "nowhere"], ["gt", "empty"]])
def test_what_is_not_there_is_1_and_named(run, good, arguments, monkeypatch):
    monkeypatch.chdir(good)
    (good / "empty").mkdir()
    code, out, err = run("eval", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"pagemeter: {arguments[1]}: no ")


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
def test_strict_stops_at_anything_strange_and_writes_nothing(run, good, spoil):
    assert evaluate(run, good, "-m", "CER", "--strict", "--json", good / "ok.json")[0] == 0
    spoil(good)
    before = set(good.iterdir())
    code, out, err = evaluate(run, good, "-m", "CER", "--strict", "--json", good / "out.json")
    assert (code, out) == (1, "")
    assert "9." in err or "2." in err or "2:" in err
    assert set(good.iterdir()) == before


def test_strict_lets_missing_pages_pass_that_are_to_be_skipped(run, top):
    assert evaluate(run, top, "-m", "CER", "--strict", "--skip-missing")[0] == 0


def test_pages_of_different_size_are_a_warning_where_positions_count(run, tmp_path):
    for name, width in (("gt", 1000), ("hyp", 500)):
        sized = PLACED.replace("{", f'{{"width": {width}, "height": 1800, ', 1)
        (tmp_path / f"{name}.json").write_text(sized)
    pair = tmp_path / "gt.json", tmp_path / "hyp.json"
    code, _, err = run("eval", *pair, "-m", "CER:G")
    assert code == 0
    assert "hyp.json: size of the page: 500 × 1800 px, but the ground truth has 1000 × 1800" in err
    assert run("eval", *pair, "-m", "CER")[2] == ""


def test_warnings_are_counted_and_named_but_give_0(run, good):
    (good / "hyp/1.pred.txt").write_text("a\x01 line\nanother")
    code, out, err = evaluate(run, good, "-m", "CER", "--json", good / "a.json")
    assert code == 0
    assert "2 pages · 1 warning" in out
    assert "warning: " in err
    assert "U+0001" in err
    made = json.loads((good / "a.json").read_text())
    assert made["summary"]["warnings"] == 1
    assert made["pages"][0]["warnings"][0]["element"] == "line 1"


def test_names_that_are_not_utf8_can_be_reported_everywhere(run, good):
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


def test_every_kind_of_strange_entry_in_a_folder_is_survived(run, good):
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
    assert "4 other files passed over" in out
