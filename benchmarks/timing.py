"""CPU time of a call: the best of several runs, since everything else on a machine only adds to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
LONG = 2.0  # seconds after which one run has to do


def best(call: Callable[[], Result], runs: int = 5) -> tuple[float, Result]:
    """The least CPU seconds and the answer."""
    least = float("inf")
    spent = 0.0
    for _ in range(runs):
        start = time.process_time()
        answer = call()
        took = time.process_time() - start
        least = min(least, took)
        spent += took
        if spent > LONG:
            break
    return least, answer
