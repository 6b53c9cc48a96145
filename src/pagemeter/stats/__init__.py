"""Statistics: error budgets, confidence intervals, permutation tests, and the comparison of systems."""

from pagemeter.measure import budget_measures
from pagemeter.run_settings import Resampling
from pagemeter.stats.bootstrap import Interval, intervals, table_intervals
from pagemeter.stats.budget import Budget, Share, budget, budgets, table_budgets
from pagemeter.stats.comparison import Comparison, Difference, compare_systems
from pagemeter.stats.resampling import PValue, holm, permutation_test

__all__ = [
    "Budget",
    "Comparison",
    "Difference",
    "Interval",
    "PValue",
    "Resampling",
    "Share",
    "budget",
    "budget_measures",
    "budgets",
    "compare_systems",
    "holm",
    "intervals",
    "permutation_test",
    "table_budgets",
    "table_intervals",
]
