"""`solver="paper"`: the paper's own algorithms on the same problem, for comparison."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pagemeter import paper
from pagemeter.score import Match
from pagemeter.solve.problem import Problem, Solution

if TYPE_CHECKING:
    from pagemeter.measure import Measure


def solve(problem: Problem, measure: Measure) -> Solution:
    """Section III of the paper. R and RG are proven minima there (Theorems 1 and 2); elsewhere the bound is
    what the tokens alone show.
    """
    gt, hyp = problem.gt, problem.hyp
    lines: list[list[list[int]]] = [[] for _ in hyp.lines]
    blanks: list[list[int]] = [[] for _ in hyp.lines]
    for (begin, end), line in zip(hyp.words.tolist(), hyp.word_line.tolist(), strict=True):
        if lines[line] and problem.joiner is not None:
            blanks[line].append(int(hyp.tokens[begin - 1]))
        lines[line].append(hyp.tokens[begin:end].tolist())
    found = paper.solve(
        [gt.tokens[begin:end].tolist() for begin, end in gt.lines.tolist()],
        lines,
        joiner=problem.joiner,
        order=measure.order,
        segmentation=measure.segmentation,
        neighbours=None if problem.mask is None else problem.mask.tolist(),
        blanks=None if problem.joiner is None else blanks,
    )
    matches = [Match(m.gt, m.hyp_line, m.hyp_words, m.distance, m.cor, m.sub) for m in found.matches]
    exact = measure.order and not measure.segmentation
    return Solution(
        tuple(matches),
        sum(match.cor for match in matches),
        sum(match.sub for match in matches),
        sum(len(match.hyp_words) - 1 for match in matches),
        None if exact else _bound(problem, found.errors),
        exact,
    )


def _bound(problem: Problem, errors: int) -> int:
    """GT tokens that HYP has nowhere, and HYP letters beyond all of GT, are errors in every solution."""
    have = Counter(problem.hyp.tokens.tolist())
    need = Counter(
        t for begin, end in problem.gt.lines.tolist() for t in problem.gt.tokens[begin:end].tolist()
    )
    excess = problem.hyp.word_tokens - problem.gt.line_tokens
    return min(errors, max((need - have).total(), excess, 0))
