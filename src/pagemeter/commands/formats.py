"""`pagemeter formats`: the file formats that are read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def run(parsed: argparse.Namespace) -> int:  # noqa: ARG001
    """Prints a line for each format."""
    from pagemeter.formats import formats  # noqa: PLC0415  (keeps --help quick)

    known = formats()
    wide = max(len(one.name) for one in known)
    sys.stdout.writelines(f"{one.name:{wide}}  {one.description}\n" for one in known)
    return 0
