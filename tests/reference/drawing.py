"""Random draws of pages, one number at a time."""

from __future__ import annotations

import numpy as np


def resamples(seed: int, pages: int, count: int) -> list[list[int]]:
    """Return the pages drawn in each resample."""
    random = np.random.Generator(np.random.PCG64(seed))
    return [[int(random.integers(pages)) for _ in range(pages)] for _ in range(count)]
