"""What the numbers say: the error budget, intervals, and whether systems differ."""

from pagemeter.stats.budget import Budget, Share, budget, budgets, needed

__all__ = ["Budget", "Share", "budget", "budgets", "needed"]
