"""RS and RSG: runs of HYP words are given to GT lines in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.problem import Problem, Solution

if TYPE_CHECKING:
    from pagemeter.text.encode import Ints


def ordered(problem: Problem) -> Solution:
    """LD^{R,S} and LD^{R,S,G} (E:LD-seg over A^R): a page-sized dynamic programme, bit-parallel."""
    gt, hyp = problem.gt, problem.hyp
    rows = _kernel.ordered_segments(
        gt.tokens, gt.lines, hyp.tokens, hyp.words, hyp.word_line, problem.mask, problem.alphabet
    )
    return Solution(matches_of(rows))


def matches_of(rows: Ints) -> list[Match]:
    """The kernel's runs as matches."""
    return [
        Match(x, None, range(begin, end), distance, cor, sub)
        for x, begin, end, distance, cor, sub in rows.tolist()
        if cor + sub > 0
    ]
