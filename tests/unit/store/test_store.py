"""The results store: what is in it, and what a later run does with it."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from collected import make
from pagemeter.corpus import Pair, Recipe, Totals, Wanted, Work, pair
from pagemeter.corpus.contents import Input, is_same
from pagemeter.errors import StoreError
from pagemeter.store import Store, Stored
from pagemeter.store import store as store_module
from pagemeter.store.index import Keys

RECIPE = Recipe(Wanted.of(["CER:R", "WER", "BOW"]))


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, 5)


@pytest.fixture
def keep(top):
    """Runs over the pages with the store; gives what was evaluated, what was there, and the results."""

    def run(recipe=RECIPE, pairs=None, *, force=False, per_line=None):
        work = Work(recipe.measures, recipe.settings, recipe.reading)
        with Store(top / "store", recipe, force=force, per_line=per_line) as store:
            runner = Stored(store, force=force)
            found = pair(top / "gt", top / "hyp").pairs if pairs is None else pairs
            results = [result.numbers for _, made in runner.map(work, found) for result in made]
        return runner.evaluated, runner.reused, results

    return run


def rows(top, table="pages"):
    return pd.read_parquet(top / "store" / table)


def settle(path):
    """Makes a file old enough for its times to be trusted."""
    old = time.time() - 1000
    os.utime(path, (old, old))


def test_there_is_a_row_a_page_and_measure_with_all_counts(top, keep):
    _, _, results = keep()
    found = rows(top)
    assert len(found) == 5 * 3
    for result in results:
        for measure, score in result.scores.items():
            (row,) = found[(found.page == result.name) & (found.measure == str(measure))].to_dict("records")
            expected = score.as_dict()
            assert {name: row[name] for name in expected} == expected
            assert row["seconds"] > 0
            assert row["page_seconds"] >= row["seconds"]
            assert row["signature"] == RECIPE.page_signature


def test_the_digests_are_those_of_the_files(top, keep):
    from hashlib import sha256

    keep()
    found = rows(top).set_index("page")
    for side in ("gt", "hyp"):
        data = (top / side / "00002.txt").read_bytes()
        assert set(found.loc["00002", f"{side}_sha256"]) == {sha256(data).hexdigest()}


def test_a_second_run_evaluates_nothing_and_gives_the_same(keep):
    evaluated, _, first = keep()
    assert evaluated == 5
    again, reused, second = keep()
    assert (again, reused) == (0, 5)
    assert [(r.name, r.gt, r.hyp, r.scores, r.extra, r.warnings, r.status, r.inputs) for r in first] == [
        (r.name, r.gt, r.hyp, r.scores, r.extra, r.warnings, r.status, r.inputs) for r in second
    ]
    assert [r.evaluation.seconds for r in first] == [r.evaluation.seconds for r in second]


@pytest.mark.parametrize("side", ["gt", "hyp"])
def test_only_what_has_changed_is_evaluated_again(top, keep, side):
    keep()
    (top / side / "00003.txt").write_text("something else")
    evaluated, reused, results = keep()
    assert (evaluated, reused) == (1, 4)
    assert results[3].scores[Wanted.of(["CER:R"]).measures[0]].errors > 20
    found = rows(top)
    assert len(found) == 15
    assert len(found[found.page == "00003"]) == 3


def test_a_file_that_is_written_again_with_the_same_bytes_has_not_changed(top, keep):
    keep()
    path = top / "gt/00001.txt"
    path.write_bytes(path.read_bytes())
    assert keep()[:2] == (0, 5)


def test_old_files_are_known_by_their_times_without_being_read(top, keep, monkeypatch):
    from pagemeter.corpus import contents

    for path in top.glob("*/*.txt"):
        settle(path)
    monkeypatch.setattr(contents, "_SETTLED", 0)
    keep()
    monkeypatch.setattr(contents, "read_bytes", None)
    assert keep()[:2] == (0, 5)


def test_a_change_that_leaves_size_and_times_as_they_were_is_noticed(top, keep, monkeypatch):
    from pagemeter.corpus import contents

    monkeypatch.setattr(contents, "_SETTLED", 0)
    keep()
    path = top / "gt/00001.txt"
    times = path.stat()
    path.write_text(path.read_text().swapcase())
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert keep()[:2] == (1, 4)


def test_a_new_file_has_no_stamp_for_it_may_change_unseen(top, keep):
    keep()
    assert set(rows(top).gt_stamp) == {""}


def test_new_pages_are_added_and_lost_ones_stay_until_they_are_pruned(top, keep):
    keep()
    (top / "gt/00000.txt").unlink()
    (top / "hyp/00000.txt").unlink()
    for side in ("gt", "hyp"):
        (top / side / "new.txt").write_text("new")
    assert keep()[:2] == (1, 4)
    assert set(rows(top).page) == {"00000", "00001", "00002", "00003", "00004", "new"}
    with Store(top / "store", RECIPE) as store:
        list(Stored(store).map(Work(*_parts()), pair(top / "gt", top / "hyp").pairs))
        assert store.index.unused == 1
        store.prune()
    assert set(rows(top).page) == {"00001", "00002", "00003", "00004", "new"}


def test_a_page_that_has_lost_its_hypothesis_is_there_once(top, keep):
    keep()
    (top / "hyp/00000.txt").unlink()
    assert keep()[:2] == (1, 4)
    (status,) = set(rows(top)[rows(top).page == "00000"].status)
    assert status == "missed"
    assert len(rows(top)) == 5 * 3


def test_a_ground_truth_that_comes_later_takes_the_place_of_its_lack(top, keep):
    (top / "gt/00000.txt").rename(top / "later.txt")
    keep()
    assert set(rows(top)[rows(top).page == "00000"].status) == {"no ground truth"}
    (top / "later.txt").rename(top / "gt/00000.txt")
    assert keep()[:2] == (1, 4)
    assert set(rows(top).status) == {"evaluated"}
    assert keep()[:2] == (0, 5)


def test_a_page_is_the_same_from_wherever_a_command_is_given(top, keep, monkeypatch):
    keep()
    monkeypatch.chdir(top / "gt")
    elsewhere = [
        replace(one, gt=one.gt.relative_to(top / "gt")) for one in pair(top / "gt", top / "hyp").pairs
    ]
    evaluated, reused, results = keep(pairs=elsewhere)
    assert (evaluated, reused) == (0, 5)
    assert len(rows(top)) == 5 * 3
    assert [(result.gt, result.hyp) for result in results] == [(str(p.gt), str(p.hyp)) for p in elsewhere]


def _parts():
    return RECIPE.measures, RECIPE.settings, RECIPE.reading


def test_force_evaluates_all_again_and_has_no_page_twice(top, keep):
    keep()
    assert keep(force=True)[:2] == (5, 0)
    assert len(rows(top)) == 15


def test_what_failed_is_tried_again(top, keep):
    pairs = [*pair(top / "gt", top / "hyp").pairs, Pair("bad", top / "none.xml", None)]
    assert keep(pairs=pairs)[:2] == (6, 0)
    (row,) = rows(top).query("status == 'failed'").to_dict("records")
    assert row["measure"] is None or pd.isna(row["measure"])
    assert "no such file" in row["error"]
    evaluated, reused, results = keep(pairs=pairs)
    assert (evaluated, reused) == (1, 5)
    assert results[-1].status == "failed"
    assert len(rows(top)) == 16


def test_files_of_several_pages_stay_together(top, keep):
    (top / "gt/00001.txt").write_text("one\ftwo\fthree")
    (top / "hyp/00001.txt").write_text("one\ftwo")
    _, _, first = keep()
    assert [r.name for r in first if "#" in r.name] == ["00001#1", "00001#2", "00001#3"]
    evaluated, reused, second = keep()
    assert (evaluated, reused) == (0, 5)
    assert [(r.name, r.status, r.warnings, r.scores) for r in first] == [
        (r.name, r.status, r.warnings, r.scores) for r in second
    ]


def test_pages_without_partner_are_kept_too(top, keep):
    (top / "gt/alone.txt").write_text("no hypothesis")
    (top / "hyp/other.txt").write_text("no ground truth")
    _, _, first = keep()
    evaluated, reused, second = keep()
    assert (evaluated, reused) == (0, 7)
    totals = [Totals(), Totals()]
    for one, results in zip(totals, (first, second), strict=True):
        for result in results:
            one.add(result)
    assert totals[0] == totals[1]
    assert totals[0].missed == 1
    assert totals[0].without_gt.times == 1


def test_another_version_evaluates_again(top, keep, monkeypatch):
    keep()
    monkeypatch.setattr(store_module, "__version__", "99")
    assert keep()[:2] == (5, 0)
    assert set(rows(top).version) == {"99"}
    assert len(rows(top)) == 15


def test_a_store_of_other_numbers_is_refused_and_the_difference_named(keep):
    keep()
    other = Recipe(Wanted.of(["CER:R", "WER"]), RECIPE.settings.with_(case="fold"))
    with pytest.raises(StoreError) as error:
        keep(other)
    assert "measures is CER:R,WER,BOW there and CER:R,WER here" in str(error.value)
    assert "case is keep there and fold here" in str(error.value)
    assert "--force" in str(error.value)


def test_force_begins_a_store_of_other_numbers_anew(top, keep):
    keep()
    keep(Recipe(Wanted.of(["CER"])), force=True)
    assert set(rows(top).measure) == {"CER"}
    assert keep(Recipe(Wanted.of(["CER"])))[:2] == (0, 5)


def test_how_intervals_are_made_does_not_matter_for_pages(keep):
    from pagemeter.stats import Resampling

    keep()
    assert keep(Recipe(RECIPE.measures, plan=Resampling(seed=7)))[:2] == (0, 5)


def test_lines_are_kept_if_asked_for_and_follow_their_pages(top, keep):
    cer = Wanted.of(["CER:R"]).measures[0]
    keep(per_line=cer)
    found = rows(top, "lines")
    errors = rows(top).query("measure == 'CER:R'").set_index("page").errors
    assert found.groupby("page").distance.sum().to_dict() == errors.to_dict()
    (top / "hyp/00003.txt").write_text("one line\nand more\n")
    keep(per_line=cer)
    found = rows(top, "lines")
    assert not found.query("page == '00003' and hyp == 'and more'").empty
    errors = rows(top).query("measure == 'CER:R'").set_index("page").errors
    assert found.groupby("page").distance.sum().to_dict() == errors.to_dict()


def test_two_runs_cannot_write_to_one_store(top, keep):
    keep()
    with Store(top / "store", RECIPE), pytest.raises(StoreError, match="another run is writing to it"):
        keep()


def test_a_folder_with_other_files_is_no_store(top):
    before = sorted(top.iterdir())
    with pytest.raises(StoreError, match="other files; give a new folder"):
        Store(top, RECIPE)
    assert sorted(top.iterdir()) == before


@pytest.mark.parametrize("text", ["", "{}", '{"layout": 99, "recipe": {}}'])
def test_a_store_that_cannot_be_understood_says_so(top, text):
    (top / "store").mkdir()
    (top / "store/store.json").write_text(text)
    with pytest.raises(StoreError, match=r"store\.json: .*store"):
        Store(top / "store", RECIPE)


def test_a_damaged_part_is_named_with_its_remedy(top, keep):
    keep()
    (part,) = (top / "store/pages").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(StoreError, match=r"part-000001.parquet: .*; delete it, and its pages are evaluated"):
        keep()
    part.unlink()
    assert keep()[:2] == (5, 0)


def test_parts_are_written_as_the_run_goes_on(top, keep, monkeypatch):
    monkeypatch.setattr(store_module, "PART", 2)
    keep()
    parts = sorted((top / "store/pages").glob("*.parquet"))
    assert [pq.read_metadata(part).num_rows for part in parts] == [6, 6, 3]
    assert keep()[:2] == (0, 5)


def test_names_that_are_not_utf8_do_no_harm(top, keep):
    name = os.fsdecode(b"caf\xe9.txt")
    for side in ("gt", "hyp"):
        (top / side / name).write_text("a page")
    keep()
    assert keep()[:2] == (0, 6)
    assert r"caf\xe9" in set(rows(top).page)


def test_infinite_rates_are_missing(top, keep):
    (top / "gt/00000.txt").write_text("")
    keep()
    found = rows(top).query("page == '00000' and measure == 'WER'")
    assert found.rate.isna().all()
    assert (found.errors > 0).all()


def test_the_manifest_can_be_read_by_people(top, keep):
    keep()
    found = json.loads((top / "store/store.json").read_text())
    assert found["layout"] == 2
    assert found["recipe"]["measures"] == "CER:R,WER,BOW"


def test_a_file_that_is_gone_is_not_the_same(tmp_path):
    assert not is_same(tmp_path / "none.xml", Input("0" * 64, "1:2:3:4"))


def test_keys_are_those_of_stores_that_are_there_already():
    keys = Keys(Path("/data/store"))
    made = Pair("a/1", Path("/data/gt/a/1.xml"), Path("/data/hyp/a/1.txt"))
    assert keys.of(made) == keys.of(made) == "9f161162520d80d01ddbb1cac7faf2d9"


@pytest.mark.parametrize("folder", ["store", "gt", "/a/store"])
def test_a_page_is_known_by_its_way_from_the_store_whatever_page_came_before(folder):
    names = "1.xml", "gt/1.xml", "gt/2.xml", "gt/../gt/1.xml", "/a/1.xml", "/1.xml", "../1.xml"
    keys = Keys(Path(folder))
    in_turn = [keys.of(Pair("1", Path(name), None))[:16] for name in names]
    assert in_turn == [Keys(Path(folder)).of(Pair("1", Path(name), None))[:16] for name in names]
    assert in_turn[3] == in_turn[1]
    assert len(set(in_turn)) == len(names) - 1
