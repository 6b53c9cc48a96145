"""The same files called otherwise: found in a store, and called as this run calls them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pagemeter.corpus import PageResult, Pair
from pagemeter.corpus.urls import Url
from pagemeter.page import Warn
from pagemeter.store.index import Keys
from pagemeter.store.respelling import respelled


@pytest.fixture
def top(tmp_path, monkeypatch):
    for name in ("real/gt", "real/hyp", "real/store"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path / "real")
    return tmp_path


def key(folder, gt, hyp, **others):
    return Keys(Path(folder)).of(Pair("1", gt, hyp, **others))


@pytest.mark.parametrize("store", ["store", "../link/store", "gt/../store"])
@pytest.mark.parametrize("above", ["", ".", "../link", "gt/..", "{top}/real", "{top}/link"])
def test_a_pair_has_one_key_however_its_files_are_called(top, store, above):
    folder = Path(above.format(top=top))
    warned = (Warn(f"{folder}/gt/1.xml", "file name", "odd"),)
    found = key(store, folder / "gt/1.xml", folder / "hyp/1.txt", warnings=warned)
    expected = (Warn("gt/1.xml", "file name", "odd"),)
    assert found == key("store", Path("gt/1.xml"), Path("hyp/1.txt"), warnings=expected)
    assert found != key("store", Path("gt/1.xml"), Path("hyp/2.txt"), warnings=expected)
    assert found != key("store", Path("gt/1.xml"), Path("hyp/1.txt"))


def test_a_record_and_a_member_have_one_key_however_their_file_is_called(top):
    for start in ("text://1@0", "zip://gt/1.xml"):
        ways = (Url(f"{start}::{path}") for path in ("gt/all", top / "real/gt/all", "../link/gt/all"))
        assert len({key("store", way, None) for way in ways}) == 1
    assert key("store", Url("s3://a/1.xml"), None) != key("store", Url("s3://b/1.xml"), None)


def test_a_page_whose_key_did_not_follow_links_before_is_found_by_it(top):
    pair = Pair("1", top / "link/gt/1.xml", None)
    (older,) = Keys(Path("store")).older(pair)
    former = Pair("1", Path(os.path.relpath(pair.gt, "store")), None)
    assert older[:16] == Keys(Path()).of(former)[:16]
    assert not list(Keys(Path("store")).older(replace(pair, gt=Path("gt/1.xml"))))


def test_results_are_called_as_the_pair_is_now():
    own, page = Warn("old/list", "list", "odd"), Warn("old/1.txt#2", "text", "none")
    stored = PageResult("1#2", "old/1.txt#2", None, None, (own, page, Warn("scan.jpg", "size", "odd")))
    pair = Pair("1", Path("new/1.txt"), Path("hyp/1.txt"), warnings=(replace(own, source="new/list"),))
    (found,) = respelled([stored], pair)
    assert (found.gt, found.hyp) == ("new/1.txt#2", None)
    assert [warn.source for warn in found.warnings] == ["new/list", "new/1.txt#2", "scan.jpg"]
    assert respelled([stored], replace(pair, gt=Path("old/1.txt"), warnings=(own,)))[0] is stored
