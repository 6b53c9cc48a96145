"""Where shared data lies, and how tests that need it skip without it."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"no shared data at {SHARED.name} beside the clone"
)
