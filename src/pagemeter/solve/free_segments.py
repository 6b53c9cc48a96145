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

# The means are tried with little effort first, then with four times as much: labels that the exact search may
# keep at a boundary, and runs that the integer programme may choose from.
EFFORTS = tuple(4**n for n in range(5))
LABELS = 100
CHOICES = 1_500
# Runs whose linear programme takes a second, how often its multipliers are asked for, and seconds that one
# integer programme may take.
COLUMNS = 60_000
PRICINGS = 8
PACKING_SECONDS = 5.0


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
    return solution_of(pool.runs(), hyp.word_line, pool.lower_bound, canonical=pool.canonical)


def _close(pool: _kernel.FreeSegments, deadline: float) -> None:
    """Finds the fewest errors, then the canonical counts among the solutions that have them."""
    _settle(pool, EFFORTS, deadline)
    if pool.proven and not pool.canonical and pool.refine():
        _settle(pool, EFFORTS[:3], deadline)


def _settle(pool: _kernel.FreeSegments, efforts: tuple[int, ...], deadline: float) -> None:
    """Drives bound and incumbent together, from the cheapest means to the strongest."""
    pool.ascend(_left(deadline))
    for effort in efforts:
        while not pool.settled and pool.decide(_left(deadline), effort * LABELS):
            pass
        if pool.settled or _left(deadline) == 0:
            return
        pool.ascend(_left(deadline))
        if effort == EFFORTS[0] and not pool.settled:
            _price(pool, deadline)
        if not pool.settled and _left(deadline) > 0:
            _pack(pool, effort * CHOICES, deadline)


def _price(pool: _kernel.FreeSegments, deadline: float) -> None:
    """Multipliers by the linear programme over the best runs, again and again while the bound improves."""
    from pagemeter.solve.linear import multipliers  # noqa: PLC0415  (HiGHS is rarely needed)

    for _ in range(PRICINGS):
        before = pool.stage_bound
        runs, saves = pool.best_runs(COLUMNS)
        pool.set_multipliers(multipliers(runs, saves, pool.kinds(), _left(deadline)))
        pool.ascend(_left(deadline))
        if pool.settled or pool.stage_bound == before or _left(deadline) == 0:
            return


def _pack(pool: _kernel.FreeSegments, choices: int, deadline: float) -> None:
    """A better incumbent by the integer programme over the best runs."""
    from pagemeter.solve.linear import packed  # noqa: PLC0415  (HiGHS is rarely needed)

    runs, saves = pool.best_runs(choices)
    if pool.offer(packed(runs, saves, pool.kinds(), min(PACKING_SECONDS, _left(deadline)))):
        pool.ascend(_left(deadline))


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
