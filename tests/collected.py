"""Small pages and folders of them, and commands, also in processes of their own."""

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
from pathlib import Path

from pagemeter.corpus import Pair, Pairing, pair

SMALL_PARTS = "import pagemeter.store.store as s; s.PART = 7; s._SOON = 0.05; "
PLACED = '{"lines": [{"text": "a line", "baseline": [[0, 50], [300, 50]]}]}'


def make(top: Path, count: int, *, lines: int = 4) -> Path:
    """Two folders, gt and hyp, of so many pages."""
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
    """What evaluating the two folders returns and prints; `run` is the fixture that calls the command."""
    return run("eval", top / "gt", top / "hyp", *options)


def command(*arguments: object, before: str = "") -> list[str]:
    """A command line of pagemeter, after some statements in its process."""
    code = f"import sys; {before}from pagemeter_command import main; sys.exit(main())"
    return [sys.executable, "-c", code, *map(str, arguments)]


def done(*arguments: object, before: str = "") -> subprocess.CompletedProcess[str]:
    """What a command printed."""
    return subprocess.run(command(*arguments, before=before), capture_output=True, text=True, check=False)


def numbers(path: Path) -> dict[str, object]:
    """What a JSON report says that must not depend on how the work was done."""
    found = json.loads(path.read_text())
    return {name: found[name] for name in ("total", "intervals", "budgets", "summary", "pages", "failed")}


def killed(
    arguments: list[str], after: float | Callable[[], object], how: int = signal.SIGKILL
) -> tuple[int, str, float]:
    """A command that gets a signal after some time, or when something is so; Ctrl-C is for its processes too.

    Gives its exit code, what it said, and how long it went on after that.
    """
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    if callable(after):
        until(after)
    else:
        time.sleep(after)
    began = time.monotonic()
    if how == signal.SIGINT:
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    said = process.communicate(timeout=60)[1]
    return process.returncode, said, time.monotonic() - began


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def made_of(pairing: Pairing) -> dict[str, tuple[str | None, str | None]]:
    """The names of the files of all pairs, by the names of the pairs."""
    return {p.name: (p.gt and p.gt.name, p.hyp and p.hyp.name) for p in pairing.pairs}


def paired(*arguments: Path) -> tuple[Sequence[Pair], float]:
    """The pairs of arguments, all of which have been asked for, and the bytes that are kept of each."""
    tracemalloc.start()
    pairs = pair(*arguments).pairs
    assert sum(1 for _ in pairs) == len(pairs)
    ours = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/pagemeter/*")])
    tracemalloc.stop()
    return pairs, sum(found.size for found in ours.statistics("filename")) / len(pairs)


def table(pairing: Pairing, top: Path) -> dict[str, tuple[str | None, str | None]]:
    """The pairs as names relative to a folder."""

    def short(path: Path | None) -> str | None:
        return None if path is None else path.relative_to(top).as_posix()

    return {made.name: (short(made.gt), short(made.hyp)) for made in pairing.pairs if made.error is None}


def errors(pairing: Pairing) -> list[str]:
    """What could not be paired, and why."""
    return [made.error for made in pairing.pairs if made.error]
