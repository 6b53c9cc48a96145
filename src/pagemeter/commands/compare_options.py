"""The options of `pagemeter compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.commands.eval_options import add_files, add_html, add_measures
from pagemeter.commands.parsing import location
from pagemeter.commands.settings import add_settings
from pagemeter.commands.statistics import add_statistics
from pagemeter.commands.working_options import add_working

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Compares what several systems made of the same pages: their rates, the differences between every two of them
with intervals and p-values, and the pages on which they differ most. GT and each SYSTEM are what GT and HYP
are for pagemeter eval; or all are results stores, and nothing is evaluated."""

_REPORTS = (
    ("--json", "Write all numbers of all pages and systems"),
    ("--csv", "Write one row a system, page and measure"),
    ("--markdown", "Write the tables to paste into an issue or a page"),
    ("--latex", "Write the tables for a paper, with booktabs,"),
    ("--html", "Write a report to look at, with all systems side by side,"),
)


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments and options to a parser."""
    parser.description = DESCRIPTION
    parser.add_argument("gt", type=location, metavar="GT", help="The ground truth.")
    parser.add_argument(
        "systems", type=location, nargs="+", metavar="SYSTEM", help="What a system recognised."
    )
    add_measures(parser)
    parser.add_argument(
        "--baseline", action="store_true", help="Compare every system with the first one only."
    )
    parser.add_argument(
        "--name", action="append", metavar="NAME",
        help="Call a system so, in the order they are given; repeatable (default: their folders).",
    )  # fmt: skip
    group = parser.add_argument_group("what is reported (FILE may be - for standard output)")
    for flag, text in _REPORTS:
        group.add_argument(flag, metavar="FILE", help=f"{text} to FILE.")
    group.add_argument(
        "--per-page", action="store_true",
        help="Show every page by the first measure instead of those that differ most.",
    )  # fmt: skip
    group.add_argument(
        "--strict", action="store_true", help="Stop at the first warning, bad file or missing page."
    )
    add_html(parser.add_argument_group("what the report of --html has"))
    add_files(parser)
    add_settings(parser)
    add_statistics(parser)
    add_working(parser)
