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
    """One measure of one problem. A bag of words has one algorithm, whatever the solver."""
    if measure.unit == "BOW":
        return _add_up(measure, problem, bag.solve(problem))
    if solver == "paper":
        from pagemeter.solve import paper  # noqa: PLC0415  (for comparison only)

        return _add_up(measure, problem, paper.solve(problem, measure))
    return _add_up(measure, problem, _SOLVERS[measure.order, measure.segmentation](problem))


def _add_up(measure: Measure, problem: Problem, solution: Solution) -> Score:
    """Adds up a matching: GT that got nothing is inserted, HYP that nothing got is deleted."""
    cor = sum(match.cor for match in solution.matches)
    sub = sum(match.sub for match in solution.matches)
    ins = problem.gt.line_tokens - cor - sub
    counts = Counts(ins, _n_hyp(measure, problem, solution) - cor - sub, sub, cor)
    bound = counts.errors if solution.lower_bound is None else solution.lower_bound
    return Score(measure, counts, bound, solution.canonical, tuple(solution.matches))


def _n_hyp(measure: Measure, problem: Problem, solution: Solution) -> int:
    """|HYP|; with S, of the chosen segmentation: runs have joining blanks, words left over have none."""
    hyp = problem.hyp
    if not measure.segmentation:
        return hyp.line_tokens
    joined = 0
    for match in solution.matches:
        first, last = match.hyp_words[0], match.hyp_words[-1]
        joined += int(hyp.words[last, 1] - hyp.words[first, 0])
        joined -= int((hyp.words[first : last + 1, 1] - hyp.words[first : last + 1, 0]).sum())
    return hyp.word_tokens + joined
