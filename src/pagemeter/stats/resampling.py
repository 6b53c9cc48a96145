"""Random draws of pages, and the permutation test of paired differences, which uses them.

The generator is numpy's PCG64 with the seed of `Resampling`: the same on every machine. All sums are sums of
integers, exact in floating point below 2⁵³, and independent of the order in which they are computed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.run_settings import Resampling

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

MAX_DRAWS = 300_000_000
"""With more draws than this (pages times resamples), formulas replace the draws."""
_AT_ONCE = 300_000  # draws in memory: 10 bytes each, which stay in the cache of the processor
_BYTE = 8
MAX_EXACT_STEPS = 50_000_000
"""The number of steps up to which all permutations are counted; above it, a sample is drawn."""
_TINY = 1e-290  # smaller probabilities add nothing, and denormal numbers are slow


def strata(labels: Sequence[Hashable]) -> tuple[NDArray[np.intp], ...]:
    """Return the indices of the pages of each stratum, given one label per page.

    A stratum of one page would never vary. Such strata are merged into one, and a single one is merged into
    the smallest other stratum.

    >>> [pages.tolist() for pages in strata(["a", "a", "b", "c", "a"])]
    [[0, 1, 4], [2, 3]]
    """
    by_label: dict[Hashable, list[int]] = defaultdict(list)
    for page, label in enumerate(labels):
        by_label[label].append(page)
    groups = [pages for pages in by_label.values() if len(pages) > 1]
    single = [pages[0] for pages in by_label.values() if len(pages) == 1]
    if len(single) > 1 or not groups:
        groups += [single] if single else []
    elif single:
        smallest = min(groups, key=len)
        smallest += single
    return tuple(np.array(pages, np.intp) for pages in groups)


def resampled_sums(
    columns: NDArray[np.float64], groups: Sequence[NDArray[np.intp]], resampling: Resampling
) -> NDArray[np.float64]:
    """Return the column sums of pages drawn with replacement, one row per resample.

    Args:
        columns: Whole numbers, one row per page.
        groups: The strata: from each, as many pages are drawn as it has.
        resampling: The number of resamples, and the seed.

    >>> from pagemeter.run_settings import Resampling
    >>> pages, resampling = np.array([[1.0], [2.0]]), Resampling(resamples=1000)
    >>> sorted(set(resampled_sums(pages, strata(["a", "a"]), resampling)[:, 0].tolist()))
    [2.0, 3.0, 4.0]

    """
    random = _generator(resampling)
    sums = np.zeros((resampling.resamples, columns.shape[1]))
    for group in groups:
        pages, size = columns[group], len(group)
        at_once = max(1, _AT_ONCE // size)
        for start in range(0, len(sums), at_once):
            part = sums[start : start + at_once]
            drawn = random.integers(size, size=(len(part), size))
            drawn += np.arange(0, drawn.size, size)[:, np.newaxis]
            times_drawn = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
            part += times_drawn.astype(np.float64) @ pages
    return sums


def subset_sums(numbers: NDArray[np.int64], resampling: Resampling) -> NDArray[np.int64]:
    """Return the sums of random subsets; each number is in a subset with probability 1/2.

    >>> from pagemeter.run_settings import Resampling
    >>> sorted(set(subset_sums(np.array([1, 2]), Resampling(resamples=1000)).tolist()))
    [0, 1, 2, 3]
    """
    random = _generator(resampling)
    sums = np.zeros(resampling.resamples, np.int64)
    # One random byte decides about eight numbers: the sums of their 256 subsets are looked up.
    subsets = np.arange(256)[:, np.newaxis] >> np.arange(_BYTE) & 1
    for start in range(0, len(numbers), _BYTE):
        eight = numbers[start : start + _BYTE]
        table = subsets[:, : len(eight)] @ eight
        sums += table[np.frombuffer(random.bytes(len(sums)), np.uint8)]
    return sums


def _generator(resampling: Resampling) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(resampling.seed))


class PValue(NamedTuple):
    """A p-value, and whether all permutations were counted."""

    p: float
    exact: bool


def permutation_test(differences: ArrayLike, resampling: Resampling | None = None) -> PValue:
    """Return how often the sum of differences is as far from zero if systems are exchanged at random.

    On each page the two systems are exchanged or not, with equal probability. Both directions count. Few
    pages or small differences are counted exactly. Otherwise permutations are drawn, or, beyond `MAX_DRAWS`
    draws, the sum is assumed to be normally distributed.

    Args:
        differences: The difference of the numbers of errors, one per page.
        resampling: The number of permutations that are drawn, and the seed.

    >>> permutation_test([3, 1, 2])
    PValue(p=0.25, exact=True)

    """
    resampling = resampling or Resampling()
    signed = np.asarray(differences, np.int64)
    sizes = np.abs(signed[signed != 0])
    if not len(sizes):
        return PValue(1.0, exact=True)
    unit = math.gcd(*sizes.tolist())
    sizes //= unit
    observed = abs(int(signed.sum())) // unit
    # The sum with random signs is twice that of a random subset, minus that of all; it is symmetric.
    largest = (int(sizes.sum()) - observed) // 2
    if len(sizes) * (largest + 1) <= MAX_EXACT_STEPS:
        return PValue(min(1.0, 2 * _subset_probability(largest, sizes)), exact=True)
    if len(sizes) * resampling.resamples > MAX_DRAWS:
        deviation = math.sqrt(float((sizes.astype(np.float64) ** 2).sum()))
        return PValue(math.erfc(observed / deviation / math.sqrt(2)), exact=False)
    sums, total = subset_sums(sizes, resampling), int(sizes.sum())
    hits = int(np.count_nonzero((sums <= largest) | (sums >= total - largest)))
    # The observed difference is one of the permutations and counts.
    return PValue((hits + 1) / (resampling.resamples + 1), exact=False)


def _subset_probability(largest: int, sizes: NDArray[np.int64]) -> float:
    """Return P(the sum of a random subset ≤ largest), from the distribution of sums, page by page."""
    probabilities = np.zeros(largest + 1)
    probabilities[0] = 1.0
    for size in sizes:
        shifted = np.zeros_like(probabilities)
        shifted[size:] = probabilities[: max(0, len(probabilities) - size)]
        probabilities = (probabilities + shifted) / 2
        probabilities[probabilities < _TINY] = 0.0
    return float(probabilities.sum())


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Correct the p-values of several tests for their number (Holm 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.02])]
    [0.03, 0.04, 0.04]
    """
    corrected = [1.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return tuple(corrected)
