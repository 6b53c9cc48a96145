"""Pages with notations: illegible characters, gaps, and several accepted readings of a line.

The errors are the minimum over all choices of one reading per line. A wildcard is one token of |GT| that any
token matches; a gap is none, and the HYP text that it takes up counts neither as right nor as extra. A line
without a match counts as its shortest reading.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pagemeter.solve.instance import Matches, Solution
from pagemeter.solve.lines import hyp_words_of_lines
from pagemeter.solve.segments import solution_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.measure import Measure
    from pagemeter.score import Match
    from pagemeter.solve.instance import Instance
    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints
    from pagemeter.text.notation_tokens import Notations


def solve_noted(measure: Measure, instance: Instance, notations: Notations) -> Solution:
    """Solve a measure of characters or words."""
    if measure.is_bag:
        from pagemeter.solve.noted_bag import solve_noted_bag  # noqa: PLC0415  (loads HiGHS)

        return _with_readings(solve_noted_bag(instance, notations), notations)
    gt, hyp, optional = notations.kernel(), instance.hyp, (instance.gt_optional, instance.hyp_optional)
    if not measure.segmentation:
        rows = gt.lines(hyp.tokens, hyp.lines, instance.mask, *optional, measure.order)
        return _with_readings(_of_lines(rows, hyp), notations)
    words = hyp.tokens, hyp.words, hyp.word_line, instance.mask, *optional
    if measure.order:
        return _with_readings(solution_of(gt.ordered_segments(*words), hyp), notations)
    rows, lower_bound, canonical, interrupted = gt.free_segments(
        *words, instance.effort * 1e9, math.inf if instance.time_limit is None else instance.time_limit
    )
    found = solution_of(rows, hyp, lower_bound, canonical=canonical)
    return _with_readings(replace(found, interrupted=interrupted), notations)


def _of_lines(rows: Ints, hyp: TokenPage) -> Solution:
    _, _, _, cor, sub = rows.sum(axis=0).tolist()
    return Solution(Matches(partial(hyp_words_of_lines, rows, hyp)), cor, sub)


def _with_readings(solution: Solution, notations: Notations) -> Solution:
    """Return a solution whose matches have lines and readings instead of rows."""
    return replace(solution, matches=tuple(_matches(solution, notations)), used=None)


def _matches(solution: Solution, notations: Notations) -> Iterator[Match]:
    line_of = notations.line_of.tolist()
    for match in solution.matches:
        line = line_of[match.gt]
        yield replace(match, gt=line, reading=match.gt - int(notations.first[line]))
