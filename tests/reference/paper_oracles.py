"""References for the paper's solver: a dynamic programme over lines, and Δ evaluated as printed."""

from __future__ import annotations

from itertools import pairwise

from reference.brute import pair

INF = 10**9


def add(*costs: tuple[int, ...]) -> tuple[int, ...]:
    """Add costs component by component."""
    return tuple(map(sum, zip(*costs, strict=True)))


def join_words(words, joiner) -> tuple:
    """Return the tokens of words with the joiner between them."""
    tokens: list = []
    for at, word in enumerate(words):
        tokens += [joiner] if at and joiner is not None else []
        tokens += word
    return tuple(tokens)


def ordered_lines(gt, hyp, near=None) -> tuple[int, int]:
    """Return (LD, COR) of E:LD-ro by a dynamic programme over whole lines."""
    table = {(0, 0): (0, 0)}
    for y in range(len(hyp) + 1):
        for x in range(len(gt) + 1):
            ways = [(INF, 0)] if y or x else [(0, 0)]
            if y:
                ways.append(add(table[y - 1, x], (len(hyp[y - 1]), 0)))
            if x:
                ways.append(add(table[y, x - 1], (len(gt[x - 1]), 0)))
            if y and x and (near is None or near[x - 1][y - 1]):
                ways.append(add(table[y - 1, x - 1], pair(hyp[y - 1], gt[x - 1])[:2]))
            table[y, x] = min(ways)
    return table[len(hyp), len(gt)]


def printed_delta(gt: list[str], hyp: list[str], near=None, *, segmentation: bool) -> int:
    """Return Δ_{|h|,|g|} by E:D_vanilla and E:D_geom or E:D_phi as printed; "\\n" is the line break.

    `near` is for whole lines only, as in the paper.
    """
    h, g = ("#" + "".join(f"\n{line}" for line in lines) + "\n" for lines in (hyp, gt))
    cuts_g = [j for j, letter in enumerate(g) if letter == "\n"]
    cuts_h = [i for i, letter in enumerate(h) if letter == "\n" or (segmentation and letter == " ")]
    before_h = {q: (p, y) for y, (p, q) in enumerate(pairwise(cuts_h))}
    before_g = {q: (p, x) for x, (p, q) in enumerate(pairwise(cuts_g))}

    def delta(a: str, b: str) -> int:
        if a == b or (segmentation and a == "\n" and b == " "):
            return 0
        return INF if {a, b} & ({"\n", " "} if segmentation else {"\n"}) else 1

    table = {(0, 0): 0}
    for i in range(1, len(h)):
        for j in range(1, len(g)):
            diagonal = table.get((i - 1, j - 1), INF)
            if i in cuts_h and j in cuts_g:
                (p, y), (q, x) = before_h.get(i, (0, -1)), before_g.get(j, (0, -1))
                allowed = near is None or min(x, y) < 0 or near[x][y]
                ways = [diagonal if allowed else INF]
                ways += [table[p, j] + i - p - 1] if y >= 0 else []
                ways += [table[i, q] + j - q - 1] if x >= 0 else []
            else:
                ways = [diagonal + delta(h[i], g[j])]
                ways += [table.get((i - 1, j), INF) + 1] if h[i] != "\n" else []
                ways += [table.get((i, j - 1), INF) + 1] if g[j] != "\n" else []
            table[i, j] = min(ways)
    return table[len(h) - 1, len(g) - 1]
