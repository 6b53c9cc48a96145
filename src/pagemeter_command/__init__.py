"""The first step of the command, so that Ctrl-C never ends in a traceback.

It is a package of its own, for what is in pagemeter can be reached only by importing that, which takes time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from importlib import import_module

_SIGNALS = 128
INTERRUPTED = _SIGNALS + signal.SIGINT


def main() -> int:
    """Runs the command; Ctrl-C ends it at once while it is loaded, and again when it is done."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    try:
        from pagemeter.cli import main as run  # noqa: PLC0415

        return _left(run())
    finally:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _left(code: int) -> int:
    """Ends the process at once where a cluster was interrupted, for Dask would complain of what is gone."""
    if code > _SIGNALS and "distributed" in sys.modules:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        _give_back()
        os._exit(code)
    return code


def _give_back() -> None:
    """Takes away the names of semaphores, which outlive a process, and then the process that looks for them.

    For that would complain of one that a thread is just taking away, too.
    """
    import_module("multiprocessing.util")._run_finalizers(0)  # noqa: SLF001
    tracker = import_module("multiprocessing.resource_tracker")._resource_tracker._pid  # noqa: SLF001
    if tracker is not None:
        with contextlib.suppress(OSError):
            os.kill(tracker, signal.SIGKILL)
            os.waitpid(tracker, 0)


def loaded() -> None:
    """Makes Ctrl-C an exception again, for from now on there may be something to clear away."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: object) -> None:
    """Ends the process; an exception in the middle of an import could come out as any other error."""
    with contextlib.suppress(OSError):
        os.write(2, b"pagemeter: interrupted; nothing was written\n")
    os._exit(INTERRUPTED)
