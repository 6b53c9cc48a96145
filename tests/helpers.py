"""The location of shared data, the skip mark for tests that need it, and scores by one measure."""

from __future__ import annotations

from pathlib import Path

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
