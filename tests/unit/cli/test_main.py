"""The command line: help, version, formats, demo, and evaluations without problems."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from collected import evaluate
from helpers import SHARED, needs_shared
from pagemeter.demo import FOLDER


def test_the_help_fits_a_screen(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("--help")
    assert code == 0
    assert len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 80
    for command in ("eval", "demo", "formats"):
        assert command in out


def test_help_is_a_command_too(run):
    assert run("help") == run("--help")
    assert run("help", "eval") == run("eval", "--help")
    code, _, err = run("help", "evl")
    assert code == 2
    assert "did you mean eval?" in err


def test_the_version_is_printed(run):
    assert run("--version")[1].startswith("pagemeter ")


def test_formats_are_listed(run):
    code, out, _ = run("formats")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()][:2] == ["page", "alto"]


def test_the_demo_shows_the_default_table_and_the_signature_and_writes_a_report(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("demo")
    assert out.startswith("columns: two columns; ")
    assert (code, err) == (0, "")
    rows = [line.split()[0] for line in out.partition("\nmeasure ")[2].splitlines()[1:7]]
    assert rows == ["CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW"]
    assert "\nCER:RG 62.59 % = " in out
    assert "measures:CER:R,CER:RS,CER:S,WER:R,WER:S,BOW|budget:CER" in out
    assert "All 18 measures: pagemeter eval " in out
    report = tmp_path / "pagemeter-demo.html"
    assert out.endswith(f"Open this report in a browser: {report}\n")
    assert report.read_text().startswith("<!doctype html>")


def test_the_demo_describes_its_pages_and_prints_a_command_that_evaluates_them(run, tmp_path):
    _, out, _ = run("demo", tmp_path / "a.html")
    for path in (FOLDER / "gt").glob("*.xml"):
        assert f"{path.stem}: " in out
    (command,) = re.findall(r"^\$ pagemeter (.*)$", out, re.MULTILINE)
    assert run(*command.split())[1].splitlines()[:15] == out.partition(command)[2].splitlines()[1:16]


def test_two_folders_are_evaluated(run, good):
    code, out, err = evaluate(run, good, "-m", "CER", "-m", "WER")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].split()[:4] == ["CER", "8.33", "%", "2"]
    assert "Worst pages by CER" in lines
    assert "2 pages" in lines


def test_two_files_are_evaluated(run, good):
    code, out, _ = run("eval", good / "gt/2.gt.txt", good / "hyp/2.pred.txt", "-m", "CER")
    assert code == 0
    assert "18.18 %" in out


def test_the_default_measures_without_positions_are_six(run, good):
    _, out, _ = evaluate(run, good)
    assert "measures:CER:R,CER:RS,CER:S,WER:R,WER:S,BOW|" in out


def test_a_table_of_pairs_is_given_alone(run, good):
    (good / "pairs.tsv").write_text("gt/1.gt.txt\thyp/2.pred.txt\n")
    assert run("eval", good / "pairs.tsv", "-m", "CER")[0] == 0
    assert run("eval", good / "gt/1.gt.txt")[0] == 2


def test_help_imports_no_slow_package():
    code = "import sys, pagemeter.cli\ntry: pagemeter.cli.main(['--help'])\nexcept SystemExit: pass\n"
    code += "print([name for name in ('numpy', 'lxml', 'highspy', 'regex') if name in sys.modules])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.splitlines()[-1] == "[]"


@needs_shared
@pytest.mark.parametrize(
    ("name", "hyp", "options"),
    [
        ("citlab-error-rate", "hyp-err", ["--skip-missing"]),
        ("citlab-error-rate-atr", "hyp-ATR_1-page_f3", []),
        ("argus-brevets", "hyp-tesseract-fra", ["--hyp-suffix", ".hocr"]),
        ("ocrd-kant-1784", "hyp-calamari-gt4histocr", []),
        ("ocrevaluation", "hyp-txt", ["--skip-missing"]),
    ],
)
def test_real_collections_are_evaluated(run, tmp_path, name, hyp, options):
    top = SHARED / "pages" / name
    code, _, _ = run(
        "eval", top / "gt", top / hyp, "-m", "CER:R", "-m", "BOW", *options, "--json", tmp_path / "a.json"
    )
    made = json.loads((tmp_path / "a.json").read_text())
    assert code == 0
    assert made["failed"] == []
    for measure, total in made["total"].items():
        for field in ("errors", "ins", "dels", "sub", "cor", "n_gt", "n_hyp", "lower_bound"):
            assert total[field] == sum(page["measures"][measure][field] for page in made["pages"])


def test_demo_copies_the_example_pages_to_a_new_folder(tmp_path, run):
    code, out, _ = run("demo", "--pages", tmp_path / "pages")
    assert code == 0
    assert f"pagemeter eval {tmp_path / 'pages' / 'gt'} {tmp_path / 'pages' / 'hyp'}" in out
    assert run("eval", tmp_path / "pages" / "gt", tmp_path / "pages" / "hyp")[0] == 0
    code, _, err = run("demo", "--pages", tmp_path / "pages")
    assert code == 1
    assert "name a folder that does not exist yet" in err.lower()
