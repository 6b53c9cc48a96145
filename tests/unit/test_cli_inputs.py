"""The command line: what it refuses to do with its inputs, and what it says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagemeter.cli import main
from pagemeter.commands.compare import names_of

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


@pytest.fixture
def run(capsys):
    def call(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = error.code
        out, err = capsys.readouterr()
        return code, out, err

    return call


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


def test_a_link_to_a_page_is_that_page(run, top):
    (top / "out.csv").symlink_to(top / "gt/1.txt")
    assert run("eval", "gt", "hyp", "--csv", "out.csv")[0] == 2
    assert (top / "gt/1.txt").read_text() == "a line"


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
