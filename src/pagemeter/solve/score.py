"""From a matching to a score: what was matched, what was left over, and what that makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.score import Counts, Score
from pagemeter.solve import bag, free_segments, lines, segments

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagemeter.measure import Measure
    from pagemeter.solve.problem import Problem, Solution

_SOLVERS: dict[tuple[bool, bool], Callable[[Problem], Solution]] = {
    # (reading order, segmentation)
    (True, False): lines.ordered,
    (False, False): lines.free,
    (True, True): segments.ordered,
    (False, True): free_segments.solve,
}


def score(measure: Measure, problem: Problem, solver: str = "exact") -> Score:
    """One measure of one problem."""
    return add_up(measure, problem, solve(measure, problem, solver))


def solve(measure: Measure, problem: Problem, solver: str = "exact") -> Solution:
    """The matching of one measure. A bag of words has one algorithm, whatever the solver."""
    if measure.unit == "BOW":
        return bag.solve(problem)
    if solver == "paper":
        from pagemeter.solve import paper  # noqa: PLC0415  (for comparison only)

        return paper.solve(problem, measure)
    return _SOLVERS[measure.order, measure.segmentation](problem)


def add_up(measure: Measure, problem: Problem, solution: Solution) -> Score:
    """Adds up a matching: GT that got nothing is inserted, HYP that nothing got is deleted."""
    cor, sub = solution.cor, solution.sub
    n_hyp = _n_hyp(problem, solution) if measure.segmentation else problem.hyp.line_tokens
    counts = Counts(problem.gt.line_tokens - cor - sub, n_hyp - cor - sub, sub, cor)
    bound = counts.errors if solution.lower_bound is None else solution.lower_bound
    return Score(measure, counts, bound, solution.canonical, solution.matches)


def _n_hyp(problem: Problem, solution: Solution) -> int:
    """|HYP| of the chosen segmentation: runs have joining blanks, words left over have none."""
    return problem.hyp.word_tokens + (0 if problem.joiner is None else solution.boundaries)
