"""The options that say how the work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_working(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    group = parser.add_argument_group("how the work is done")
    group.add_argument(
        "--jobs", type=int, metavar="NUMBER", help="Evaluate pages on so many processes (default: all cores)."
    )
    group.add_argument(
        "--page-seconds", type=float, metavar="SECONDS",
        help="Give up a page that takes longer altogether; it counts as failed.",
    )  # fmt: skip
    group.add_argument(
        "--page-memory", type=float, metavar="MB", help="Give up a page that takes more memory than this."
    )
