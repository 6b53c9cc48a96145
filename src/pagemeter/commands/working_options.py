"""The options that say how the work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.commands.parsing import location

if TYPE_CHECKING:
    import argparse


def add_store(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a results store to a parser."""
    group = parser.add_argument_group("where results are kept")
    group.add_argument(
        "--store", type=location, metavar="DIR",
        help="Keep all numbers in DIR as Parquet; run again, only pages whose files changed are evaluated.",
    )  # fmt: skip
    group.add_argument("--store-lines", action="store_true", help="Keep what each line got there as well.")
    group.add_argument("--force", action="store_true", help="Evaluate all pages again, whatever is there.")
    group.add_argument(
        "--prune", action="store_true", help="Take out of the store what is not among these pages."
    )


def add_working(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    group = parser.add_argument_group("how the work is done")
    group.add_argument(
        "--jobs", type=int, metavar="NUMBER", help="Evaluate pages on so many processes (default: all cores)."
    )
    group.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="Evaluate pages on the Dask cluster of a scheduler, as tcp://host:8786; local starts one here.",
    )  # fmt: skip
    group.add_argument(
        "--page-seconds", type=float, metavar="SECONDS",
        help="Give up a page that takes longer altogether; it counts as failed.",
    )  # fmt: skip
    group.add_argument(
        "--page-memory", type=float, metavar="MB", help="Give up a page that takes more memory than this."
    )
