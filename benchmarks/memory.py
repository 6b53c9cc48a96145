"""Measure the peak memory that one evaluation adds to a process that has imported pagemeter:

python benchmarks/memory.py CASE MEASURE
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from cases import CASES

import pagemeter as pm


def peak() -> float:
    """Return the peak memory of this process in megabytes. (ru_maxrss may be that of the parent.)"""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def growth(case: str, measure: str) -> float:
    """Return the megabytes that an evaluation adds."""
    command = [sys.executable, __file__, case, measure]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main(name: str, measure: str) -> None:
    pm.evaluate(["a"], ["a"], [measure])  # loads modules
    before = peak()
    case = CASES[name]()
    assert pm.evaluate(case.gt, case.hyp, [measure])[measure].errors > 0
    print(peak() - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
