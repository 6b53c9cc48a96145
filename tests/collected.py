"""Helpers of tests: small pages, pairs, and commands in processes of their own."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pagemeter.inputs import Pair, Pairing, pair

SMALL_PARTS = "import pagemeter.store.store as s; s.PART_PAGES = 7; s._FLUSH_SECONDS = 0.05; "
TIMEOUT = 300  # seconds; it only ends a hang, also on a busy machine
# On a busy machine, a short run takes more than ten seconds and would log its progress.
NO_PROGRESS_LOG = f"import pagemeter.cli.console as c; c._LOG_SECONDS = {TIMEOUT}; "
_DEFAULT_SIGNALS = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.signal(signal.SIGHUP, signal.SIG_DFL); "
)
PLACED = '{"lines": [{"text": "a line", "baseline": [[0, 50], [300, 50]]}]}'


def exhaustive(*values: object) -> list[object]:
    """Return parameters that only `make test-all` uses; a tuple has the values of several names."""
    rows = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*row, marks=pytest.mark.exhaustive) for row in rows]


def make(top: Path, count: int, *, lines: int = 4) -> Path:
    """Make the folders gt and hyp with this number of pages and return the folder above them."""
    rng = random.Random(count)
    for side in ("gt", "hyp"):
        (top / side).mkdir(parents=True, exist_ok=True)
    for number in range(count):
        gt = ["".join(rng.choice("abcde   ") for _ in range(40)) for _ in range(lines)]
        hyp = ["".join(c if rng.random() > 0.1 else rng.choice("xyz ") for c in line) for line in gt]
        (top / f"gt/{number:05}.txt").write_text("\n".join(gt))
        (top / f"hyp/{number:05}.txt").write_text("\n".join(hyp))
    return top


def evaluate(run: Callable[..., tuple[int, str, str]], top: Path, *options: object) -> tuple[int, str, str]:
    """Evaluate the folders gt and hyp with the fixture `run`; return exit code, output and messages."""
    return run("eval", top / "gt", top / "hyp", *options)


def command(*arguments: object, before: str = NO_PROGRESS_LOG) -> list[str]:
    """Return a command line of pagemeter that executes some statements first.

    Signals that the tests ignore, as under `nohup make test &`, have their default effect.
    """
    code = f"{_DEFAULT_SIGNALS}{before}from pagemeter_command import main; sys.exit(main())"
    return [sys.executable, "-c", code, *map(str, arguments)]


def done(*arguments: object, before: str = NO_PROGRESS_LOG) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        command(*arguments, before=before), capture_output=True, text=True, check=False, timeout=TIMEOUT
    )


def numbers(path: Path) -> dict[str, object]:
    """Return the parts of a JSON report that must not depend on the runner."""
    report = json.loads(path.read_text())
    return {name: report[name] for name in ("total", "intervals", "budgets", "summary", "pages", "failed")}


def killed(
    arguments: list[str], condition: Callable[[], object], how: int = signal.SIGKILL
) -> tuple[int, str]:
    """Send a signal to a command on a condition, and return its exit code and messages.

    SIGINT goes to the processes of the command too.
    """
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until(condition)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    messages = process.communicate(timeout=TIMEOUT)[1]
    return process.returncode, messages


def until(condition: Callable[[], object], seconds: float = TIMEOUT) -> None:
    """Wait until a condition holds; the time limit only ends a hang."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def file_names(pairing: Pairing) -> dict[str, tuple[str | None, str | None]]:
    """Return the names of the files of all pairs, by the names of the pairs."""
    return {p.name: (p.gt and p.gt.name, p.hyp and p.hyp.name) for p in pairing.pairs}


def paired(*arguments: Path) -> tuple[Sequence[Pair], float]:
    """Pair arguments, iterate over the pairs, and return them with the bytes of memory per pair."""
    tracemalloc.start()
    pairs = pair(*arguments).pairs
    assert sum(1 for _ in pairs) == len(pairs)
    ours = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/pagemeter/*")])
    tracemalloc.stop()
    return pairs, sum(entry.size for entry in ours.statistics("filename")) / len(pairs)


def table(pairing: Pairing, top: Path) -> dict[str, tuple[str | None, str | None]]:
    """Return the files of all pairs without errors, relative to a folder, by the names of the pairs."""

    def short(path: Path | None) -> str | None:
        return None if path is None else path.relative_to(top).as_posix()

    return {one.name: (short(one.gt), short(one.hyp)) for one in pairing.pairs if not one.errors}


def errors(pairing: Pairing) -> list[str]:
    """Return the messages of all pairs with errors."""
    return [one.error for one in pairing.pairs if one.error]


@contextmanager
def serving(tmp_path, *arguments, before=""):
    """Start the server; yield its process and its address. It is killed at the end if it still runs."""
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    environment = {
        name: value for name, value in environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    process = subprocess.Popen(
        command("serve", *arguments, before=before),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        assert line.startswith("Open this address in a browser: http://127.0.0.1:"), process.stderr.read()
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.communicate()
