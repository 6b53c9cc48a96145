"""RS and RSG: give runs of HYP words to GT lines in reading order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Matches, Solution, part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def solve_ordered_segments(instance: Instance) -> Solution:
    """Solve LD^{R,S} and LD^{R,S,G} (E:LD-seg over A^R) by a bit-parallel dynamic programme."""
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    rows = _kernel.ordered_segments(
        gt.tokens, gt_lines, hyp.tokens, hyp.words, hyp.word_line, mask, instance.alphabet,
        part(instance.gt_optional, gt_index), instance.hyp_optional,
    )  # fmt: skip
    if gt_index is not None:
        rows[:, 0] = gt_index[rows[:, 0]]
    return solution_of(rows, hyp)


def solution_of(
    rows: Ints, hyp: TokenPage, lower_bound: int | None = None, *, canonical: bool = True
) -> Solution:
    """Return the solution that consists of the kernel's runs.

    Args:
        rows: One row per run: GT line, first word, end, distance, COR, SUB.
        hyp: The hypothesis.
        lower_bound: A proven lower bound of the errors; None if the runs are proven to be a minimum.
        canonical: True if the counts are proven to be the canonical ones.

    """
    cor, sub = rows[:, 4:].sum(axis=0).tolist()
    gaps = np.zeros(len(hyp.words), np.int32)
    np.cumsum(hyp.words[1:, 0] - hyp.words[:-1, 1], out=gaps[1:])
    joins = int((gaps[rows[:, 2] - 1] - gaps[rows[:, 1]]).sum())
    used = partial(_used, rows, hyp.word_line)
    return Solution(Matches(_matches, rows), cor, sub, joins, lower_bound, canonical, used=used)


def _used(rows: Ints, word_line: Ints) -> tuple[Ints, Ints]:
    """Return, for every word in a run, the GT line of the run and the HYP line of the word."""
    sizes = rows[:, 2] - rows[:, 1]
    before = np.cumsum(sizes) - sizes
    words = np.arange(sizes.sum()) + np.repeat(rows[:, 1] - before, sizes)
    return np.repeat(rows[:, 0], sizes), word_line[words]


def _matches(rows: Ints) -> Iterator[Match]:
    for x, begin, end, distance, cor, sub in rows.tolist():
        yield Match(x, None, range(begin, end), distance, cor, sub)
