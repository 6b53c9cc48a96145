"""Confidence intervals of rates, which are ratios of sums over pages.

From twenty pages on: the bootstrap over pages, bias-corrected and accelerated (BCa, Efron 1987), at levels
widened by Student's t as Hesterberg (2015) advises, for a bootstrap of few pages is too narrow. With fewer
pages resamples are too coarse, and the interval is that of the jackknife with Student's t on a logarithmic
scale, for rates are skewed and never negative. Differences between systems are neither: theirs is always that
of the jackknife with Student's t, which covers best. `docs/statistics.md` has measured coverages.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pagemeter.plan import Resampling
from pagemeter.stats.jackknife import Jackknife
from pagemeter.stats.resampling import MANY, resampled, strata
from pagemeter.stats.student import quantile

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from pagemeter.stats.jackknife import Array

Method = Literal["bootstrap", "jackknife", "none"]

FEW = 20
"""With fewer pages that have text, the jackknife takes the place of the bootstrap."""
FEWEST = 3
"""With fewer pages that have text there is no interval."""
ENOUGH = 5
"""With fewer pages that have text there are bounds, but they say too little to be shown."""
WIDEST = 5
"""An upper end of more than so many times the rate says too little as well."""
TOO_FEW = "too few pages"

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a rate of pages like these lies with this confidence.

    `reason` says why there are no bounds, or why those there are say too little to be shown.

    >>> Interval(None, 0.95, "none", "one page").as_dict()
    {'low': None, 'high': None, 'confidence': 0.95, 'method': 'none', 'reason': 'one page'}
    """

    bounds: tuple[float, float] | None
    confidence: float
    method: Method
    reason: str = ""

    @property
    def telling(self) -> tuple[float, float] | None:
        """The bounds, if they say enough to be shown.

        >>> Interval((0.01, 15.6), 0.95, "jackknife", TOO_FEW).telling is None
        True
        """
        return None if self.reason else self.bounds

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        low, high = self.bounds or (None, None)
        said = {"confidence": self.confidence, "method": self.method, "reason": self.reason}
        return {"low": low, "high": high, **said}


def intervals(
    errors: ArrayLike,
    n_gt: ArrayLike,
    plan: Resampling | None = None,
    *,
    documents: Sequence[Hashable] | None = None,
    signed: bool = False,
) -> tuple[Interval, ...]:
    """The intervals of Σ errors / Σ n_gt: a row a page, a column a rate.

    With `documents`, one a page, pages are drawn, or left out, within their documents. `signed` errors are
    differences between two systems, which may be negative.

    >>> errors, n_gt = [[3], [5], [40], [2], [0]], [[100], [120], [90], [110], [100]]
    >>> found = intervals(errors, n_gt)[0]
    >>> found.method, [round(bound, 3) for bound in found.bounds]
    ('jackknife', [0.011, 0.808])
    """
    plan = plan or Resampling()
    parts = np.asarray(errors, np.float64), np.asarray(n_gt, np.float64)
    groups = strata(documents if documents is not None else [""] * len(parts[0]))
    said = [_senseless(*columns) for columns in zip(parts[0].T, parts[1].T, strict=True)]
    sound = [column for column, reason in enumerate(said) if not reason]
    found = iter(_sound(parts[0][:, sound], parts[1][:, sound], groups, plan, signed=signed))
    return tuple(
        Interval(None, plan.confidence, "none", reason) if reason else next(found) for reason in said
    )


def _senseless(errors: Array, n_gt: Array) -> str:
    """Why there can be no interval, if there can be none."""
    pages = int(np.count_nonzero(n_gt))
    if pages == 0:
        return "no ground truth text"
    if pages < FEWEST:
        return f"{'one page' if pages == 1 else f'{pages} pages'} with text, an interval needs {FEWEST}"
    if not np.any(errors * n_gt.sum() - n_gt * errors.sum()):
        return "all pages have the same rate"
    return ""


def _sound(
    errors: Array, n_gt: Array, groups: Sequence[Any], plan: Resampling, *, signed: bool
) -> list[Interval]:
    """The intervals of rates that have one."""
    if not errors.shape[1]:
        return []
    rates = errors.sum(0) / n_gt.sum(0)
    jackknife = Jackknife.of(errors, n_gt, groups)
    leaving_out = (np.count_nonzero(n_gt, axis=0) < FEW) | (signed or len(n_gt) * plan.resamples > MANY)
    freedom = max(1, len(errors) - len(groups))
    drawn = drawn_rates(errors, n_gt, groups, plan) if not leaving_out.all() else None
    made = []
    for column, rate in enumerate(rates):
        if leaving_out[column] or drawn is None:
            reach = quantile(1 - plan.tail, freedom) * float(jackknife.error[column])
            bounds = _around(float(rate), reach, signed=signed)
        else:
            widening = math.sqrt(len(errors) / freedom) * quantile(1 - plan.tail, freedom)
            bounds = _accelerated(
                drawn[:, column], float(rate), float(jackknife.acceleration[column]), widening
            )
        reason = _vague(int(np.count_nonzero(n_gt[:, column])), None if signed else bounds[1] / float(rate))
        method: Method = "jackknife" if leaving_out[column] else "bootstrap"
        made.append(Interval(bounds, plan.confidence, method, reason))
    return made


def _vague(pages: int, times: float | None) -> str:
    """Why bounds say too little, if they do; the upper end is so many times the rate."""
    if pages < ENOUGH:
        return f"{TOO_FEW}, {pages} with text"
    if times is not None and times > WIDEST:
        return f"{TOO_FEW}, its upper end would be more than {WIDEST} times the rate"
    return ""


def drawn_rates(errors: Array, n_gt: Array, groups: Sequence[Any], plan: Resampling) -> Array:
    """The rates of the resamples; one without any text, which is very rare, counts as the rate itself."""
    sums = resampled(np.hstack([errors, n_gt]), groups, plan)
    above, below = np.hsplit(sums, 2)
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), errors.sum(0) / n_gt.sum(0))


def _around(rate: float, reach: float, *, signed: bool) -> tuple[float, float]:
    if signed:
        return rate - reach, rate + reach
    factor = math.exp(min(reach / rate, 700.0))
    return rate / factor, rate * factor


def _accelerated(drawn: Array, rate: float, acceleration: float, widening: float) -> tuple[float, float]:
    """The BCa quantiles of the rates drawn."""
    below = (np.count_nonzero(drawn < rate) + np.count_nonzero(drawn == rate) / 2) / len(drawn)
    bias = _NORMAL.inv_cdf(min(max(below, 1 / (len(drawn) + 1)), 1 - 1 / (len(drawn) + 1)))
    levels = [_level(bias, acceleration, side * widening) for side in (-1, 1)]
    low, high = np.quantile(drawn, levels)
    return float(low), float(high)


def _level(bias: float, acceleration: float, z: float) -> float:
    shift = bias + z
    if acceleration * shift >= 1:  # so skewed that no quantile is far enough out
        return 1.0
    return _NORMAL.cdf(bias + shift / (1 - acceleration * shift))
