"""`pagemeter compare` from files to tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pagemeter.cli import main, parser
from pagemeter.commands.systems import names_of
from pagemeter.errors import UsageError


@pytest.fixture
def top(tmp_path):
    """Six pages read by three systems: `good`, `bad` and one that misses a page."""
    for number in range(6):
        lines = [f"line {number} {place} of the old book" for place in range(4 + number)]
        systems = {
            "gt": lines,
            "good": [*lines[:-1], lines[-1].replace("book", "b0ok")],
            "bad": [line.replace("o", "0") for line in lines],
            "a&b_c": [line.replace("l", "1") for line in lines],
        }
        for name, read in systems.items():
            path = tmp_path / name / f"p{number}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(read))
    (tmp_path / "a&b_c/p5.txt").unlink()
    return tmp_path


@pytest.fixture
def run(top, capsys, monkeypatch):
    """Compares systems: the exit code, what is printed, and what is said of errors."""
    monkeypatch.chdir(top)

    def call(*arguments):
        code = main(["compare", "gt", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def as_json(run, top, *arguments):
    code, _, _ = run(*arguments, "--json", "out.json")
    return code, json.loads((top / "out.json").read_text())


def test_two_systems_are_compared(run):
    code, out, err = run("good", "bad", "-m", "CER:R,WER:R")
    assert (code, err) == (0, "")
    assert re.search(r"^measure +good +bad$", out, re.MULTILINE)
    assert re.search(r"^CER:R +\+\d+\.\d\d +\+\d.* to \+\d.* 0\.0312 +0\.0625 +0 / 0 / 6$", out, re.MULTILINE)
    assert "Pages that differ most by CER:R" in out
    assert "first: good · second: bad" in out
    assert out.splitlines()[-1].startswith("measures:CER:R,WER:R|confidence:")


@pytest.mark.parametrize(
    ("many", "how"), [(10**9, "from 10,000 random exchanges"), (0, "by the normal distribution")]
)
def test_p_values_that_are_not_exact_are_said_to_be_what_they_are(run, monkeypatch, many, how):
    monkeypatch.setattr("pagemeter.stats.permutation.EXACT", 0)
    for module in ("pagemeter.stats.permutation", "pagemeter.report.comparison_tables"):
        monkeypatch.setattr(f"{module}.MANY", many)
    assert f"p of large collections {how}, others exact" in run("good", "bad", "-m", "CER:R")[1]


def test_the_default_measures_come_with_the_budget_of_each_system(run):
    _, out, _ = run("good", "bad")
    assert "good: CER:R " in out
    assert "bad: CER:R " in out


def test_json_has_totals_differences_and_the_counts_of_every_page(run, top):
    code, made = as_json(run, top, "good", "bad", "-m", "CER:R")
    assert code == 0
    assert [system["name"] for system in made["systems"]] == ["good", "bad"]
    (one,) = made["differences"]
    rates = [system["total"]["CER:R"]["rate"] for system in made["systems"]]
    assert one["difference"] == pytest.approx(rates[1] - rates[0])
    assert one["interval"]["low"] < one["difference"] < one["interval"]["high"]
    assert one["p_permutation"] == one["p_permutation_holm"] == 2 / 2**6
    assert one["p_permutation_exact"] is True
    assert one["most_different"][0] == "p5"
    for place, system in enumerate(("good", "bad")):
        errors = [page["systems"][system]["CER:R"]["errors"] for page in made["pages"]]
        assert sum(errors) == made["systems"][place]["total"]["CER:R"]["errors"]


def test_a_missing_page_counts_as_fully_missed_and_gives_1(run, top):
    code, made = as_json(run, top, "good", "a&b_c", "-m", "CER:R")
    assert code == 1
    assert len(made["pages"]) == 6
    assert made["pages"][5]["systems"]["a&b_c"]["CER:R"]["rate"] == 1.0


def test_a_missing_page_can_be_left_out_for_all_systems(run, top):
    code, made = as_json(run, top, "good", "a&b_c", "-m", "CER:R", "--skip-missing")
    assert code == 0
    assert len(made["pages"]) == 5
    assert made["left_out"] == [{"page": "gt/p5.txt", "system": "a&b_c", "reason": "left out"}]


def test_a_bad_file_leaves_its_page_out_and_gives_1(run, top):
    (top / "bad/p0.xml").write_text("<PcGts")
    (top / "bad/p0.txt").unlink()
    code, out, err = run("good", "bad", "-m", "CER:R")
    assert code == 1
    assert "5 pages compared" in out
    assert "not compared: gt/p0.txt: failed (bad)\n" in out
    assert err.startswith("bad: error: bad/p0.xml")


def test_three_systems_are_compared_two_by_two_or_with_the_first(run, top):
    _, made = as_json(run, top, "good", "bad", "a&b_c", "-m", "CER")
    assert len(made["differences"]) == 3
    _, made = as_json(run, top, "good", "bad", "a&b_c", "-m", "CER", "--baseline")
    assert [(one["first"], one["second"]) for one in made["differences"]] == [
        ("good", "bad"),
        ("good", "a&b_c"),
    ]


def test_per_page_shows_every_page_with_the_largest_difference_first(run, top):
    """On p0 there are 96 characters, of which `good` misreads one and `bad` all 16 o."""
    code, out, _ = run("good", "bad", "-m", "CER:R", "--per-page", "--markdown", "out.md")
    table = out.partition("All pages by CER:R, those that differ most first\n")[2].partition("\n\n")[0]
    rows = [line.split() for line in table.splitlines()]
    assert code == 0
    assert rows[0] == ["page", "good", "bad", "difference", "errors"]
    assert [row[0] for row in rows[1:]] == ["p5", "p4", "p3", "p2", "p1", "p0"]
    assert rows[-1] == ["p0", "1.04", "%", "16.67", "%", "+15.62", "+15"]
    assert "| p0 | 1.04 % | 16.67 % | +15.62 | +15 |" in (top / "out.md").read_text()
    assert "Pages that differ most" not in out


def test_per_page_shows_how_far_more_than_two_systems_lie_apart(run):
    _, out, _ = run("bad", "good", "a&b_c", "-m", "CER:R", "--per-page")
    assert re.search(r"^page +bad +good +a&b_c +difference +errors$", out, re.MULTILINE)
    assert re.search(r"^p5 .* 100\.00 % +\+99\.\d\d +\+\d+$", out, re.MULTILINE)
    assert re.search(r"^p0 .* \+15\.62 +\+15$", out, re.MULTILINE)


def test_systems_may_stand_anywhere_and_have_names(run):
    code, out, _ = run("good", "-m", "CER", "bad", "--name", "my system", "--name", "yours")
    assert code == 0
    assert re.search(r"^measure +my system +yours$", out, re.MULTILINE)


def test_markdown_and_latex_are_written_and_escaped(run, top):
    run("good", "a&b_c", "-m", "CER:R", "--markdown", "out.md", "--latex", "out.tex")
    markdown, latex = (top / "out.md").read_text(), (top / "out.tex").read_text()
    assert markdown.startswith("<!-- pagemeter report -->\n\n| measure | good | a&b_c |")
    assert latex.count("\\toprule") == latex.count("\\bottomrule") == 2
    assert "measure & good & a\\&b\\_c \\\\" in latex
    body = "\n".join(line for line in latex.splitlines() if not line.startswith("%"))
    assert not re.search(r"(?<!\\)[%#_]", body)
    assert body.isascii()


def test_names_in_latex_make_no_ligature_and_other_letters_are_told_to_need_another_engine(run, top):
    (top / "bad").rename(top / "b--ä")
    (top / "a&b_c").rename(top / "Дом")
    run("good", "b--ä", "-m", "CER:R", "--latex", "latin.tex")
    run("good", "Дом", "-m", "CER:R", "--latex", "other.tex")
    assert "measure & good & b-{}-ä" in (top / "latin.tex").read_text()
    assert "LuaLaTeX" not in (top / "latin.tex").read_text()
    assert "compile this with LuaLaTeX" in (top / "other.tex").read_text()


def test_a_report_on_standard_output_is_alone_there(run):
    _, out, _ = run("good", "bad", "-m", "CER", "--json", "-")
    assert json.loads(out)["systems"]


def test_the_signature_reproduces_the_comparison(run, top):
    _, made = as_json(run, top, "good", "bad", "--seed", "3", "--case", "fold")
    assert as_json(run, top, "good", "bad", "--from-signature", made["signature"]) == (0, made)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["good"], "give two or more"),
        (["good", "good"], "called alike"),
        (["good", "bad", "--name", "A"], "1 names for 2 systems"),
        (["good", "bad", "--strata", "document"], "table of pairs"),
        (["good", "bad", "--json", "x", "--markdown", "x"], "two reports"),
        (["good", "bad", "-m", "XER"], "unknown measure"),
    ],
)
def test_wrong_usage_is_said(run, arguments, hint):
    code, _, err = run(*arguments)
    assert code == 2
    assert hint in err


def test_strict_stops_at_a_missing_page(run):
    code, out, err = run("good", "a&b_c", "--strict")
    assert (code, out) == (1, "")
    assert "no hypothesis" in err


def spoil(top, *paths):
    for path in paths:
        (top / path).with_suffix(".xml").write_text("<PcGts")
        (top / path).unlink()


def test_no_page_for_all_systems_is_1(run, top):
    spoil(top, *(f"good/p{n}.txt" for n in range(3)), *(f"bad/p{n}.txt" for n in range(3, 6)))
    code, out, err = run("good", "bad")
    assert code == 1
    assert "no page was evaluated for all systems" in err
    assert "0 pages compared" in out


def test_a_system_that_cannot_be_read_is_an_error_if_one_alone_is_left(run, top):
    spoil(top, *(f"bad/p{n}.txt" for n in range(6)))
    code, out, err = run("good", "bad")
    assert (code, out) == (1, "")
    assert "bad: error: bad/p0.xml" in err
    assert "bad: no page of it could be evaluated" in err


@pytest.mark.parametrize("how", ["unreadable", "empty", "nowhere", "missed"])
def test_a_system_of_which_nothing_can_be_used_is_named_and_the_others_are_compared(run, top, how):
    bad, options = "bad", ()
    if how in ("unreadable", "missed"):
        spoil(top, *(f"bad/p{n}.txt" for n in range(6)))
        options = ("--failed-as-missing",) * (how == "missed")
    elif how == "empty":
        bad = "none"
        (top / bad).mkdir()
    else:
        bad = "nowhere"
    code, made = as_json(run, top, bad, "good", "a&b_c", "-m", "CER", "--html", "out.html", *options)
    assert code == 1
    assert [system["name"] for system in made["systems"]] == ["good", "a&b_c"]
    assert len(made["pages"]) == 6
    assert [one["system"] for one in made["failed"]] == [bad]
    _, out, err = run(bad, "good", "a&b_c", "-m", "CER", *options)
    assert f"{bad}: left out, nothing of it could be used\n" in out
    assert f"error: {bad} is left out, the others are compared\n" in err


@pytest.mark.parametrize("option", ["--strict", "--baseline"])
def test_a_system_that_is_needed_is_not_left_out(run, top, option):
    (top / "none").mkdir()
    code, out, err = run("none", "good", "bad", option)
    assert (code, out) == (1, "")
    assert "none: no page files in it" in err


def test_systems_are_called_by_what_tells_them_apart():
    assert names_of([Path("x/a/hyp"), Path("x/b/hyp"), Path("x/c")]) == ("a/hyp", "b/hyp", "x/c")
    with pytest.raises(UsageError, match="called alike"):
        names_of([Path("a"), Path("a")])


def test_every_option_is_explained_in_one_sentence():
    for action in parser()._commands["compare"]._actions:
        assert action.help
        assert action.help[0].isupper()
        assert action.help.endswith(".")
