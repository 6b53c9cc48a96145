"""Runs that are killed, interrupted, or find the disk full: nothing is lost, nothing is there twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess

import pandas as pd
import pytest

from collected import SMALL_PARTS, command, done, killed, make, numbers

PAGES = 120


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, PAGES)


def options(top, *more):
    return ["eval", top / "gt", top / "hyp", "--jobs", "2", "--store", top / "store", *more]


def test_a_run_that_is_killed_at_any_moment_is_completed_by_the_next(top):
    expected = done("eval", top / "gt", top / "hyp", "--json", top / "expected.json")
    assert expected.returncode == 0, expected.stderr
    rng = random.Random(1)
    for _ in range(6):
        killed(command(*options(top), before=SMALL_PARTS), rng.uniform(0.2, 1.5))
    last = done(*options(top, "--json", top / "found.json"))
    assert last.returncode == 0, last.stderr
    assert numbers(top / "found.json") == numbers(top / "expected.json")
    found = pd.read_parquet(top / "store/pages")
    assert not found.duplicated(["page", "measure"]).any()
    assert found.page.nunique() == PAGES
    assert not list((top / "store").rglob("*.tmp"))


def test_a_run_that_replaces_pages_can_be_killed_too(top):
    assert done(*options(top), before=SMALL_PARTS).returncode == 0
    for path in (top / "hyp").iterdir():
        path.write_text(path.read_text() + " more")
    rng = random.Random(2)
    for _ in range(4):
        killed(command(*options(top), before=SMALL_PARTS), rng.uniform(0.3, 1.5))
        found = pd.read_parquet(top / "store/pages")
        assert not found.duplicated(["page", "measure"]).any()
    assert done(*options(top, "--json", top / "found.json")).returncode == 0
    assert done("eval", top / "gt", top / "hyp", "--json", top / "expected.json").returncode == 0
    assert numbers(top / "found.json") == numbers(top / "expected.json")


def test_ctrl_c_ends_at_once_leaves_a_store_and_says_how_to_go_on(top):
    make(top, 3000)
    arguments = command(*options(top), before=SMALL_PARTS)
    code, said, seconds = killed(
        arguments, lambda: list((top / "store").glob("pages/*.parquet")), signal.SIGINT
    )
    assert code == 130, said
    assert seconds < 5  # one second where the machine is free
    assert "interrupted; what was done is in" in said
    assert "the same command goes on from there" in said
    assert 0 < pd.read_parquet(top / "store/pages").page.nunique() < 3000


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
