"""Match lines: R, RG, no letter and G match whole HYP lines with GT lines; with S, runs of HYP words.

S and SG without R are NP-hard. A Lagrangian bound and feasible solutions are improved together until they
meet; most pages are solved by them alone. Where a gap remains, branch and bound over the runs that are left
closes it. All work is counted, and the search ends when the effort is spent, so the result does not depend on
the speed or the load of the machine.
`docs/design/free-segments.md` derives the method.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Matches, Solution, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pagemeter.measure import Measure
    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def with_constraints(
    instance: Instance, minimum: Solution, known: Measure, wanted: Measure
) -> Solution | None:
    """Return a proven minimum as that of a measure with more constraints, or None if it breaks one of them.

    The counts remain canonical: all solutions of the stricter measure with as few errors are minima of the
    other measure with the same counts.

    Args:
        instance: The instance of the stricter measure.
        minimum: The minimum of the other measure, with canonical counts. All settings are the same.
        known: The other measure.
        wanted: The stricter measure.

    """
    if (
        instance.mask is not None
        and wanted.geometry > known.geometry
        and not minimum.matches_only(instance.mask)
    ):
        return None
    if known.order == wanted.order and known.segmentation == wanted.segmentation:
        return minimum
    rows = minimum.matches.rows if isinstance(minimum.matches, Matches) else None
    if rows is None or instance.has_optional or instance.notations is not None:
        return None
    if wanted.order > known.order and not _kernel.matches_in_order(rows):
        return None
    return minimum if known.segmentation == wanted.segmentation else _as_whole_lines(instance, minimum, rows)


# Whole lines


def solve_ordered_lines(instance: Instance) -> Solution:
    """Solve LD^R and LD^{R,G} (E:LD-ro): the best matching that keeps the reading order."""
    return _solve_lines(_kernel.ordered, instance)


def solve_free_lines(instance: Instance) -> Solution:
    """Solve LD and LD^G (E:LD-vanilla, E:LD-geom): the best matching in any order, a linear assignment."""
    return _solve_lines(_kernel.free, instance)


def _solve_lines(kernel: Callable[..., Ints], instance: Instance) -> Solution:
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    hyp_index, hyp_lines = hyp.lines_with_text, hyp.lines
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
    cor, sub, _ = _kernel.sum_matches(rows, None)
    within = partial(_kernel.matches_within, rows, None)
    return Solution(Matches(_line_matches, rows, hyp), cor, sub, within=within)


def _line_matches(rows: Ints, hyp: TokenPage) -> Iterator[Match]:
    """Yield the matches of whole lines with the words of the HYP lines."""
    ends = np.searchsorted(hyp.word_line, np.arange(len(hyp.lines) + 1)).tolist()
    for x, y, distance, cor, sub in rows.tolist():
        yield Match(x, y, range(ends[y], ends[y + 1]), distance, cor, sub)


def _as_whole_lines(instance: Instance, minimum: Solution, rows: Ints) -> Solution | None:
    """Return a minimum with S as one of whole lines, or None if runs are not lines or spaces are missing.

    Spaces of lines that are not matched count for whole lines only.
    """
    hyp = instance.hyp
    if hyp.word_tokens + minimum.joins != hyp.line_tokens:
        return None
    lines = _kernel.matched_lines(rows, hyp.word_line)
    return None if lines is None else solution_of_lines(lines, hyp)


# Runs of words

# Steps of work in one unit of effort.
UNIT = 1e9


def solve_free_segments(instance: Instance) -> Solution:
    """Solve LD^S and LD^{S,G} (E:LD-seg); with the effort spent, return the best solution and the bound."""
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    rows, lower_bound, canonical, interrupted, _ = _kernel.free_segments(
        gt.tokens, gt_lines, hyp.tokens, hyp.words, hyp.word_line, mask, instance.alphabet,
        instance.effort * UNIT, math.inf if instance.time_limit is None else instance.time_limit,
        part(instance.gt_optional, gt_index), instance.hyp_optional,
        instance.joiner is not None,
    )  # fmt: skip
    if gt_index is not None:
        rows[:, 0] = gt_index[rows[:, 0]]
    return solution_of(rows, hyp, lower_bound, canonical=canonical, interrupted=interrupted)


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
    rows: Ints,
    hyp: TokenPage,
    lower_bound: int | None = None,
    *,
    canonical: bool = True,
    interrupted: bool = False,
) -> Solution:
    """Return the solution that consists of the kernel's runs.

    Args:
        rows: One row per run: GT line, first word, end, distance, COR, SUB.
        hyp: The hypothesis.
        lower_bound: A proven lower bound of the errors; None if the runs are proven to be a minimum.
        canonical: True if the counts are proven to be the canonical ones.
        interrupted: True if the time limit ended the search.

    """
    cor, sub, joins = _kernel.sum_matches(rows, hyp.words)
    within = partial(_kernel.matches_within, rows, hyp.word_line)
    return Solution(
        Matches(_matches, rows), cor, sub, joins, lower_bound, canonical, interrupted, within=within
    )


def _matches(rows: Ints) -> Iterator[Match]:
    for x, begin, end, distance, cor, sub in rows.tolist():
        yield Match(x, None, range(begin, end), distance, cor, sub)
