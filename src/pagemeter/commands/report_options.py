"""The options of `pagemeter report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.commands.eval_options import add_numbers
from pagemeter.commands.statistics import add_statistics

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Reports what is in a results store, which pagemeter eval --store makes, as pagemeter eval would."""


def add_report(parser: argparse.ArgumentParser) -> None:
    """Adds the argument and options to a parser."""
    parser.description = DESCRIPTION
    parser.add_argument("stored", type=Path, metavar="STORE", help="The results store.")
    add_numbers(parser.add_argument_group("what is reported (FILE may be - for standard output)"))
    add_statistics(parser)
    parser.set_defaults(html=None, alignments=None, confusions=None, per_line=False)
