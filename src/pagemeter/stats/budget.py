"""The error budget: the errors of one measure, divided among their causes.

Three constraints can be imposed on a matching: order (R), position (G) and line segmentation (no S). Each can
only raise the number of errors. The errors without any constraint are those of recognition. What constraints
add is divided by the Shapley value: the share of a constraint is the number of errors that it adds to the
constraints imposed before it, averaged over all orders in which they can be imposed. The shares sum exactly
to the errors under all constraints, and none is negative.

All shares are whole sixths of an error (there are 3! orders), so nothing is rounded.

The alignment of the measure without constraints divides the errors of recognition further by kind.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pagemeter.errors import NotEvaluatedError, UsageError
from pagemeter.measure import BUDGET_UNITS, DEFAULT_BUDGET_UNIT, Measure, budget_measures
from pagemeter.score import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pagemeter.alignment import ErrorKinds
    from pagemeter.corpus.score_table import ScoreTable
    from pagemeter.measure import UnitName
    from pagemeter.score import Score

Cause = Literal["recognition", "segmentation", "order", "position"]

_ORDERS = 6
# A set of constraints is the sum of their bits, the index of its measure in `budget_measures`.
_BITS: dict[Cause, int] = {"segmentation": 1, "order": 2, "position": 4}
# In how many of the six orders a set of 0, 1 or 2 other constraints comes before, by the number of sets.
_WEIGHTS = {4: (3, 3), 8: (2, 1, 2)}
# By the number of sets, for each constraint: the weight of a set of others, that set with it, and without it.
_STEPS = {
    count: {
        cause: [(weights[s.bit_count()], s | bit, s) for s in range(count) if not s & bit]
        for cause, bit in _BITS.items()
        if bit < count
    }
    for count, weights in _WEIGHTS.items()
}
# By the number of sets: for each set, those that contain it, and those that it contains.
_ABOVE = {n: [[t for t in range(n) if t & s == s] for s in range(n)] for n in _WEIGHTS}
_BELOW = {n: [[t for t in range(n) if t & s == t] for s in range(n)] for n in _WEIGHTS}


@dataclass(frozen=True, slots=True)
class Share:
    """The errors of one cause, in sixths of an error, and the range in which they are proven to be.

    >>> Share("order", 9, 9, 9).errors
    Fraction(3, 2)
    """

    cause: Cause
    sixths: int
    low: int
    high: int

    @property
    def errors(self) -> Fraction:
        """The errors of this cause, which need not be a whole number."""
        return Fraction(self.sixths, _ORDERS)

    @property
    def proven(self) -> bool:
        """True if the share is exact, because every measure that it depends on is proven."""
        return self.low == self.high

    def __add__(self, other: Share) -> Share:
        return Share(self.cause, self.sixths + other.sixths, self.low + other.low, self.high + other.high)


@dataclass(frozen=True, slots=True)
class Budget:
    """The errors of the strictest measure by cause, for one page or, with `+`, for several.

    Args:
        measure: The measure that is divided: CER:RG, or CER:R without positions.
        shares: The share of each cause.
        n_gt: The number of ground-truth tokens.
        kinds: The errors of recognition by kind, if they are known. Their sum is the share of recognition,
            unless a stricter measure has a better solution than the measure that is aligned.

    >>> import pagemeter as pm
    >>> gt, hyp = ["the old mill", "by the river"], ["by the riuer the", "old mill"]
    >>> one = budget(pm.evaluate(gt, hyp, budget_measures("CER", geometry=False)).scores)
    >>> {share.cause: float(share.errors) for share in one.shares}, one.errors
    ({'recognition': 1.0, 'segmentation': 5.0, 'order': 16.0}, 22)

    """

    measure: Measure
    shares: tuple[Share, ...]
    n_gt: int
    kinds: ErrorKinds | None = None

    def __getitem__(self, cause: str) -> Share:
        by_cause: dict[str, Share] = {share.cause: share for share in self.shares}
        if cause not in by_cause:
            raise NotEvaluatedError(
                f"a budget of {self.measure} has no share of {cause!r}; it has {', '.join(by_cause)}"
            )
        return by_cause[cause]

    @property
    def errors(self) -> int:
        """The errors that are divided."""
        return sum(share.sixths for share in self.shares) // _ORDERS

    @property
    def rate(self) -> float:
        """The rate that is divided."""
        return ratio(self.errors, self.n_gt)

    @property
    def proven(self) -> bool:
        """True if all shares are exact."""
        return all(share.proven for share in self.shares)

    def __add__(self, other: Budget) -> Budget:
        """Return the budget of both together."""
        if self.measure != other.measure:
            raise UsageError(
                f"cannot add budgets of {self.measure} and {other.measure}: they divide different measures"
            )
        shares = tuple(a + b for a, b in zip(self.shares, other.shares, strict=True))
        kinds = self.kinds + other.kinds if self.kinds is not None and other.kinds is not None else None
        return Budget(self.measure, shares, self.n_gt + other.n_gt, kinds)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON: `sixths` are exact; an infinite rate and unknown kinds are null."""
        return {
            "errors": self.errors,
            "n_gt": self.n_gt,
            "proven": self.proven,
            "shares": {share.cause: self._share_fields(share) for share in self.shares},
            "kinds": None if self.kinds is None else dict(self.kinds),
        }

    def _share_fields(self, share: Share) -> dict[str, Any]:
        rate = ratio(share.sixths, _ORDERS * self.n_gt)
        return {
            "rate": rate if math.isfinite(rate) else None,
            "errors": share.sixths / _ORDERS,
            "sixths": share.sixths,
            "sixths_low": share.low,
            "sixths_high": share.high,
        }


def budget(
    scores: Mapping[Measure, Score],
    unit: UnitName = DEFAULT_BUDGET_UNIT,
    *,
    geometry: bool | None = None,
    kinds: Mapping[Measure, ErrorKinds] | None = None,
) -> Budget:
    """Divide the errors of the strictest measure among recognition, segmentation, order and position.

    A number of errors that is not proven to be the minimum is replaced by the best solution of any stricter
    measure, if that is better, because it is a solution of this measure as well. So no share is negative. The
    range of a share follows from the proven bounds.

    Args:
        scores: The scores of one page, or sums over pages.
        unit: The unit of the measures.
        geometry: True if position has a share, which needs eight measures instead of four. None: if the
            scores suffice for it.
        kinds: The errors by kind, as far as they are known. The budget has those of the measure with S alone.

    Raises:
        NotEvaluatedError: A measure is missing.

    >>> import pagemeter as pm
    >>> budget(pm.evaluate("a b", "a c", ["WER"]).scores, "WER")
    Traceback (most recent call last):
    pagemeter.errors.NotEvaluatedError: the budget of WER needs WER:S, WER:RS, WER:R. Add them to the ...

    """
    if geometry is None:
        geometry = all(measure in scores for measure in budget_measures(unit, geometry=True))
    measures = budget_measures(unit, geometry=geometry)
    missing = [str(measure) for measure in measures if measure not in scores]
    if missing:
        raise NotEvaluatedError(
            f"the budget of {unit} needs {', '.join(missing)}", remedy="add them to the measures"
        )
    values = [scores[measure] for measure in measures]
    errors, bounds = [score.errors for score in values], [score.lower_bound for score in values]
    shares = _shares(errors, bounds, min, max, int)
    return Budget(measures[-1], shares, values[-1].n_gt, (kinds or {}).get(measures[0]))


def budgets(
    scores: Mapping[Measure, Score], kinds: Mapping[Measure, ErrorKinds] | None = None
) -> dict[Measure, Budget]:
    """Return all budgets for which these scores suffice, by the measure that is divided.

    >>> import pagemeter as pm
    >>> scores = pm.evaluate("a", "b", ["WER", "WER:R", "WER:S", "WER:RS", "CER"]).scores
    >>> [str(measure) for measure in budgets(scores)]
    ['WER:R']
    """
    return {
        measures[-1]: budget(scores, measures[-1].unit, geometry=measures[-1].geometry, kinds=kinds)
        for measures in _BUDGETS
        if all(measure in scores for measure in measures)
    }


def table_budgets(table: ScoreTable) -> dict[Measure, Budget]:
    """Return the sums of the budgets that every page of a table has, by the measure that is divided.

    >>> from pagemeter.corpus import ScoreTable
    >>> table_budgets(ScoreTable())
    {}
    """
    by_measure = {}
    for measures in _BUDGETS:
        if table.has_measures(measures):
            errors, bounds = table.errors(measures), table.counts(measures, ["lower_bound"])
            shares = _shares([*errors.T], [*bounds.T], np.minimum, np.maximum, np.sum)
            n_gt = int(table.n_gt(measures[-1:]).sum())
            by_measure[measures[-1]] = Budget(measures[-1], shares, n_gt, table.kinds(measures[0]))
    return by_measure


_BUDGETS = [budget_measures(unit, geometry=geometry) for unit in BUDGET_UNITS for geometry in (True, False)]


def _shares(
    errors: Sequence[Any],
    bounds: Sequence[Any],
    minimum: Callable[[Any, Any], Any],
    maximum: Callable[[Any, Any], Any],
    total: Callable[[Any], Any],
) -> tuple[Share, ...]:
    """Return the shares from the errors and lower bounds of each set of constraints.

    `errors` and `bounds` have a number, or an array with one number per page, for each set. `minimum`,
    `maximum` and `total` are the built-in functions for numbers, or those of numpy for arrays.
    """
    count = len(errors)
    best = [reduce(minimum, [errors[other] for other in others]) for others in _ABOVE[count]]
    proven = [reduce(maximum, [bounds[other] for other in others]) for others in _BELOW[count]]
    shares = [Share("recognition", *(_ORDERS * int(total(one[0])) for one in (best, proven, best)))]
    for cause, steps in _STEPS[count].items():
        parts = (
            _shapley(steps, best, best),
            maximum(_shapley(steps, proven, best), 0),
            _shapley(steps, best, proven),
        )
        shares.append(Share(cause, *(int(total(part)) for part in parts)))
    return tuple(shares)


def _shapley(steps: Sequence[tuple[int, int, int]], after: Sequence[Any], before: Sequence[Any]) -> Any:  # noqa: ANN401
    """Return the errors that a constraint adds to those imposed before it, summed over all orders."""
    return sum([weight * (after[imposed] - before[others]) for weight, imposed, others in steps])
