"""CPU time of a call: the best of several runs, since everything else on a machine only adds to it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

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


class Usage(NamedTuple):
    """What a process took: CPU seconds with all that it started, seconds by the clock, and its most bytes."""

    cpu: Seconds
    clock: Seconds
    peak: int


def used(command: Sequence[str], given: str = "") -> Usage:
    """What a process takes from its start to the end of all that it started."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # so that its orphans are ours to wait for
    before, began = _children(), time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        process.stdin.write(given)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    clock = time.monotonic() - began
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    return Usage(_children() - before, clock, usage.ru_maxrss * 1024)


def child(command: Sequence[str], given: str = "") -> Seconds:
    """The CPU seconds of a process and of all that it started, from its start to their end."""
    return used(command, given).cpu


def _children() -> Seconds:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
