"""Runs that are killed, interrupted, or find the disk full: nothing is lost, nothing is there twice."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time

import pandas as pd
import pytest

from collected import SMALL_PARTS, command, done, killed, make, numbers

PAGES = 120


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, PAGES)


def options(top, *more):
    return ["eval", top / "gt", top / "hyp", "--jobs", "2", "--store", top / "store", *more]


@pytest.mark.parametrize("how", [["--jobs", "1"], ["--jobs", "2", "--store-lines"]])
def test_a_run_that_is_killed_at_any_moment_is_completed_by_the_next(top, how):
    arguments = [*options(top), *how]
    expected, seconds = uninterrupted(top, how)
    rng = random.Random(1)
    for _ in range(6):
        killed(command(*arguments, before=SMALL_PARTS), rng.uniform(0.3, 1) * seconds)
        check_once(top / "store")
    assert_complete(top, arguments, expected)


@pytest.mark.parametrize("how", [["--jobs", "1"], ["--jobs", "2", "--store-lines"]])
def test_a_run_that_replaces_pages_can_be_killed_too(top, how):
    arguments = [*options(top), *how]
    assert done(*arguments, before=SMALL_PARTS).returncode == 0
    for path in (top / "hyp").iterdir():
        path.write_text(path.read_text() + " more")
    expected, seconds = uninterrupted(top, how)
    rng = random.Random(2)
    for _ in range(4):
        killed(command(*arguments, before=SMALL_PARTS), rng.uniform(0.3, 1) * seconds)
        check_once(top / "store")
    assert_complete(top, arguments, expected)


def uninterrupted(top, how):
    """The store that a run in one go writes, and how long that takes."""
    began, store = time.monotonic(), top / "expected"
    arguments = ["eval", top / "gt", top / "hyp", *how, "--store", store, "--json", top / "expected.json"]
    found = done(*arguments, before=SMALL_PARTS)
    assert found.returncode == 0, found.stderr
    return store, time.monotonic() - began


def check_once(store):
    """No page is there twice, and each has its lines, at whatever moment the run was killed."""
    if list(store.glob("pages/*.parquet")):
        pages = pd.read_parquet(store / "pages")
        assert not pages.duplicated(["page", "measure"]).any()
        if list(store.glob("lines/*.parquet")):
            assert set(pages.page) <= set(pd.read_parquet(store / "lines").page)


def assert_complete(top, arguments, expected):
    """One run more, and all is as if nothing had happened."""
    last = done(*arguments, "--json", top / "found.json")
    assert last.returncode == 0, last.stderr
    assert numbers(top / "found.json") == numbers(top / "expected.json")
    assert not list((top / "store").rglob("*.tmp"))
    for name, key in (("pages", ["page", "measure"]), ("lines", ["page", "number"])):
        if (expected / name).exists():
            tables = (pd.read_parquet(store / name) for store in (expected, top / "store"))
            one, other = (table.sort_values(key, ignore_index=True) for table in tables)
            differing = [column for column in one if "seconds" in column or "stamp" in column]
            assert one.drop(columns=differing).equals(other.drop(columns=differing))


def interrupted(arguments, after, store=None):
    """What a command says when Ctrl-C ends it, within a second; a busy machine has three tries."""
    for _ in range(3):
        if store:
            shutil.rmtree(store, ignore_errors=True)
        code, said, seconds = killed(arguments, after, signal.SIGINT)
        assert code == 130, said
        assert "Traceback" not in said
        if seconds < 1:
            return said
    raise AssertionError(f"three times it took more than a second, {seconds:.1f} at last")


@pytest.mark.parametrize("how", [["--jobs", "1"], ["--jobs", "2", "--store-lines"]])
def test_ctrl_c_ends_at_once_leaves_a_store_and_says_how_to_go_on(top, how):
    make(top, 3000)
    arguments, store = command(*options(top), *how, before=SMALL_PARTS), top / "store"
    said = interrupted(arguments, lambda: list(store.glob("pages/*.parquet")), store)
    assert "interrupted; what was done is in" in said
    assert "the same command goes on from there" in said
    assert 0 < pd.read_parquet(top / "store/pages").page.nunique() < 3000


@pytest.fixture
def slow(tmp_path):
    """Two pages that take long: one inside the solver of S, one before it, for all its first lines."""
    rng = random.Random(3)
    for name, count, letters in (("solver", 300, "ab"), ("large", 6000, "abcdefgh")):
        words = ["".join(rng.choices(letters, k=rng.randint(1, 3))) for _ in range(9 * count)]
        for side, width in (("gt", 9), ("hyp", 11)):
            (tmp_path / side).mkdir(exist_ok=True)
            lines = (" ".join(words[start : start + width]) for start in range(0, len(words), width))
            (tmp_path / side / f"{name}.txt").write_text("\n".join(lines))
            rng.shuffle(words)
    return tmp_path


@pytest.mark.parametrize("what", ["", "solver.txt", "large.txt"])
def test_ctrl_c_ends_at_once_although_a_page_takes_long(slow, what):
    arguments = command("eval", slow / "gt" / what, slow / "hyp" / what, "-m", "CER:S", "--jobs", "2")
    assert interrupted(arguments, 1.5) == "pagemeter: interrupted; nothing was written\n"


def test_ctrl_c_ends_a_cluster_of_this_machine_at_once(slow):
    pytest.importorskip("distributed")
    arguments = command(
        "eval", slow / "gt", slow / "hyp", "-m", "CER:S", "--scheduler", "local", "--jobs", "2"
    )
    assert "interrupted; nothing was written" in interrupted(arguments, 5)


def test_a_full_disk_is_named_and_what_was_written_stays(top):
    """Files of this process can have 30 kB only, so that the first large part does not fit."""
    small = SMALL_PARTS + "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000)); "
    large = small.replace("s.PART = 7; s._SOON = 0.05", "s.PART = 7000; s._SOON = 1000")
    assert done("eval", top / "gt", top / "hyp", "--store", top / "store", before=small).returncode == 0
    before = pd.read_parquet(top / "store/pages")
    assert before.page.nunique() == PAGES
    found = done(*options(top, "--force"), before=large)
    assert found.returncode == 1
    assert (
        "cannot be written: File too large; make room for it; what was written before is kept" in found.stderr
    )
    assert pd.read_parquet(top / "store/pages").equals(before)


@pytest.fixture
def mounted(tmp_path):
    """A small file system of its own."""
    folder = tmp_path / "small"
    folder.mkdir()
    arguments = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", folder]
    made = subprocess.run(arguments, capture_output=True, check=False)
    if made.returncode:
        pytest.skip("file systems cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)  # noqa: S607


def test_a_file_system_that_runs_full_loses_nothing(top, mounted):
    arguments = ["eval", top / "gt", top / "hyp", "--store", mounted / "store"]
    filler = mounted / "filler"
    filler.write_bytes(bytes(330_000))
    found = done(*arguments, before=SMALL_PARTS)
    assert found.returncode == 1
    assert "cannot be written: No space left on device; make room for it" in found.stderr
    filler.unlink()
    assert done(*arguments, "--json", top / "found.json").returncode == 0
    assert done("eval", top / "gt", top / "hyp", "--json", top / "expected.json").returncode == 0
    assert numbers(top / "found.json") == numbers(top / "expected.json")


def test_a_store_that_can_only_be_read_is_refused_before_any_work(top, mounted):
    assert done("eval", top / "gt", top / "hyp", "--store", mounted / "store", "-m", "CER").returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)  # noqa: S607
    found = done("eval", top / "gt", top / "hyp", "--store", mounted / "store", "-m", "CER")
    assert found.returncode == 1
    assert "store: cannot be written: Read-only file system; change its rights (chmod)" in found.stderr
    assert pd.read_parquet(mounted / "store/pages").page.nunique() == PAGES


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_without_the_right_to_write_is_refused(top):
    (top / "store").mkdir(mode=0o500)
    found = done(*options(top))
    assert found.returncode == 1
    assert "store: cannot be written: Permission denied" in found.stderr


def test_a_file_in_the_place_of_a_store_is_named(top):
    (top / "store").write_text("mine")
    found = done(*options(top))
    assert found.returncode == 1
    assert "store: a file, and a store is a folder; give another name" in found.stderr
