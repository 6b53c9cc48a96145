"""The judge: every measure by trying everything, straight from the definitions, for tiny pages."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations

Tokens = tuple[str, ...]
Key = tuple[int, int, int]  # LD, COR, -SUB: the canonical order
FAR: Key = (10**9, 0, 0)


def plus(a: Key, b: Key) -> Key:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@cache
def pair(h: Tokens, g: Tokens) -> Key:
    """The least key over all alignments of two token sequences."""
    if not h or not g:
        return (len(h) + len(g), 0, 0)
    last = (0, 1, 0) if h[-1] == g[-1] else (1, 0, -1)
    return min(
        plus(pair(h[:-1], g[:-1]), last), plus(pair(h[:-1], g), (1, 0, 0)), plus(pair(h, g[:-1]), (1, 0, 0))
    )


def lines(gt: list[Tokens], hyp: list[Tokens], *, order: bool, near=None) -> Key:
    """LD, LD^R, LD^G, LD^{R,G}: all matchings of whole lines."""

    def go(x: int, free: tuple[int, ...]) -> Key:
        if x == len(gt):
            return (sum(len(hyp[y]) for y in range(len(hyp)) if y in free), 0, 0)
        best = plus((len(gt[x]), 0, 0), go(x + 1, free))
        for i, y in enumerate(free):
            if near is None or near[x][y]:
                skipped = free[:i] if order else ()
                rest = free[i + 1 :] if order else free[:i] + free[i + 1 :]
                lost = (sum(len(hyp[k]) for k in skipped), 0, 0)
                best = min(best, plus(plus(pair(hyp[y], gt[x]), lost), go(x + 1, rest)))
        return best

    return go(0, tuple(range(len(hyp))))


def segments(gt: list[Tokens], hyp: list[list[Tokens]], joiner: str | None, *, order: bool, near=None) -> Key:
    """LD^S and its kin: all ways to give disjoint runs of HYP words to GT lines."""
    words = [(word, y) for y, line in enumerate(hyp) for word in line]

    def run(a: int, b: int) -> Tokens:
        out: Tokens = words[a][0]
        for word, _ in words[a + 1 : b]:
            out += ((joiner,) if joiner is not None else ()) + word
        return out

    def go(b: int, left: tuple[int, ...]) -> Key:
        if b == len(words):
            return (sum(len(gt[x]) for x in left), 0, 0)
        best = plus((len(words[b][0]), 0, 0), go(b + 1, left))
        for e in range(b + 1, len(words) + 1):
            for i, x in enumerate(left):
                if near is not None and not all(near[x][y] for _, y in words[b:e]):
                    continue
                lost = (sum(len(gt[k]) for k in left[:i]) if order else 0, 0, 0)
                rest = left[i + 1 :] if order else left[:i] + left[i + 1 :]
                best = min(best, plus(plus(pair(run(b, e), gt[x]), lost), go(e, rest)))
        return best

    return go(0, tuple(range(len(gt))))


def bag(gt: list[Tokens], hyp: list[Tokens], near=None) -> int:
    """The number of correct words: the largest matching of equal words (of neighbouring lines)."""
    if near is None:
        return (Counter(t for line in gt for t in line) & Counter(t for line in hyp for t in line)).total()
    g = [(t, x) for x, line in enumerate(gt) for t in line]
    h = [(t, y) for y, line in enumerate(hyp) for t in line]
    if len(g) > len(h):
        return max(
            (sum(g[i][0] == h[k][0] and near[g[i][1]][h[k][1]] for k, i in enumerate(p)))
            for p in permutations(range(len(g)), len(h))
        )
    return max(
        (sum(g[k][0] == h[i][0] and near[g[k][1]][h[i][1]] for k, i in enumerate(p)))
        for p in permutations(range(len(h)), len(g))
    )
