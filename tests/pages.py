"""Random pages for property tests, and the conversion of pages for the reference solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from pagemeter.settings import Settings
from pagemeter.solve import Instance
from pagemeter.text import encode_pair
from reference import brute, programme, readable
from reference.encode import words_and_gaps, words_of_page

if TYPE_CHECKING:
    import random

    from pagemeter.measure import Measure


def problem(gt: list[str], hyp: list[str], measure: Measure, near=None, **settings) -> Instance:
    """Return the solver's input for two pages of normalised lines."""
    characterwise = measure.unit == "CER"
    encoded = encode_pair(gt, hyp, characterwise=characterwise, settings=Settings(**settings))
    mask = np.array(near, bool).reshape(len(gt), len(hyp)) if measure.geometry else None
    return Instance(*encoded, mask)


def tokens_of(lines: list[str], measure: Measure) -> list[tuple[str, ...]]:
    """Return the tokens of normalised lines whose characters are code points."""
    if measure.unit == "CER":
        return list(map(tuple, lines))
    words, _, _ = words_and_gaps(lines, Settings(unit="codepoint"))
    return [tuple("".join(word) for word in line if word) for line in words]


def runs_of(hyp: list[str], measure: Measure) -> tuple[list[list[tuple[str, ...]]], list[str] | None]:
    """Return the words of each line as tokens, and what is before each word of the page in a run."""
    characterwise = measure.unit == "CER"
    if not characterwise:
        return [[(word,) for word in line] for line in tokens_of(hyp, measure)], None
    words, joins = words_of_page(hyp, Settings(unit="codepoint"))
    return [[tuple(word) for word, y in words if y == x] for x in range(len(hyp))], joins


def judge(gt: list[str], hyp: list[str], measure: Measure, near=None) -> tuple[int, int, int]:
    """Return (errors, COR, SUB) of a measure by brute force."""
    g, h = tokens_of(gt, measure), tokens_of(hyp, measure)
    near = near if measure.geometry else None
    if measure.unit == "BOW":
        errors, cor, minus_sub = brute.bag(g, h, near)
    elif measure.segmentation:
        errors, cor, minus_sub = brute.segments(g, *runs_of(hyp, measure), order=measure.order, near=near)
    else:
        errors, cor, minus_sub = brute.lines(g, h, order=measure.order, near=near)
    return errors, cor, -minus_sub


def expected(gt: list[str], hyp: list[str], measure: Measure, near=None) -> tuple[int, int, int]:
    """Return (errors, COR, SUB) by the readable solvers (with R) or an integer programme (without R)."""
    g, h = tokens_of(gt, measure), tokens_of(hyp, measure)
    near = near if measure.geometry else None
    if measure.unit == "BOW":
        errors, cor, minus_sub = programme.bag(g, h, near)
    elif measure.segmentation:
        lines, joiner = runs_of(hyp, measure)
        words = [(word, y) for y, line in enumerate(lines) for word in line]
        solve = readable.ordered_segments if measure.order else programme.free_segments
        errors, cor, minus_sub = solve(g, [word for word, _ in words], joiner, near, [y for _, y in words])
    else:
        errors, cor, minus_sub = (readable.ordered if measure.order else programme.free)(g, h, near)
    return errors, cor, -minus_sub


def tiny_pages(rng: random.Random, letters: str) -> tuple[list[str], list[str]]:
    """Return two pages of few short lines, with many ties; HYP is often a shuffled, noisy copy of GT."""

    def page(words: int) -> list[str]:
        return [
            " ".join("".join(rng.choices(letters, k=rng.randint(1, 3))) for _ in range(rng.randint(0, words)))
            for _ in range(rng.randint(0, 3))
        ]

    gt, hyp = page(3), page(2)
    if rng.random() < 0.5:
        hyp = noisy(rng, rng.sample(gt, len(gt)), 0.2, letters + " ")
    return gt, hyp


def noisy(rng: random.Random, lines: list[str], rate: float, alphabet: str = "abcdefgh ") -> list[str]:
    """Return lines with characters replaced, removed and added, and white space collapsed."""
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
    """Return lines of random words, about `length` characters each."""
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
