"""Random pages for property tests, and the bridge from pages to the brute-force judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from pagemeter.settings import Settings
from pagemeter.solve import Problem
from pagemeter.text import encode_pair
from reference import brute, programme, readable

if TYPE_CHECKING:
    import random

    from pagemeter.measure import Measure


def problem(gt: list[str], hyp: list[str], measure: Measure, near=None, **settings) -> Problem:
    """The solver's view of two pages of normalised lines."""
    characterwise = measure.unit == "CER"
    encoded = encode_pair(gt, hyp, characterwise=characterwise, settings=Settings(**settings))
    mask = np.array(near, bool).reshape(len(gt), len(hyp)) if measure.geometry else None
    return Problem(*encoded, mask)


def judge(gt: list[str], hyp: list[str], measure: Measure, near=None) -> tuple[int, int, int]:
    """(errors, COR, SUB) of a measure by trying everything."""
    cut = tuple if measure.unit == "CER" else (lambda text: tuple(text.split()))
    g, h = [cut(line) for line in gt], [cut(line) for line in hyp]
    near = near if measure.geometry else None
    if measure.unit == "BOW":
        cor = brute.bag(g, h, near)
        return sum(map(len, g)) + sum(map(len, h)) - 2 * cor, cor, 0
    if measure.segmentation:
        words = [[tuple(w) if measure.unit == "CER" else (w,) for w in line.split()] for line in hyp]
        joiner = " " if measure.unit == "CER" else None
        errors, cor, minus_sub = brute.segments(g, words, joiner, order=measure.order, near=near)
    else:
        errors, cor, minus_sub = brute.lines(g, h, order=measure.order, near=near)
    return errors, cor, -minus_sub


def expected(gt: list[str], hyp: list[str], measure: Measure, near=None) -> tuple[int, int, int]:
    """(errors, COR, SUB) of a measure by the readable solvers with R, by an integer programme without."""
    characterwise = measure.unit == "CER"
    cut = tuple if characterwise else (lambda text: tuple(text.split()))
    g, h = [cut(line) for line in gt], [cut(line) for line in hyp]
    near = near if measure.geometry else None
    if measure.unit == "BOW":
        cor = programme.bag(g, h, near)
        return sum(map(len, g)) + sum(map(len, h)) - 2 * cor, cor, 0
    if measure.segmentation:
        words = [(cut(word), y) for y, line in enumerate(hyp) for word in line.split()]
        solve = readable.ordered_segments if measure.order else programme.free_segments
        runs = [word for word, _ in words], " " if characterwise else None, near, [y for _, y in words]
        errors, cor, minus_sub = solve(g, *runs)
    else:
        errors, cor, minus_sub = (readable.ordered if measure.order else programme.free)(g, h, near)
    return errors, cor, -minus_sub


def noisy(rng: random.Random, lines: list[str], rate: float, alphabet: str = "abcdefgh ") -> list[str]:
    """Lines with characters replaced, dropped and added, white space collapsed."""
    out = []
    for line in lines:
        made = ""
        for c in line:
            if rng.random() >= rate:
                made += c
            else:
                made += rng.choice(["", rng.choice(alphabet), c + rng.choice(alphabet)])
        out.append(" ".join(made.split()))
    return out


def text_lines(rng: random.Random, count: int, length: int, alphabet: str = "abcdefgh") -> list[str]:
    """Lines of random words, about `length` characters each."""
    lines = []
    for _ in range(count):
        words: list[str] = []
        while sum(map(len, words)) + len(words) - 1 < length:
            words.append("".join(rng.choices(alphabet, k=rng.randint(1, 9))))
        lines.append(" ".join(words)[: max(1, length)].strip())
    return lines


_words = st.text(alphabet="abc", min_size=1, max_size=5)
line = st.lists(_words, max_size=5).map(" ".join)
page = st.lists(line, max_size=8)
