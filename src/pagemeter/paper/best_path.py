"""The best path P through the points (i, j), by Dijkstra's algorithm."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from pagemeter.paper.recursion import Move, Recursion

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

Point = tuple[int, int]
Path = tuple[Point, ...]


def page_path(recursion: Recursion) -> tuple[int, Path]:
    """Δ_{|h|,|g|} and the best path to it, without P_1 = (0, 0), which leads to (1, 1) only.

    >>> from pagemeter.paper.flatten import flatten
    >>> from pagemeter.paper.recursion import Prices
    >>> hyp, gt = flatten(["a"]), flatten(["a", "b"])
    >>> page_path(Recursion(hyp, gt, Prices.of(hyp, gt)))
    (1, ((1, 1), (2, 2), (3, 3), (3, 5)))
    """
    hyp, gt = recursion.hyp, recursion.gt
    cost, path = best_path(recursion, [(0, 1)], range(1, gt.last + 1), (hyp.last,))
    return cost // recursion.prices.unit, path


def best_path(
    recursion: Recursion, starts: Iterable[tuple[int, int]], rows: range, goals: Container[int]
) -> tuple[int, Path]:
    """The cheapest way from the first to the last of the rows.

    `starts` are (cost, i) in the first row, `goals` are the i that end the search in the last one. Of equally
    cheap points the one with the smallest i is settled first, so the path does not depend on chance.
    """
    width = len(rows)
    reached_by = bytearray((recursion.hyp.last + 1) * width)
    heap = [(cost, i, rows[0], Move.START) for cost, i in starts]
    heapify(heap)
    while heap:
        cost, i, j, move = heappop(heap)
        cell = i * width + j - rows[0]
        if reached_by[cell]:
            continue
        reached_by[cell] = move
        if j == rows[-1] and i in goals:
            return cost, _trace(recursion, reached_by, rows, (i, j))
        for price, by, to_i, to_j in recursion.steps(i, j):
            if not reached_by[to_i * width + to_j - rows[0]]:
                heappush(heap, (cost + price, to_i, to_j, by))
    raise AssertionError("every start has a way to a goal: a slot that may be passed, or lines to skip")


def _trace(recursion: Recursion, reached_by: bytearray, rows: range, end: Point) -> Path:
    """The points from the start to the end, found backwards from the row by which each was reached."""
    path = [end]
    while (move := reached_by[path[-1][0] * len(rows) + path[-1][1] - rows[0]]) != Move.START:
        path.append(_before(recursion, Move(move), *path[-1]))
    return tuple(reversed(path))


def _before(recursion: Recursion, move: Move, i: int, j: int) -> Point:
    if move is Move.MATCH:
        return i - 1, j - 1
    if move is Move.DELETE:
        return i - 1, j
    if move is Move.INSERT:
        return i, j - 1
    if move is Move.SKIP_HYP:
        return recursion.hyp.cuts[recursion.hyp.cut_index[i] - 1], j
    return i, recursion.gt.cuts[recursion.gt.cut_index[j] - 1]
