"""Pages drawn again and again, within their documents."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from pagemeter.plan import Resampling

MANY = 300_000_000
"""With more pages to be drawn, pages times resamples, formulas take the place of draws."""
_SIDE_BY_SIDE = 4  # columns that the kernel adds at once


def strata(labels: Sequence[Hashable]) -> tuple[NDArray[np.intp], ...]:
    """The places of the pages of each document.

    A document of one page would never vary, so such documents are put together, and a last one that is alone
    joins the smallest other.

    >>> [places.tolist() for places in strata(["a", "a", "b", "c", "a"])]
    [[0, 1, 4], [2, 3]]
    """
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place, label in enumerate(labels):
        groups[label].append(place)
    made = [places for places in groups.values() if len(places) > 1]
    alone = [places[0] for places in groups.values() if len(places) == 1]
    if len(alone) > 1 or not made:
        made += [alone] if alone else []
    elif alone:
        smallest = min(made, key=len)
        smallest += alone
    return tuple(np.array(places, np.intp) for places in made)


def resampled(
    columns: NDArray[np.float64], groups: Sequence[NDArray[np.intp]], plan: Resampling
) -> NDArray[np.float64]:
    """The sums of columns over pages drawn with replacement, each group as many as it has, a row a resample.

    >>> from pagemeter.plan import Resampling
    >>> pages, plan = np.array([[1.0], [2.0]]), Resampling(resamples=1000)
    >>> sorted(set(resampled(pages, strata(["a", "a"]), plan)[:, 0].tolist()))
    [2.0, 3.0, 4.0]
    """
    # Measures of one unit have the same n_gt, so equal columns are added once.
    spelled = [column.tobytes() for column in columns.T]
    distinct = list(dict.fromkeys(spelled))
    kept = [spelled.index(one) for one in distinct]
    rows = np.zeros((sum(map(len, groups)), -(-len(kept) // _SIDE_BY_SIDE) * _SIDE_BY_SIDE))
    rows[:, : len(kept)] = columns[np.concatenate(groups)][:, kept]
    sizes = np.array([len(places) for places in groups], np.int64)
    sums = _kernel.resampled_sums(rows, sizes, plan.resamples, random_state(plan))
    return sums[:, [distinct.index(one) for one in spelled]]


def random_state(plan: Resampling) -> NDArray[np.uint64]:
    """Where the kernel's generator starts, the same on every machine.

    >>> from pagemeter.plan import Resampling
    >>> hex(random_state(Resampling(seed=1))[0])
    '0x672d8ee56d6791ff'
    """
    return np.random.SeedSequence(plan.seed).generate_state(4, np.uint64).astype(np.uint64)
