"""The command line: parse, call the API, report, exit code. No logic that Python could not reach."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys
from typing import TYPE_CHECKING

from pagemeter._version import __version__
from pagemeter.commands.compare_options import add_compare
from pagemeter.commands.demo import add_demo
from pagemeter.commands.eval_options import add_eval
from pagemeter.commands.parsing import Parser, as_option
from pagemeter.commands.report_options import add_report
from pagemeter.commands.saying import say
from pagemeter.errors import PagemeterError, UsageError
from pagemeter_command import INTERRUPTED, loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Command = Callable[[argparse.Namespace], int]

DONE, FAILED, USAGE = 0, 1, 2

EPILOG = """\
exit codes:
  0  done
  1  an input could not be read or paired, or a limit of --fail-above was passed
  2  wrong usage
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM

pagemeter help COMMAND shows the options of a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns 0 when done, 1 when an input could not be used, 2 on wrong usage."""
    if sys.stderr is None:  # print would take standard output instead
        sys.stderr = io.StringIO()
    if sys.stdout is None:  # a report could be given its number and be mixed with the table
        return _complain("standard output is closed; open it, or send it to /dev/null")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    ended_by = _end_at_signals()
    parsed = argparse.Namespace()
    try:
        parsed = parser().parse_args(sys.argv[1:] if arguments is None else arguments)
        run: Command = parsed.load()
        loaded()
        code = run(parsed)
        sys.stdout.flush()
    except PagemeterError as error:
        usage = isinstance(error, UsageError)
        return _complain(as_option(str(error), parsed) if usage else str(error), USAGE if usage else FAILED)
    except BrokenPipeError:  # the reader has seen enough
        _close_output()
        return FAILED
    except OSError as error:  # files that are read or written for the user name theirs
        _close_output()
        return _complain(f"standard output or a temporary file: {error.strerror or error}; make room for it")
    except KeyboardInterrupt as error:
        said = str(error) or "interrupted; nothing was written"
        return _complain(said, 128 + ended_by[0] if ended_by else INTERRUPTED)
    return code


def _end_at_signals() -> list[int]:
    """Lets SIGTERM, and SIGHUP of a terminal that is gone, end a run as Ctrl-C does; the list then has it.

    So nothing half written stays. A SIGHUP that is ignored, as `nohup` has it, stays so.
    """
    seen: list[int] = []

    def end(number: int, _frame: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    with contextlib.suppress(ValueError):  # not in the main thread, where signals are not for us
        signal.signal(signal.SIGTERM, end)
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            signal.signal(signal.SIGHUP, end)
    return seen


def _complain(text: str, code: int = FAILED) -> int:
    say(*(f"pagemeter: {line}" for line in text.split("\n")))
    return code


def _close_output() -> None:
    """Lets what is still to be written go nowhere, for it would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> Parser:
    """The parser of all commands."""
    made = Parser(
        prog="pagemeter",
        description="Measures how well a system reads whole pages.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--version", action="version", version=f"pagemeter {__version__}", help="Show the version and exit."
    )
    commands = made.add_commands(title="commands")
    one = commands.add_parser(
        "eval", usage="%(prog)s [options] GT HYP", help="measure a hypothesis against its ground truth"
    )
    add_eval(one)
    one.set_defaults(load=_eval)
    several = commands.add_parser(
        "compare",
        usage="%(prog)s [options] GT SYSTEM SYSTEM ...\n       %(prog)s [options] STORE STORE ...",
        help="compare several systems on the same pages",
    )
    add_compare(several)
    several.set_defaults(load=_compare)
    stored = commands.add_parser("report", help="report what is in a results store")
    add_report(stored)
    stored.set_defaults(load=_report)
    demo = commands.add_parser("demo", help="measure the example pages that come with pagemeter")
    add_demo(demo)
    demo.set_defaults(load=_demo)
    commands.add_parser("formats", help="list the file formats that are read").set_defaults(load=_formats)
    helping = commands.add_parser("help", help="show the options of a command")
    helping.add_argument("command", nargs="?", metavar="COMMAND", help="The command.")
    helping.set_defaults(load=lambda: lambda parsed: made.show_help(parsed.command))
    return made


# A command is imported when it is asked for, so that --help is quick.


def _eval() -> Command:
    from pagemeter.commands.evaluate import evaluate  # noqa: PLC0415

    return evaluate


def _compare() -> Command:
    from pagemeter.commands.compare import compare  # noqa: PLC0415

    return compare


def _report() -> Command:
    from pagemeter.commands.report import report  # noqa: PLC0415

    return report


def _demo() -> Command:
    from pagemeter.commands.demo import run  # noqa: PLC0415

    return run


def _formats() -> Command:
    from pagemeter.commands.formats import run  # noqa: PLC0415

    return run
