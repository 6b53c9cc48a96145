"""The first step of the command, so that Ctrl-C never ends in a traceback.

It is a package of its own, for what is in pagemeter can be reached only by importing that, which takes time.
"""

from __future__ import annotations

import contextlib
import os
import signal

INTERRUPTED = 130


def main() -> int:
    """Runs the command; Ctrl-C ends it at once while it is loaded, and again when it is done."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    try:
        from pagemeter.cli import main as run  # noqa: PLC0415

        return run()
    finally:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def loaded() -> None:
    """Makes Ctrl-C an exception again, for from now on there may be something to clear away."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: object) -> None:
    """Ends the process; an exception in the middle of an import could come out as any other error."""
    with contextlib.suppress(OSError):
        os.write(2, b"pagemeter: interrupted; nothing was written\n")
    os._exit(INTERRUPTED)
