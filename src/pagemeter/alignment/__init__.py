"""Alignment: the edit operations of each line, text without a match, confusions, and kinds of errors."""

from pagemeter.alignment.accounting import (
    ErrorKinds,
    EvaluationKinds,
    TypeCounts,
    counts_by_type,
    error_kinds,
)
from pagemeter.alignment.aligner import (
    Aligner,
    ExtraText,
    HypPart,
    LineAlignment,
    PageAlignment,
    align,
)
from pagemeter.alignment.token_edits import Operation
from pagemeter.alignment.token_statistics import (
    ConfidenceBin,
    ConfidenceSums,
    Confusion,
    Confusions,
    Example,
    PageConfusions,
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
    "TypeCounts",
    "WordConfidences",
    "align",
    "counts_by_type",
    "error_kinds",
    "word_confidences",
]
