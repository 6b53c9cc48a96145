"""The entry points of the commands: Ctrl-C ends `pagemeter` with one line, even while modules are imported.

It is a package of its own, because importing anything in `pagemeter` takes time in which Ctrl-C would print a
traceback. tests/unit/cli/test_interrupts.py shows what happens at each moment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

INTERRUPTED = 128 + signal.SIGINT
"""Exit code of a command that Ctrl-C ended, as shells expect it."""


def main() -> int:
    """Run the command and return its exit code; Ctrl-C while modules are imported ends the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)
    # The threads that numpy starts for linear algebra cost each process more time than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from pagemeter.cli import main as run  # noqa: PLC0415

        return run()
    finally:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # test_while_python_ends_there_is_no_traceback


def evaluate_workspace() -> None:
    """Run the OCR-D processor; without OCR-D core, say in one line what to install."""
    try:
        from pagemeter.ocrd_processor import cli  # noqa: PLC0415
    except ImportError as error:
        sys.exit(f"ocrd-pagemeter-evaluate: {error}")
    cli()


def restore_interrupts() -> None:
    """Make Ctrl-C an exception again, because from now on there may be something to clean up."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _exit(_number: int, _frame: object) -> None:
    """End the process; an exception in the middle of an import could become another error."""
    with contextlib.suppress(OSError):
        os.write(2, b"pagemeter: interrupted; nothing was written\n")
    os._exit(INTERRUPTED)
