"""Rates with one page left out: how much each page weighs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Jackknife:
    """The standard error of each rate, and the acceleration of its bootstrap (Efron 1987).

    Within each document a page is left out at a time and the others weigh as much more.
    """

    error: Array
    acceleration: Array

    @classmethod
    def of(cls, errors: Array, n_gt: Array, groups: Sequence[NDArray[np.intp]]) -> Jackknife:
        """What leaving out pages shows; a column a rate.

        >>> found = Jackknife.of(np.array([[1.0], [3.0]]), np.array([[10.0], [10.0]]), [np.arange(2)])
        >>> round(float(found.error[0]), 9)
        0.1
        """
        variance = squares = cubes = np.zeros(errors.shape[1])
        for places in groups:
            count = len(places)
            kept = [count / (count - 1) * (part[places].sum(0) - part[places]) for part in (errors, n_gt)]
            rest = [part.sum(0) - part[places].sum(0) for part in (errors, n_gt)]
            without = (rest[0] + kept[0]) / (rest[1] + kept[1])
            pull = (count - 1) / count * (without.mean(0) - without)
            variance = variance + (pull**2).sum(0) * count / (count - 1)
            squares = squares + (pull**2).sum(0)
            cubes = cubes + (pull**3).sum(0)
        spread = np.where(squares > 0, squares, 1.0) ** 1.5
        return cls(np.sqrt(variance), cubes / (6 * spread))
