"""Alg. 3: matching without reading order, by E:D_pi and greedy choice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.paper.align import align
from pagemeter.paper.best_path import Path, best_path
from pagemeter.paper.flatten import flatten
from pagemeter.paper.recursion import Prices, Recursion

if TYPE_CHECKING:
    from pagemeter.paper.problem import Mask, Pair, Problem


@dataclass(frozen=True, slots=True)
class Remainder:
    """What the calls of Alg. 3 have left so far: H as slots that are free, G as GT lines.

    HYP is never flattened anew. A taken slot is closed to every GT line, so what stands between taken slots
    are fragments that no path can join.
    """

    free: list[bool]
    left: list[int]

    def take(self, slots: range, x: int) -> None:
        """Remove the matched slots from H and the GT line from G."""
        for slot in slots:
            self.free[slot] = False
        self.left.remove(x)

    def opened(self, near: Mask | None) -> Mask:
        """For each GT line left, the slots that it may still get."""
        if near is None:
            return [self.free] * len(self.left)
        return [[free and near[x][slot] for slot, free in enumerate(self.free)] for x in self.left]


def greedy_pairs(problem: Problem) -> tuple[Pair, ...]:
    """alg:greedyLDcalculation: the pairs (slots, GT line) whose LD it adds up.

    Its recursive call is the last thing it does, so it is a loop here. It ends where G or H is empty or
    nothing more can be matched.

    >>> from pagemeter.paper.problem import Problem
    >>> greedy_pairs(Problem(["ab", "c"], flatten(["c", "a"]), space=None, near=None))
    ((range(0, 1), 1), (range(1, 2), 0))
    """
    pairs: list[Pair] = []
    remainder = Remainder([True] * len(problem.hyp.slots), list(range(len(problem.gt))))
    while remainder.left and any(remainder.free):
        found = _best_for_each(problem, remainder)
        if not found:
            break
        for slots, x in sorted(found, key=lambda pair: _cer(problem, *pair)):
            if all(remainder.free[slot] for slot in slots):
                remainder.take(slots, x)
                pairs.append((slots, x))
    return tuple(pairs)


def _best_for_each(problem: Problem, remainder: Remainder) -> list[Pair]:
    """W of one call of Alg. 3; it may give the same slots to several GT lines."""
    gt = flatten([problem.gt[x] for x in remainder.left])
    opened = remainder.opened(problem.near)
    prices = Prices.of(problem.hyp, gt)
    recursion = Recursion(problem.hyp, gt, prices, problem.space, opened, skips=False)
    split = problem.split(_jumping_path(recursion, opened), gt)
    return [(split.segments[y], remainder.left[x]) for y, x in split.matched]


def _jumping_path(recursion: Recursion, opened: Mask) -> Path:
    """The best path of E:D_pi.

    A jump costs no error, so Δ is the same in all points of l_h × {l_g^x} and the path is found GT line by GT
    line. Where staying is as good as jumping, it stays. A GT line to which no slot is open is passed by the
    third row of E:D_vanilla; E:D_pi, printed without geometry, has no need of that.
    """
    hyp, gt = recursion.hyp, recursion.gt
    goals = frozenset(hyp.cuts)
    path = [(1, 1)]
    for x in gt.slots:
        here, rows = path[-1][0], range(gt.cuts[x], gt.cuts[x + 1] + 1)
        starts = [
            (0 if hyp.cuts[slot] == here else recursion.prices.jump, hyp.cuts[slot])
            for slot in hyp.slots
            if opened[x][slot]
        ]
        path += best_path(recursion, starts, rows, goals)[1] if starts else ((here, rows[-1]),)
    return tuple(path)


def _cer(problem: Problem, slots: range, x: int) -> float:
    """CER(H_y, G_x), by which Alg. 3 sorts, with 0/0 = 0 and n/0 = ∞."""
    distance = align(problem.hyp.read(slots, problem.space), problem.gt[x]).distance
    if problem.gt[x]:
        return distance / len(problem.gt[x])
    return math.inf if distance else 0.0
