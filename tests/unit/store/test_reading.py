"""Reports and comparisons from stores: the same as from the pages."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from operator import add

import pytest

from collected import PLACED, make, numbers
from pagemeter.corpus import MeasureSelection, RunConfig, Totals
from pagemeter.errors import StoreError
from pagemeter.store import Store
from pagemeter.store import store as store_module
from pagemeter.store.files import read_manifest, write_manifest
from pagemeter.store.reading import PageKey, PageMatcher, StoredResults, add_part

FIRST = [PageKey("gt/1.txt", "1", "aa"), PageKey("gt/2.txt", "2", "bb"), PageKey("gt/3.txt", "3", "bb")]


@pytest.fixture
def top(tmp_path, monkeypatch):
    """Make pages of all kinds: good, damaged, unpaired, with and without positions, several in a file."""
    monkeypatch.setattr(store_module, "PART_PAGES", 3)
    monkeypatch.chdir(tmp_path)
    make(tmp_path, 8)
    (tmp_path / "gt/many.txt").write_text("one\ftwo\fthree")
    (tmp_path / "hyp/many.txt").write_text("one\ftoo")
    (tmp_path / "gt/placed.json").write_text(PLACED)
    (tmp_path / "hyp/placed.json").write_text(PLACED.replace("a line", "a lime"))
    (tmp_path / "gt/missed.txt").write_text("nobody read this")
    (tmp_path / "hyp/alone.txt").write_text("nobody wrote this")
    (tmp_path / "gt/bad.xml").write_text("<PcGts")
    (tmp_path / "hyp/bad.xml").write_text("<PcGts")
    (tmp_path / "gt/empty.txt").write_text("")
    (tmp_path / "hyp/empty.txt").write_text("something")
    return tmp_path


def test_the_report_of_a_store_equals_that_of_its_run(top, run):
    code, out, err = run("eval", "gt", "hyp", "--store", "store", "--json", "a.json", "--csv", "a.csv")
    assert code == 1
    assert "14 pages" in out
    again = run("report", "store")
    counts = "12 evaluated, 1 failed, 1 without ground truth or left out, 0 reused"
    assert again == (code, out, err.replace(f"store: {counts}\n", ""))
    assert counts in err
    assert run("report", "store", "--json", "b.json", "--csv", "b.csv") == again
    assert numbers(top / "a.json") == numbers(top / "b.json")
    assert (top / "a.csv").read_text() == (top / "b.csv").read_text()


def test_the_report_of_an_unfinished_run_has_a_warning(top, run):
    run("eval", "gt", "hyp", "--store", "store")
    assert "did not finish" not in run("report", "store")[2]
    with pytest.raises(KeyboardInterrupt), Store(top / "store", StoredResults("store").config):
        raise KeyboardInterrupt
    said = "warning: store: its last run did not finish, so pages may be missing"
    assert said in run("report", "store")[2]
    assert said in run("compare", "store", "store", "--name", "a", "--name", "b")[2]
    run("eval", "gt", "hyp", "--store", "store")
    assert "did not finish" not in run("report", "store")[2]


def test_the_report_of_a_running_run_has_a_warning(top, run):
    run("eval", "gt", "hyp", "--store", "store")
    with Store(top / "store", StoredResults("store").config):
        said = run("report", "store")[2]
    assert "warning: store: a run is writing to it now, so pages may be missing. Wait for its end." in said
    assert "did not finish" not in said


def test_totals_of_parts_equal_totals_page_by_page(top, run):
    run("eval", "gt", "hyp", "-m", "all", "--budget", "CER,WER", "--store", "store")
    stored = StoredResults(top / "store")
    by_part, by_page = Totals(), Totals()
    for part in stored.parts():
        add_part(by_part, part)
    for result in stored.results():
        by_page.add(result)
    assert by_part == by_page
    assert len(by_page.partial) == 9
    assert by_page.without_positions > 0
    assert by_page.warning_groups


def test_budgets_of_totals_are_the_sums_over_pages(top, run):
    for name in ("gt", "hyp"):
        (top / name / "placed2.json").write_text(PLACED)
    run("eval", "gt", "hyp", "--gt-suffix", ".json", "--hyp-suffix", ".json", "--store", "store")
    results = list(StoredResults(top / "store").results())
    totals = Totals()
    for result in results:
        totals.add(result)
    found = totals.budgets
    assert {str(measure) for measure in found} == {"CER:RG", "CER:R"}
    for measure, budget in found.items():
        assert budget == reduce(add, (result.budgets[measure] for result in results))


def test_a_store_is_reported_without_the_file_of_its_mapping(top, run):
    (top / "rules.tsv").write_text("e\tE\n")
    _, out, _ = run("eval", "gt", "hyp", "-m", "CER", "--mapping", "rules.tsv", "--store", "store")
    (top / "rules.tsv").unlink()
    assert run("report", "store")[1] == out
    assert "|mapping:rules.tsv@3179f1c1|" in out


def change_options(folder, **options):
    manifest = read_manifest(folder)
    write_manifest(folder, replace(manifest, options=manifest.options | options))


def test_a_store_of_a_tokeniser_made_in_python_is_reported(top, run):
    run("eval", "gt", "hyp", "-m", "CER", "--store", "store")
    change_options(top / "store", tokeniser="custom(my.cut)@01234567")
    code, out, _ = run("report", "store")
    assert code == run("eval", "gt", "hyp", "-m", "CER")[0]
    assert "|tokeniser:custom(my.cut)@01234567|" in out


@pytest.mark.usefixtures("top")
def test_all_pages_are_shown_if_asked_for(run):
    run("eval", "gt", "hyp", "--store", "store")
    assert run("report", "store", "--per-page")[1] == run("eval", "gt", "hyp", "--per-page")[1]


@pytest.mark.usefixtures("top")
def test_a_report_can_be_made_with_other_intervals(run):
    run("eval", "gt", "hyp", "--store", "store")
    _, out, _ = run("report", "store", "--confidence", "0.9", "--seed", "7")
    assert "90 % interval" in out
    assert "seed:7" in out


def test_rate_limits_apply_to_stores(top, run):
    for name in ("bad.xml", "missed.txt", "many.txt", "empty.txt"):
        (top / "gt" / name).unlink()
    run("eval", "gt", "hyp", "-m", "CER", "--skip-missing", "--store", "store")
    assert run("report", "store", "--fail-above", "CER=50%")[0] == 0
    code, _, err = run("report", "store", "--fail-above", "CER=0.1%")
    assert code == 1
    assert "above the limit of 0.10 %" in err
    code, _, err = run("report", "store", "--fail-above", "WER=50%")
    assert code == 2
    assert "--fail-above WER: store does not contain this measure. Use one of CER" in err


@pytest.mark.usefixtures("top")
def test_a_folder_that_is_no_store_is_refused(run):
    code, _, err = run("report", "gt")
    assert code == 1
    assert "gt: not a results store: it has no store.json. Check the path." in err


def test_an_empty_store_has_no_pages(top, run):
    with Store(top / "store", RunConfig(MeasureSelection.of(["CER"]))):
        pass
    code, _, err = run("report", "store")
    assert code == 1
    assert "no page was evaluated" in err


@pytest.fixture
def two(top, run):
    """Evaluate two systems and store their results."""
    other = top / "other"
    other.mkdir()
    for path in (top / "hyp").iterdir():
        (other / path.name).write_text(path.read_text().replace("x", "a"))
    (other / "00003.txt").unlink()
    for system in ("hyp", "other"):
        run("eval", "gt", system, "--skip-missing", "--store", f"of-{system}")
    return top


def test_comparing_stores_equals_comparing_their_pages(two, run):
    names = ("--name", "A", "--name", "B")
    expected = run("compare", "gt", "hyp", "other", "--skip-missing", "--json", "a.json", *names)
    found = run("compare", "of-hyp", "of-other", "--json", "b.json", *names)
    assert found == expected
    assert json.loads((two / "a.json").read_text()) == json.loads((two / "b.json").read_text())
    for kind in ("--markdown", "--latex"):
        assert run("compare", "of-hyp", "of-other", kind, "-")[1]


@pytest.mark.usefixtures("two")
def test_stores_with_different_configurations_are_not_compared(run):
    run("eval", "gt", "hyp", "--case", "fold", "--store", "folded")
    code, _, err = run("compare", "of-hyp", "folded")
    assert code == 1
    assert "case:keep instead of case:fold" in err


@pytest.mark.usefixtures("two")
def test_a_store_is_compared_with_stores_only(run):
    code, _, err = run("compare", "of-hyp", "other")
    assert code == 2
    assert "other: this is not a results store, but of-hyp is. Give only stores." in err
    code, _, err = run("compare", "of-hyp", "of-other", "--case", "fold")
    assert code == 2
    assert "--case: the results in a store cannot be changed. Leave it out." in err


def test_a_damaged_signature_names_the_store(two):
    change_options(two / "of-hyp", unit="graphene")
    with pytest.raises(StoreError, match=r"of-hyp: unit='graphene'"):
        _ = StoredResults(two / "of-hyp").config


@pytest.mark.parametrize(
    ("page", "file"),
    [
        (PageKey("gt/1.txt", "1", "aa"), "gt/1.txt"),
        (PageKey("gt/1.txt", "other/1", "aa"), "gt/1.txt"),
        (PageKey("../gt/1.txt", "1", "aa"), "gt/1.txt"),
        (PageKey("elsewhere/one.txt", "one", "aa"), "gt/1.txt"),
        (PageKey("../gt/3.txt", "3", "bb"), "gt/3.txt"),
        (PageKey("../gt/4.txt", "4", "bb"), "../gt/4.txt"),
        (PageKey("gt/1.txt", "1", "cc"), None),
        (PageKey("gt/9.txt", "9", "cc"), "gt/9.txt"),
        (PageKey("gt/1.txt", "1", None), "gt/1.txt"),
    ],
)
def test_pages_are_matched_by_file_name_or_content(page, file):
    matcher = PageMatcher()
    assert matcher.add(FIRST) == [one.gt for one in FIRST]
    assert matcher.add([page]) == [file]


def test_a_failed_page_is_matched_by_its_name_if_the_name_is_unique():
    failed, fine = PageKey("one/gt/2.txt", "2", None), PageKey("gt/2.txt", "2", "bb")
    for first, second in ((failed, fine), (fine, failed), (failed, failed._replace(gt="x/2.txt"))):
        matcher = PageMatcher()
        matcher.add([first])
        assert matcher.add([second]) == [first.gt]
    matcher = PageMatcher()
    matcher.add([failed, failed._replace(gt="two/gt/2.txt")])
    assert matcher.add([fine]) == ["gt/2.txt"]


def test_two_pages_of_a_store_are_never_matched_with_the_same_page():
    matcher = PageMatcher()
    matcher.add(FIRST[:1])
    assert matcher.add([PageKey("x/1.txt", "1", None), PageKey("x/9.txt", "9", "aa")]) == [
        "x/1.txt",
        "gt/1.txt",
    ]


def test_a_page_with_changed_ground_truth_is_not_matched_by_its_name():
    matcher = PageMatcher()
    matcher.add(FIRST)
    assert matcher.add([PageKey("x/1.txt", "1", "cc")]) == ["x/1.txt"]


def test_pages_with_the_same_content_are_not_matched_by_content():
    matcher = PageMatcher()
    matcher.add(FIRST[:1])
    twice = [PageKey("x/1.txt", "x", "aa"), PageKey("y/1.txt", "y", "aa")]
    assert matcher.add(twice) == ["x/1.txt", "y/1.txt"]


def test_stores_are_compared_although_paths_were_written_differently(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    make(tmp_path, 4)
    run("eval", "gt", "hyp", "--store", "a")
    monkeypatch.chdir(tmp_path / "gt")
    run("eval", ".", "../hyp", "--store", "../b")
    _, out, _ = run("compare", "../a", "../b")
    assert "4 pages compared" in out
    assert "not compared" not in out


def test_a_page_whose_ground_truth_was_changed_is_not_compared(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    make(tmp_path, 4)
    run("eval", "gt", "hyp", "--store", "a")
    changed = sorted((tmp_path / "gt").iterdir())[2]
    changed.write_text("something else")
    run("eval", "gt", "hyp", "--store", "b")
    _, out, _ = run("compare", "a", "b")
    assert "3 pages compared" in out
    assert f"not compared: gt/{changed.name}: another ground truth (b)" in out


def test_flagged_pages_of_all_parts_are_left_out_of_the_other_total(top, run):
    for name in ("0", "7"):  # in the first and in the last part
        (top / f"hyp/flagged{name}.txt").write_text("and so on " * 30)
        (top / f"gt/flagged{name}.txt").write_text("two words")
    run("eval", "gt", "hyp", "--store", "store", "--average", "macro", "--json", "a.json")
    run("report", "store", "--json", "b.json")
    made = json.loads((top / "b.json").read_text())["flags"]
    assert made["pages"] >= 2
    assert made == json.loads((top / "a.json").read_text())["flags"]
