"""CPU time of a call: the best of several runs, since everything else on a machine only adds to it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Result = TypeVar("Result")
Seconds = float
PR_SET_CHILD_SUBREAPER = 36
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
    """The CPU seconds of a process and of all that it started, from its start to their end."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # so that its orphans are ours to wait for
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=given, text=True, check=True, stdout=subprocess.DEVNULL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
