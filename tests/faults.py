"""A tokeniser that does what words say, such as SLEEP:3, to see what becomes of a page at fault."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from pagemeter.errors import UsageError

LARGE = 2_000_000  # bytes, more than a pipe takes


def tokenise(text: str) -> list[str]:
    what, _, argument = text.partition(":")
    match what:
        case "CRASH":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "ONCE":
            _once(Path(argument))
        case "SLEEP":
            time.sleep(float(argument))
        case "MEMORY":
            bytearray(int(argument) * 1_000_000)
        case "FAULT":
            raise RuntimeError("a fault of ours")
        case "USAGE":
            raise UsageError("wrong for every page")
    return text.split()


def _once(trace: Path) -> None:
    if not trace.exists():
        trace.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def large(_result: object) -> bytes:
    """What a report makes of a page that is much."""
    return bytes(LARGE)


def who(_result: object) -> int:
    """The process that evaluates a page."""
    return os.getpid()


class Stillborn:
    """Something that ends so many processes to which it is sent, before they evaluate anything."""

    def __init__(self, trace: Path, times: int) -> None:
        self.trace, self.times = trace, times

    def __reduce__(self) -> tuple[object, ...]:
        return _born, (self.trace, self.times)


def _born(trace: Path, times: int) -> object:
    with trace.open("a") as file:
        file.write("x")
    if trace.stat().st_size <= times:
        os._exit(3)
    return who
