"""S and SG: runs of HYP words are given to GT lines in any order.

NP-hard in general, and solved to proven optimality all the same: a Lagrangian bound and repaired incumbents
meet on most pages; an exact search over the few runs left closes the rest and finds the canonical counts.
Where the bound stalls, the multipliers come from the linear programme.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pagemeter import _kernel
from pagemeter.solve.segments import solution_of

if TYPE_CHECKING:
    from pagemeter.solve.problem import Problem, Solution

# Labels that the exact search may keep at a boundary: few where the multipliers are good, then more and more.
FEW_LABELS = 100
MOST_LABELS = 25_600
# Runs that the linear programme is asked about at a time, a second's work, and how often.
COLUMNS = 60_000
PRICINGS = 8


def solve(problem: Problem) -> Solution:
    """LD^S and LD^{S,G} (E:LD-seg), with the bound that was proven when time ran out."""
    deadline = time.monotonic() + problem.time_limit
    gt, hyp = problem.gt, problem.hyp
    pool = _kernel.FreeSegments(
        gt.tokens, gt.lines, hyp.tokens, hyp.words, hyp.word_line, problem.mask, problem.alphabet,
        problem.time_limit,
    )  # fmt: skip
    if not pool.canonical and pool.complete:
        _close(pool, deadline)
    return solution_of(pool.runs(), pool.lower_bound, canonical=pool.canonical)


def _close(pool: _kernel.FreeSegments, deadline: float) -> None:
    """Drives bound and incumbent together, from the cheapest means to the strongest."""
    pool.ascend(_left(deadline))
    labels = FEW_LABELS
    while not pool.canonical and labels <= MOST_LABELS and _left(deadline) > 0:
        if pool.decide(_left(deadline), labels):
            continue
        pool.ascend(_left(deadline))
        if labels == FEW_LABELS and not pool.proven:
            _price(pool, deadline)
        labels *= 4


def _price(pool: _kernel.FreeSegments, deadline: float) -> None:
    """Multipliers by the linear programme over the best runs, again and again while the bound rises."""
    from pagemeter.solve.linear import multipliers  # noqa: PLC0415  (HiGHS is rarely needed)

    for _ in range(PRICINGS):
        before = pool.lower_bound
        runs = pool.best_runs(COLUMNS)
        pool.set_multipliers(multipliers(runs, pool.kinds(), _left(deadline)))
        pool.ascend(_left(deadline))
        if pool.proven or pool.lower_bound == before or _left(deadline) == 0:
            return


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
