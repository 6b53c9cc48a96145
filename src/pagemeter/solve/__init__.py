"""Solve every measure exactly.

Each module solves one family of measures. A solver gets integers (`Instance`) and returns a matching with its
proof (`Solution`). Solvers open no files, print nothing and do not see text. CER and WER differ only in their
tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import InputError
from pagemeter.score import Counts, Score
from pagemeter.solve import bag, free_segments, lines, noted, segments
from pagemeter.solve.instance import Instance, Solution
from pagemeter.solve.optional import add_up_optional
from pagemeter.solve.recount import recounted
from pagemeter.solve.whole import score_spelled, score_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagemeter.measure import Measure

__all__ = [
    "Instance",
    "Solution",
    "add_up",
    "recounted",
    "score",
    "score_spelled",
    "score_text",
    "solve",
]

_SOLVERS: dict[tuple[bool, bool], Callable[[Instance], Solution]] = {
    # (reading order, segmentation)
    (True, False): lines.solve_ordered_lines,
    (False, False): lines.solve_free_lines,
    (True, True): segments.solve_ordered_segments,
    (False, True): free_segments.solve_free_segments,
}


def score(measure: Measure, instance: Instance, solver: str = "exact") -> Score:
    """Return the score of one measure."""
    return add_up(measure, instance, solve(measure, instance, solver))


def solve(measure: Measure, instance: Instance, solver: str = "exact") -> Solution:
    """Return the matching of one measure. BOW has one algorithm, which every solver uses.

    Raises:
        InputError: The pages are so large that a table of the solver would exceed the memory limit.

    """
    if instance.notations is not None:
        return noted.solve_noted(measure, instance, instance.notations)
    if measure.is_bag:
        return bag.solve_bag(instance)
    if solver == "paper":
        from pagemeter.solve import paper  # noqa: PLC0415  (only needed for comparisons)

        return paper.solve_by_paper(instance, measure)
    try:
        return _SOLVERS[measure.order, measure.segmentation](instance)
    except OverflowError as error:
        lines = f"{len(instance.gt.lines)} and {len(instance.hyp.lines)} lines"
        raise InputError(f"{measure}: {error} ({lines})", remedy="split them into pages") from None


def add_up(measure: Measure, instance: Instance, solution: Solution) -> Score:
    """Return the score of a matching: unmatched GT text is inserted, unmatched HYP text is deleted."""
    if instance.has_optional or instance.notations is not None:
        return add_up_optional(measure, instance, solution)
    cor, sub = solution.cor, solution.sub
    # With S, |HYP| is that of the chosen segmentation: runs contain joining spaces, unmatched words do not.
    n_hyp = instance.hyp.word_tokens + solution.joins if measure.segmentation else instance.hyp.line_tokens
    counts = Counts(instance.gt.line_tokens - cor - sub, n_hyp - cor - sub, sub, cor)
    bound = counts.errors if solution.lower_bound is None else solution.lower_bound
    return Score(
        measure, counts, bound, solution.canonical, solution.matches, interrupted=solution.interrupted
    )
