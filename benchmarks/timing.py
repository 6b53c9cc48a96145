"""CPU time of a call: the best of several runs, since everything else on a machine only adds to it."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Result = TypeVar("Result")
Seconds = float
LONG = 2.0  # seconds after which one run has to do
SHORT = 0.3  # seconds of which the least is taken at the least


def best(call: Callable[[], Result], runs: int = 5) -> tuple[Seconds, Result]:
    """The least CPU seconds and the answer."""
    least = float("inf")
    spent, done = 0.0, 0
    while spent < SHORT or (done < runs and spent < LONG):
        start = time.process_time()
        answer = call()
        took = time.process_time() - start
        least = min(least, took)
        spent, done = spent + took, done + 1
    return least, answer


def child(command: Sequence[str], given: str = "") -> Seconds:
    """The CPU seconds of a process, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=given, text=True, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
