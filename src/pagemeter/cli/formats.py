"""`pagemeter formats`: list the file formats that can be read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pagemeter.cli.parser import EXIT_DONE
from pagemeter.formats import formats

if TYPE_CHECKING:
    import argparse


def run_formats(parsed: argparse.Namespace) -> int:  # noqa: ARG001
    """Print one line per format: its name and its description."""
    known = formats()
    width = max(len(one.name) for one in known)
    sys.stdout.writelines(f"{one.name:{width}}  {one.description}\n" for one in known)
    return EXIT_DONE
