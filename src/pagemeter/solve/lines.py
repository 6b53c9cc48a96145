"""R, RG, no letter and G: whole HYP lines are matched with GT lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.matches import Matches
from pagemeter.solve.problem import Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def ordered(problem: Problem) -> Solution:
    """LD^R and LD^{R,G} (E:LD-ro): the best matching that keeps the reading order."""
    return _solve(_kernel.ordered, problem)


def free(problem: Problem) -> Solution:
    """LD and LD^G (E:LD-vanilla, E:LD-geom): the best matching, a linear assignment."""
    return _solve(_kernel.free, problem)


def _solve(kernel: Callable[..., Ints], problem: Problem) -> Solution:
    gt, hyp = problem.gt, problem.hyp
    rows = kernel(gt.tokens, gt.lines, hyp.tokens, hyp.lines, problem.mask, problem.alphabet)
    _, _, _, cor, sub = rows.sum(axis=0).tolist()
    return Solution(Matches(_matches, rows, hyp), cor, sub, used=lambda: (rows[:, 0], rows[:, 1]))


def _matches(rows: Ints, hyp: TokenPage) -> Iterator[Match]:
    ends = np.searchsorted(hyp.word_line, np.arange(len(hyp.lines) + 1)).tolist()
    for x, y, distance, cor, sub in rows.tolist():
        yield Match(x, y, range(ends[y], ends[y + 1]), distance, cor, sub)
