"""The options of intervals and p-values."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pagemeter.stats.resampling import STRATA, Resampling

if TYPE_CHECKING:
    import argparse


def add_statistics(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    default = Resampling()
    group = parser.add_argument_group("how far the numbers can be trusted")
    group.add_argument(
        "--confidence", metavar="SHARE", type=float,
        help="Give intervals that hold the true rate in this share of runs "
        f"(default: {default.confidence:g}).",
    )  # fmt: skip
    group.add_argument(
        "--strata", metavar=f"{{{','.join(STRATA)}}}",
        help="Draw pages within their folder, or within the document that a table of pairs names "
        f"(default: {default.strata}).",
    )  # fmt: skip
    group.add_argument(
        "--resamples", metavar="NUMBER", type=int,
        help=f"Draw pages again so many times (default: {default.resamples}).",
    )  # fmt: skip
    group.add_argument(
        "--seed", metavar="NUMBER", type=int,
        help=f"Draw other pages with another seed (default: {default.seed}).",
    )  # fmt: skip


def plan_of(parsed: argparse.Namespace, base: Resampling | None = None) -> Resampling:
    """What was asked for, on top of what a signature says.

    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_statistics(parser)
    >>> plan_of(parser.parse_args(["--seed", "7"])).seed
    7
    """
    given = {field.name: getattr(parsed, field.name) for field in fields(Resampling)}
    return replace(
        base or Resampling(), **{name: value for name, value in given.items() if value is not None}
    )
