"""The peak memory of one evaluation beyond the interpreter with pagemeter imported, in a process of its own:

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
    """Megabytes of this process at their highest; ru_maxrss would be that of its parent, if higher."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def growth(case: str, measure: str) -> float:
    """Megabytes that an evaluation adds."""
    command = [sys.executable, __file__, case, measure]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main(name: str, measure: str) -> None:
    pm.evaluate(["a"], ["a"], [measure])  # what is loaded once
    before = peak()
    case = CASES[name]()
    assert pm.evaluate(case.gt, case.hyp, [measure])[measure].errors > 0
    print(peak() - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
