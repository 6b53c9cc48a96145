"""Confidence intervals of rates, which are ratios of sums over pages.

With twenty pages or more, the interval is that of the bootstrap over pages, bias-corrected and accelerated
(BCa, Efron 1987). Its levels are widened by Student's t as Hesterberg (2015) advises, because the bootstrap
of few pages is too narrow. With fewer pages resamples are too coarse: the interval is that of the jackknife
with Student's t, on a logarithmic scale because rates are skewed and never negative. Differences between
systems are neither skewed nor positive; their interval is always that of the jackknife with Student's t,
which has the best coverage. `docs/statistics.md` has measured coverages.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pagemeter.run_settings import Resampling
from pagemeter.stats.resampling import MAX_DRAWS, resampled_sums, strata

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from pagemeter.corpus.score_table import ScoreTable
    from pagemeter.measure import Measure

Method = Literal["bootstrap", "jackknife", "none"]
_Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

MIN_BOOTSTRAP_PAGES = 20
"""With fewer pages with text, the jackknife replaces the bootstrap."""
MIN_PAGES = 3
"""With fewer pages with text, there is no interval."""
MIN_SHOWN_PAGES = 5
"""With fewer pages with text, there are bounds, but they are too vague to be shown."""
MAX_SHOWN_RATIO = 5
"""An upper bound of more than this many times the rate is too vague as well."""
TOO_FEW = "too few pages"

_NORMAL = NormalDist()
_BISECTIONS = 200


@dataclass(frozen=True, slots=True)
class Interval:
    """The confidence interval of a rate.

    Args:
        bounds: The lower and the upper bound, or None.
        confidence: The probability with which such intervals contain the true rate.
        method: How the bounds were computed.
        reason: Why there are no bounds, or why they are too imprecise to be shown.

    >>> Interval(None, 0.95, "none", "one page").as_dict()
    {'low': None, 'high': None, 'confidence': 0.95, 'method': 'none', 'reason': 'one page'}

    """

    bounds: tuple[float, float] | None
    confidence: float
    method: Method
    reason: str = ""

    @property
    def shown_bounds(self) -> tuple[float, float] | None:
        """The bounds if they are precise enough to be shown, otherwise None.

        >>> Interval((0.01, 15.6), 0.95, "jackknife", TOO_FEW).shown_bounds is None
        True
        """
        return None if self.reason else self.bounds

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        low, high = self.bounds or (None, None)
        how = {"confidence": self.confidence, "method": self.method, "reason": self.reason}
        return {"low": low, "high": high, **how}


def table_intervals(table: ScoreTable, resampling: Resampling) -> dict[Measure, Interval]:
    """Return the interval of every measure that all pages of a table have.

    >>> from pagemeter.corpus import ScoreTable
    >>> table_intervals(ScoreTable(), Resampling())
    {}
    """
    measures, documents = table.common_measures, table.labels(resampling.strata)
    # Draws are shared by all measures. Formulas share nothing, and take less memory one measure at a time.
    at_once = 1 if len(table) * resampling.resamples > MAX_DRAWS else len(measures)
    computed: list[Interval] = []
    for start in range(0, len(measures), at_once or 1):
        some = measures[start : start + at_once]
        computed += _some_intervals(table, some, resampling, documents)
    return dict(zip(measures, computed, strict=True))


def _some_intervals(
    table: ScoreTable,
    measures: Sequence[Measure],
    resampling: Resampling,
    documents: Sequence[Hashable] | None,
) -> Sequence[Interval]:
    """Return the intervals of some measures, for the average that the settings of the table name."""
    average = table.settings.average if table.settings else "micro"
    if average == "micro":
        return intervals(table.errors(measures), table.bases(measures), resampling, documents=documents)
    rates = table.rates(measures)
    if average == "macro" and np.isfinite(rates).all():
        return intervals(rates, np.ones_like(rates), resampling, documents=documents)
    reason = "a median has none" if average == "median" else "the rate of a page is infinite"
    return [Interval(None, resampling.confidence, "none", reason)] * len(measures)


def intervals(
    errors: ArrayLike,
    n_gt: ArrayLike,
    resampling: Resampling | None = None,
    *,
    documents: Sequence[Hashable] | None = None,
    signed: bool = False,
) -> tuple[Interval, ...]:
    """Return the confidence intervals of Σ errors / Σ n_gt, one per column.

    Args:
        errors: The errors, one row per page.
        n_gt: The ground-truth tokens, of the same shape.
        resampling: The confidence, the number of resamples and the seed.
        documents: The stratum of each page, within which pages are resampled; None for one stratum.
        signed: True for differences between two systems, which may be negative.

    >>> errors, n_gt = [[3], [5], [40], [2], [0]], [[100], [120], [90], [110], [100]]
    >>> (interval,) = intervals(errors, n_gt)
    >>> interval.method, [round(bound, 3) for bound in interval.bounds]
    ('jackknife', [0.011, 0.808])

    """
    resampling = resampling or Resampling()
    parts = np.asarray(errors, np.float64), np.asarray(n_gt, np.float64)
    groups = strata(documents if documents is not None else [""] * len(parts[0]))
    reasons = [_no_interval(*both) for both in zip(parts[0].T, parts[1].T, strict=True)]
    possible = [column for column, reason in enumerate(reasons) if not reason]
    computed = iter(
        _intervals(parts[0][:, possible], parts[1][:, possible], groups, resampling, signed=signed)
    )
    return tuple(
        Interval(None, resampling.confidence, "none", reason) if reason else next(computed)
        for reason in reasons
    )


def _no_interval(errors: _Array, n_gt: _Array) -> str:
    """Return why there is no interval, or ""."""
    pages = int(np.count_nonzero(n_gt))
    if pages == 0:
        return "no ground truth text"
    if pages < MIN_PAGES:
        return _too_few(pages)
    if not np.any(errors * n_gt.sum() - n_gt * errors.sum()):
        return "all pages have the same rate"
    return ""


def _intervals(
    errors: _Array, n_gt: _Array, groups: Sequence[Any], resampling: Resampling, *, signed: bool
) -> list[Interval]:
    if not errors.shape[1]:
        return []
    rates = errors.sum(0) / n_gt.sum(0)
    jackknife = Jackknife.of(errors, n_gt, groups)
    pages = np.count_nonzero(n_gt, axis=0)
    by_jackknife = (pages < MIN_BOOTSTRAP_PAGES) | (signed or len(n_gt) * resampling.resamples > MAX_DRAWS)
    freedom = max(1, len(errors) - len(groups))
    t = student_quantile(1 - resampling.tail, freedom)
    resampled = None if by_jackknife.all() else resampled_rates(errors, n_gt, groups, resampling)
    computed = []
    for column, rate in enumerate(rates.tolist()):
        if by_jackknife[column] or resampled is None:
            bounds = _student_bounds(rate, t * float(jackknife.error[column]), signed=signed)
        else:
            widening = math.sqrt(len(errors) / freedom) * t
            bounds = _bca_bounds(resampled[:, column], rate, float(jackknife.acceleration[column]), widening)
        reason = _too_vague(int(pages[column]), rate, bounds, signed=signed)
        method: Method = "jackknife" if by_jackknife[column] else "bootstrap"
        computed.append(Interval(bounds, resampling.confidence, method, reason))
    return computed


def _too_vague(pages: int, rate: float, bounds: tuple[float, float], *, signed: bool) -> str:
    """Return why bounds are too imprecise to be shown, or ""."""
    if pages < MIN_SHOWN_PAGES:
        return _too_few(pages)
    if bounds[1] - bounds[0] > (2 if signed else 1):  # differences are between -100 and 100 %
        return f"{TOO_FEW} (it would be wider than the range of the measure)"
    if not signed and bounds[1] > MAX_SHOWN_RATIO * rate:
        return f"{TOO_FEW} (its upper end would be more than {MAX_SHOWN_RATIO} times the rate)"
    return ""


def _too_few(pages: int) -> str:
    return f"{TOO_FEW} ({pages} with text, {MIN_SHOWN_PAGES} are needed)"


def resampled_rates(errors: _Array, n_gt: _Array, groups: Sequence[Any], resampling: Resampling) -> _Array:
    """Return the rates of resamples, one row per resample.

    A resample without any text, which is very rare, has the rate of all pages.
    """
    sums = resampled_sums(np.hstack([errors, n_gt]), groups, resampling)
    above, below = np.hsplit(sums, 2)
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), errors.sum(0) / n_gt.sum(0))


def _student_bounds(rate: float, reach: float, *, signed: bool) -> tuple[float, float]:
    if signed:
        return rate - reach, rate + reach
    factor = math.exp(min(reach / rate, 700.0))
    return rate / factor, rate * factor


def _bca_bounds(resampled: _Array, rate: float, acceleration: float, widening: float) -> tuple[float, float]:
    """Return the BCa quantiles of resampled rates."""
    count = len(resampled)
    below = (np.count_nonzero(resampled < rate) + np.count_nonzero(resampled == rate) / 2) / count
    bias = _NORMAL.inv_cdf(min(max(below, 1 / (count + 1)), 1 - 1 / (count + 1)))
    levels = [_bca_level(bias, acceleration, side * widening) for side in (-1, 1)]
    low, high = np.quantile(resampled, levels)
    return float(low), float(high)


def _bca_level(bias: float, acceleration: float, z: float) -> float:
    shift = bias + z
    if acceleration * shift >= 1:  # too skewed: no quantile is far enough out
        return 1.0
    return _NORMAL.cdf(bias + shift / (1 - acceleration * shift))


@dataclass(frozen=True, slots=True)
class Jackknife:
    """The standard error of each rate, and the acceleration of its bootstrap (Efron 1987)."""

    error: _Array
    acceleration: _Array

    @classmethod
    def of(cls, errors: _Array, n_gt: _Array, groups: Sequence[NDArray[np.intp]]) -> Jackknife:
        """Leave out one page at a time, and give the others of its stratum more weight.

        >>> one = Jackknife.of(np.array([[1.0], [3.0]]), np.array([[10.0], [10.0]]), [np.arange(2)])
        >>> round(float(one.error[0]), 9)
        0.1
        """
        variance = squares = cubes = np.zeros(errors.shape[1])
        for group in groups:
            count = len(group)
            stratum = [count / (count - 1) * (part[group].sum(0) - part[group]) for part in (errors, n_gt)]
            others = [part.sum(0) - part[group].sum(0) for part in (errors, n_gt)]
            rates = (others[0] + stratum[0]) / (others[1] + stratum[1])
            influence = (count - 1) / count * (rates.mean(0) - rates)
            variance = variance + (influence**2).sum(0) * count / (count - 1)
            squares = squares + (influence**2).sum(0)
            cubes = cubes + (influence**3).sum(0)
        spread = np.where(squares > 0, squares, 1.0) ** 1.5
        return cls(np.sqrt(variance), cubes / (6 * spread))


@lru_cache(maxsize=64)
def student_quantile(share: float, freedom: int) -> float:
    """Return the quantile of Student's t with this many degrees of freedom.

    >>> round(student_quantile(0.975, 4), 6), round(student_quantile(0.025, 4), 6), student_quantile(0.5, 4)
    (2.776445, -2.776445, 0.0)
    """
    if share == 0.5:  # noqa: PLR2004  (the median)
        return 0.0
    if share < 0.5:  # noqa: PLR2004
        return -student_quantile(1 - share, freedom)
    low, high = 0.0, math.pi / 2  # the angle whose tangent is t / √freedom
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if 0.5 + _probability(middle, freedom) / 2 < share else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _probability(angle: float, freedom: int) -> float:
    """Return P(|t| ≤ √freedom · tan(angle)) by the finite series for whole degrees of freedom."""
    sine, cosine = math.sin(angle), math.cos(angle)
    factors = np.arange(2 + freedom % 2, freedom - 1, 2, dtype=np.float64)
    series = 1.0 + float(np.cumprod(cosine**2 * (factors - 1) / factors).sum())
    if freedom % 2 == 0:
        return sine * series
    if freedom == 1:
        return 2 / math.pi * angle
    return 2 / math.pi * (angle + sine * cosine * series)
