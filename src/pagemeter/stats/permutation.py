"""The permutation test of paired differences, and p-values of several tests at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter import _kernel
from pagemeter.plan import Resampling
from pagemeter.stats.resampling import MANY, random_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

EXACT = 50_000_000
"""The steps up to which all ways of exchanging the systems are counted; beyond, some are drawn."""
_TINY = 1e-290  # smaller probabilities add nothing, and numbers that small are slow


class PValue(NamedTuple):
    """How often chance alone gives a difference as large, and whether all ways were counted."""

    p: float
    exact: bool


def permutation(differences: ArrayLike, plan: Resampling | None = None) -> PValue:
    """How often the sum of differences is as far from zero if the two systems are exchanged at random.

    `differences` are errors, one number a page; on each page the two systems are exchanged or not, all ways
    alike probable. Both directions count. Few pages, or small differences, are counted exactly; of more some
    ways are drawn, and beyond `MANY` the sum is taken for normal, which by then it is.

    >>> permutation([3, 1, 2])
    PValue(p=0.25, exact=True)
    """
    signed = np.asarray(differences, np.int64)
    sizes = np.abs(signed[signed != 0])
    if not len(sizes):
        return PValue(1.0, exact=True)
    sizes //= math.gcd(*sizes.tolist())
    observed = abs(int(signed.sum())) // math.gcd(*np.abs(signed).tolist())
    # The sum with random signs is twice that of a random subset, less that of all; it is symmetric.
    largest = (int(sizes.sum()) - observed) // 2
    if len(sizes) * (largest + 1) <= EXACT:
        return PValue(min(1.0, 2 * _at_most(largest, sizes)), exact=True)
    if len(sizes) * (plan or Resampling()).resamples > MANY:
        spread = math.sqrt(float((sizes.astype(np.float64) ** 2).sum()))
        return PValue(math.erfc(observed / spread / math.sqrt(2)), exact=False)
    return PValue(_drawn(sizes, largest, plan or Resampling()), exact=False)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values of several tests, corrected for their number (Holm 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.02])]
    [0.03, 0.04, 0.04]
    """
    corrected = [1.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return tuple(corrected)


def _at_most(largest: int, sizes: NDArray[np.int64]) -> float:
    """P(the sum of a random subset ≤ largest), from the distribution of sums, a page after the other."""
    chances = np.zeros(largest + 1)
    chances[0] = 1.0
    for size in sizes:
        more = np.zeros_like(chances)
        more[size:] = chances[: max(0, len(chances) - size)]
        chances = (chances + more) / 2
        chances[chances < _TINY] = 0.0
    return float(chances.sum())


def _drawn(sizes: NDArray[np.int64], largest: int, plan: Resampling) -> float:
    """The same from random subsets; what was observed is one of the ways and counts."""
    sums, total = _kernel.subset_sums(sizes, plan.resamples, random_state(plan)), int(sizes.sum())
    hits = int(np.count_nonzero((sums <= largest) | (sums >= total - largest)))
    return (hits + 1) / (plan.resamples + 1)
