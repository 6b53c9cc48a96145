"""The location of shared data, the skip mark for tests that need it, and scores by one measure."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pagemeter as pm

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"no shared data at {SHARED.name} beside the clone"
)


def score(gt, hyp, name: str, **settings) -> pm.Score:
    """Return the score by one measure."""
    return pm.evaluate(gt, hyp, [name], **settings)[name]


def errors(gt, hyp, name: str, **settings) -> int:
    """Return the errors by one measure, after checking that an exact solver has proven them."""
    result = score(gt, hyp, name, **settings)
    assert result.optimal or settings.get("solver") == "paper"
    return result.errors


def growth(make: Callable[[int], Any], work: Callable[[Any], object], most: int = 4_000_000) -> float:
    """Return how many times as long the work takes, in processor time, for twice the size.

    The size is doubled until the work takes 0.1 s, so even quadratic work ends soon.
    """
    size = 500
    while size < most and _seconds(work, make(size)) < 0.1:
        size *= 2
    once, twice = (min(_seconds(work, given) for _ in range(3)) for given in (make(size), make(2 * size)))
    return twice / once


def _seconds(work: Callable[[Any], object], given: object) -> float:
    began = time.process_time()
    work(given)
    return time.process_time() - began
