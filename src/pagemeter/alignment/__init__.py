"""What a score is made of: for every GT line what it got, edit by edit, and what of HYP no line got."""

from pagemeter.alignment.aligning import Aligner, align
from pagemeter.alignment.confusions import Confusion, Confusions, Example, PageConfusions
from pagemeter.alignment.result import LeftOver, LineAlignment, Operation, PageAlignment, Part

__all__ = [
    "Aligner",
    "Confusion",
    "Confusions",
    "Example",
    "LeftOver",
    "LineAlignment",
    "Operation",
    "PageAlignment",
    "PageConfusions",
    "Part",
    "align",
]
