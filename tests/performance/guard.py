"""Measure the work of each measure with numbers that depend little on machine load, and record them.

    make record-speed      after an intended change of speed

There are two numbers: the CPU time divided by that of a flat edit distance by rapidfuzz, which works on every
machine, and the number of instructions if valgrind is installed, which is the same in every run of a build.
"""

from __future__ import annotations

import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

from rapidfuzz.distance import Levenshtein

import pagemeter as pm
from pagemeter import _kernel
from pages import noisy, text_lines

RECORD = Path(__file__).with_name("recorded.json")
COUNTED = Path(__file__).with_name("counted.py")
IDS = ("CER:R", "CER", "CER:RS", "CER:S", "WER:R", "WER", "WER:RS", "WER:S", "BOW")
JOBS = [("page", name) for name in IDS] + [("newspaper", name) for name in ("CER:R", "CER", "CER:RS", "BOW")]
NAMES = [" ".join(job) for job in JOBS]
ROUNDS = 40


@cache
def page(name: str) -> tuple[list[str], list[str]]:
    """Return ground truth and hypothesis: 50 lines of 60 characters, or 300 of 40, with 5 % errors."""
    rng = random.Random(name)
    gt = text_lines(rng, *{"page": (50, 60), "newspaper": (300, 40)}[name])
    return gt, noisy(rng, gt, 0.05)


def seconds(call: Callable[[], object]) -> float:
    start = time.thread_time()
    call()
    return time.thread_time() - start


def ratio(name: str, enough: float = 0.0) -> float:
    """Return the minimum CPU time of a job divided by that of the flat distance; stop at a sufficient ratio.

    Whatever else runs on the machine only adds to a time, so the least of many comes near the truth.
    """
    size, measure = name.split()
    gt, hyp = page(size)
    flat = partial(Levenshtein.distance, "\n".join(gt), "\n".join(hyp))
    work = partial(pm.evaluate, gt, hyp, [measure])
    least = unit = float("inf")
    for done in range(ROUNDS):
        unit, least = min(unit, seconds(flat)), min(least, seconds(work))
        if done > 1 and least <= enough * unit:
            break
    return least / unit


def instructions() -> dict[str, int]:
    """Return the instructions of each job, counted by callgrind."""
    jobs = json.dumps([(*page(size), measure) for size, measure in JOBS])
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "counts")
        callgrind = ("valgrind", "--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={out}")
        subprocess.run(
            (*callgrind, sys.executable, str(COUNTED)), env=_environment(), input=jobs,
            text=True, check=True, capture_output=True,
        )  # fmt: skip
        # One file per mark: the first ends where the first job begins, the second where it ends, and so on.
        counts = [_total(Path(f"{out}.{2 * number}")) for number in range(1, len(JOBS) + 1)]
    return dict(zip(NAMES, counts, strict=True))


def _environment() -> dict[str, str]:
    """Return an environment with fixed hashes and cached byte code (compiling is slow under valgrind)."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONHASHSEED": "0"}


def _total(counts: Path) -> int:
    return int(re.search(r"^totals: (\d+)", counts.read_text(encoding="utf-8"), re.MULTILINE)[1])


def build() -> str:
    """Return what the number of instructions depends on, apart from the code."""
    compiler = re.search(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", Path(_kernel.__file__).read_bytes())
    parts = (
        platform.machine(),
        f"Python {platform.python_version()}",
        f"numpy {version('numpy')}",
        compiler[0].decode() if compiler else "unknown compiler",
    )
    return ", ".join(parts)


def main() -> None:
    record = {"ratios": {name: round(ratio(name), 2) for name in NAMES}}
    if shutil.which("valgrind"):
        record |= {"build": build(), "instructions": instructions()}
    RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(RECORD.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
