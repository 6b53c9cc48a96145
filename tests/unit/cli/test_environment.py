"""Runs in a poor environment: each is complete with the same numbers, or ends with one line."""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import time
from contextlib import chdir
from pathlib import Path

import pandas as pd
import pytest

from collected import NO_PROGRESS_LOG, SMALL_PARTS, TIMEOUT, command, exhaustive, make, numbers
from pagemeter.cli import main
from pagemeter.inputs import locations
from pagemeter.runners.in_process import InProcess

PAGES = 12
SMALL_SPOOL = "import pagemeter.atomic_io as a; a._SPOOL_BYTES = 100; "


def make_pages(folder):
    make(folder, PAGES)
    for side, text in (("gt", "grüße"), ("hyp", "gruße")):
        (folder / side / "ä.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def top(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return make_pages(tmp_path)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The numbers of a run in the environment of the tests."""
    with chdir(make_pages(tmp_path_factory.mktemp("expected"))):
        assert main(["eval", "gt", "hyp", "-m", "CER", "--json", "expected.json"]) == 0
        return numbers(Path("expected.json"))


def run_in(environment, *arguments, files=None, before=""):
    """Run the command with an environment and a limit of open files."""

    def limit():
        if files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    return subprocess.run(
        command(*arguments, before=NO_PROGRESS_LOG + before), env=environment, preexec_fn=limit,
        timeout=TIMEOUT, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def arguments_of(name):
    return ["eval", "gt", "hyp", "-m", "CER", "--store", name, "--json", f"{name}.json", "--html", "r.html"]


@pytest.mark.parametrize(
    "changes",
    [
        {"HOME": "/nonexistent", "TMPDIR": "/nonexistent"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        *exhaustive({"HOME": None}, {"LANG": "C", "LC_ALL": "C"}),
    ],
)
def test_the_environment_does_not_change_the_results(top, expected, changes):
    environment = {name: value for name, value in (os.environ | changes).items() if value is not None}
    finished = run_in(environment, *arguments_of("store"), "--per-page")
    assert (finished.returncode, finished.stderr) == (0, f"store: {PAGES + 1} evaluated, 0 reused\n")
    found = (top / "store.json").read_text(encoding="utf-8", errors="surrogateescape")
    assert "Traceback" not in found
    if "PYTHONUTF8" not in changes:
        assert numbers(top / "store.json") == expected
    report = run_in(environment, "report", "store")
    assert report.returncode == 0
    assert f"{PAGES + 1} pages" in report.stdout


@pytest.mark.parametrize("jobs", ["30", *exhaustive("1")])
def test_64_open_files_are_enough_for_any_number_of_processes(top, expected, jobs):
    finished = run_in(os.environ, *arguments_of("store"), "--jobs", jobs, files=64)
    assert (finished.returncode, finished.stderr) == (0, f"store: {PAGES + 1} evaluated, 0 reused\n")
    assert numbers(top / "store.json") == expected


@pytest.mark.usefixtures("top")
@pytest.mark.parametrize("files", [16, 13, 8])
def test_too_few_open_files_are_one_line(files):
    finished = run_in(os.environ, *arguments_of("store"), "--jobs", "4", files=files)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert finished.stderr == (
        f"pagemeter: this process may open {files} files at a time, and it needs at least 24. "
        "Raise the limit, for example with ulimit -n 1024.\n"
    )


def test_a_long_path_of_temporary_files_is_one_line(top):
    folder = top / ("long" * 30)
    folder.mkdir()
    finished = run_in(os.environ | {"TMPDIR": str(folder)}, *arguments_of("store"))
    assert (finished.returncode, finished.stdout) == (1, "")
    assert finished.stderr == (
        f"pagemeter: {folder}: the path of the folder for temporary files is too long for a socket "
        "(AF_UNIX path too long). Name a folder with a shorter path in the environment variable TMPDIR.\n"
    )


def test_a_full_folder_of_temporary_files_is_one_line(top, expected, mounted):
    """It becomes full during the run, and the pages so far are in the store."""
    environment = os.environ | {"TMPDIR": str(mounted)}
    fill = (
        f"{SMALL_PARTS}{SMALL_SPOOL}_write = a._Spool.write\n"
        "def write(self, data):\n"
        f"    with open({str(mounted / 'filler')!r}, 'ab', buffering=0) as file:\n"
        "        try:\n"
        "            while file.write(bytes(4096)): pass\n"
        "        except OSError: pass\n"
        "    return _write(self, data)\n"
        "a._Spool.write = write\n"
    )
    finished = run_in(environment, *arguments_of("store"), before=fill)
    assert (finished.returncode, finished.stdout) == (1, ""), finished.stderr
    assert finished.stderr.endswith(
        f"pagemeter: {mounted}: temporary files cannot be written: No space left on device. "
        "Free some space, or name another folder in the environment variable TMPDIR.\n"
    )
    assert "Traceback" not in finished.stderr
    assert not (top / "r.html").exists()
    finished = run_in(environment, *arguments_of("store"))  # it is full from the beginning
    assert finished.returncode == 0, finished.stderr
    assert numbers(top / "store.json") == expected


@pytest.mark.parametrize("closed", ["0<&- 2>&-", *exhaustive("0<&-", "2>&-")])
def test_closed_streams_do_not_mix_with_files(top, expected, closed):
    """A report that got the number of standard error would contain messages."""
    line = f"exec {closed}; exec {shlex.join(command(*arguments_of('store'), '--jobs', '2'))}"
    finished = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)  # noqa: S607
    assert finished.returncode == 0, finished.stderr
    assert f"{PAGES + 1} pages" in finished.stdout
    assert numbers(top / "store.json") == expected
    assert pd.read_parquet(top / "store/pages").page.nunique() == PAGES + 1


def test_closed_descriptors_are_occupied(top):
    """No file of a run gets the number of a closed standard stream."""
    watch = (
        "import builtins, os\n"
        "_open = os.open\n"
        "def watched(path, *arguments, **options):\n"
        "    number = _open(path, *arguments, **options)\n"
        f"    if number < 3 and path != os.devnull: _open({str(top / 'wrong')!r}, os.O_CREAT)\n"
        "    return number\n"
        "os.open = watched\n"
    )
    line = f"exec 0<&- 2>&-; exec {shlex.join(command(*arguments_of('store'), before=watch))}"
    finished = subprocess.run(["sh", "-c", line], capture_output=True, check=False)  # noqa: S607
    assert finished.returncode == 0
    assert not (top / "wrong").exists()


@pytest.mark.usefixtures("top")
def test_files_that_change_during_a_run_are_evaluated_again(run, monkeypatch):
    """The store has the digest of what was evaluated, even if the file is another one when that is stored."""
    read, changed = locations.read_bytes, []

    def read_then_change(path):
        data = read(path)
        if path.parent.name == "hyp" and path.name in ("00001.txt", "00002.txt", "00003.txt"):
            changed.append(path)
            if path.name == "00001.txt":
                path.unlink()
            else:
                path.write_bytes(data + b" more" if path.name == "00002.txt" else b"")
        return data

    monkeypatch.setattr(locations, "read_bytes", read_then_change)
    monkeypatch.setattr("pagemeter.cli.execution.Pool", lambda *_, **__: InProcess())
    arguments = ["eval", "gt", "hyp", "-m", "CER", "--store", "store"]
    code, before, err = run(*arguments)
    assert (code, err) == (0, f"store: {PAGES + 1} evaluated, 0 reused\n")
    assert len(changed) == 3
    monkeypatch.setattr(locations, "read_bytes", read)
    _, after, err = run(*arguments)
    assert f"store: 3 evaluated, {PAGES - 2} reused" in err
    assert after != before
    assert after == run("eval", "gt", "hyp", "-m", "CER")[1]


def test_a_clock_that_jumps_back_reuses_nothing_that_has_changed(top, run, monkeypatch):
    monkeypatch.setattr("pagemeter.cli.execution.Pool", lambda *_, **__: InProcess())
    arguments = ["eval", "gt", "hyp", "-m", "CER", "--store", "store"]
    now = time.time_ns()
    monkeypatch.setattr(locations.time, "time_ns", lambda: now + 10**10)  # all files are old enough
    assert run(*arguments)[0] == 0
    assert set(pd.read_parquet(top / "store/pages").gt_stamp) != {""}
    for jump in (-(10**12), -(10**18), 0):  # files of the future, a clock of long ago, the right clock
        monkeypatch.setattr(locations.time, "time_ns", lambda jump=jump: now + jump)
        path = top / "hyp/00004.txt"
        times = path.stat()
        path.write_text(path.read_text().swapcase())
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        code, out, err = run(*arguments)
        assert (code, err) == (0, f"store: 1 evaluated, {PAGES} reused\n")
        assert out == run("eval", "gt", "hyp", "-m", "CER")[1]
