"""Measure CPU time as the minimum of several runs, because other load can only add to it."""

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
LONG = 2.0  # seconds; a longer run is not repeated
SHORT = 0.3  # seconds for which a job is repeated at least


def best(call: Callable[[], Result], runs: int = 5) -> tuple[Seconds, Result]:
    """Return the minimum CPU seconds and the answer."""
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
    """Cost of a process: CPU seconds including its children, elapsed seconds, and peak bytes."""

    cpu: Seconds
    clock: Seconds
    peak: int


def used(command: Sequence[str], given: str = "") -> Usage:
    """Run a process and return its cost including its children."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become children of this process
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
    """Run a process and return its CPU seconds including its children."""
    return used(command, given).cpu


def _children() -> Seconds:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
