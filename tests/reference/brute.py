"""Brute force: every measure from its definition, for tiny pages."""

from __future__ import annotations

from functools import cache

Tokens = tuple[str, ...]
Key = tuple[int, int, int]  # LD, COR, -SUB: the canonical order
FAR: Key = (10**9, 0, 0)
Joiner = (
    str | None | list[str]
)  # what is between two words: the same everywhere, or one text before each word


def join_before(joiner: Joiner, word: int) -> Tokens:
    """Return the tokens that join a word to the word before it."""
    return tuple(joiner[word] if isinstance(joiner, list) else joiner or "")


def joined(words: list[tuple[Tokens, int]], first: int, end: int, joiner: Joiner) -> Tokens:
    """Return the tokens of the words from `first` to before `end`, joined; a word has tokens and a line."""
    out = words[first][0]
    for word in range(first + 1, end):
        out += join_before(joiner, word) + words[word][0]
    return out


def plus(a: Key, b: Key) -> Key:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@cache
def pair(h: Tokens, g: Tokens) -> Key:
    """Return the smallest key over all alignments of two token sequences."""
    if not h or not g:
        return (len(h) + len(g), 0, 0)
    last = (0, 1, 0) if h[-1] == g[-1] else (1, 0, -1)
    return min(
        plus(pair(h[:-1], g[:-1]), last), plus(pair(h[:-1], g), (1, 0, 0)), plus(pair(h, g[:-1]), (1, 0, 0))
    )


def lines(gt: list[Tokens], hyp: list[Tokens], *, order: bool, near=None) -> Key:
    """Return LD, LD^R, LD^G or LD^{R,G} by trying all matchings of whole lines."""

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


def segments(gt: list[Tokens], hyp: list[list[Tokens]], joiner: Joiner, *, order: bool, near=None) -> Key:
    """Return LD with S by trying all ways to match disjoint runs of HYP words with GT lines."""
    words = [(word, y) for y, line in enumerate(hyp) for word in line]

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
                best = min(best, plus(plus(pair(joined(words, b, e, joiner), gt[x]), lost), go(e, rest)))
        return best

    return go(0, tuple(range(len(gt))))


def bag(gt: list[Tokens], hyp: list[Tokens], near=None) -> Key:
    """Return LD, COR and -SUB of BOW by trying all matchings of words (of neighbouring lines).

    The fewest errors and the most equal pairs must be attained by the same matching.
    """
    g = [(t, x) for x, line in enumerate(gt) for t in line]
    h = [(t, y) for y, line in enumerate(hyp) for t in line]

    @cache
    def go(i: int, free: tuple[int, ...]) -> tuple[Key, int]:
        """Return the smallest (LD, -COR, -SUB), and the most equal pairs at any cost."""
        if i == len(g):
            return (len(free), 0, 0), 0
        least, most = go(i + 1, free)
        least = plus(least, (1, 0, 0))
        for k, j in enumerate(free):
            if near is None or near[g[i][1]][h[j][1]]:
                rest, others = go(i + 1, free[:k] + free[k + 1 :])
                equal = g[i][0] == h[j][0]
                least = min(least, plus(rest, (0, -1, 0) if equal else (1, 0, -1)))
                most = max(most, others + equal)
        return least, most

    (errors, minus_cor, minus_sub), most = go(0, tuple(range(len(h))))
    assert -minus_cor == most
    return errors, most, minus_sub
