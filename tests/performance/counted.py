"""Evaluate the pages on standard input under callgrind, with a mark before and after each.

A mark is a call to a function that nothing else calls; callgrind dumps its counts before it.
"""

from __future__ import annotations

import gc
import json
import os
import sys

import pagemeter as pm


def evaluate(gt: list[str], hyp: list[str], measure: str) -> None:
    pm.evaluate(gt, hyp, [measure])


def main() -> None:
    jobs = json.load(sys.stdin)
    for job in jobs:  # modules that the first call loads are not counted
        evaluate(["a b"], ["a"], job[2])
    gc.disable()  # a collection would count for the job in which it happens to fall
    for job in jobs:
        os.getppid()
        evaluate(*job)
        os.getppid()


if __name__ == "__main__":
    main()
