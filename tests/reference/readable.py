"""Readable solvers: plain dynamic programmes for R and RS, for pages too large for brute force."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from reference.brute import join_before

if TYPE_CHECKING:
    from collections.abc import Sequence

FAR = (10**9, 0, 0)


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def pair(h: Sequence, g: Sequence) -> tuple[int, int, int]:
    """Return the smallest (LD, COR, -SUB) of two sequences."""
    return _pair(tuple(h), tuple(g))


@lru_cache(maxsize=100_000)
def _pair(h: tuple, g: tuple) -> tuple[int, int, int]:
    row = [(j, 0, 0) for j in range(len(g) + 1)]
    for i, token in enumerate(h, 1):
        previous, row = row, [(i, 0, 0)]
        for j, other in enumerate(g, 1):
            last = (0, 1, 0) if token == other else (1, 0, -1)
            row.append(
                min(plus(previous[j - 1], last), plus(previous[j], (1, 0, 0)), plus(row[j - 1], (1, 0, 0)))
            )
    return row[-1]


def ordered(gt: Sequence[Sequence], hyp: Sequence[Sequence], near=None) -> tuple[int, int, int]:
    """Return R or RG: the alignment of two sequences of lines."""
    row = [(sum(map(len, gt[:x])), 0, 0) for x in range(len(gt) + 1)]
    for y, h in enumerate(hyp):
        previous, row = row, [plus(row[0], (len(h), 0, 0))]
        for x, g in enumerate(gt, 1):
            matched = plus(previous[x - 1], pair(h, g)) if near is None or near[x - 1][y] else FAR
            row.append(min(matched, plus(previous[x], (len(h), 0, 0)), plus(row[x - 1], (len(g), 0, 0))))
    return row[-1]


def ordered_segments(
    gt: Sequence[Sequence], words: Sequence[Sequence], joiner, near=None, line_of=None
) -> tuple[int, int, int]:
    """Return RS or RSG: GT lines are matched with runs of words in order."""
    level = [(sum(map(len, words[:b])), 0, 0) for b in range(len(words) + 1)]
    for x, g in enumerate(gt):
        nxt = [plus(value, (len(g), 0, 0)) for value in level]
        column = [FAR] * (len(g) + 1)
        for b, word in enumerate(words):
            if near is not None and not near[x][line_of[b]]:
                column = [FAR] * (len(g) + 1)
                continue
            for token in join_before(joiner, b) if b else ():
                column = _step(column, token, g)
            column = [min(old, plus(level[b], (i, 0, 0))) for i, old in enumerate(column)]
            for token in word:
                column = _step(column, token, g)
            nxt[b + 1] = min(nxt[b + 1], column[-1])
        for b, word in enumerate(words):
            nxt[b + 1] = min(nxt[b + 1], plus(nxt[b], (len(word), 0, 0)))
        level = nxt
    return level[-1]


def _step(column, token, g):
    new = [plus(column[0], (1, 0, 0))]
    for i, other in enumerate(g, 1):
        last = (0, 1, 0) if token == other else (1, 0, -1)
        new.append(min(plus(column[i - 1], last), plus(column[i], (1, 0, 0)), plus(new[i - 1], (1, 0, 0))))
    return new
