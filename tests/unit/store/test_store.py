"""The results store: its contents, and what a later run takes from it."""

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
from pagemeter.corpus import MeasureSelection, RunConfig, Totals
from pagemeter.errors import StoreError
from pagemeter.inputs import pair
from pagemeter.inputs.locations import Fingerprint, is_unchanged
from pagemeter.inputs.pairs import Pair
from pagemeter.store import Store, StoringRunner
from pagemeter.store import store as store_module
from pagemeter.store.reading import PairKeys

CONFIG = RunConfig(MeasureSelection.of(["CER:R", "WER", "BOW"]))


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, 5)


@pytest.fixture
def keep(top):
    """Run with the store; return the numbers of evaluated and reused pairs, and the results."""

    def run(config=CONFIG, pairs=None, *, force=False, per_line=None):
        with Store(top / "store", config, force=force, per_line=per_line) as store:
            runner = StoringRunner(store, force=force)
            found = pair(top / "gt", top / "hyp").pairs if pairs is None else pairs
            results = [result.without_details for _, made in runner.map(config, found) for result in made]
        return runner.evaluated, runner.reused, results

    return run


DERIVED = ("ned", "mer", "wip", "wil", "path_rate", "bwe", "accuracy")
"""The values of a score that a store does not contain, because they follow from the counts."""


def rows(top, table="pages"):
    return pd.read_parquet(top / "store" / table)


def settle(path):
    """Make a file so old that its times are trusted."""
    old = time.time() - 1000
    os.utime(path, (old, old))


def test_a_store_has_one_row_per_page_and_measure_with_all_counts(top, keep):
    _, _, results = keep()
    found = rows(top)
    assert len(found) == 5 * 3
    for result in results:
        for measure, score in result.scores.items():
            (row,) = found[(found.page == result.name) & (found.measure == str(measure))].to_dict("records")
            expected = {name: value for name, value in score.as_dict().items() if name not in DERIVED}
            assert {name: row[name] for name in expected} == expected
            assert row["seconds"] > 0
            assert row["page_seconds"] >= row["seconds"]
            assert row["signature"] == CONFIG.page_signature


def test_the_digests_are_those_of_the_files(top, keep):
    from hashlib import sha256

    keep()
    found = rows(top).set_index("page")
    for side in ("gt", "hyp"):
        data = (top / side / "00002.txt").read_bytes()
        assert set(found.loc["00002", f"{side}_sha256"]) == {sha256(data).hexdigest()}


def test_a_second_run_evaluates_nothing_and_returns_the_same_results(keep):
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
    assert results[3].scores[MeasureSelection.of(["CER:R"]).measures[0]].errors > 20
    found = rows(top)
    assert len(found) == 15
    assert len(found[found.page == "00003"]) == 3


def test_a_rewritten_file_with_the_same_bytes_is_unchanged(top, keep):
    keep()
    path = top / "gt/00001.txt"
    path.write_bytes(path.read_bytes())
    assert keep()[:2] == (0, 5)


def test_old_files_with_the_same_times_are_not_read(top, keep, monkeypatch):
    from pagemeter.inputs import locations

    for path in top.glob("*/*.txt"):
        settle(path)
    monkeypatch.setattr(locations, "_SETTLED", 0)
    keep()
    monkeypatch.setattr(locations, "read_bytes", None)
    assert keep()[:2] == (0, 5)


def test_a_change_that_leaves_size_and_times_as_they_were_is_noticed(top, keep, monkeypatch):
    from pagemeter.inputs import locations

    monkeypatch.setattr(locations, "_SETTLED", 0)
    keep()
    path = top / "gt/00001.txt"
    times = path.stat()
    path.write_text(path.read_text().swapcase())
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert keep()[:2] == (1, 4)


def test_a_new_file_has_no_stamp_because_a_change_would_not_be_seen(top, keep):
    keep()
    assert set(rows(top).gt_stamp) == {""}


def test_new_pages_are_added_and_removed_ones_stay_until_they_are_pruned(top, keep):
    keep()
    (top / "gt/00000.txt").unlink()
    (top / "hyp/00000.txt").unlink()
    for side in ("gt", "hyp"):
        (top / side / "new.txt").write_text("new")
    assert keep()[:2] == (1, 4)
    assert set(rows(top).page) == {"00000", "00001", "00002", "00003", "00004", "new"}
    with Store(top / "store", CONFIG) as store:
        list(StoringRunner(store).map(CONFIG, pair(top / "gt", top / "hyp").pairs))
        assert store.index.unused == 1
        store.prune()
    assert set(rows(top).page) == {"00001", "00002", "00003", "00004", "new"}


def test_a_page_that_has_lost_its_hypothesis_is_stored_once(top, keep):
    keep()
    (top / "hyp/00000.txt").unlink()
    assert keep()[:2] == (1, 4)
    (status,) = set(rows(top)[rows(top).page == "00000"].status)
    assert status == "missed"
    assert len(rows(top)) == 5 * 3


def test_a_ground_truth_that_is_added_later_replaces_the_unpaired_page(top, keep):
    (top / "gt/00000.txt").rename(top / "later.txt")
    keep()
    assert set(rows(top)[rows(top).page == "00000"].status) == {"no ground truth"}
    (top / "later.txt").rename(top / "gt/00000.txt")
    assert keep()[:2] == (1, 4)
    assert set(rows(top).status) == {"evaluated"}
    assert keep()[:2] == (0, 5)


def test_pages_are_found_from_any_working_folder(top, keep, monkeypatch):
    keep()
    monkeypatch.chdir(top / "gt")
    elsewhere = [
        replace(one, gt=one.gt.relative_to(top / "gt")) for one in pair(top / "gt", top / "hyp").pairs
    ]
    evaluated, reused, results = keep(pairs=elsewhere)
    assert (evaluated, reused) == (0, 5)
    assert len(rows(top)) == 5 * 3
    assert [(result.gt, result.hyp) for result in results] == [(str(p.gt), str(p.hyp)) for p in elsewhere]


def test_force_evaluates_all_pages_again_and_stores_each_once(top, keep):
    keep()
    assert keep(force=True)[:2] == (5, 0)
    assert len(rows(top)) == 15


def test_failed_pages_are_evaluated_again(top, keep):
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


def test_unpaired_pages_are_stored_too(top, keep):
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
    assert totals[0].without_gt.count == 1


def test_pages_of_another_version_are_evaluated_again(top, keep, monkeypatch):
    keep()
    monkeypatch.setattr(store_module, "__version__", "99")
    assert keep()[:2] == (5, 0)
    assert set(rows(top).version) == {"99"}
    assert len(rows(top)) == 15


def test_a_store_with_another_configuration_is_refused_and_the_difference_named(keep):
    keep()
    other = RunConfig(MeasureSelection.of(["CER:R", "WER"]), CONFIG.settings.with_(case="fold"))
    with pytest.raises(StoreError) as error:
        keep(other)
    assert "measures" not in str(error.value)  # a store may have more of them
    assert "case:keep instead of case:fold" in str(error.value)
    assert "with force" in str(error.value)


def test_force_replaces_a_store_with_another_configuration(top, keep):
    keep()
    keep(RunConfig(MeasureSelection.of(["CER"])), force=True)
    assert set(rows(top).measure) == {"CER"}
    assert keep(RunConfig(MeasureSelection.of(["CER"])))[:2] == (0, 5)


def test_options_of_intervals_are_no_part_of_the_configuration_of_a_store(keep):
    from pagemeter.stats import Resampling

    keep()
    assert keep(RunConfig(CONFIG.measures, resampling=Resampling(seed=7)))[:2] == (0, 5)


def test_lines_are_stored_if_asked_for_and_removed_with_their_pages(top, keep):
    cer = MeasureSelection.of(["CER:R"]).measures[0]
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
    with Store(top / "store", CONFIG), pytest.raises(StoreError, match="another run is writing to it"):
        keep()


def test_a_folder_with_other_files_is_no_store(top):
    before = sorted(top.iterdir())
    with pytest.raises(StoreError, match=r"other files\. Give a new folder"):
        Store(top, CONFIG)
    assert sorted(top.iterdir()) == before


@pytest.mark.parametrize("text", ["", "{}", '{"layout": 99, "options": {}}'])
def test_a_store_with_a_damaged_manifest_or_another_layout_is_refused(top, text):
    (top / "store").mkdir()
    (top / "store/store.json").write_text(text)
    with pytest.raises(StoreError, match=r"store\.json: .*store"):
        Store(top / "store", CONFIG)


def test_a_damaged_part_is_named_with_its_remedy(top, keep):
    keep()
    (part,) = (top / "store/pages").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(StoreError, match=r"part-000001.parquet: .*\. Delete it, and run the command that"):
        keep()
    part.unlink()
    assert keep()[:2] == (5, 0)


def test_parts_are_written_during_the_run(top, keep, monkeypatch):
    monkeypatch.setattr(store_module, "PART_PAGES", 2)
    keep()
    parts = sorted((top / "store/pages").glob("*.parquet"))
    assert [pq.read_metadata(part).num_rows for part in parts] == [6, 6, 3]
    assert keep()[:2] == (0, 5)


def test_file_names_that_are_not_utf8_are_stored_with_escapes(top, keep):
    name = os.fsdecode(b"caf\xe9.txt")
    for side in ("gt", "hyp"):
        (top / side / name).write_text("a page")
    keep()
    assert keep()[:2] == (0, 6)
    assert r"caf\xe9" in set(rows(top).page)


def test_infinite_rates_are_null(top, keep):
    (top / "gt/00000.txt").write_text("")
    keep()
    found = rows(top).query("page == '00000' and measure == 'WER'")
    assert found.rate.isna().all()
    assert (found.errors > 0).all()


def test_the_manifest_has_layout_and_options(top, keep):
    keep()
    found = json.loads((top / "store/store.json").read_text())
    assert found["layout"] == 7
    assert found["options"]["measures"] == "CER:R,WER,BOW"


def test_a_deleted_file_is_not_unchanged(tmp_path):
    assert not is_unchanged(tmp_path / "none.xml", Fingerprint("0" * 64, "1:2:3:4"))


def test_keys_do_not_change_between_versions():
    keys = PairKeys(Path("/data/store"))
    made = Pair("a/1", Path("/data/gt/a/1.xml"), Path("/data/hyp/a/1.txt"))
    assert keys.of(made) == keys.of(made) == "9f161162520d80d01ddbb1cac7faf2d9"


@pytest.mark.parametrize("folder", ["store", "gt", "/a/store"])
def test_keys_depend_on_the_path_from_the_store_only(folder):
    names = "1.xml", "gt/1.xml", "gt/2.xml", "gt/../gt/1.xml", "/a/1.xml", "/1.xml", "../1.xml"
    keys = PairKeys(Path(folder))
    in_turn = [keys.of(Pair("1", Path(name), None))[:16] for name in names]
    assert in_turn == [PairKeys(Path(folder)).of(Pair("1", Path(name), None))[:16] for name in names]
    assert in_turn[3] == in_turn[1]
    assert len(set(in_turn)) == len(names) - 1
