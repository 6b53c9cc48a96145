"""Evaluate many pages: the configuration of a run, the results of pages, the table of scores, and totals."""

from pagemeter.corpus.page_evaluation import evaluate_pair
from pagemeter.corpus.page_result import LineResult, PageLines, PageResult, UnmatchedText, line_results
from pagemeter.corpus.run_config import MeasureSelection, Reader, Readers, RunConfig
from pagemeter.corpus.score_table import ScoreTable
from pagemeter.corpus.totals import Outcome, Totals

__all__ = [
    "LineResult",
    "MeasureSelection",
    "Outcome",
    "PageLines",
    "PageResult",
    "Reader",
    "Readers",
    "RunConfig",
    "ScoreTable",
    "Totals",
    "UnmatchedText",
    "evaluate_pair",
    "line_results",
]
