"""`pagemeter demo`: all measures of the example that comes with the package."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def run(parsed: argparse.Namespace) -> int:  # noqa: ARG001
    """Prints the table of the example."""
    from pagemeter.corpus import Outcome, PageResult, Recipe, Totals, Wanted  # noqa: PLC0415  (keeps --help quick)
    from pagemeter.demo import pages  # noqa: PLC0415
    from pagemeter.evaluation import evaluate  # noqa: PLC0415
    from pagemeter.measure import ALL  # noqa: PLC0415
    from pagemeter.report.terminal import Terminal  # noqa: PLC0415

    gt, hyp = pages()
    totals = Totals()
    totals.add(PageResult("demo", gt.source, hyp.source, evaluate(gt, hyp, ALL)))
    Terminal(sys.stdout, ALL).finish(Outcome(totals, Recipe(Wanted(ALL)).signature))
    return 0
