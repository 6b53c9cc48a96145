"""Draws: those of a plain generator, of the right distribution, within their groups, exact."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pagemeter import _kernel
from pagemeter.plan import Resampling
from pagemeter.stats.resampling import random_state, resampled, strata
from reference import drawing

STATE = random_state(Resampling(seed=7))


def times_drawn(groups: str, plan: Resampling) -> np.ndarray:
    """How often each page is drawn in each resample; pages of a document have its letter."""
    return resampled(np.eye(len(groups)), strata(groups), plan)


def test_the_generator_gives_the_published_numbers():
    """State 0, 0, 0, 1, as the tests of other implementations of xoshiro256++ have it; the top bit aside."""
    state = [0, 0, 0, 1]
    published = [0x800000, 0x800011, 0x2200000800011, 0x2200044000020, 0x22000448008A1, 0x1102100802208A0]
    published += [0x114002284200880, 0x402896644A64095]
    assert list(itertools.islice(drawing.words(state), 8)) == published
    bits = _kernel.subset_sums(2 ** np.arange(63), 8, np.array(state, np.uint64))
    assert bits.tolist() == published


def test_subsets_of_more_numbers_than_a_word_has_bits_are_those_of_the_plain_generator():
    numbers = np.random.default_rng(1).integers(1, 10**6, 150)
    words, expected = drawing.words(STATE), [0] * 20
    for start, subset in itertools.product(range(0, 150, 64), range(20)):
        bits = next(words)
        some = enumerate(numbers[start : start + 64].tolist())
        expected[subset] += sum(number for k, number in some if bits >> k & 1)
    assert _kernel.subset_sums(numbers, 20, STATE).tolist() == expected


@pytest.mark.parametrize("pages", [1, 2, 3, 4, 5, 63, 64, 65, 511, 512, 513, 1030])
@pytest.mark.parametrize("columns", [1, 5, 14])
def test_sums_are_those_of_the_plain_generator(pages, columns):
    """Whatever the number of pages and columns; 103 resamples do not fill the last portion."""
    counts = np.random.default_rng(pages).integers(0, 2**40, (pages, columns)).astype(float)
    drawn = drawing.resamples(random_state(Resampling()), pages, 103)
    expected = np.array([counts[places].sum(0) for places in drawn])
    assert np.array_equal(resampled(counts, strata("a" * pages), Resampling(resamples=103)), expected)


def test_numbers_that_would_favour_some_pages_are_replaced():
    """With so many pages the plain generator replaces some of its numbers, and so does the kernel."""
    pages = 300_000
    counts = np.random.default_rng(1).integers(0, 2**20, (pages, 4)).astype(float)
    drawn = drawing.resamples(STATE, pages, 2)
    words = itertools.islice(drawing.words(STATE), pages)
    lower = np.fromiter((word & 0xFFFFFFFF for word in words), np.uint64)
    assert np.any(lower * np.uint64(pages) % np.uint64(2**32) < 2**32 % pages)
    found = _kernel.resampled_sums(counts, np.array([pages]), 2, STATE)
    assert np.array_equal(found, [counts[places].sum(0) for places in drawn])


def test_every_resample_draws_as_many_pages_as_there_are():
    assert (times_drawn("a" * 37, Resampling(resamples=500)).sum(1) == 37).all()


def test_times_drawn_have_the_moments_of_a_multinomial():
    """Mean 1, variance 1 − 1/n, covariance −1/n."""
    pages, plan = 7, Resampling(resamples=200_000)
    times = times_drawn("a" * pages, plan)
    assert times.mean(0) == pytest.approx(np.ones(pages), abs=4.5 / plan.resamples**0.5)
    expected = np.eye(pages) - 1 / pages
    assert np.cov(times.T) == pytest.approx(expected, abs=4.5 * 2 / plan.resamples**0.5)


def test_pages_are_drawn_within_their_document():
    times = times_drawn("aabbbabbcc", Resampling(resamples=300))
    for letter, size in (("a", 3), ("b", 5), ("c", 2)):
        assert (times[:, [one == letter for one in "aabbbabbcc"]].sum(1) == size).all()


def test_documents_are_drawn_apart():
    """Of two documents of the same size, the times drawn are not the same and do not go together."""
    times = times_drawn("a" * 10 + "b" * 10, Resampling(resamples=5000))
    for page in range(10):
        assert abs(np.corrcoef(times[:, page], times[:, page + 10])[0, 1]) < 0.06


def test_the_first_resamples_are_the_same_however_many_follow():
    few, many = (times_drawn("a" * 21, Resampling(resamples=count)) for count in (101, 1003))
    assert np.array_equal(few, many[:101])


def test_a_column_has_the_same_sums_alone_and_beside_equal_ones():
    counts = np.random.default_rng(3).integers(0, 1000, (30, 3)).astype(float)[:, [0, 1, 0, 2, 1, 1]]
    together = resampled(counts, strata("a" * 30), Resampling())
    for column in range(6):
        alone = resampled(counts[:, [column]], strata("a" * 30), Resampling())
        assert np.array_equal(together[:, [column]], alone)


def test_any_seed_has_its_own_draws():
    seeds = (0, 1, 2**64, 2**64 + 1, 10**30)
    sums = {times_drawn("abc" * 9, Resampling(resamples=100, seed=seed)).tobytes() for seed in seeds}
    assert len(sums) == len(seeds)


@pytest.mark.parametrize(
    ("columns", "sizes", "state", "message"),
    [
        (3, [2], [1, 2, 3, 4], "multiple of four"),
        (0, [2], [1, 2, 3, 4], "multiple of four"),
        (4, [3], [1, 2, 3, 4], "no more than there are"),
        (4, [2, 0], [1, 2, 3, 4], "must have pages"),
        (4, [2], [0, 0, 0, 0], "not be all zero"),
    ],
)
def test_the_kernel_refuses_what_it_cannot_draw(columns, sizes, state, message):
    with pytest.raises(ValueError, match=message):
        _kernel.resampled_sums(np.ones((2, columns)), np.array(sizes), 1, np.array(state, np.uint64))
