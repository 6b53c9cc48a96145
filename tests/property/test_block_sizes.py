"""Sizes around machine words: the bit-parallel solvers equal the readable ones."""

from __future__ import annotations

import random

import pytest

from pagemeter.measure import Measure
from pagemeter.solve import score
from pages import noisy, problem, text_lines
from reference import programme, readable

SIZES = (1, 2, 63, 64, 65, 127, 128, 129)


def counts(name: str, gt: list[str], hyp: list[str]) -> tuple[int, int, int]:
    measure = Measure.parse(name)
    found = score(measure, problem(gt, hyp, measure))
    assert found.optimal
    assert found.canonical
    return found.errors, found.cor, -found.sub


@pytest.mark.parametrize("length", SIZES)
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.6])
def test_lines_of_every_length_around_a_machine_word(length, rate):
    rng = random.Random(length * 10 + int(rate * 10))
    for delta in (-1, 0, 1):
        gt = text_lines(rng, 3, max(1, length + delta), "abc")
        hyp = noisy(rng, gt, rate, "abc ")
        words = [word for line in hyp for word in line.split()]
        assert counts("CER:R", gt, hyp) == readable.ordered(gt, hyp)
        assert counts("CER:RS", gt, hyp) == readable.ordered_segments(gt, words, " ")


@pytest.mark.parametrize("lines", SIZES)
def test_pages_of_every_number_of_lines_around_a_machine_word(lines):
    rng = random.Random(lines)
    gt = text_lines(rng, lines, 6, "ab")
    hyp = noisy(rng, gt, 0.2, "ab ")
    rng.shuffle(hyp[: lines // 4])
    hyp = [line for line in hyp if rng.random() < 0.95]
    words = [word for line in hyp for word in line.split()]
    assert counts("CER:R", gt, hyp) == readable.ordered(gt, hyp)
    assert counts("CER:RS", gt, hyp) == readable.ordered_segments(gt, words, " ")
    assert counts("WER:RS", gt, hyp) == readable.ordered_segments(
        [g.split() for g in gt], [[w] for w in words], None
    )


@pytest.mark.parametrize("length", [7, 8, 9, 15, 16, 17])
@pytest.mark.parametrize("size", [447, 448, 449, 511, 512, 513, 576, 640])
def test_short_lines_against_a_page_of_many_machine_words(length, size):
    """Eight GT tokens are processed together over eight or more machine words of HYP."""
    rng = random.Random(length * 1000 + size)
    gt = text_lines(rng, 3, length, "abc")
    hyp = [" ".join([gt[0], *text_lines(rng, 1, size, "abc"), *gt[1:]])[-size:]]
    words = hyp[0].split()
    assert counts("CER:RS", gt, hyp) == readable.ordered_segments(gt, words, " ")
    assert counts("WER:RS", gt, hyp) == readable.ordered_segments(
        [g.split() for g in gt], [[w] for w in words], None
    )


@pytest.mark.parametrize("lines", [100, 400])
@pytest.mark.parametrize("name", ["CER:RS", "WER:RS"])
def test_a_page_read_backwards_has_the_same_counts(lines, name):
    """The rows of a sweep that are stored and recomputed depend on the direction; the counts do not."""
    rng = random.Random(lines)
    gt = text_lines(rng, lines, 20)
    hyp = noisy(rng, gt, 0.1)
    hyp = [*hyp[lines // 2 :], *hyp[lines // 5 : lines // 2], *hyp[: lines // 5]]
    backwards = [[line[::-1] for line in reversed(page)] for page in (gt, hyp)]
    assert counts(name, gt, hyp) == counts(name, *backwards)


@pytest.mark.parametrize("length", SIZES)
def test_one_long_line_against_many_short_ones(length):
    rng = random.Random(length)
    gt = text_lines(rng, 1, length * 3, "abc")
    hyp = noisy(rng, gt[0].split(), 0.1, "abc ")
    words = [word for line in hyp for word in line.split()]
    assert counts("CER:RS", gt, hyp) == readable.ordered_segments(gt, words, " ")
    assert counts("CER:S", gt, hyp)[0] <= counts("CER:RS", gt, hyp)[0]


@pytest.mark.parametrize("length", [*SIZES, 191, 193, 256, 257])
def test_lines_of_many_lengths_are_compared_side_by_side(length):
    """Up to eight distances are computed together, for lines of up to four machine words."""
    rng = random.Random(f"side by side {length}")
    for lines in (2, 3, 8, 9):
        gt = [line for size in range(lines) for line in text_lines(rng, 1, 1 + size * length // lines, "abc")]
        gt.append(text_lines(rng, 1, length, "abc")[0])
        rng.shuffle(gt)
        hyp = noisy(rng, rng.sample(gt, len(gt)), 0.3, "abc ")
        assert counts("CER:R", gt, hyp) == readable.ordered(gt, hyp)
        assert counts("CER", gt, hyp) == programme.free(gt, hyp)


@pytest.mark.parametrize("lines", [4, 31, 32, 62, 63, 64, 96])
def test_pages_with_a_few_more_lines_on_one_side(lines):
    """An assignment is made square if at most one column in 32 has no row."""
    rng = random.Random(f"more {lines}")
    for more in range(5):
        gt = text_lines(rng, lines, 9, "ab")
        hyp = noisy(rng, rng.sample(gt, lines), 0.5, "ab ") + text_lines(rng, more, 9, "ab")
        for sides in ((gt, hyp), (hyp, gt)):
            assert counts("CER", *sides) == programme.free(*sides)
