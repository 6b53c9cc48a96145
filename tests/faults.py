"""A tokeniser that obeys words such as CRASH, to test what happens to pages that fail or take long."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from collected import until
from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from pagemeter.corpus import PageResult

LARGE = 2_000_000  # bytes, more than a pipe takes
MEGABYTE = 1_000_000


def tokenise(text: str) -> list[str]:
    """Return the words of a line; if it begins with the name of an action and a colon, do that first."""
    name, _, argument = text.partition(":")
    if name in _ACTIONS:
        _ACTIONS[name](argument)
    return text.split()


def _crash(_argument: str) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _crash_once(trace: str) -> None:
    if _is_first(Path(trace)):
        os.kill(os.getpid(), signal.SIGKILL)


def _touch(file: str) -> None:
    Path(file).touch()


def _wait(file: str) -> None:
    until(Path(file).exists)


def _wait_once(file: str) -> None:
    if _is_first(Path(f"{file}.waiting")):
        _wait(file)


def _hang(_argument: str) -> None:
    while True:
        signal.pause()


def _use_memory(megabytes: str) -> None:
    bytearray(int(megabytes) * MEGABYTE)


def _raise_error(_argument: str) -> None:
    raise RuntimeError("a bug")


def _raise_usage_error(_argument: str) -> None:
    raise UsageError("wrong for every page")


_ACTIONS = {
    "CRASH": _crash,
    "CRASH-ONCE": _crash_once,
    "TOUCH": _touch,
    "WAIT": _wait,
    "WAIT-ONCE": _wait_once,
    "HANG": _hang,
    "MEMORY": _use_memory,
    "FAULT": _raise_error,
    "USAGE": _raise_usage_error,
}


def _is_first(trace: Path) -> bool:
    """Return True for the first process that asks."""
    try:
        trace.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def large(_result: object) -> bytes:
    """Return more data for a page than a pipe takes."""
    return bytes(LARGE)


def constant(_result: object) -> int:
    """Return the same for every page."""
    return 1


def obey_name(result: PageResult) -> str:
    """Do the action that the name of a page begins with."""
    tokenise(result.name)
    return result.name


class FailingStart:
    """A report preparation that ends the first processes to which it is sent, before they are ready."""

    def __init__(self, trace: Path, times: int) -> None:
        self.trace, self.times = trace, times

    def __reduce__(self) -> tuple[object, ...]:
        return _start, (self.trace, self.times)


def _start(trace: Path, times: int) -> object:
    with trace.open("a") as file:
        file.write("x")
    if trace.stat().st_size <= times:
        os._exit(3)
    return constant
