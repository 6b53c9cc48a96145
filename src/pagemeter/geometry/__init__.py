"""Which hypothesis lines lie close to which ground truth line: the neighbourhood N of the G measures."""

from __future__ import annotations

from pagemeter.geometry.baseline import baseline_of, lower_edge
from pagemeter.geometry.neighbours import neighbours
from pagemeter.geometry.pixels import is_placed

__all__ = ["baseline_of", "is_placed", "lower_edge", "neighbours"]
