"""Solve every measure exactly.

Each module solves one family of measures. A solver gets integers (`Instance`) and returns a matching with its
proof (`Solution`). Solvers open no files, print nothing and do not see text. CER and WER differ only in their
tokens.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.errors import InputError
from pagemeter.score import Match
from pagemeter.solve import bags, matching
from pagemeter.solve.counting import add_up, recounted
from pagemeter.solve.instance import Instance, Solution
from pagemeter.solve.matching import with_constraints
from pagemeter.solve.whole import score_spelled, score_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.text.notations import Notations

__all__ = [
    "Instance",
    "Solution",
    "add_up",
    "recounted",
    "score",
    "score_spelled",
    "score_text",
    "solve",
    "with_constraints",
]

_SOLVERS: dict[tuple[bool, bool], Callable[[Instance], Solution]] = {
    # (reading order, segmentation)
    (True, False): matching.solve_ordered_lines,
    (False, False): matching.solve_free_lines,
    (True, True): matching.solve_ordered_segments,
    (False, True): matching.solve_free_segments,
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
        return _solve_noted(measure, instance, instance.notations)
    if measure.is_bag:
        return bags.solve_bag(instance)
    if solver == "paper":
        return _solve_by_paper(instance, measure)
    try:
        return _SOLVERS[measure.order, measure.segmentation](instance)
    except OverflowError as error:
        size = f"{len(instance.gt.lines)} and {len(instance.hyp.lines)} lines"
        raise InputError(f"{measure}: {error} ({size})", remedy="split them into pages") from None


def _solve_noted(measure: Measure, instance: Instance, notations: Notations) -> Solution:
    """Solve a measure of pages with notations: wildcards, gaps, and several accepted readings of a line.

    The errors are the minimum over all choices of one reading per line. A wildcard is one token of |GT| that
    any token matches. A gap is not a token of |GT|, and the HYP text that it takes up counts neither as right
    nor as extra. A line without a match counts as its shortest reading.
    """
    if measure.is_bag:
        return _with_readings(bags.solve_noted_bag(instance, notations), notations)
    gt, hyp, optional = notations.kernel(), instance.hyp, (instance.gt_optional, instance.hyp_optional)
    if not measure.segmentation:
        rows = gt.lines(hyp.tokens, hyp.lines, instance.mask, *optional, measure.order)
        return _with_readings(matching.solution_of_lines(rows, hyp), notations)
    words = hyp.tokens, hyp.words, hyp.word_line, instance.mask, *optional
    if measure.order:
        return _with_readings(matching.solution_of(gt.ordered_segments(*words), hyp), notations)
    rows, lower_bound, canonical, interrupted = gt.free_segments(
        *words,
        instance.effort * matching.UNIT,
        math.inf if instance.time_limit is None else instance.time_limit,
    )
    found = matching.solution_of(rows, hyp, lower_bound, canonical=canonical)
    return _with_readings(replace(found, interrupted=interrupted), notations)


def _with_readings(solution: Solution, notations: Notations) -> Solution:
    """Return a solution whose matches have lines and readings instead of rows."""
    return replace(solution, matches=tuple(_with_lines_and_readings(solution, notations)), within=None)


def _with_lines_and_readings(solution: Solution, notations: Notations) -> Iterator[Match]:
    line_of = notations.line_of.tolist()
    for match in solution.matches:
        line = line_of[match.gt]
        yield replace(match, gt=line, reading=match.gt - int(notations.first[line]))


def _solve_by_paper(instance: Instance, measure: Measure) -> Solution:
    """Solve a measure by section III of the paper.

    For R and RG the paper proves that the result is the minimum (Theorems 1 and 2). For the other measures
    the lower bound follows from token counts alone.
    """
    from pagemeter import paper  # noqa: PLC0415  (only needed for comparisons)

    gt, hyp = instance.gt, instance.hyp
    words: list[list[list[int]]] = [[] for _ in hyp.lines]
    spaces: list[list[int]] = [[] for _ in hyp.lines]
    for (begin, end), line in zip(hyp.words.tolist(), hyp.word_line.tolist(), strict=True):
        if words[line] and instance.joiner is not None:
            spaces[line].append(int(hyp.tokens[begin - 1]))
        words[line].append(hyp.tokens[begin:end].tolist())
    result = paper.solve_as_printed(
        [gt.tokens[begin:end].tolist() for begin, end in gt.lines.tolist()],
        words,
        joiner=instance.joiner,
        order=measure.order,
        segmentation=measure.segmentation,
        neighbours=None if instance.mask is None else instance.mask.tolist(),
        spaces=None if instance.joiner is None else spaces,
    )
    matches = [Match(m.gt, m.hyp_line, m.hyp_words, m.distance, m.cor, m.sub) for m in result.matches]
    exact = measure.order and not measure.segmentation
    return Solution(
        tuple(matches),
        sum(match.cor for match in matches),
        sum(match.sub for match in matches),
        0 if instance.joiner is None else sum(len(match.hyp_words) - 1 for match in matches),
        None if exact else _bound_by_token_counts(instance, result.errors),
        exact,
    )


def _bound_by_token_counts(instance: Instance, errors: int) -> int:
    """Return a lower bound of the errors of every solution.

    GT tokens that HYP does not have are errors, and so are HYP letters in excess of all GT tokens.
    """
    have = Counter(instance.hyp.tokens.tolist())
    need = Counter(
        t for begin, end in instance.gt.lines.tolist() for t in instance.gt.tokens[begin:end].tolist()
    )
    excess = instance.hyp.word_tokens - instance.gt.line_tokens
    return min(errors, max((need - have).total(), excess, 0))
