"""Runs under callgrind: evaluates the pages on standard input, with a mark before and after each.

A mark is a call that nothing else makes, before which callgrind writes down what it has counted.
"""

from __future__ import annotations

import json
import os
import sys

import pagemeter as pm


def evaluate(gt: list[str], hyp: list[str], measure: str) -> None:
    pm.evaluate(gt, hyp, [measure])


def main() -> None:
    jobs = json.load(sys.stdin)
    for job in jobs:  # what the first call loads is no part of the count
        evaluate(["a b"], ["a"], job[2])
    for job in jobs:
        os.getppid()
        evaluate(*job)
        os.getppid()


if __name__ == "__main__":
    main()
