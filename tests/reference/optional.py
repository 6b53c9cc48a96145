"""Brute force with optional lines: every measure from its definition, for tiny pages.

A line or word of an optional line costs nothing if it is not matched. Right and wrong tokens of an optional
GT line are not counted.
"""

from __future__ import annotations

from reference.brute import Joiner, Key, Tokens, joined, pair, plus

Flags = list[bool]


def _cost(tokens: Tokens, optional: bool) -> Key:
    return (0 if optional else len(tokens), 0, 0)


def _pair(h: Tokens, g: Tokens, optional: bool) -> Key:
    key = pair(h, g)
    return (key[0], 0, 0) if optional else key


def _plus(a, b):
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _sum(keys) -> Key:
    total: Key = (0, 0, 0)
    for key in keys:
        total = plus(total, key)
    return total


def lines(gt, hyp, gt_optional: Flags, hyp_optional: Flags, *, order: bool, near=None) -> Key:
    """Return LD, LD^R, LD^G or LD^{R,G} by trying all matchings of whole lines."""

    def go(x: int, free: tuple[int, ...]) -> Key:
        if x == len(gt):
            return _sum(_cost(hyp[y], hyp_optional[y]) for y in free)
        best = plus(_cost(gt[x], gt_optional[x]), go(x + 1, free))
        for i, y in enumerate(free):
            if near is None or near[x][y]:
                skipped = free[:i] if order else ()
                rest = free[i + 1 :] if order else free[:i] + free[i + 1 :]
                lost = _sum(_cost(hyp[k], hyp_optional[k]) for k in skipped)
                best = min(best, plus(plus(_pair(hyp[y], gt[x], gt_optional[x]), lost), go(x + 1, rest)))
        return best

    return go(0, tuple(range(len(hyp))))


def segments(
    gt, hyp, joiner: Joiner, gt_optional: Flags, hyp_optional: Flags, *, order: bool, near=None
) -> Key:
    """Return LD with S by trying all ways to match disjoint runs of HYP words with GT lines."""
    words = [(word, y) for y, line in enumerate(hyp) for word in line]

    def go(b: int, left: tuple[int, ...]) -> Key:
        if b == len(words):
            return _sum(_cost(gt[x], gt_optional[x]) for x in left)
        best = plus(_cost(words[b][0], hyp_optional[words[b][1]]), go(b + 1, left))
        for e in range(b + 1, len(words) + 1):
            for i, x in enumerate(left):
                if near is not None and not all(near[x][y] for _, y in words[b:e]):
                    continue
                lost = _sum(_cost(gt[k], gt_optional[k]) for k in left[:i]) if order else (0, 0, 0)
                rest = left[i + 1 :] if order else left[:i] + left[i + 1 :]
                key = _pair(joined(words, b, e, joiner), gt[x], gt_optional[x])
                best = min(best, plus(plus(key, lost), go(e, rest)))
        return best

    return go(0, tuple(range(len(gt))))


def bag(gt, hyp, gt_optional: Flags, hyp_optional: Flags, near=None) -> Key:
    """Return LD, COR and -SUB of BOW.

    The order is: the fewest errors, the most right words, the most equal pairs of two required words, and the
    most wrong words.
    """
    g = [(word, x) for x, line in enumerate(gt) for word in line]
    h = [(word, y) for y, line in enumerate(hyp) for word in line]

    def go(i: int, free: tuple[int, ...]) -> tuple[int, int, int, int]:
        if i == len(g):
            return (sum(not hyp_optional[h[k][1]] for k in free), 0, 0, 0)
        word, x = g[i]
        best = _plus((int(not gt_optional[x]), 0, 0, 0), go(i + 1, free))
        for n, k in enumerate(free):
            other, y = h[k]
            if near is not None and not near[x][y]:
                continue
            if word == other:
                required = not gt_optional[x]
                key = (0, -int(required), -int(required and not hyp_optional[y]), 0)
            elif gt_optional[x] or hyp_optional[y]:
                continue  # saves nothing
            else:
                key = (1, 0, 0, -1)
            best = min(best, _plus(key, go(i + 1, free[:n] + free[n + 1 :])))
        return best

    errors, minus_cor, _, minus_sub = go(0, tuple(range(len(h))))
    return errors, -minus_cor, minus_sub
