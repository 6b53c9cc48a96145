"""Files are found in a store although their paths are written differently, and named as in this run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pagemeter.corpus import PageResult
from pagemeter.errors import Problem
from pagemeter.inputs.locations import Url
from pagemeter.inputs.pairs import Pair
from pagemeter.store.reading import PairKeys
from pagemeter.store.store import with_current_files


@pytest.fixture
def top(tmp_path, monkeypatch):
    for name in ("real/gt", "real/hyp", "real/store"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path / "real")
    return tmp_path


def key(folder, gt, hyp, **others):
    return PairKeys(Path(folder)).of(Pair("1", gt, hyp, **others))


@pytest.mark.parametrize("store", ["store", "../link/store", "gt/../store"])
@pytest.mark.parametrize("above", ["", ".", "../link", "gt/..", "{top}/real", "{top}/link"])
def test_the_key_of_a_pair_does_not_depend_on_how_paths_are_written(top, store, above):
    folder = Path(above.format(top=top))
    warned = (Problem("odd", f"{folder}/gt/1.xml", "file name"),)
    found = key(store, folder / "gt/1.xml", folder / "hyp/1.txt", warnings=warned)
    expected = (Problem("odd", "gt/1.xml", "file name"),)
    assert found == key("store", Path("gt/1.xml"), Path("hyp/1.txt"), warnings=expected)
    assert found != key("store", Path("gt/1.xml"), Path("hyp/2.txt"), warnings=expected)
    assert found != key("store", Path("gt/1.xml"), Path("hyp/1.txt"))


def test_the_key_of_a_record_or_member_does_not_depend_on_how_paths_are_written(top):
    for start in ("text://1@0", "zip://gt/1.xml"):
        ways = (Url(f"{start}::{path}") for path in ("gt/all", top / "real/gt/all", "../link/gt/all"))
        assert len({key("store", way, None) for way in ways}) == 1
    assert key("store", Url("s3://a/1.xml"), None) != key("store", Url("s3://b/1.xml"), None)


def test_stored_results_have_the_file_names_of_this_run():
    own, page = Problem("odd", "old/list", "list"), Problem("none", "old/1.txt#2", "text")
    stored = PageResult("1#2", "old/1.txt#2", None, None, (own, page, Problem("odd", "scan.jpg", "size")))
    pair = Pair("1", Path("new/1.txt"), Path("hyp/1.txt"), warnings=(replace(own, source="new/list"),))
    (found,) = with_current_files([stored], pair)
    assert (found.gt, found.hyp) == ("new/1.txt#2", None)
    assert [warn.source for warn in found.warnings] == ["new/list", "new/1.txt#2", "scan.jpg"]
    assert with_current_files([stored], replace(pair, gt=Path("old/1.txt"), warnings=(own,)))[0] is stored
