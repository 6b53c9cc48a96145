"""RS and RSG: runs of HYP words are given to GT lines in order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.matches import Matches
from pagemeter.solve.problem import Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.text.encode import Ints


def ordered(problem: Problem) -> Solution:
    """LD^{R,S} and LD^{R,S,G} (E:LD-seg over A^R): a page-sized dynamic programme, bit-parallel."""
    gt, hyp = problem.gt, problem.hyp
    rows = _kernel.ordered_segments(
        gt.tokens, gt.lines, hyp.tokens, hyp.words, hyp.word_line, problem.mask, problem.alphabet
    )
    return solution_of(rows, hyp.word_line)


def solution_of(
    rows: Ints, word_line: Ints, lower_bound: int | None = None, *, canonical: bool = True
) -> Solution:
    """The kernel's runs as a solution."""
    _, begins, ends, _, cor, sub = rows.sum(axis=0).tolist()
    boundaries = ends - begins - len(rows)
    used = partial(_used, rows, word_line)
    return Solution(Matches(_matches, rows), cor, sub, boundaries, lower_bound, canonical, used)


def _used(rows: Ints, word_line: Ints) -> tuple[Ints, Ints]:
    """Of every word in a run, the GT line that got it and its own line."""
    sizes = rows[:, 2] - rows[:, 1]
    before = np.cumsum(sizes) - sizes
    words = np.arange(sizes.sum()) + np.repeat(rows[:, 1] - before, sizes)
    return np.repeat(rows[:, 0], sizes), word_line[words]


def _matches(rows: Ints) -> Iterator[Match]:
    for x, begin, end, distance, cor, sub in rows.tolist():
        yield Match(x, None, range(begin, end), distance, cor, sub)
