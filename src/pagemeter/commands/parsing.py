"""A parser of arguments that knows what was meant."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import TYPE_CHECKING, Any, NoReturn

from pagemeter.report.spelling import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pagemeter.corpus.urls import Location

_NUMBER = re.compile(r"-\.?\d")


def location(text: str) -> Location:
    """A file or URL that was given."""
    from pagemeter.corpus.urls import location as made  # noqa: PLC0415  (the corpus loads much)

    return made(text)


def as_option(message: str, parsed: argparse.Namespace) -> str:
    """A message about an argument of Python, opening with the option that was given for it.

    >>> as_option("time_limit=-1: give seconds", argparse.Namespace(time_limit=-1))
    '--time-limit -1: give seconds'
    """
    name, equals, rest = message.partition("=")
    given = equals and getattr(parsed, name, None) is not None
    return f"--{name.replace('_', '-')} {rest}" if given else message


class Parser(argparse.ArgumentParser):
    """Says what was meant where an option or command is unknown; abbreviations are not taken."""

    def __init__(self, *args: Any, **keywords: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **{"allow_abbrev": False, "add_help": False} | keywords)
        self._commands: Mapping[str, Parser] = {}
        self._siblings: Mapping[str, Parser] = {}
        self.add_argument("-h", "--help", action="help", help="Show this help and exit.")

    def add_commands(self, **keywords: Any) -> argparse._SubParsersAction[Parser]:  # noqa: ANN401
        """The place where sub-commands are added."""
        action = self.add_subparsers(parser_class=Parser, required=True, metavar="COMMAND", **keywords)
        self._commands = action.choices
        return action

    def error(self, message: str) -> NoReturn:
        """As the standard one, whatever the arguments hold."""
        super().error(shown(message))

    def show_help(self, command: str | None = None) -> int:
        """Prints the help of a command, or of all."""
        if command is None:
            self.print_help()
        elif command in self._commands:
            self._commands[command].print_help()
        else:
            self.error(f"unknown command {command}{_nearest(command, self._commands)}")
        return 0

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """As the standard one, after a look at the names, which it would only call unrecognised."""
        for command in self._commands.values():
            command._siblings = self._commands  # noqa: SLF001
        if args is not None:
            self._check(args)
        found, left = super().parse_known_args(args, namespace)
        for action in self._actions:
            # An optional argument that stands after options is overlooked by the standard parser.
            if (
                left
                and not action.option_strings
                and action.nargs == "?"
                and getattr(found, action.dest) is None
            ):
                setattr(found, action.dest, self._get_values(action, [left.pop(0)]))
            if left and not action.option_strings and action.nargs == "+":
                getattr(found, action.dest).extend(self._get_values(action, left))
                left = []
        if left and not self._commands:
            self.error(f"too many arguments: {' '.join(left)}")
        return found, left

    def _check(self, arguments: Sequence[str]) -> None:
        before = ""
        for argument in arguments:
            if not argument or (argument.startswith("--") and argument.endswith("=")):
                self.error(
                    f"{argument or before or 'an argument'}: nothing is given; give a value or leave it out"
                )
            before = argument
        for argument in arguments:
            if argument == "--":
                return
            if argument.startswith("-") and argument != "-" and not _NUMBER.match(argument):
                name = argument.partition("=")[0] if argument.startswith("--") else argument[:2]
                if name not in self._option_string_actions:
                    hint = self._elsewhere(name) or _nearest(name, self._option_string_actions)
                    self.error(f"unknown option {name}{hint}")
            elif self._commands:
                if argument not in self._commands:
                    self.error(f"unknown command {argument}{_nearest(argument, self._commands)}")
                return

    def _elsewhere(self, name: str) -> str:
        """Which commands have an option of this very name."""
        commands = self._commands or self._siblings
        having = [command for command, one in commands.items() if name in one._option_string_actions]  # noqa: SLF001
        after = "; write it after the command" if self._commands else ""
        return f" (an option of {', '.join(having)}{after})" if having else ""


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" (did you mean {near[0]}?)" if near else ""
