"""The command line: parse, call the API, report, exit code. No logic that Python could not reach."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pagemeter._version import __version__
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.settings import CHOICES, Settings

DONE, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns 0 when done, 1 when an input could not be used, 2 on wrong usage."""
    parsed = _parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except UsageError as error:
        print(f"pagemeter: {error}", file=sys.stderr)  # noqa: T201
        return USAGE
    except PagemeterError as error:
        print(f"pagemeter: {error}", file=sys.stderr)  # noqa: T201
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pagemeter", description="Measures how well a system reads a page.")
    parser.add_argument("--version", action="version", version=f"pagemeter {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_eval(commands.add_parser("eval", help="measure a hypothesis against its ground truth"))
    demo = commands.add_parser("demo", help="measure the example pages that come with pagemeter")
    demo.set_defaults(run=_demo)
    return parser


def _add_eval(parser: argparse.ArgumentParser) -> None:
    parser.description = "Measures a hypothesis against its ground truth."
    parser.add_argument("gt", type=Path, metavar="GT", help="the ground truth page")
    parser.add_argument("hyp", type=Path, metavar="HYP", help="the recognised page")
    parser.add_argument(
        "-m", "--measure", action="append", metavar="ID",
        help="a measure such as CER:RS; may be repeated (default: those that make sense for the pages)",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    _add_settings(parser)
    parser.set_defaults(run=_eval)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    default = Settings()
    group = parser.add_argument_group("what the numbers depend on")
    for name, help_text in (
        ("solver", "exact minimum, or the paper's own algorithms"),
        ("unit", "what a character is for CER"),
        ("normalise", "Unicode normalisation form"),
        ("whitespace", "white space collapsed and stripped, or kept"),
    ):
        group.add_argument(
            f"--{name}", choices=CHOICES[name], default=getattr(default, name), help=f"{help_text} (default: %(default)s)"
        )
    group.add_argument(
        "--threshold", type=float, default=default.threshold, metavar="T",
        help="with G, lines are near if more than T of a baseline is covered (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--time-limit", type=float, default=default.time_limit, metavar="SECONDS",
        help="for each page and measure with S and without R (default: %(default)s)",
    )  # fmt: skip


def _settings(parsed: argparse.Namespace) -> Settings:
    return Settings().with_(**{name: getattr(parsed, name) for name in (*CHOICES, "threshold", "time_limit")})


def _eval(parsed: argparse.Namespace) -> int:
    from pagemeter.evaluation import evaluate  # noqa: PLC0415  (keeps --help quick)
    from pagemeter.report import jsonfile, terminal  # noqa: PLC0415

    ev = evaluate(parsed.gt, parsed.hyp, parsed.measure, settings=_settings(parsed))
    terminal.show(ev)
    if parsed.json:
        jsonfile.write(parsed.json, ev)
    return DONE


def _demo(parsed: argparse.Namespace) -> int:  # noqa: ARG001
    from pagemeter.demo import evaluate_demo  # noqa: PLC0415
    from pagemeter.report import terminal  # noqa: PLC0415

    terminal.show_demo(*evaluate_demo())
    return DONE
