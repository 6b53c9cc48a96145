"""The command `pagemeter`: parse the arguments, call the Python API, report, and return an exit code.

`main` is the entry point. Each command has a module (`eval`, `compare`, `kws`, `report`, `serve`, `demo`)
that is imported only when it runs, so that `--help` is quick; `formats`, `presets` and `help` are in
`parser`. The other modules are shared: `parser`, `options` and `setting_options` define the arguments,
`console` writes messages and progress to standard error, `live_line` draws the progress bar, `outputs` opens
the report files, and `execution` pairs files, chooses the runner and opens the results store.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
from typing import TYPE_CHECKING

from pagemeter.cli.console import OutputClosedError, print_message, standard_output
from pagemeter.cli.parser import EXIT_FAILED, EXIT_USAGE, build_parser
from pagemeter.cli.setting_options import as_option
from pagemeter.errors import PagemeterError, UsageError
from pagemeter_command import INTERRUPTED, restore_interrupts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

_STANDARD_ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The command-line arguments without the program name, by default those of the process.

    Returns:
        0 if all went well, 1 if an input could not be used or a limit was exceeded, 2 for wrong usage, 128
        plus the number of the signal that ended the run.

    """
    _occupy_standard_descriptors()
    if sys.stderr is None:  # print would write to standard output instead
        sys.stderr = io.StringIO()
    if sys.stdout is None:  # a report could get the file descriptor of standard output
        return _fail("standard output is closed; open it, or redirect it to /dev/null")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    signals = _end_at_signals()
    try:
        with standard_output():
            return _run(sys.argv[1:] if arguments is None else arguments)
    except OutputClosedError:  # the reader has seen enough
        return EXIT_FAILED
    except PagemeterError as error:
        code = EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
        return _fail(error.problem.render(as_option), code)
    except OSError as error:  # files that are read or written for the user have errors of their own
        return _fail(_describe(error))
    except KeyboardInterrupt as error:
        code = 128 + signals[0] if signals else INTERRUPTED
        return _fail(str(error) or "interrupted; nothing was written", code)


def _run(arguments: Sequence[str]) -> int:
    parsed: argparse.Namespace = build_parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = parsed.load()
    restore_interrupts()
    code = run(parsed)
    sys.stdout.flush()
    return code


def _describe(error: OSError) -> str:
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "too many open files. Raise the limit, for example with ulimit -n 1024."
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}unexpected error of the operating system: {error.strerror or error}"


def _occupy_standard_descriptors() -> None:
    """Open closed standard streams as /dev/null, so that no output file gets the descriptor 2."""
    with contextlib.suppress(OSError):  # too few open files are reported later
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
            pass
        os.close(descriptor)


def _fail(text: str, code: int = EXIT_FAILED) -> int:
    print_message(*(f"pagemeter: {line}" for line in text.split("\n")))
    return code


def _end_at_signals() -> list[int]:
    """Let SIGTERM and SIGHUP end a run as Ctrl-C does, so that no incomplete file remains.

    Returns a list to which the signal is added when it arrives. A SIGHUP that is ignored, as under `nohup`,
    stays ignored.
    """
    received: list[int] = []

    def end(number: int, _frame: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    with contextlib.suppress(ValueError):  # only the main thread can handle signals
        signal.signal(signal.SIGTERM, end)
        hang_up = getattr(signal, "SIGHUP", None)  # not on Windows
        if hang_up is not None and signal.getsignal(hang_up) is signal.SIG_DFL:
            signal.signal(hang_up, end)
    return received
