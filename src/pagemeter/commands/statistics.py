"""The options of intervals and p-values."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pagemeter.errors import UsageError
from pagemeter.plan import STRATA, Resampling

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from pagemeter.corpus import Pair


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


def check_documents(pairs: Iterable[Pair], plan: Resampling) -> None:
    """Raises an error if pages are to be drawn within documents and one has none, before the work is done."""
    for made in pairs if plan.strata == "document" else ():
        if made.gt is not None and made.document is None:
            raise UsageError(
                f"{made.name}: --strata document needs a table of pairs that names the document of every "
                "page; add that column, or use --strata folder"
            )


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
