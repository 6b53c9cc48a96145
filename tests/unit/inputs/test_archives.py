"""Archives of pages: opened once, opened again when they are replaced, and safe for threads and processes."""

from __future__ import annotations

import multiprocessing
import shutil
import tarfile
import weakref
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from fsspec.implementations.tar import TarFileSystem
from fsspec.implementations.zip import ZipFileSystem

from collected import make
from pagemeter.errors import InputError
from pagemeter.inputs import locations as archives
from pagemeter.inputs import pair
from pagemeter.inputs.locations import Url, fetch, url_stamp
from pagemeter.inputs.tables import read_pair_table
from pagemeter.runners import evaluate_pairs

PAGES = 30
KINDS = [("zip", "zip"), ("tar", "tar"), ("tar", "tar.gz")]


@pytest.fixture
def top(tmp_path):
    archives._archives.clear()
    yield make(tmp_path, PAGES)
    archives._archives.clear()


def packed(top, side, kind):
    """Make an archive of one side and return its path."""
    form = {"zip": "zip", "tar": "tar", "tar.gz": "gztar"}[kind]
    return shutil.make_archive(str(top / side), form, top / side)


def scores(gt, hyp, on=None):
    return {result.name: result.scores for result in evaluate_pairs(pair(gt, hyp).pairs, ["CER"], on=on)}


@pytest.mark.parametrize(("protocol", "kind"), KINDS)
def test_the_directory_of_an_archive_is_read_once_for_all_its_pages(top, monkeypatch, protocol, kind):
    read = Counter()
    for files in (ZipFileSystem, TarFileSystem):
        begin = files.__init__

        def counted(self, *arguments, begin=begin, **options):
            read[options["fo"].name] += 1
            begin(self, *arguments, **options)

        monkeypatch.setattr(files, "__init__", counted)
    paths = {side: packed(top, side, kind) for side in ("gt", "hyp")}
    result_scores = scores(*(Url(f"{protocol}://::{path}") for path in paths.values()))
    assert result_scores == scores(top / "gt", top / "hyp")
    assert read == dict.fromkeys(paths.values(), 1)


def test_a_member_of_a_tar_is_found_without_searching_all_members(top, monkeypatch):
    path = packed(top, "gt", "tar")
    sought = []
    monkeypatch.setattr(tarfile.TarFile, "_getmember", lambda *arguments: sought.append(arguments))
    assert fetch(Url(f"tar://00007.txt::{path}")).data == (top / "gt/00007.txt").read_bytes()
    assert sought == []


@pytest.mark.parametrize(("protocol", "kind"), KINDS)
def test_an_archive_that_is_replaced_is_opened_again(top, protocol, kind):
    url = Url(f"{protocol}://00007.txt::{packed(top, 'gt', kind)}")
    stamp = url_stamp(url)
    assert fetch(url).stamp == stamp != ""
    (top / "gt/00007.txt").write_text("another text")
    packed(top, "gt", kind)
    assert fetch(url).data == b"another text"
    assert url_stamp(url) != stamp


def test_a_deleted_archive_is_an_error(top):
    path = packed(top, "gt", "zip")
    url = Url(f"zip://00007.txt::{path}")
    assert fetch(url).data
    (top / "gt.zip").unlink()
    with pytest.raises(InputError, match=r"gt.zip: no such file or folder. Check the address"):
        fetch(url)


@pytest.mark.parametrize(("protocol", "kind"), KINDS)
def test_threads_can_read_one_archive(top, protocol, kind):
    gt, hyp = (Url(f"{protocol}://::{packed(top, side, kind)}") for side in ("gt", "hyp"))
    urls = [gt / f"{number % PAGES:05}.txt" for number in range(10 * PAGES)]
    with ThreadPoolExecutor(8) as executor:
        for url, content in zip(urls, executor.map(fetch, urls), strict=True):
            assert content.data == (top / "gt" / url.name).read_bytes()
        assert scores(gt, hyp, executor) == scores(top / "gt", top / "hyp")


def test_the_number_of_open_archives_is_limited_and_others_are_closed(top, monkeypatch):
    monkeypatch.setattr(archives, "_MAX_OPEN_ARCHIVES", 1)
    gt, hyp = (Url(f"zip://00001.txt::{packed(top, side, 'zip')}") for side in ("gt", "hyp"))
    fetch(gt)
    (archive,) = archives._archives.values()
    file, gone = weakref.ref(archive.files.fo), weakref.ref(archive)
    del archive
    fetch(hyp)
    assert [container for _, container in archives._archives] == [f"{top}/hyp.zip"]
    assert file() is None or file().closed  # the lowest fsspec leaves closing to the end of the object
    assert gone() is None
    assert fetch(gt).data == (top / "gt/00001.txt").read_bytes()


def test_a_forked_process_opens_archives_itself(top):
    url = Url(f"tar://00003.txt::{packed(top, 'gt', 'tar')}")
    fetch(url)
    with archives._archives_lock, multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_open_here, ()).get(30) == 0
        assert pool.apply_async(fetch, (url,)).get(30).data == (top / "gt/00003.txt").read_bytes()


def _open_here():
    return len(archives._archives)


def test_a_table_may_be_in_an_archive(top):
    rows = [f"{top}/gt/{n:05}.txt\t{top}/hyp/{n:05}.txt" for n in range(PAGES)]
    with zipfile.ZipFile(top / "tables.zip", "w") as archive:
        archive.writestr("pairs.tsv", "\n".join(rows))
    table = read_pair_table(Url(f"zip://pairs.tsv::{top}/tables.zip"))
    assert [result.status for result in evaluate_pairs(table.pairs, ["CER"])] == ["evaluated"] * PAGES


def test_an_archive_in_an_archive_is_read(top):
    with zipfile.ZipFile(top / "outer.zip", "w") as outer:
        outer.write(packed(top, "gt", "tar"), "deep/gt.tar")
    url = Url(f"tar://00003.txt::zip://deep/gt.tar::{top}/outer.zip")
    assert fetch(url).data == (top / "gt/00003.txt").read_bytes()
