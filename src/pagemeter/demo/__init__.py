"""The example page: two columns, and a recognition that gets each kind of thing wrong once.

It reads the right column first, merges a line of both columns, splits another, places the last line of the
left column too low, and misreads a few characters.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.formats import load

if TYPE_CHECKING:
    from pagemeter.page import Page

FOLDER = Path(__file__).parent
GT, HYP = FOLDER / "gt", FOLDER / "hyp"


def pages() -> tuple[Page, Page]:
    """Ground truth and hypothesis of the example."""
    return load(GT / "columns.xml"), load(HYP / "columns.xml")
