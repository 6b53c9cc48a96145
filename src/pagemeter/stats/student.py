"""Student's t distribution, as far as intervals need it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

_HALVINGS = 200


@lru_cache(maxsize=64)
def quantile(share: float, freedom: int) -> float:
    """The value below which Student's t with so many degrees of freedom lies with this probability.

    >>> round(quantile(0.975, 4), 6), round(quantile(0.025, 4), 6), quantile(0.5, 4)
    (2.776445, -2.776445, 0.0)
    """
    if share == 0.5:  # noqa: PLR2004  (the middle)
        return 0.0
    if share < 0.5:  # noqa: PLR2004
        return -quantile(1 - share, freedom)
    low, high = 0.0, math.pi / 2  # the angle whose tangent is t / √freedom
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if 0.5 + _within(middle, freedom) / 2 < share else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _within(angle: float, freedom: int) -> float:
    """P(|t| ≤ √freedom · tan(angle)): the finite series for whole degrees of freedom."""
    sine, cosine = math.sin(angle), math.cos(angle)
    factors = np.arange(2 + freedom % 2, freedom - 1, 2, dtype=np.float64)
    series = 1.0 + float(np.cumprod(cosine**2 * (factors - 1) / factors).sum())
    if freedom % 2 == 0:
        return sine * series
    if freedom == 1:
        return 2 / math.pi * angle
    return 2 / math.pi * (angle + sine * cosine * series)
