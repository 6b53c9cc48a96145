"""Reports and comparisons from stores alone: the same as from the pages."""

from __future__ import annotations

import json
from functools import reduce
from operator import add

import numpy as np
import pytest

from collected import PLACED, make, numbers
from pagemeter.corpus import Totals
from pagemeter.errors import StoreError
from pagemeter.stats import Resampling, permutation
from pagemeter.stats import comparison as comparison_module
from pagemeter.stats.columns import PageColumns, PageNumbers
from pagemeter.store import Store
from pagemeter.store import store as store_module
from pagemeter.store.part import add_part
from pagemeter.store.reading import StoredResults


@pytest.fixture
def top(tmp_path, monkeypatch):
    """Pages of all kinds: good ones, of several pages, damaged, missing, with and without positions."""
    monkeypatch.setattr(store_module, "PART", 3)
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


def test_a_report_of_a_store_is_that_of_its_run(top, run):
    code, out, err = run("eval", "gt", "hyp", "--store", "store", "--json", "a.json", "--csv", "a.csv")
    assert code == 1
    assert "14 pages" in out
    again = run("report", "store")
    counts = "12 evaluated, 1 failed, 1 without ground truth or left out, 0 there already"
    assert again == (code, out, err.replace(f"store: {counts}\n", ""))
    assert counts in err
    assert run("report", "store", "--json", "b.json", "--csv", "b.csv") == again
    assert numbers(top / "a.json") == numbers(top / "b.json")
    assert (top / "a.csv").read_text() == (top / "b.csv").read_text()


def test_a_store_whose_run_has_not_come_to_its_end_is_reported_with_a_warning(top, run):
    run("eval", "gt", "hyp", "--store", "store")
    assert "come to its end" not in run("report", "store")[2]
    with pytest.raises(KeyboardInterrupt), Store(top / "store", StoredResults("store").recipe):
        raise KeyboardInterrupt
    said = "warning: store: its last run has not come to its end, so pages may be lacking"
    assert said in run("report", "store")[2]
    assert said in run("compare", "store", "store", "--name", "a", "--name", "b")[2]
    run("eval", "gt", "hyp", "--store", "store")
    assert "come to its end" not in run("report", "store")[2]


def test_a_store_that_a_run_is_writing_to_is_reported_with_a_warning_that_says_so(top, run):
    run("eval", "gt", "hyp", "--store", "store")
    with Store(top / "store", StoredResults("store").recipe):
        said = run("report", "store")[2]
    assert "warning: store: a run is writing to it now, so pages may be lacking; wait for its end" in said
    assert "come to its end" not in said


def test_totals_from_columns_are_those_page_by_page(top, run):
    run("eval", "gt", "hyp", "-m", "all", "--budget", "CER,WER", "--store", "store")
    stored = StoredResults(top / "store")
    by_part, by_page = Totals(), Totals()
    for part in stored.parts():
        add_part(by_part, part)
    for result in stored.results():
        by_page.add(result)
    assert by_part == by_page
    assert len(by_page.partial) == 9
    assert by_page.unplaced > 0
    assert by_page.reasons


def test_budgets_from_columns_are_the_sum_of_those_of_pages(top, run):
    for name in ("gt", "hyp"):
        (top / name / "placed2.json").write_text(PLACED)
    run("eval", "gt", "hyp", "--gt-suffix", ".json", "--hyp-suffix", ".json", "--store", "store")
    results = list(StoredResults(top / "store").results())
    found = PageColumns.of([PageNumbers.of(page) for page in results]).budgets()
    assert {str(measure) for measure in found} == {"CER:RG", "CER:R"}
    for measure, budget in found.items():
        assert budget == reduce(add, (result.budgets[measure] for result in results))


def test_a_store_is_reported_where_the_file_of_its_mapping_is_not(top, run):
    (top / "rules.tsv").write_text("e\tE\n")
    _, out, _ = run("eval", "gt", "hyp", "-m", "CER", "--mapping", "rules.tsv", "--store", "store")
    (top / "rules.tsv").unlink()
    assert run("report", "store")[1] == out
    assert "|mapping:rules.tsv@3179f1c1|" in out


def test_a_store_of_a_tokeniser_made_in_python_is_reported(top, run):
    run("eval", "gt", "hyp", "-m", "CER", "--store", "store")
    manifest = top / "store/store.json"
    manifest.write_text(manifest.read_text().replace('"whitespace",', '"custom(my.cut)@01234567",', 1))
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


def test_limits_hold_for_stores(top, run):
    for name in ("bad.xml", "missed.txt", "many.txt", "empty.txt"):
        (top / "gt" / name).unlink()
    run("eval", "gt", "hyp", "-m", "CER", "--skip-missing", "--store", "store")
    assert run("report", "store", "--fail-above", "CER=50%")[0] == 0
    code, _, err = run("report", "store", "--fail-above", "CER=0.1%")
    assert code == 1
    assert "above the limit of 0.10 %" in err
    code, _, err = run("report", "store", "--fail-above", "WER=50%")
    assert code == 2
    assert "--fail-above: WER is not in store, which has CER" in err


@pytest.mark.usefixtures("top")
def test_what_is_no_store_is_said_so(run):
    code, _, err = run("report", "gt")
    assert code == 1
    assert "gt: no results store, for it has no store.json; check the path" in err


def test_an_empty_store_has_no_pages(top, run):
    run("eval", "gt", "hyp", "--store", "store")
    for part in (top / "store/pages").iterdir():
        part.unlink()
    code, _, err = run("report", "store")
    assert code == 1
    assert "no page was evaluated" in err


@pytest.fixture
def two(top, run):
    """Two systems, their stores, and what they are compared to from the pages."""
    other = top / "other"
    other.mkdir()
    for path in (top / "hyp").iterdir():
        (other / path.name).write_text(path.read_text().replace("x", "a"))
    (other / "00003.txt").unlink()
    for system in ("hyp", "other"):
        run("eval", "gt", system, "--skip-missing", "--store", f"of-{system}")
    return top


def test_stores_are_compared_as_their_pages_are(two, run):
    names = ("--name", "A", "--name", "B")
    expected = run("compare", "gt", "hyp", "other", "--skip-missing", "--json", "a.json", *names)
    found = run("compare", "of-hyp", "of-other", "--json", "b.json", *names)
    assert found == expected
    assert json.loads((two / "a.json").read_text()) == json.loads((two / "b.json").read_text())
    for kind in ("--markdown", "--latex"):
        assert run("compare", "of-hyp", "of-other", kind, "-")[1]


@pytest.mark.usefixtures("two")
def test_stores_of_different_numbers_are_not_compared(run):
    run("eval", "gt", "hyp", "--case", "fold", "--store", "folded")
    code, _, err = run("compare", "of-hyp", "folded")
    assert code == 1
    assert "case is keep there and fold here" in err


@pytest.mark.usefixtures("two")
def test_a_store_is_compared_with_stores_only(run):
    code, _, err = run("compare", "of-hyp", "other")
    assert code == 2
    assert "other: no results store, though of-hyp is one; give stores only" in err
    code, _, err = run("compare", "of-hyp", "of-other", "--case", "fold")
    assert code == 2
    assert "--case: the numbers of a store are made already; leave it out" in err


def test_a_damaged_signature_names_the_store(two):
    manifest = two / "of-hyp/store.json"
    manifest.write_text(manifest.read_text().replace("grapheme", "graphene"))
    with pytest.raises(StoreError, match=r"of-hyp: unit='graphene'"):
        _ = StoredResults(two / "of-hyp").recipe


def test_p_values_by_formula_agree_with_those_by_draws(monkeypatch):
    rng = np.random.default_rng(1)
    plan = Resampling(resamples=4000)
    for shift in (0.0, 0.06, 0.12):
        differences = np.rint(rng.normal(1000 * shift, 2000, (3000, 1))).astype(np.int64)
        n_gt = rng.integers(500, 1500, (3000, 1))
        drawn = _p_values(differences, n_gt, plan)
        monkeypatch.setattr(permutation, "MANY", 0)
        monkeypatch.setattr(comparison_module, "MANY", 0)
        formula = _p_values(differences, n_gt, plan)
        monkeypatch.undo()
        assert drawn != formula
        assert formula == pytest.approx(drawn, abs=0.025)


def _p_values(differences, n_gt, plan):
    by_exchange = permutation.permutation(differences[:, 0], plan)
    assert not by_exchange.exact
    return by_exchange.p, comparison_module._bootstrap(differences, n_gt, None, plan)[0]
