"""The command line: what it prints, writes and returns."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import fields

import pytest

from helpers import SHARED, needs_shared
from pagemeter import Measure, Score, Settings
from pagemeter.cli import parser
from pagemeter.commands.limits import Limit
from pagemeter.commands.settings import ROWS
from pagemeter.corpus import Totals
from pagemeter.demo import FOLDER
from pagemeter.errors import UsageError
from pagemeter.score import Counts

COMMAND = [sys.executable, "-c", "import sys; from pagemeter.cli import main; sys.exit(main())"]
PLACED = '{"lines": [{"text": "a line", "baseline": [[0, 50], [300, 50]]}]}'


@pytest.fixture
def top(tmp_path):
    """Two folders: one page read well, one badly, one missing, one without ground truth."""
    texts = {
        "gt/1.gt.txt": "a line\nanother",
        "gt/2.gt.txt": "second page",
        "gt/3.gt.txt": "third",
        "hyp/1.pred.txt": "a line\nanother",
        "hyp/2.pred.txt": "secund pace",
        "hyp/4.pred.txt": "fourth",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def good(top):
    """The folders with the two pages that both sides have."""
    (top / "gt/3.gt.txt").unlink()
    (top / "hyp/4.pred.txt").unlink()
    return top


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def evaluate(run, top, *options):
    return run("eval", top / "gt", top / "hyp", *options)


def test_the_help_fits_a_screen(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("--help")
    assert code == 0
    assert len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 80
    for command in ("eval", "demo", "formats"):
        assert command in out


def test_every_option_is_explained_in_one_sentence():
    commands = parser()._commands
    for action in commands["eval"]._actions:
        assert action.help
        assert action.help[0].isupper()
        assert action.help.endswith(".")
        assert ". " not in action.help.replace("such as .", "")


def test_every_setting_has_an_option():
    assert {row.field for row in ROWS} == {field.name for field in fields(Settings)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.field)
def test_every_setting_can_be_given_as_its_signature_has_it(row, run, good):
    values = {
        "mapping": "long-s",
        "keep_lines": ".",
        "drop_lines": "^$",
        "strip": "digits",
        "time_limit": "5",
    }
    values |= {"threshold": "0.1", "tokeniser": "uax29", "hyphens": "join", "case": "fold"}
    value = values.get(row.field, str(getattr(Settings(), row.field)))
    code, out, _ = evaluate(run, good, "-m", "CER", row.flag, value)
    assert code == 0
    assert f"|{row.field}:{value}" in out.replace("@", "|") + "|"


@pytest.mark.parametrize(
    "options", [["--strip", "symbols,digits"], ["--strip", "digits", "--strip", "symbols"]]
)
def test_kinds_to_strip_are_repeated_or_separated_by_commas(run, good, options):
    assert "|strip:digits,symbols|" in evaluate(run, good, "-m", "CER", *options)[1]


def test_an_unknown_option_suggests_the_nearest(run):
    code, _, err = run("eval", "--jsn", "out.json", "gt", "hyp")
    assert code == 2
    assert "unknown option --jsn (did you mean --json?)" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "--alignments", "x"], "--alignments (an option of eval)"),
        (["--latex=x", "compare"], "--latex (an option of compare; write it after the command)"),
        (["formats", "--csv"], "--csv (an option of eval, compare, report)"),
    ],
)
def test_an_option_of_another_command_is_told_to_be_one(run, arguments, said):
    code, _, err = run(*arguments)
    assert code == 2
    assert f"unknown option {said}" in err


@pytest.mark.parametrize(("wrong", "right"), [("--measur=CER", "--measure"), ("--fail-abov", "--fail-above")])
def test_options_cannot_be_abbreviated(run, wrong, right):
    code, _, err = run("eval", wrong, "CER=1", "gt", "hyp")
    assert code == 2
    assert right in err


def test_an_unknown_short_option_is_wrong_usage(run):
    assert run("eval", "-x", "gt", "hyp")[0] == 2


def test_an_unknown_command_suggests_the_nearest(run):
    code, _, err = run("evla", "gt", "hyp")
    assert code == 2
    assert "did you mean eval?" in err


def test_an_unknown_option_before_the_command_is_wrong_usage(run):
    code, _, err = run("--versoin")
    assert code == 2
    assert "did you mean --version?" in err


def test_an_unknown_measure_suggests_the_nearest_before_any_file_is_read(run):
    code, _, err = run("eval", "nowhere", "nowhere", "-m", "CER:RX")
    assert code == 2
    assert "did you mean CER:R" in err


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("--solver", "exat", "did you mean exact"),
        ("--normalise", "NFG", "did you mean NF"),
        ("--level", "lin", "did you mean line"),
        ("--format", "alt0", "did you mean alto"),
        ("--threshold", "2", "between 0 and 1"),
        ("--threshold", "x", "float"),
        ("--fail-above", "CER", "CER=0.05"),
        ("--from-signature", "solvr:exact", "did you mean solver"),
    ],
)
def test_a_wrong_value_is_wrong_usage_with_a_hint(run, good, option, value, hint):
    code, _, err = evaluate(run, good, option, value)
    assert code == 2
    assert hint in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--json", ""], "--json: nothing is given"),
        (["--json="], "--json=: nothing is given"),
        (["--from-signature", ""], "--from-signature: nothing is given"),
        (["--gt-suffix", ""], "--gt-suffix: nothing is given"),
        (["-m", ""], "-m: nothing is given"),
    ],
)
def test_an_empty_value_is_wrong_usage(run, good, arguments, said):
    code, out, err = evaluate(run, good, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_an_empty_path_is_wrong_usage(run, good):
    assert run("eval", "", good / "hyp")[0] == 2
    assert run("eval", good / "gt", "")[0] == 2


def test_help_is_a_command_too(run):
    assert run("help") == run("--help")
    assert run("help", "eval") == run("eval", "--help")
    code, _, err = run("help", "evl")
    assert code == 2
    assert "did you mean eval?" in err


@pytest.mark.parametrize("value", ["long-s,ligatures", "ligatures"])
def test_mappings_are_repeated_or_separated_by_commas(run, good, value):
    _, out, _ = evaluate(run, good, "-m", "CER", "--mapping", value)
    assert all(f"{name}@" in out for name in value.split(","))


def test_the_file_of_a_mapping_may_have_a_comma_in_its_name(run, good):
    (good / "a,b.tsv").write_text("u\to\n")
    assert evaluate(run, good, "-m", "CER", "--mapping", good / "a,b.tsv")[0] == 0


def test_no_command_is_wrong_usage(run):
    assert run()[0] == 2


def test_the_version_is_printed(run):
    assert run("--version")[1].startswith("pagemeter ")


def test_formats_are_listed(run):
    code, out, _ = run("formats")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()][:2] == ["page", "alto"]


def test_the_demo_shows_all_measures_and_the_signature_and_writes_a_report(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("demo")
    assert out.startswith("columns: two columns, the right one read first")
    assert (code, err) == (0, "")
    for measure in ("CER:R ", "WER:RSG ", "BOW:G "):
        assert f"\n{measure}" in out
    assert "measures:CER:R,CER:RG," in out
    report = tmp_path / "pagemeter-demo.html"
    assert out.endswith(f"The report to look at: {report}\n")
    assert report.read_text().startswith("<!doctype html>")


def test_the_demo_says_what_its_pages_are_and_names_a_command_that_measures_them(run, tmp_path):
    _, out, _ = run("demo", tmp_path / "a.html")
    for path in (FOLDER / "gt").glob("*.xml"):
        assert f"{path.stem}: " in out
    (command,) = re.findall(r"^\$ pagemeter (.*)$", out, re.MULTILINE)
    assert run(*command.split())[1].splitlines()[:19] == out.partition(command)[2].splitlines()[1:20]


def test_a_report_to_look_at_is_written_whole(run, good):
    code, _, err = evaluate(run, good, "-m", "CER", "--html", good / "out.html", "--html-size", "0.5")
    assert (code, err) == (0, "")
    assert (good / "out.html").read_text().endswith("</html>\n")


def test_a_report_has_a_size_that_is_none_or_more(run, good):
    code, _, err = evaluate(run, good, "-m", "CER", "--html", good / "out.html", "--html-size", "-1")
    assert (code, err) == (2, "pagemeter: --html-size -1.0: give megabytes, 0 or more\n")
    assert not (good / "out.html").exists()


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


@pytest.mark.parametrize(
    "order", ["gt hyp -m CER", "-m CER gt hyp", "gt -m CER hyp", "--strict gt -m CER hyp"]
)
def test_options_may_stand_anywhere(run, good, order, monkeypatch):
    monkeypatch.chdir(good)
    assert run("eval", *order.split())[0] == 0


def test_an_argument_too_many_is_wrong_usage(run, good):
    code, _, err = evaluate(run, good, good / "more")
    assert code == 2
    assert "more" in err
    assert err.startswith("usage: pagemeter eval [options] GT HYP\n")


def test_the_default_measures_without_positions_are_six(run, good):
    _, out, _ = evaluate(run, good)
    assert "measures:CER:R,CER:RS,CER:S,WER:R,WER:S,BOW|" in out


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


def test_a_limit_that_is_passed_gives_1(run, good):
    code, _, err = evaluate(run, good, "-m", "CER", "--fail-above", "CER=0.05")
    assert code == 1
    assert "CER is 8.33 %, above the limit of 5.00 %" in err
    assert evaluate(run, good, "--fail-above", "CER=10%")[0] == 0


def test_a_limit_adds_its_measure(run, good):
    _, out, _ = evaluate(run, good, "-m", "WER", "--fail-above", "CER:SR=1")
    assert "measures:WER,CER:RS|" in out


def test_a_limit_above_1_has_to_be_per_cent():
    with pytest.raises(
        UsageError, match=r"CER:R=5: 5 is 500 %; write CER:R=5% or, if that is meant, CER:R=500%"
    ):
        Limit.parse("CER:R=5")
    assert Limit.parse("CER:R=150%").rate == 1.5
    assert Limit.parse("CER:R=1").rate == 1


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        (0.03, "CER is 4.00 … 5.00 %, above the limit of 3.00 %"),
        (
            0.04,
            "CER may be above the limit of 4.00 %: only 4.00 … 5.00 % is proven; give a longer --time-limit",
        ),
        (0.05, None),
    ],
)
def test_a_limit_within_what_is_not_proven_is_passed_and_said_to_be_so(rate, said):
    score = Score(Measure("CER"), Counts(sub=5, cor=95), 4)
    assert Limit(score.measure, rate).passed(Totals({score.measure: score})) == said


@pytest.mark.parametrize("text", ["CER=x", "CER=-1", "CER=nan", "=0.5", "XER=0.5", "CER:RS"])
def test_a_limit_without_meaning_is_wrong_usage(text):
    with pytest.raises(UsageError):
        Limit.parse(text)


def test_the_signature_reproduces_the_numbers(run, good):
    options = ["-m", "CER:S", "-m", "WER", "--case", "fold", "--unit", "codepoint", "--drop-lines", "^a|b c$"]
    evaluate(run, good, *options, "--json", good / "a.json")
    first = json.loads((good / "a.json").read_text())
    evaluate(run, good, "--from-signature", first["signature"], "--json", good / "b.json")
    second = json.loads((good / "b.json").read_text())
    assert second == first
    assert "case:fold" in first["signature"]


def test_options_override_a_signature(run, good):
    _, out, _ = evaluate(
        run, good, "--from-signature", "measures:WER|case:fold", "-m", "CER", "--case", "keep"
    )
    assert "measures:CER|" in out
    assert "|case:keep|" in out


def test_a_mapping_that_has_moved_is_given_beside_its_signature(run, good):
    """It is known by its digest; the numbers are the same, and the signature names where it is now."""
    before, after = good / "rules.tsv", good / "elsewhere.tsv"
    before.write_text("e\tE\n")
    _, out, _ = evaluate(run, good, "-m", "CER", "--mapping", "long-s", "--mapping", before)
    line = out.splitlines()[-1]
    before.rename(after)
    code, _, err = evaluate(run, good, "--from-signature", line)
    assert code == 1
    assert "rules.tsv: the mapping of this signature is not there" in err
    assert "with --mapping" in err
    _, again, _ = evaluate(run, good, "--from-signature", line, "--mapping", "long-s", "--mapping", after)
    assert again == out.replace("rules.tsv", "elsewhere.tsv")


def test_a_mapping_with_other_rules_does_not_stand_in_for_one_that_is_gone(run, good):
    (good / "rules.tsv").write_text("e\tE\n")
    _, out, _ = evaluate(run, good, "-m", "CER", "--mapping", good / "rules.tsv")
    (good / "rules.tsv").unlink()
    code, _, err = evaluate(run, good, "--from-signature", out.splitlines()[-1], "--mapping", "long-s")
    assert code == 2
    assert "the mapping given is long-s@8ff1119a; give the one that the signature was made with" in err


def test_a_signature_of_another_version_is_warned_of(run, good):
    code, _, err = evaluate(run, good, "--from-signature", "measures:CER|case:fold|version:0.0.0")
    assert code == 0
    assert "of pagemeter 0.0.0" in err


def test_an_expression_that_never_ends_is_wrong_usage_that_names_it(run, good, monkeypatch):
    monkeypatch.setattr("pagemeter.text.filters.SECONDS", 0.1)
    (good / "gt/1.gt.txt").write_text("a" * 60)
    files = good / "gt/1.gt.txt", good / "hyp/1.pred.txt"
    code, out, err = run("eval", *files, "-m", "CER", "--drop-lines", "(a|aa)+(a|aa)+$b")
    assert (code, out) == (2, "")
    assert err.startswith("pagemeter: drop_lines='(a|aa)+(a|aa)+$b': more than 0.1 s for one line")


def test_all_reports_are_written(run, good):
    paths = {kind: good / f"out.{kind}" for kind in ("json", "csv", "markdown")}
    options = [part for kind, path in paths.items() for part in (f"--{kind}", path)]
    assert evaluate(run, good, "-m", "CER", *options)[0] == 0
    assert json.loads(paths["json"].read_text())["summary"]["pages"] == 2
    assert len(rows(paths["csv"])) == 3
    assert paths["markdown"].read_text().startswith("<!-- pagemeter report -->\n\n| measure |")


def test_json_on_standard_output_is_alone_there(run, top):
    code, out, err = evaluate(run, top, "-m", "CER", "--json", "-")
    assert code == 1
    assert json.loads(out)["unpaired"]["gt"] == [f"{top}/gt/3.gt.txt"]
    assert "no hypothesis" in err


def test_two_reports_cannot_share_a_file(run, good):
    assert evaluate(run, good, "--json", "-", "--csv", "-")[0] == 2
    assert evaluate(run, good, "--json", good / "x", "--csv", good / "x")[0] == 2


def test_a_report_that_cannot_be_written_is_said_before_the_work(run, good):
    code, out, err = evaluate(run, good, "--json", good / "no/such/x.json")
    assert (code, out) == (1, "")
    assert "cannot be written" in err


def test_per_page_shows_every_page(run, good):
    _, out, _ = evaluate(run, good, "-m", "CER", "--per-page")
    assert "Pages\n" in out
    assert "\n1 " in out
    assert "\n2 " in out


def test_per_line_shows_lines_with_errors(run, good):
    _, out, _ = evaluate(run, good, "-m", "BOW", "-m", "CER", "--per-line")
    assert "2, line 1: CER 2 of 11\n  GT   second page\n  HYP  secund pace\n" in out


def test_per_line_goes_into_json_and_csv(run, good):
    evaluate(run, good, "-m", "CER", "--per-line", "--json", good / "a.json", "--csv", good / "a.csv")
    pages = json.loads((good / "a.json").read_text())["pages"]
    assert pages[1]["lines"][0]["distance"] == 2
    assert [row["distance"] for row in rows(good / "a.csv")] == ["0", "0", "2"]


def test_per_line_of_a_bag_of_words_is_wrong_usage(run, good):
    assert evaluate(run, good, "-m", "BOW", "--per-line")[0] == 2


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


def test_the_signature_that_is_printed_gives_the_settings_back(run, good):
    _, out, _ = evaluate(run, good, "--case", "fold", "--encoding", "utf-8", "--skip-missing")
    line = next(line for line in out.splitlines() if "|solver:" in line)
    assert Settings.from_signature(line) == Settings(case="fold")


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


def test_reading_options_reach_the_files(run, good):
    (good / "a.x").write_bytes("ä # b".encode("latin-1"))
    same = ("eval", good / "a.x", good / "a.x", "-m", "CER", "--encoding", "latin-1")
    code, out, err = run(*same, "--gt-format", "markdown", "--hyp-format", "text")
    assert code == 0
    assert "gt_format:markdown|hyp_format:text|encoding:latin-1|" in out
    assert "same file" in err


def test_one_format_may_be_named_for_both_sides(run, good):
    _, out, _ = evaluate(run, good, "-m", "CER", "--format", "text", "--level", "line", "--order", "document")
    assert "|format:text|level:line|order:document|" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--encoding", "latin-1"], "encoding:latin-1"),
        (["--hyp-encoding", "latin-1"], "hyp_encoding:latin-1"),
        (["--encoding", "latin-1", "--gt-encoding", "utf-8"], "gt_encoding:utf-8|hyp_encoding:latin-1"),
        (["--gt-level", "word", "--order", "document"], "gt_level:word|order:document"),
        (
            ["--level", "word", "--hyp-order", "top-down", "--gt-dpi", "300"],
            "level:word|hyp_order:top-down|gt_dpi:300",
        ),
    ],
)
def test_each_side_has_its_own_way_of_reading_and_the_signature_reproduces_it(run, good, options, said):
    _, out, _ = evaluate(run, good, "-m", "CER", *options)
    signature = out.splitlines()[-1]
    assert signature.startswith(f"measures:CER|{said}|confidence:")
    assert evaluate(run, good, "--from-signature", signature)[1].splitlines()[-1] == signature


def test_one_side_in_another_encoding_does_not_spoil_the_other(run, good):
    (good / "gt/2.gt.txt").write_text("sécond pägé")
    (good / "hyp/2.pred.txt").write_bytes("sécond pägé".encode("latin-1"))
    assert "--hyp-encoding latin-1" in evaluate(run, good, "-m", "CER")[2]
    code, out, _ = evaluate(run, good, "-m", "CER", "--hyp-encoding", "latin-1")
    assert code == 0
    assert out.splitlines()[1].split()[:4] == ["CER", "0.00", "%", "0"]


def test_a_resolution_of_nothing_is_refused(run, good):
    assert evaluate(run, good, "--dpi", "0")[0] == 2


def test_a_table_of_pairs_is_given_alone(run, good):
    (good / "pairs.tsv").write_text("gt/1.gt.txt\thyp/2.pred.txt\n")
    assert run("eval", good / "pairs.tsv", "-m", "CER")[0] == 0
    assert run("eval", good / "gt/1.gt.txt")[0] == 2


def test_standard_input_is_read_as_text_in_the_place_of_one_side(good):
    for arguments in ([good / "gt/2.gt.txt", "-"], ["-", good / "gt/2.gt.txt"]):
        made = subprocess.run(
            [*COMMAND, "eval", *map(str, arguments), "-m", "CER"],
            input=b"second pace", capture_output=True, check=False,
        )  # fmt: skip
        assert made.returncode == 0
        assert made.stdout.splitlines()[1].split()[3] == b"1"


def test_standard_input_is_the_ground_truth_of_every_system(good):
    arguments = ["compare", "-", good / "gt/2.gt.txt", good / "hyp/2.pred.txt", "-m", "CER"]
    made = subprocess.run(
        [*COMMAND, *map(str, arguments)], input=b"second page", capture_output=True, check=False
    )
    assert made.returncode == 0
    assert made.stdout.splitlines()[1].split() == [b"CER", b"0.00", b"%", b"18.18", b"%"]


def test_pipes_may_stand_in_the_place_of_files():
    command = f"{sys.executable} -c '{COMMAND[2]}' eval <(echo one) <(echo ons) -m CER"
    made = subprocess.run(["bash", "-c", command], capture_output=True, check=False)  # noqa: S607
    assert (made.returncode, made.stderr) == (0, b"")
    assert made.stdout.splitlines()[1].split()[3] == b"1"


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


def in_pipe(*arguments, **environment):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_pipe_gets_plain_text_and_no_progress(good):
    made = in_pipe("eval", good / "gt", good / "hyp", "-m", "CER")
    assert made.returncode == 0
    assert made.stderr == b""
    assert b"\x1b" not in made.stdout
    assert "─" not in made.stdout.decode()


def test_a_pipe_that_knows_only_ascii_is_no_crash(good):
    made = in_pipe("eval", good / "gt", good / "hyp", "-m", "CER", PYTHONIOENCODING="ascii")
    assert made.returncode == 0
    assert b"\\xb7" in made.stdout


def test_a_reader_that_has_seen_enough_is_no_crash(good):
    arguments = [
        *COMMAND,
        "eval",
        str(good / "gt"),
        str(good / "hyp"),
        "-m",
        "CER",
        "--json",
        str(good / "a.json"),
    ]
    reader, writer = os.pipe()
    os.close(reader)
    made = subprocess.run(arguments, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert b"Traceback" not in made.stderr
    assert json.loads((good / "a.json").read_text())["summary"]["pages"] == 2


@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--per-line"]])
def test_an_output_that_is_full_is_one_line_and_1(good, options):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        arguments = [*COMMAND, "eval", str(good / "gt"), str(good / "hyp"), "-m", "CER", *options]
        made = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
    assert made.returncode == 1
    assert made.stderr.decode().splitlines() == [
        "pagemeter: standard output or a temporary file: No space left on device; make room for it"
    ]


@pytest.mark.parametrize("closed", ["1", "2", "1 2"])
def test_an_output_that_is_closed_is_no_crash(good, closed):
    command = f"exec {' '.join(f'{number}>&-' for number in closed.split())}; "
    command += f"{sys.executable} -c '{COMMAND[2]}' eval {good}/gt {good}/hyp -m CER"
    made = subprocess.run(["sh", "-c", command], capture_output=True, check=False)  # noqa: S607
    assert made.returncode == ("1" in closed)
    assert (b"standard output is closed" in made.stderr) == (closed == "1")
    assert b"Traceback" not in made.stderr


def on_terminal(columns, *arguments):
    """What a terminal of so many columns is sent."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(COLUMNS=str(columns), TERM="xterm-256color")
        os.execv(COMMAND[0], [*COMMAND, *map(str, arguments)])  # noqa: S606
    sent = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        sent += more
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), sent.decode()


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_a_terminal_gets_a_drawn_table_within_its_width(good, columns):
    code, sent = on_terminal(columns, "eval", good / "gt", good / "hyp")
    assert code == 0
    assert "\x1b[" in sent
    assert "─" in sent
    assert ("precision" in sent) == (columns >= 120)
    rules = [line for line in sent.splitlines() if "───" in line]
    assert rules
    assert all(line.count("─") <= columns for line in rules)


def test_a_terminal_sees_progress(good):
    _, sent = on_terminal(80, "eval", good / "gt", good / "hyp", "-m", "CER")
    assert "evaluating" in sent


def test_help_loads_neither_readers_nor_drawing():
    code = "import sys, pagemeter.cli\ntry: pagemeter.cli.main(['--help'])\nexcept SystemExit: pass\n"
    code += "print([name for name in ('rich', 'lxml', 'highspy', 'regex') if name in sys.modules])"
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
