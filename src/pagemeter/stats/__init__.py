"""What the numbers say: the error budget, intervals, and whether systems differ."""

from pagemeter.plan import Resampling
from pagemeter.stats.bootstrap import Interval, intervals
from pagemeter.stats.budget import Budget, Share, budget, budgets, needed
from pagemeter.stats.comparison import Comparison, Difference, compare
from pagemeter.stats.over_pages import intervals_of

__all__ = [
    "Budget",
    "Comparison",
    "Difference",
    "Interval",
    "Resampling",
    "Share",
    "budget",
    "budgets",
    "compare",
    "intervals",
    "intervals_of",
    "needed",
]
