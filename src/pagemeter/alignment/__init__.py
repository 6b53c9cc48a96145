"""Alignment: the edit operations of each line, text without a match, confusions, and kinds of errors."""

from pagemeter.alignment.aligner import Aligner, align
from pagemeter.alignment.confusions import Confusion, Confusions, Example, PageConfusions
from pagemeter.alignment.kinds import ErrorKinds, EvaluationKinds, error_kinds
from pagemeter.alignment.page_alignment import (
    ExtraText,
    HypPart,
    LineAlignment,
    Operation,
    PageAlignment,
)
from pagemeter.alignment.word_confidences import (
    ConfidenceBin,
    ConfidenceSums,
    Rejection,
    WordConfidences,
    word_confidences,
)

__all__ = [
    "Aligner",
    "ConfidenceBin",
    "ConfidenceSums",
    "Confusion",
    "Confusions",
    "ErrorKinds",
    "EvaluationKinds",
    "Example",
    "ExtraText",
    "HypPart",
    "LineAlignment",
    "Operation",
    "PageAlignment",
    "PageConfusions",
    "Rejection",
    "WordConfidences",
    "align",
    "error_kinds",
    "word_confidences",
]
