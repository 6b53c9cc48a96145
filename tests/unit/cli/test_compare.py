"""`pagemeter compare` from files to tables."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter.cli import main
from pagemeter.cli.compare import system_names
from pagemeter.cli.setting_options import as_option
from pagemeter.corpus import PageResult
from pagemeter.errors import UsageError
from pagemeter.report.comparison import ComparisonReport, print_comparison, write_comparison_markdown
from pagemeter.stats.comparison import compare_systems


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
    """Return a function that compares systems and returns the exit code and both output streams."""
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
    assert out.startswith("Ranking by CER:R\nsystem ")
    assert re.search(r"^1  good +\* \d\.\d\d % .*–.* % +a$", out, re.MULTILINE)
    assert re.search(r"^2  bad +16\.67 % +– +b$", out, re.MULTILINE)
    row = r"^good → bad +\+\d+\.\d\d +\+\d.* to \+\d.* 0\.0312 +0\.0312 +0 / 0 / 6$"
    assert len(re.findall(row, out, re.MULTILINE)) == 1
    assert "Pages with the largest differences in CER:R" in out
    assert out.splitlines()[-1].startswith("measures:CER:R,WER:R|confidence:")


@pytest.mark.parametrize(
    ("many", "how"), [(10**9, "from 10,000 random permutations"), (0, "from the normal distribution")]
)
def test_a_note_says_how_inexact_p_values_are_computed(run, monkeypatch, many, how):
    monkeypatch.setattr("pagemeter.stats.resampling.MAX_EXACT_STEPS", 0)
    for module in ("pagemeter.stats.resampling", "pagemeter.report.comparison"):
        monkeypatch.setattr(f"{module}.MAX_DRAWS", many)
    assert f"p of large collections: {how}; others are exact" in run("good", "bad", "-m", "CER:R")[1]


def test_too_few_pages_for_the_tests_are_noted(run, top):
    """Six pages allow p-values from 2⁻⁵ on, which is enough for one test and too much for three."""
    shutil.copytree(top / "good", top / "better")
    assert "too few" not in run("good", "bad", "-m", "CER:R")[1]
    _, out, _ = run("good", "bad", "better", "-m", "CER:R")
    assert "6 pages are too few for 3 tests: the smallest possible Holm p is 0.0938, so no difference" in out


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


def test_a_missing_page_counts_as_missing_text_and_gives_exit_code_1(run, top):
    code, made = as_json(run, top, "good", "a&b_c", "-m", "CER:R")
    assert code == 1
    assert len(made["pages"]) == 6
    assert made["pages"][5]["systems"]["a&b_c"]["CER:R"]["rate"] == 1.0


def test_a_missing_page_can_be_left_out_for_all_systems(run, top):
    code, made = as_json(run, top, "good", "a&b_c", "-m", "CER:R", "--skip-missing")
    assert code == 0
    assert len(made["pages"]) == 5
    assert made["left_out"] == [{"page": "gt/p5.txt", "system": "a&b_c", "reason": "left out"}]


def test_the_page_of_an_unreadable_file_is_missing_or_excluded_and_the_exit_code_is_1(run, top):
    (top / "bad/p0.xml").write_text("<PcGts")
    (top / "bad/p0.txt").unlink()
    code, out, err = run("good", "bad", "-m", "CER:R")
    assert code == 1
    assert "6 pages compared" in out
    assert err.startswith("bad: warning: bad/p0.xml")
    code, out, err = run("good", "bad", "-m", "CER:R", "--failed", "exclude")
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


def test_the_primary_measure_ranks_the_systems_and_has_the_only_tests(run, top):
    _, out, _ = run("bad", "good", "--primary", "WER:R")
    assert out.startswith("Ranking by WER:R\n")
    assert out.index("1  good") < out.index("2  bad")
    assert "\nDifferences in WER:R\n" in out
    assert "Holm: p corrected for the one test of WER:R\n" in out
    assert len(re.findall(r"^bad → good ", out, re.MULTILINE)) == 1
    table = out.partition("\nAll measures\n")[2].partition("\n\n")[0].splitlines()
    assert table[0].split() == ["system", "CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW"]
    assert [line.split()[0] for line in table[1:]] == ["good", "bad"]
    assert table[1].count("*") == 6
    _, made = as_json(run, top, "bad", "good", "--primary", "WER:R")
    assert made["primary"] == "WER:R"
    assert [one["system"] for one in made["ranking"]] == ["good", "bad"]
    assert len(made["differences"]) == 6


def test_all_tests_are_shown_if_asked_for(run):
    _, out, _ = run("good", "bad", "-m", "CER:R,CER:RS,BOW", "--all-tests")
    table = out.partition("\nDifferences of all measures\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in table] == ["measure", "CER:R", "CER:RS", "BOW"]
    assert "Holm: p corrected for the one test of CER:RS, those of other measures for all 3\n" in out


def test_the_primary_measure_is_evaluated_in_addition(run):
    _, out, _ = run("good", "bad", "-m", "CER:R", "--primary", "wer:s")
    assert out.startswith("Ranking by WER:S\n")
    assert out.splitlines()[-1].startswith("measures:CER:R,WER:S|")


def test_ten_systems_are_compared_in_narrow_tables(run, top):
    names = []
    for number in range(10):
        names.append(f"system-{number}")
        (top / names[-1]).mkdir()
        for page in (top / "gt").iterdir():
            text = page.read_text().replace("line", "1ine", number)
            (top / names[-1] / page.name).write_text(text)
    _, out, _ = run(*names, "-m", "CER:RS,WER:R,BOW")
    tables = out.partition("\nPages with the largest")[0]
    assert max(map(len, tables.splitlines())) <= 80
    assert len(tables.splitlines()) <= 60
    matrix = tables.partition("\nDifferences in CER:RS\n")[2].splitlines()
    assert matrix[0].split() == ["Holm", "p", *map(str, range(1, 10))]
    assert [line.split()[1] for line in matrix[1:10]] == names[1:]
    assert [len(line.split()) for line in matrix[1:10]] == [2 + number for number in range(1, 10)]


def test_the_budgets_of_more_than_three_systems_are_a_table(run, top):
    (top / "a&b_c/p5.txt").write_text("nothing of this is on the page, which has many lines of an old book")
    (top / "a&b_c").rename(top / "c")
    shutil.copytree(top / "bad", top / "copy")
    _, out, _ = run("bad", "good", "c", "copy")
    table = out.partition("\nError budget in per cent\n")[2].partition("\n\n")[0].splitlines()
    assert table[0].split()[:3] == ["system", "CER:R", "recognition"]
    assert [line.split()[0] for line in table[1:]] == ["good", "bad", "copy", "c"]
    for line in table[1:]:
        rate, *parts = map(float, line.split()[1:])
        assert sum(parts) == pytest.approx(rate)


def test_intervals_of_few_pages_are_replaced_by_a_remark(run, top):
    for number in range(1, 5):
        (top / f"gt/p{number}.txt").unlink()
    _, out, _ = run("good", "bad", "-m", "CER:R", "--skip-missing")
    assert re.search(r"^1  good +\* \d\.\d\d %  too few pages +a$", out, re.MULTILINE)
    assert "no interval: too few pages (2 with text, 5 are needed)\n" in out


def test_per_page_shows_every_page_with_the_largest_difference_first(run, top):
    """On p0 there are 96 characters, of which `good` misreads one and `bad` all 16 o."""
    code, out, _ = run("good", "bad", "-m", "CER:R", "--per-page", "--markdown", "out.md")
    table = out.partition("All pages by CER:R, the largest differences first\n")[2].partition("\n\n")[0]
    rows = [line.split() for line in table.splitlines()]
    assert code == 0
    assert rows[0] == ["page", "good", "bad", "difference", "errors"]
    assert [row[0] for row in rows[1:]] == ["p5", "p4", "p3", "p2", "p1", "p0"]
    assert rows[-1] == ["p0", "1.04", "%", "16.67", "%", "+15.62", "+15"]
    assert "| p0 | 1.04 % | 16.67 % | +15.62 | +15 |" in (top / "out.md").read_text()
    assert "Pages with the largest differences" not in out


def test_per_page_shows_the_largest_difference_of_more_than_two_systems(run):
    _, out, _ = run("bad", "good", "a&b_c", "-m", "CER:R", "--per-page")
    assert re.search(r"^page +bad +good +a&b_c +difference +errors$", out, re.MULTILINE)
    assert re.search(r"^p5 .* 100\.00 % +\+99\.\d\d +\+\d+$", out, re.MULTILINE)
    assert re.search(r"^p0 .* \+15\.62 +\+15$", out, re.MULTILINE)


def test_systems_may_follow_options_and_have_names(run):
    code, out, _ = run("good", "-m", "CER", "bad", "--name", "my system", "--name", "yours")
    assert code == 0
    assert re.search(r"^page +my system +yours +difference", out, re.MULTILINE)


def test_markdown_and_latex_are_written_and_escaped(run, top):
    run("good", "a&b_c", "-m", "CER:R", "--markdown", "out.md", "--latex", "out.tex")
    markdown, latex = (top / "out.md").read_text(), (top / "out.tex").read_text()
    assert markdown.startswith("<!-- pagemeter report -->\n\nRanking by CER:R\n\n| system | CER:R |")
    assert re.search(r"^\| 1  good \| \*\*\d\.\d\d %\*\* \|", markdown, re.MULTILINE)
    assert re.search(r"^1  good & \\textbf\{\d\.\d\d \\%\} &", latex, re.MULTILINE)
    assert latex.count("\\toprule") == latex.count("\\bottomrule") == 2
    assert "2  a\\&b\\_c & " in latex
    body = "\n".join(line for line in latex.splitlines() if not line.startswith("%"))
    assert not re.search(r"(?<!\\)[%#_]", body)
    assert body.isascii()


def test_names_in_latex_make_no_ligature_and_a_comment_names_the_engine_for_other_letters(run, top):
    (top / "bad").rename(top / "b--ä")
    (top / "a&b_c").rename(top / "Дом")
    run("good", "b--ä", "-m", "CER:R", "--latex", "latin.tex")
    run("good", "Дом", "-m", "CER:R", "--latex", "other.tex")
    assert "2  b-{}-ä & " in (top / "latin.tex").read_text()
    assert "LuaLaTeX" not in (top / "latin.tex").read_text()
    assert "compile with LuaLaTeX" in (top / "other.tex").read_text()


def test_nothing_else_is_printed_if_a_report_is_written_to_standard_output(run):
    _, out, _ = run("good", "bad", "-m", "CER", "--json", "-")
    assert json.loads(out)["systems"]


def test_the_signature_reproduces_the_comparison(run, top):
    _, made = as_json(run, top, "good", "bad", "--seed", "3", "--case", "fold")
    assert as_json(run, top, "good", "bad", "--from-signature", made["signature"]) == (0, made)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["good"], "Give two or more"),
        (["good", "good"], "the same name"),
        (["good", "bad", "--name", "A"], "1 names for 2 systems"),
        (["good", "bad", "--strata", "document"], "table of pairs"),
        (["good", "bad", "--json", "x", "--markdown", "x"], "two reports"),
        (["good", "bad", "-m", "XER"], "unknown measure"),
    ],
)
def test_wrong_usage_gives_exit_code_2_and_a_hint(run, arguments, hint):
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


def test_no_common_page_gives_exit_code_1(run, top):
    spoil(top, *(f"good/p{n}.txt" for n in range(3)), *(f"bad/p{n}.txt" for n in range(3, 6)))
    code, out, err = run("good", "bad", "--failed", "exclude")
    assert code == 1
    assert "no page was evaluated for all systems" in err
    assert "0 pages compared" in out


def test_an_unreadable_system_is_an_error_if_only_one_other_remains(run, top):
    spoil(top, *(f"bad/p{n}.txt" for n in range(6)))
    code, out, err = run("good", "bad", "--failed", "exclude")
    assert (code, out) == (1, "")
    assert "bad: error: bad/p0.xml" in err
    assert "bad: no page could be evaluated" in err


@pytest.mark.parametrize("how", ["unreadable", "empty", "nowhere", "missed"])
def test_an_unusable_system_is_named_and_the_others_are_compared(run, top, how):
    bad, options = "bad", ()
    if how in ("unreadable", "missed"):
        spoil(top, *(f"bad/p{n}.txt" for n in range(6)))
        options = ("--failed", "exclude") if how == "unreadable" else ()
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
    assert f"{bad}: left out, because no page could be evaluated\n" in out
    assert f"error: {bad} is left out, the others are compared\n" in err


@pytest.mark.parametrize("option", ["--strict", "--baseline"])
def test_a_system_that_is_needed_is_not_left_out(run, top, option):
    (top / "none").mkdir()
    code, out, err = run("none", "good", "bad", option)
    assert (code, out) == (1, "")
    assert "none: the folder is empty" in err


def test_missing_pages_of_stores_are_left_out_afterwards(run, top, capsys):
    """The result is that of a comparison of the files, whether a store was written with the option or not."""
    for system, options in (("good", []), ("a&b_c", []), ("bad", ["--skip-missing"])):
        main(["eval", "gt", system, "-m", "CER:R", "--store", f"store-{system}", *options])
    _, wanted = as_json(run, top, "good", "a&b_c", "bad", "-m", "CER:R", "--skip-missing")
    stores = [f"store-{system}" for system in ("good", "a&b_c", "bad")]
    names = ["--name", "good", "--name", "a&b_c", "--name", "bad"]
    assert main(["compare", *stores, *names, "--skip-missing", "--json", "out.json"]) == 0
    assert json.loads((top / "out.json").read_text()) == wanted
    capsys.readouterr()
    assert main(["compare", *stores]) == 1
    assert "no missing instead of missing:skip" in capsys.readouterr().err


def test_names_of_systems_are_the_shortest_that_differ():
    assert system_names([Path("x/a/hyp"), Path("x/b/hyp"), Path("x/c")]) == ("a/hyp", "b/hyp", "x/c")
    with pytest.raises(UsageError, match="the same name"):
        system_names([Path("a"), Path("a")])


def test_stores_are_not_compared_with_page_files(run, capsys):
    assert main(["eval", "gt", "good", "--store", "stored", "-m", "CER:R"]) == 0
    capsys.readouterr()
    message = (
        "pagemeter: gt: this is not a results store, but stored is. Give only stores, or only page files.\n"
    )
    assert run("bad", "stored") == (2, "", message)


def test_the_distribution_of_errors_is_that_of_the_compared_pages(tmp_path, capsys):
    for side in ("gt", "a", "b"):
        (tmp_path / side).mkdir()
        for number in range(6):
            text = "one lime" if side != "gt" else "one line"
            (tmp_path / side / f"p{number}.txt").write_text(text)
    (tmp_path / "a/p0.txt").unlink()
    (tmp_path / "b/p0.txt").write_text("nothing but errors " * 9)
    paths = [str(tmp_path / side) for side in ("gt", "a", "b")]
    assert main(["compare", *paths, "-m", "CER:R", "--skip-missing"]) == 0
    out = capsys.readouterr().out
    for name in ("a", "b"):
        assert (
            f"{name}: median page: CER:R 12.50 % · worst 5 % of pages (1 page): 20.00 % of all errors" in out
        )


def test_omitted_columns_of_a_comparison_are_in_the_output_that_is_named(monkeypatch):
    monkeypatch.setattr("pagemeter.report.text_reports.is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", "40")
    systems = {
        name: [PageResult("1", "gt", name, pm.evaluate("one", text))]
        for name, text in (("a", "one"), ("b", "ore"))
    }
    report = ComparisonReport(compare_systems(systems), [], "")
    print_comparison(printed := io.StringIO(), report, as_option)
    write_comparison_markdown(markdown := io.StringIO(), report)
    text = " ".join(printed.getvalue().split())  # lines are wrapped
    assert "Use --csv" not in text
    assert "Use --markdown to get all columns" in text
    assert "fewer / same / more" in markdown.getvalue()
