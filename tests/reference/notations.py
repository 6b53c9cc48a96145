"""Brute force with notations: every measure from its definition, for tiny pages.

A line is a list of readings, and a reading a tuple of tokens. In a token, `?` is any character and `*` up to
`most` characters of a word; a token of `*` alone takes up tokens without any cost. So does `~`, a space
beside a gap, for one character.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from reference.brute import Joiner, Key, Tokens, joined, plus

Line = tuple[Tokens, ...]


def is_gap(token: str) -> bool:
    return not token.strip("*~")


def is_same(token: str, other: str, most: int) -> bool:
    """Return True if a token of the ground truth matches a token of the hypothesis."""
    pattern = "".join({"?": ".", "*": f".{{0,{most}}}"}.get(c, re.escape(c)) for c in token)
    return re.fullmatch(pattern, other, re.DOTALL) is not None


def fits(gap: str, tokens: Tokens, most: int, separator: str) -> bool:
    return len(separator.join(tokens)) <= most * gap.count("*") + gap.count("~")


def size(reading: Tokens) -> int:
    return sum(not is_gap(token) for token in reading)


@cache
def pair(h: Tokens, g: Tokens, most: int, separator: str) -> Key:
    """Return the smallest key over all alignments of a text and a reading."""
    if not g:
        return (len(h), 0, 0)
    if is_gap(g[-1]):
        options = [
            pair(h[: len(h) - k], g[:-1], most, separator)
            for k in range(len(h) + 1)
            if fits(g[-1], h[len(h) - k :], most, separator)
        ]
    else:
        options = [plus(pair(h, g[:-1], most, separator), (1, 0, 0))]
        if h:
            last = (0, 1, 0) if is_same(g[-1], h[-1], most) else (1, 0, -1)
            options.append(plus(pair(h[:-1], g[:-1], most, separator), last))
    if h:
        options.append(plus(pair(h[:-1], g, most, separator), (1, 0, 0)))
    return min(options)


def best(h: Tokens, line: Line, most: int, separator: str) -> Key:
    return min(pair(h, reading, most, separator) for reading in line)


def missing(line: Line) -> Key:
    return (min(map(size, line)), 0, 0)


def lines(gt: list[Line], hyp: list[Tokens], most: int, separator: str, *, order: bool, near=None) -> Key:
    """Return LD, LD^R, LD^G or LD^{R,G} by trying all matchings of whole lines."""

    def go(x: int, free: tuple[int, ...]) -> Key:
        if x == len(gt):
            return (sum(len(hyp[y]) for y in free), 0, 0)
        least = plus(missing(gt[x]), go(x + 1, free))
        for i, y in enumerate(free):
            if near is None or near[x][y]:
                skipped = free[:i] if order else ()
                rest = free[i + 1 :] if order else free[:i] + free[i + 1 :]
                key = plus(best(hyp[y], gt[x], most, separator), (sum(len(hyp[k]) for k in skipped), 0, 0))
                least = min(least, plus(key, go(x + 1, rest)))
        return least

    return go(0, tuple(range(len(hyp))))


def segments(
    gt: list[Line], hyp, joiner: Joiner, most: int, separator: str, *, order: bool, near=None
) -> Key:
    """Return LD with S by trying all ways to match disjoint runs of HYP words with GT lines."""
    words = [(word, y) for y, line in enumerate(hyp) for word in line]

    def go(b: int, left: tuple[int, ...]) -> Key:
        if b == len(words):
            return (sum(missing(gt[x])[0] for x in left), 0, 0)
        least = plus((len(words[b][0]), 0, 0), go(b + 1, left))
        for e in range(b + 1, len(words) + 1):
            for i, x in enumerate(left):
                if near is not None and not all(near[x][y] for _, y in words[b:e]):
                    continue
                lost = (sum(missing(gt[k])[0] for k in left[:i]) if order else 0, 0, 0)
                rest = left[i + 1 :] if order else left[:i] + left[i + 1 :]
                key = plus(best(joined(words, b, e, joiner), gt[x], most, separator), lost)
                least = min(least, plus(key, go(e, rest)))
        return least

    return go(0, tuple(range(len(gt))))


def bag(gt: list[Line], hyp: list[Tokens], most: int, near=None) -> Key:
    """Return LD, COR and -SUB of BOW, by trying all readings and all matchings of words."""
    h = [(word, y) for y, line in enumerate(hyp) for word in line]

    def go(k: int, words: tuple, gaps: tuple) -> tuple[int, int, int]:
        """Give each HYP word to a GT word, to a gap or to nothing; the order is LD, most COR, most SUB."""
        if k == len(h):
            return (len(words), 0, 0)
        word, y = h[k]
        least = plus((1, 0, 0), go(k + 1, words, gaps))
        for i, (token, x) in enumerate(words):
            if near is None or near[x][y]:
                key = (0, -1, 0) if is_same(token, word, most) else (1, 0, -1)
                least = min(least, plus(key, go(k + 1, words[:i] + words[i + 1 :], gaps)))
        for i, (left, x) in enumerate(gaps):
            rest = left - len(word) - 1
            if rest >= 0 and (near is None or near[x][y]):
                least = min(least, go(k + 1, words, (*gaps[:i], (rest, x), *gaps[i + 1 :])))
        return least

    found = []
    for chosen in product(*gt):
        tokens = [(token, x) for x, reading in enumerate(chosen) for token in reading]
        words = tuple(one for one in tokens if not is_gap(one[0]))
        gaps = tuple((most * len(token) + 1, x) for token, x in tokens if is_gap(token))
        found.append((*go(0, words, gaps)[:2], len(words), go(0, words, gaps)[2]))
    errors, minus_cor, _, minus_sub = min(found)
    return errors, -minus_cor, minus_sub
