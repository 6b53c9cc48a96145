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

# Labels of the exact search: a few where the multipliers are good, and the most it may take in the end, about
# a second's work.
FEW_LABELS = 20_000
MANY_LABELS = 400_000
# Runs that the linear programme is asked about: more take it minutes.
MOST_COLUMNS = 20_000


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
    if pool.canonical or pool.search(_left(deadline), FEW_LABELS):
        return
    runs = pool.pool()
    if not pool.proven and len(runs) <= MOST_COLUMNS and _left(deadline) > 0:
        from pagemeter.solve.linear import multipliers  # noqa: PLC0415  (HiGHS is rarely needed)

        pool.set_multipliers(multipliers(runs, pool.supply()[:, 0], _left(deadline)))
        pool.ascend(_left(deadline))
    if not pool.canonical:
        pool.search(_left(deadline), MANY_LABELS)


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
