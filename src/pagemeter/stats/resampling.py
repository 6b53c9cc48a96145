"""Pages drawn again and again, within their documents."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.plan import Resampling

MANY = 300_000_000
"""With more pages to be drawn, pages times resamples, formulas take the place of draws."""
_AT_ONCE = 80_000  # drawn pages that stay in the cache
_ROWS = 250  # so that a product holds several pages
_PRODUCTS = 120_000  # a matrix product too small for BLAS to start threads, which would cost more than it


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
    sums = np.zeros((plan.resamples, columns.shape[1]))
    generator = np.random.default_rng(plan.seed)
    for places in groups:
        own = np.ascontiguousarray(columns[places])
        for rows in portions(plan.resamples, max(1, min(_ROWS, _AT_ONCE // len(places)))):
            times = _times_drawn(generator, rows.stop - rows.start, len(places))
            for pages in portions(len(places), max(1, _PRODUCTS // (own.shape[1] * len(times)))):
                sums[rows] += times[:, pages] @ own[pages]
    return sums


def portions(total: int, size: int) -> Iterator[slice]:
    """The numbers from 0 up to a total, so many at once.

    >>> [(part.start, part.stop) for part in portions(5, 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))


def _times_drawn(generator: np.random.Generator, resamples: int, pages: int) -> NDArray[np.float64]:
    """How often each page is drawn in each resample: multinomial, by counting draws."""
    drawn = generator.integers(pages, size=(resamples, pages))
    drawn += pages * np.arange(resamples)[:, np.newaxis]
    times = np.bincount(drawn.ravel(), minlength=resamples * pages)
    return times.reshape(resamples, pages).astype(np.float64)
