"""The parser of the command line, its messages for wrong names, and the commands that list names."""

from __future__ import annotations

import argparse
import re
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pagemeter._version import __version__
from pagemeter.cli.options import (
    add_compare,
    add_demo,
    add_eval,
    add_kws,
    add_limits,
    add_report,
)
from pagemeter.errors import did_you_mean
from pagemeter.report.names import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

EXIT_DONE, EXIT_FAILED, EXIT_USAGE = 0, 1, 2

_EPILOG = """\
Exit codes (0 is success):
  1  An input could not be used, or a rate is above a limit of --fail-above.
  2  Wrong usage.
  129, 130, 143  Ended by SIGHUP, Ctrl-C or SIGTERM."""

_SERVE = """\
Open a local page in the browser, where you drop GT and HYP files or folders
and read reports. Only this machine can connect to it, with an address that is
printed. Received files are removed after their evaluation, and all reports
when the command ends.

RESULTS is a results store, a report, a folder of them, or a folder with the
folders gt and hyp. A single report is opened at once."""

_NEGATIVE_NUMBER = re.compile(r"-\.?\d")


class Parser(argparse.ArgumentParser):
    """An argument parser that suggests the nearest name for an unknown option or command.

    Options cannot be abbreviated and may be anywhere between the arguments.
    """

    def __init__(self, *args: Any, **keywords: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **{"allow_abbrev": False, "add_help": False} | keywords)
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        self._positionals.title, self._optionals.title = "Arguments", "Options"
        self._commands: Mapping[str, Parser] = {}
        self._siblings: Mapping[str, Parser] = {}
        self.register("type", float, _parse_number)
        self.register("type", int, _parse_whole_number)
        self.add_argument("-h", "--help", action="help", help="Show this help and exit.")

    def add_commands(self) -> argparse._SubParsersAction[Parser]:
        """Return the object to which commands are added."""
        action = self.add_subparsers(title="Commands", parser_class=Parser, metavar="COMMAND")
        self._commands = action.choices
        return action

    def error(self, message: str) -> NoReturn:
        """Print a message in which control characters are escaped, and exit with the code for wrong usage."""
        super().error(printable(message))

    def show_help(self, command: str | None = None) -> int:
        """Print the help of a command, or of the program, and return the exit code."""
        if command is None:
            self.print_help()
        elif command in self._commands:
            self._commands[command].print_help()
        else:
            self.error(f"unknown command {command}{did_you_mean(command, self._commands)}")
        return EXIT_DONE

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """Parse arguments as `argparse` does, after a check of the names of options and commands."""
        for command in self._commands.values():
            command._siblings = self._commands  # noqa: SLF001
        if args is not None:
            self._check_values(args)
            self._check_names(args)
        parsed, rest = super().parse_known_args(args, namespace)
        for action in self._actions:
            if not rest or action.option_strings:
                continue
            # argparse overlooks optional arguments that follow options.
            if action.nargs == "?" and getattr(parsed, action.dest) is None:
                setattr(parsed, action.dest, self._get_values(action, [rest.pop(0)]))
            elif action.nargs == "*":
                setattr(parsed, action.dest, [*getattr(parsed, action.dest), *self._get_values(action, rest)])
                rest = []
        if rest and not self._commands:
            self.error(f"too many arguments: {' '.join(rest)}")
        return parsed, rest

    def _check_values(self, arguments: Sequence[str]) -> None:
        """Refuse empty values, which are most often unset shell variables."""
        for before, argument in zip(("", *arguments), arguments, strict=False):
            if not argument or (argument.startswith("--") and argument.endswith("=")):
                name = argument or before or "an argument"
                self.error(f"{name}: the value is empty; give a value, or leave the option out")

    def _check_names(self, arguments: Sequence[str]) -> None:
        for argument in arguments:
            if argument == "--":
                return
            if argument.startswith("-") and argument != "-" and not _NEGATIVE_NUMBER.match(argument):
                name = argument.partition("=")[0] if argument.startswith("--") else argument[:2]
                if name not in self._option_string_actions:
                    hint = self._other_commands(name) or did_you_mean(name, self._option_string_actions)
                    self.error(f"unknown option {name}{hint}")
            elif self._commands:
                if argument not in self._commands:
                    self.error(f"unknown command {argument}{did_you_mean(argument, self._commands)}")
                return

    def _other_commands(self, option: str) -> str:
        """Return which commands have an option of this name, in brackets, or ""."""
        commands = self._commands or self._siblings
        having = [name for name, command in commands.items() if option in command._option_string_actions]  # noqa: SLF001
        after = "; write it after the command" if self._commands else ""
        return f" (an option of {', '.join(having)}{after})" if having else ""


def _parse_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _parse_whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def build_parser() -> Parser:
    """Return the parser of the program with all commands.

    In the parsed arguments, `load` imports the command and returns the function that runs it.
    """
    parser = Parser(
        prog="pagemeter", description="Measure how well a system reads whole pages.", epilog=_EPILOG
    )
    parser.add_argument(
        "--version", action="version", version=f"pagemeter {__version__}", help="Show the version and exit."
    )
    parser.set_defaults(load=lambda: partial(_show_usage, parser))
    commands = parser.add_commands()
    command = commands.add_parser(
        "eval", usage="%(prog)s [options] GT HYP", help="Compare recognised pages with their ground truth."
    )
    add_eval(command)
    command.set_defaults(load=partial(_load, "eval"))
    command = commands.add_parser(
        "compare",
        usage="%(prog)s [options] GT SYSTEM SYSTEM ...\n       %(prog)s [options] METS\n"
        "       %(prog)s [options] STORE STORE ...",
        help="Compare several systems on the same pages.",
    )
    add_compare(command)
    command.set_defaults(load=partial(_load, "compare"))
    for name, add_options, usage, text in (
        ("kws", add_kws, "%(prog)s [options] GT HYP", "Evaluate keyword spotting."),
        ("report", add_report, "%(prog)s [options] STORE", "Report the content of a results store."),
        (
            "serve",
            _add_serve,
            "%(prog)s [options] [RESULTS]",
            "Open a local page where you drop files and read reports.",
        ),
        ("demo", add_demo, None, "Evaluate the bundled example pages."),
    ):
        command = commands.add_parser(name, usage=usage, help=text, description=text)
        add_options(command)
        command.set_defaults(load=partial(_load, name))
    text = "List the file formats that can be read."
    commands.add_parser("formats", help=text, description=text).set_defaults(load=lambda: _list_formats)
    text = "List the presets, which give the numbers of other tools."
    commands.add_parser("presets", help=text, description=text).set_defaults(load=lambda: _list_presets)
    text = "Show the options of a command."
    command = commands.add_parser("help", help=text, description=text)
    command.add_argument("command", nargs="?", metavar="COMMAND", help="The command.")
    command.set_defaults(load=lambda: lambda parsed: parser.show_help(parsed.command))
    return parser


def _add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of `pagemeter serve`."""
    parser.description = _SERVE
    parser.add_argument("results", nargs="?", type=Path, metavar="RESULTS", help="Results that are shown.")
    group = parser.add_argument_group("Page")
    group.add_argument(
        "--port", type=int, default=0, metavar="NUMBER", help="Use this port (default: a free one)."
    )
    group.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="Print the address without opening a browser.",
    )
    group.add_argument(
        "--max-files", type=int, default=10_000, metavar="NUMBER",
        help="Receive at most this number of files for an evaluation (default: 10000).",
    )  # fmt: skip
    group.add_argument(
        "--max-megabytes", type=float, default=2_000, metavar="MB",
        help="Limit the size of all received files that are not evaluated yet (default: 2000).",
    )  # fmt: skip
    add_limits(parser.add_argument_group("Execution"))


def _show_usage(parser: Parser, _parsed: argparse.Namespace) -> int:
    """Print the help if no command is given, as uv does, and return the exit code of wrong usage."""
    parser.show_help()
    return EXIT_USAGE


def _load(command: str) -> Callable[[argparse.Namespace], int]:
    """Import the module of a command and return the function that runs it."""
    imported = import_module(f"pagemeter.cli.{command}")
    run: Callable[[argparse.Namespace], int] = getattr(imported, f"run_{command}")
    return run


def _list_formats(_parsed: argparse.Namespace) -> int:
    """Print one line per format: its name and its description."""
    from pagemeter.formats import formats  # noqa: PLC0415  (so that --help is quick)

    known = formats()
    width = max(len(one.name) for one in known)
    sys.stdout.writelines(f"{one.name:{width}}  {one.description}\n" for one in known)
    return EXIT_DONE


def _list_presets(_parsed: argparse.Namespace) -> int:
    """Print for each preset its name and tool, its measures, and the options that it stands for."""
    from pagemeter.cli.setting_options import as_option  # noqa: PLC0415  (so that --help is quick)
    from pagemeter.presets import TOOL_PRESETS  # noqa: PLC0415

    for preset in TOOL_PRESETS.values():
        options = " ".join(as_option(name, str(value)) for name, value in preset.settings.items())
        sys.stdout.write(f"{preset.label}: {preset.tool}\n")
        sys.stdout.write(f"    -m {','.join(preset.measures)} {options}\n")
    return EXIT_DONE
