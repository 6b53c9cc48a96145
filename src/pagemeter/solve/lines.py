"""R, RG, no letter and G: match whole HYP lines with GT lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Matches, Solution, lines_with_text, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def solve_ordered_lines(instance: Instance) -> Solution:
    """Solve LD^R and LD^{R,G} (E:LD-ro): the best matching that keeps the reading order."""
    return _solve(_kernel.ordered, instance)


def solve_free_lines(instance: Instance) -> Solution:
    """Solve LD and LD^G (E:LD-vanilla, E:LD-geom): the best matching in any order, a linear assignment."""
    return _solve(_kernel.free, instance)


def _solve(kernel: Callable[..., Ints], instance: Instance) -> Solution:
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    hyp_index, hyp_lines = lines_with_text(hyp), hyp.lines
    if hyp_index is not None:
        hyp_lines = hyp_lines[hyp_index]
        mask = None if mask is None else np.ascontiguousarray(mask[:, hyp_index])
    optional = part(instance.gt_optional, gt_index), part(instance.hyp_optional, hyp_index)
    rows = kernel(gt.tokens, gt_lines, hyp.tokens, hyp_lines, mask, instance.alphabet, *optional)
    for column, index in enumerate((gt_index, hyp_index)):
        if index is not None:
            rows[:, column] = index[rows[:, column]]
    return solution_of_lines(rows, hyp)


def solution_of_lines(rows: Ints, hyp: TokenPage) -> Solution:
    """Return the solution of the kernel's rows: GT line, HYP line, distance, COR, SUB."""
    _, _, _, cor, sub = rows.sum(axis=0).tolist()
    return Solution(Matches(_matches, rows, hyp), cor, sub, used=lambda: (rows[:, 0], rows[:, 1]))


def _matches(rows: Ints, hyp: TokenPage) -> Iterator[Match]:
    """Yield the matches of whole lines with the words of the HYP lines."""
    ends = np.searchsorted(hyp.word_line, np.arange(len(hyp.lines) + 1)).tolist()
    for x, y, distance, cor, sub in rows.tolist():
        yield Match(x, y, range(ends[y], ends[y + 1]), distance, cor, sub)
