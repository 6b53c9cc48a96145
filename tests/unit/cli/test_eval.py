"""`pagemeter eval`: error budgets and intervals."""

from __future__ import annotations

import csv
import json

import pytest

from pagemeter.cli import main


@pytest.fixture
def top(tmp_path):
    """Four pages in two folders, read with some errors, two lines merged and two swapped."""
    for place, name in enumerate(("a/1", "a/2", "b/1", "b/2")):
        lines = [f"line {number} of page {place}" for number in range(6)]
        for side in ("gt", "hyp"):
            path = tmp_path / side / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines))
            lines = [lines[1], f"{lines[0]} {lines[2]}", *lines[3:5], lines[5].replace("l", "1"), "x" * place]
    return tmp_path


@pytest.fixture
def run(top, capsys):
    """Return a function that evaluates the pages and returns the exit code, the JSON and the printed text."""

    def call(*options):
        arguments = [str(part) for part in ("eval", top / "gt", top / "hyp", *options)]
        code = main([*arguments, "--json", str(top / "out.json")])
        made = json.loads((top / "out.json").read_text()) if code == 0 else {}
        said = capsys.readouterr()
        return code, made, said.out + said.err

    return call


def test_the_default_measures_come_with_a_budget_of_cer(run):
    code, made, text = run()
    assert code == 0
    assert set(made["budgets"]) == {"CER:R"}
    assert "CER" not in made["total"], "what only the budget needs is not a result"
    assert "CER" not in made["pages"][0]["measures"]
    assert " misread █ + " in text
    assert "|budget:CER|" in made["signature"]


def test_the_errors_of_recognition_are_divided_by_kind(run, top):
    (top / "hyp/a/1.txt").write_text("line 0 of page 0\n" * 40)
    _, made, text = run()
    kinds, pages = made["kinds"]["CER:S"], [page["kinds"]["CER:S"] for page in made["pages"]]
    assert kinds == {name: sum(page[name] for page in pages) for name in kinds}
    assert sum(kinds.values()) - kinds["repeated"] == made["total"]["CER:S"]["errors"]
    assert kinds["invented"] > kinds["repeated"] > 300
    assert made["budgets"]["CER:R"]["kinds"] == kinds
    assert " invented (" in text
    assert " repeated) ▀" in text


def test_without_a_budget_the_first_measure_that_aligns_lines_is_divided(run):
    assert list(run("-m", "BOW,WER:R,CER:R")[1]["kinds"]) == ["WER:R"]
    assert list(run("-m", "WER:R,CER:S")[1]["kinds"]) == ["CER:S"]
    assert run("-m", "BOW")[1]["kinds"] == {}


def test_named_measures_have_a_budget_only_if_none_is_lacking(run):
    assert run("-m", "CER:R,CER:RS,CER:S")[1]["budgets"] == {}
    _, made, _ = run("-m", "CER:R,CER:RS,CER:S,CER")
    assert set(made["budgets"]) == {"CER:R"}
    assert "budget" not in made["signature"]


def test_a_budget_can_be_asked_for(run):
    _, made, _ = run("-m", "BOW", "--budget", "WER")
    assert list(made["total"]) == ["BOW"]
    assert made["budgets"]["WER:R"]["errors"] > 0
    assert set(run("--budget", "CER,WER")[1]["budgets"]) == {"CER:R", "WER:R"}


def test_a_budget_can_be_left_out(run):
    _, made, text = run("--budget", "none")
    assert made["budgets"] == {}
    assert "█" not in text


def test_a_budget_of_an_unknown_unit_is_wrong_usage(run):
    code, _, text = run("--budget", "BOW")
    assert code == 2
    assert "--budget BOW: unknown value. Use CER, WER or none." in text


def test_the_signature_reproduces_the_budget(run):
    _, made, _ = run("-m", "BOW", "--budget", "WER")
    assert run("--from-signature", made["signature"])[1] == made


def test_every_measure_has_an_interval_in_every_report(run, top):
    for side in ("gt", "hyp"):
        (top / side / "b/3.txt").write_bytes((top / side / "b/2.txt").read_bytes())
    csv_file, markdown = top / "out.csv", top / "out.md"
    _, made, text = run("--csv", csv_file, "--markdown", markdown)
    assert set(made["intervals"]) == set(made["total"])
    found = made["intervals"]["CER:R"]
    assert found["low"] < made["total"]["CER:R"]["rate"] < found["high"]
    assert (found["confidence"], found["method"]) == (0.95, "jackknife")
    assert "95 % interval" in text
    assert "95 % interval" in markdown.read_text()
    *_, row = csv.DictReader(csv_file.read_text().splitlines())
    assert float(row["rate_low"]) == made["intervals"][row["measure"]]["low"]
    assert "|confidence:0.95|resamples:10000|seed:1|strata:none|" in made["signature"]


def test_the_interval_of_four_pages_is_in_the_files_but_not_shown(run):
    _, made, text = run("-m", "CER:R")
    found = made["intervals"]["CER:R"]
    assert found["low"] < made["total"]["CER:R"]["rate"] < found["high"]
    assert found["reason"] == "too few pages (4 with text, 5 are needed)"
    assert "95 % interval" not in text
    assert "no interval: too few pages (4 with text" in text


def test_confidence_seed_and_strata_change_the_intervals_and_the_signature(run):
    plain = run("-m", "CER:R")[1]["intervals"]["CER:R"]
    wide = run("-m", "CER:R", "--confidence", "0.99")[1]["intervals"]["CER:R"]
    assert wide["low"] < plain["low"] < plain["high"] < wide["high"]
    _, made, _ = run("-m", "CER:R", "--strata", "folder", "--seed", "5", "--resamples", "200")
    assert made["intervals"]["CER:R"] != plain
    assert "|confidence:0.95|resamples:200|seed:5|strata:folder|" in made["signature"]
    assert run("--from-signature", made["signature"])[1] == made


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [("--confidence", "95", "between 0.5 and 1"), ("--strata", "page", "Use one of none, folder"),
     ("--strata", "document", "names the document of every page"), ("--resamples", "1", "from 100")],
)  # fmt: skip
def test_an_invalid_option_of_statistics_is_wrong_usage(run, option, value, hint):
    code, _, text = run("-m", "CER", option, value)
    assert code == 2
    assert hint in text


def test_a_note_says_why_one_page_has_no_interval(top, capsys):
    assert main(["eval", str(top / "gt/a/1.txt"), str(top / "hyp/a/1.txt"), "-m", "CER,WER"]) == 0
    out = capsys.readouterr().out
    assert "no interval: too few pages (1 with text, 5 are needed)\n" in out
    assert "% interval" not in out


def test_a_measure_without_interval_is_named(top, capsys):
    """Every word is wrong, but not every letter."""
    for name in ("a/1", "a/2", "b/1", "b/2"):
        (top / f"gt/{name}.txt").write_text("ab")
        (top / f"hyp/{name}.txt").write_text("xy" if name == "a/1" else "ax")
    assert main(["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER,WER"]) == 0
    assert "no interval for WER: all pages have the same rate\n" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl"])
def test_a_table_of_pairs_may_name_documents(top, suffix):
    """The documents are the folders here, so both give the same intervals."""
    rows = [(f"gt/{name}.txt", f"hyp/{name}.txt", name, name[0]) for name in ("a/1", "a/2", "b/1", "b/2")]
    keys = ("gt", "hyp", "page", "document")
    lines = [
        "\t".join(row) if suffix == ".tsv" else json.dumps(dict(zip(keys, row, strict=True))) for row in rows
    ]
    (top / f"pairs{suffix}").write_text("\n".join(lines))
    found = []
    for strata in ("folder", "document"):
        out = top / f"{strata}.json"
        assert main(["eval", str(top / f"pairs{suffix}"), "--strata", strata, "--json", str(out)]) == 0
        found.append(json.loads(out.read_text())["intervals"])
    assert found[0] == found[1]
    assert found[0]["CER:R"]["low"] is not None
