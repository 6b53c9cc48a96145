"""A later run adds measures to a store, or differs from it in settings that change no number."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from collected import make
from pagemeter.corpus import MeasureSelection, RunConfig, Totals
from pagemeter.inputs import pair
from pagemeter.measure import Measure
from pagemeter.preparation import PreparedPair
from pagemeter.runners.pool import Pool
from pagemeter.settings import Settings
from pagemeter.store import Store, StoredResults, StoringRunner

PAGES = 4


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, PAGES)


@pytest.fixture
def solved(monkeypatch):
    """The measures that are computed, one entry per page."""
    measures = []
    compute = PreparedPair.score

    def score(prepared, measure):
        measures.append(str(measure))
        return compute(prepared, measure)

    monkeypatch.setattr(PreparedPair, "score", score)
    return measures


def config(*names, budget="none", **others):
    return RunConfig(MeasureSelection.of(names).with_budget(budget), **others)


def run(top, own, *, store="store", per_line=None, force=False, on=None):
    """Run with a store; return the runner and the results."""
    with Store(top / store, own, per_line=per_line) as opened:
        runner = StoringRunner(opened, on, force=force)
        pairs = pair(top / "gt", top / "hyp").pairs
        results = [result.without_details for _, made in runner.map(own, pairs) for result in made]
    return runner, results


def numbers(top, store="store"):
    """Return the rows of a store without what depends on the run that wrote them."""
    rows = pd.read_parquet(top / store / "pages").drop(
        columns=["pair", "seconds", "page_seconds", "signature", "gt_stamp", "hyp_stamp"]
    )
    rows = rows.sort_values(["page", "measure"], ignore_index=True)
    return rows.astype({"flags": str, "warnings": str, "without_positions": str})


def content(results):
    return [
        (r.name, dict(r.scores), dict(r.extra), dict(r.kinds), r.flags, r.status, r.warnings) for r in results
    ]


@pytest.mark.parametrize("on", [None, "pool"])
def test_a_further_run_computes_only_new_measures_and_the_store_has_all(top, solved, on):
    run(top, config("CER:R", "WER"))
    solved.clear()
    runner, results = run(top, config("CER:R", "WER", "BOW", "CER:S"), on=on and Pool(1))
    assert (runner.extended, runner.evaluated, runner.reused) == (PAGES, 0, 0)
    if on is None:
        assert sorted(set(solved)) == ["BOW", "CER:S"]
        assert len(solved) == 2 * PAGES
    _, fresh = run(top, config("CER:R", "WER", "BOW", "CER:S"), store="fresh")
    assert content(results) == content(fresh)
    found, expected = numbers(top), numbers(top, "fresh")
    same = [name for name in found if name not in ("misread", "missed", "invented", "repeated", "replaced")]
    pd.testing.assert_frame_equal(found[same], expected[same])
    assert StoredResults(top / "store").config.selection.ids == ("CER:R", "WER", "BOW", "CER:S")
    assert run(top, config("CER:R", "WER", "BOW", "CER:S"))[0].reused == PAGES


def test_only_new_measures_and_no_others_may_be_named(top, solved):
    run(top, config("CER"))
    solved.clear()
    _, results = run(top, config("WER"))
    assert set(solved) == {"WER"}
    assert [list(map(str, result.scores)) for result in results] == [["WER"]] * PAGES
    assert set(numbers(top).measure) == {"CER", "WER"}


def test_a_run_with_fewer_measures_shows_its_own_and_computes_nothing(top, solved):
    run(top, config("CER:R", "CER:S", "WER", budget="CER"))
    solved.clear()
    runner, results = run(top, config("CER:S"))
    assert solved == []
    assert runner.reused == PAGES
    _, fresh = run(top, config("CER:S"), store="fresh")
    assert content(results) == content(fresh)
    assert len(numbers(top)) == 5 * PAGES


def test_a_budget_measure_that_is_named_later_is_a_measure_of_the_store(top, solved):
    run(top, config("CER:R", budget="CER"))
    solved.clear()
    _, results = run(top, config("CER:R", "CER", budget="CER"))
    assert solved == []
    assert [list(map(str, result.scores)) for result in results] == [["CER:R", "CER"]] * PAGES
    found = numbers(top).set_index("measure").for_budget
    assert not found["CER"].any()
    assert found["CER:S"].all()
    totals = Totals()
    for result in StoredResults(top / "store").results():
        totals.add(result)
    assert list(map(str, totals.scores)) == ["CER:R", "CER"]
    assert list(map(str, totals.budgets)) == ["CER:R"]


def test_kinds_of_errors_that_become_necessary_are_computed(top, solved):
    run(top, config("CER:S", "WER:S", "WER", "WER:R"))
    solved.clear()
    _, results = run(top, config("CER:S", "WER:S", budget="WER"))
    assert set(solved) == {"WER:S", "WER:RS"}
    _, fresh = run(top, config("CER:S", "WER:S", budget="WER"), store="fresh")
    assert content(results) == content(fresh)


def test_changed_and_new_pages_get_all_measures_of_the_run(top):
    run(top, config("CER"))
    (top / "hyp/00001.txt").write_text("something else")
    for side in ("gt", "hyp"):
        (top / side / "new.txt").write_text("new")
    runner, _ = run(top, config("CER", "WER"))
    assert (runner.extended, runner.evaluated) == (PAGES - 1, 2)
    run(top, config("CER", "WER"), store="fresh")
    found, expected = numbers(top), numbers(top, "fresh")
    same = ["page", "measure", "errors", "cor", "status", "hyp_sha256"]
    pd.testing.assert_frame_equal(found[same], expected[same])


def test_a_changed_page_loses_measures_of_its_former_content(top):
    run(top, config("CER", "WER"))
    (top / "hyp/00001.txt").write_text("something else")
    run(top, config("CER"))
    found = numbers(top).groupby("page").measure.agg(list).to_dict()
    assert found["00001"] == ["CER"]
    assert found["00002"] == ["CER", "WER"]


def test_pages_with_other_outcomes_are_extended_too(top):
    (top / "hyp/00000.txt").unlink()
    (top / "hyp/00001.txt").write_text("")
    (top / "gt/00002.txt").write_text("\n")
    (top / "gt/00003.txt").write_bytes(b"\xff\xfe\xfd")
    (top / "hyp/alone.txt").write_text("alone")
    run(top, config("CER"))
    _, results = run(top, config("CER", "WER"))
    _, fresh = run(top, config("CER", "WER"), store="fresh")
    assert content(results) == content(fresh)
    same = ["page", "measure", "errors", "status", "failure", "flags", "empty_gt", "warnings"]
    pd.testing.assert_frame_equal(numbers(top)[same], numbers(top, "fresh")[same])


def test_a_run_that_evaluates_all_pages_again_keeps_other_measures(top):
    run(top, config("CER", "WER"))
    runner, results = run(top, config("CER"), force=True)
    assert runner.evaluated == PAGES
    assert [list(map(str, result.scores)) for result in results] == [["CER"]] * PAGES
    assert len(numbers(top)) == 2 * PAGES


def test_lines_stay_when_measures_are_added(top, solved):
    cer = Measure("CER")
    run(top, config("CER"), per_line=cer)
    before = pd.read_parquet(top / "store/lines")
    solved.clear()
    run(top, config("WER"))
    assert set(solved) == {"WER"}
    after = pd.read_parquet(top / "store/lines")
    order = ["page", "number"]
    pd.testing.assert_frame_equal(
        before.sort_values(order, ignore_index=True), after.sort_values(order, ignore_index=True)
    )
    assert set(numbers(top).lines) == {"CER"}


def test_lines_can_be_asked_for_later_and_are_continued(top):
    run(top, config("CER"))
    assert run(top, config("CER"), per_line=Measure("CER"))[0].evaluated == PAGES
    assert set(pd.read_parquet(top / "store/lines").page) == set(numbers(top).page)
    for side in ("gt", "hyp"):
        (top / side / "new.txt").write_text("new")
    runner, _ = run(top, config("CER"))
    assert (runner.evaluated, runner.reused) == (1, PAGES)
    assert "new" in set(pd.read_parquet(top / "store/lines").page)


def test_the_time_limit_may_differ(top):
    run(top, config("CER", settings=Settings(time_limit=100)))
    assert run(top, config("CER"))[0].reused == PAGES


def test_a_measure_that_the_time_limit_ended_is_computed_again(top, monkeypatch, solved):
    compute = PreparedPair.score
    with monkeypatch.context() as patch:
        patch.setattr(
            PreparedPair, "score", lambda self, measure: replace(compute(self, measure), interrupted=True)
        )
        run(top, config("CER"))
    run(top, config("WER"))
    solved.clear()
    assert run(top, config("CER", "WER"))[0].extended == PAGES
    assert set(solved) == {"CER"}
    assert not numbers(top).interrupted.any()


def test_a_measure_that_some_pages_lack_is_no_part_of_the_signature_of_a_report(top, capsys):
    from pagemeter.cli import main

    run(top, config("CER"))
    for side in ("gt", "hyp"):
        (top / side / "00000.txt").unlink()
    run(top, config("WER"))
    assert main(["report", str(top / "store")]) == 0
    signature = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("measures:"))
    assert RunConfig.from_signature(signature).selection.ids == ("CER",)


def test_a_report_of_all_pages_has_them_in_natural_order(top, capsys):
    from pagemeter.cli import main

    run(top, config("CER"))
    for name in ("00002", "00010", "00001"):  # each change moves a page to the end of the store
        for side in ("gt", "hyp"):
            (top / side / f"{name}.txt").write_text(f"changed {name}")
        run(top, config("CER"))
    assert main(["report", str(top / "store"), "--per-page"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines if line.startswith("000")]
    assert names == ["00000", "00001", "00002", "00003", "00010"]
