"""The command on a system without fork server, resource, fcntl and signals of Unix, as Windows is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types

import pytest

from collected import exhaustive
from pagemeter import atomic_io
from pagemeter.demo import GT, HYP

# Every process of the command, also a spawned one, loads this before anything else.
WITHOUT_UNIX = """
import errno, multiprocessing, multiprocessing.context, os, signal, sys
for module in ("resource", "fcntl"):
    sys.modules[module] = None
for module, names in (
    (os, ("O_NOFOLLOW", "O_CLOEXEC", "sched_getaffinity", "sysconf", "fork", "forkpty")),
    (signal, ("SIGHUP", "SIGALRM", "setitimer", "ITIMER_REAL", "pthread_sigmask")),
):
    for name in names:
        delattr(module, name)
multiprocessing.set_start_method("spawn")
multiprocessing.get_all_start_methods = lambda: ["spawn"]
for name in ("fork", "forkserver"):
    del multiprocessing.context._concrete_contexts[name]
"""


@pytest.fixture
def run_without_unix(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT_UNIX)

    def run(*arguments, program=None, **environment):
        command = [
            sys.executable,
            *(["-c", program] if program else ["-m", "pagemeter"]),
            *map(str, arguments),
        ]
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path / "site")} | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",  # of a console with another encoding
            check=False,
        )

    return run


def errors_in(path):
    return {name: score["errors"] for name, score in json.loads(path.read_text())["total"].items()}


@pytest.mark.parametrize("jobs", [2, *exhaustive(1)])
def test_a_folder_is_evaluated_in_new_processes(run_without_unix, tmp_path, jobs):
    options = ("-m", "CER:S", "-m", "BOW")
    done = run_without_unix("eval", GT, HYP, *options, "--jobs", jobs, "--json", "a.json", "--html", "a.html")
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    alone = subprocess.run(
        [sys.executable, "-m", "pagemeter", "eval", GT, HYP, *options, "--json", tmp_path / "b.json"],
        check=False,
    )
    assert alone.returncode == 0
    assert errors_in(tmp_path / "a.json") == errors_in(tmp_path / "b.json")


def test_a_store_is_written_and_continued(run_without_unix):
    pytest.importorskip("pyarrow")
    for reused in (0, 3):
        done = run_without_unix("eval", GT, HYP, "-m", "BOW", "--store", "store")
        # Without any module for locks, the store is used as on a file system without locks.
        assert "Traceback" not in done.stderr
        assert done.returncode == 0, done.stderr
        assert f"{3 - reused} evaluated, {reused} reused" in done.stderr


def test_a_script_needs_no_guard(run_without_unix, tmp_path):
    script = (
        "from pagemeter import evaluate_corpus\n"
        f"corpus = evaluate_corpus({str(GT)!r}, {str(HYP)!r}, measures=['BOW'], jobs=2)\n"
        "print(corpus.totals['BOW'].errors)\n"
    )
    path = tmp_path / "script.py"
    path.write_text(script)
    done = run_without_unix(program=f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')")
    assert (done.stdout, done.returncode) == ("91\n", 0), done.stderr


def test_a_limit_of_a_page_is_refused(run_without_unix):
    done = run_without_unix("eval", GT, HYP, "--page-seconds", 5)
    assert done.returncode == 2
    assert "this system does not limit single pages" in done.stderr


def test_a_console_with_another_encoding_shows_the_table(run_without_unix):
    done = run_without_unix("eval", GT, HYP, PYTHONUTF8="0", PYTHONIOENCODING="cp1252:strict")
    assert done.returncode == 0, done.stderr
    assert "CER:RS" in done.stdout


class Msvcrt(types.SimpleNamespace):
    """Locks of the first byte, as Windows has them: a second one is refused with PermissionError."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def locking(self, descriptor, mode, count):
        assert count == 1
        key = os.fstat(descriptor).st_ino
        if mode == self.LK_UNLCK:
            self.locked.remove(key)
        elif key in self.locked:
            raise PermissionError(13, "Permission denied")
        else:
            self.locked.add(key)


def test_windows_locks_the_first_byte(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt(locked=set()))
    with (tmp_path / "lock").open("ab") as writing, (tmp_path / "lock").open("rb") as reading:
        atomic_io.lock_file(reading, shared=True)
        atomic_io.lock_file(writing)
        for shared in (True, False):
            with pytest.raises(BlockingIOError):
                atomic_io.lock_file(reading, shared=shared)
