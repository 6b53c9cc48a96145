"""What the numbers say: the error budget, intervals, and whether systems differ."""

from pagemeter.stats.bootstrap import Interval, intervals
from pagemeter.stats.budget import Budget, Share, budget, budgets, needed
from pagemeter.stats.over_pages import intervals_of
from pagemeter.stats.resampling import Resampling

__all__ = [
    "Budget",
    "Interval",
    "Resampling",
    "Share",
    "budget",
    "budgets",
    "intervals",
    "intervals_of",
    "needed",
]
