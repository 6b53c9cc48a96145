"""Runs that are killed or interrupted, and disks that are full: no page is lost or stored twice."""

from __future__ import annotations

import os
import signal
import subprocess

import pandas as pd
import pytest

from collected import SMALL_PARTS, command, done, exhaustive, killed, make, numbers

PAGES = 60
OPTIONS = [["--jobs", "1"], ["--jobs", "2", "--store-lines"]]
# Kills the process when the files of a store have been opened, renamed and removed this number of times.
KILL_AT = """
import os, signal, sys
events = 0
def count(event, arguments):
    global events
    changes = event in ("open", "os.rename", "os.remove")
    if changes and any(name in str(arguments[0]) for name in (".parquet", "store.json")):
        events += 1
        if events == {number}:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
"""


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, PAGES)


def arguments_of(top, *more):
    return ["eval", top / "gt", top / "hyp", "--jobs", "2", "--store", top / "store", *more]


def kill_at(number, arguments):
    """Run a command until its store has been changed this number of times; return its exit code."""
    return done(*arguments, before=SMALL_PARTS + KILL_AT.format(number=number)).returncode


@pytest.mark.parametrize("first", [4, *exhaustive(1, 2, 3, 5, 6, 7, 8, 9, 10)])
@pytest.mark.parametrize("options", [OPTIONS[1], *exhaustive(OPTIONS[0])])
def test_the_next_run_completes_one_that_was_killed(top, options, first):
    arguments = [*arguments_of(top), *options]
    expected = uninterrupted(top, options)
    for number in (first, first + 10):
        assert kill_at(number, arguments) == -signal.SIGKILL
        check_once(top / "store")
    assert_complete(top, arguments, expected)


@pytest.mark.parametrize("first", [5, *exhaustive(1, 2, 3, 4, 6, 7, 8, 9, 10)])
@pytest.mark.parametrize("options", [OPTIONS[0], *exhaustive(OPTIONS[1])])
def test_a_run_that_replaces_pages_can_be_killed_too(top, options, first):
    arguments = [*arguments_of(top), *options]
    assert done(*arguments, before=SMALL_PARTS).returncode == 0
    for path in (top / "hyp").iterdir():
        path.write_text(path.read_text() + " more")
    expected = uninterrupted(top, options)
    for number in (first, first + 10):
        assert kill_at(number, arguments) == -signal.SIGKILL
        check_once(top / "store")
    assert_complete(top, arguments, expected)


def uninterrupted(top, options):
    """Return the store that a run without interruption writes."""
    store = top / "expected"
    arguments = ["eval", top / "gt", top / "hyp", *options, "--store", store, "--json", top / "expected.json"]
    finished = done(*arguments, before=SMALL_PARTS)
    assert finished.returncode == 0, finished.stderr
    return store


def check_once(store):
    """Check that no page is stored twice, and that each has its lines."""
    if list(store.glob("pages/*.parquet")):
        pages = pd.read_parquet(store / "pages")
        assert not pages.duplicated(["page", "measure"]).any()
        if list(store.glob("lines/*.parquet")):
            assert set(pages.page) <= set(pd.read_parquet(store / "lines").page)


def assert_complete(top, arguments, expected):
    """Run the command once more, and check that the store and the report are complete."""
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


@pytest.mark.parametrize("options", OPTIONS)
def test_an_interrupted_run_leaves_a_store_and_its_message_says_how_to_continue(top, options):
    make(top, 3000)
    arguments, store = command(*arguments_of(top), *options, before=SMALL_PARTS), top / "store"
    code, messages = killed(arguments, lambda: list(store.glob("pages/*.parquet")), signal.SIGINT)
    assert code == 130, messages
    assert "Traceback" not in messages
    assert "interrupted; the results so far are in" in messages
    assert "the same command continues from there" in messages
    assert 0 < pd.read_parquet(top / "store/pages").page.nunique() < 3000


def test_a_full_disk_is_reported_and_written_parts_stay(top):
    """Files of this process may have 30 kB, so the first large part does not fit."""
    small = SMALL_PARTS + "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000)); "
    large = small.replace(
        "s.PART_PAGES = 7; s._FLUSH_SECONDS = 0.05", "s.PART_PAGES = 7000; s._FLUSH_SECONDS = 1000"
    )
    assert done("eval", top / "gt", top / "hyp", "--store", top / "store", before=small).returncode == 0
    before = pd.read_parquet(top / "store/pages")
    assert before.page.nunique() == PAGES
    finished = done(*arguments_of(top, "--force"), before=large)
    assert finished.returncode == 1
    assert "cannot be written: File too large. Free some space, and run the same command" in finished.stderr
    assert pd.read_parquet(top / "store/pages").equals(before)


def test_a_disk_that_is_full_for_the_store_and_for_reports_gives_one_message(top):
    """Files may have 8 kB. The temporary file of the JSON report exceeds that before a part of the store."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000)); "
    spool = "import pagemeter.atomic_io as a; a._SPOOL_BYTES = 8_000; "
    finished = done(*arguments_of(top, "--json", top / "found.json"), before=limit + spool)
    assert finished.returncode == 1
    assert "cannot be written: File too large." in finished.stderr
    assert "Traceback" not in finished.stderr
    assert not (top / "found.json").exists()


def test_a_run_continues_when_a_full_file_system_has_space_again(top, mounted):
    arguments = ["eval", top / "gt", top / "hyp", "--store", mounted / "store"]
    filler = mounted / "filler"
    filler.write_bytes(bytes(330_000))
    finished = done(*arguments, before=SMALL_PARTS)
    assert finished.returncode == 1
    assert "cannot be written: No space left on device. Free some space" in finished.stderr
    filler.unlink()
    assert done(*arguments, "--json", top / "found.json").returncode == 0
    assert done("eval", top / "gt", top / "hyp", "--json", top / "expected.json").returncode == 0
    assert numbers(top / "found.json") == numbers(top / "expected.json")


def test_a_read_only_store_is_refused(top, mounted):
    assert done("eval", top / "gt", top / "hyp", "--store", mounted / "store", "-m", "CER").returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)  # noqa: S607
    finished = done("eval", top / "gt", top / "hyp", "--store", mounted / "store", "-m", "CER")
    assert finished.returncode == 1
    assert (
        "store: cannot be written: Read-only file system. Change its permissions (chmod)" in finished.stderr
    )
    assert pd.read_parquet(mounted / "store/pages").page.nunique() == PAGES


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_without_write_permission_is_refused(top):
    (top / "store").mkdir(mode=0o500)
    finished = done(*arguments_of(top))
    assert finished.returncode == 1
    assert "store: cannot be written: Permission denied" in finished.stderr


def test_a_file_instead_of_a_store_is_refused(top):
    (top / "store").write_text("mine")
    finished = done(*arguments_of(top))
    assert finished.returncode == 1
    assert "store: this is a file, and a store is a folder. Give another name." in finished.stderr
