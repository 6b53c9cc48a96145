"""The error budget: one rate divided among its causes.

Three constraints can be imposed on a matching: order (R), position (G) and segmentation (no S). Each can only
raise the number of errors. With none of them, what is left is recognition; what they add is divided by the
Shapley value: a constraint's share is what it adds to those imposed before it, averaged over all orders in
which they can be imposed. The shares sum exactly to the errors under all constraints, and none is negative.

All shares are whole sixths of an error (3! orders), so nothing is rounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pagemeter.errors import NotEvaluatedError, UsageError
from pagemeter.measure import Measure
from pagemeter.score import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from pagemeter.measure import Unit
    from pagemeter.score import Score

Cause = Literal["recognition", "segmentation", "order", "position"]

_ORDERS = 6
_SEGMENTATION, _ORDER, _POSITION = 1, 2, 4
_BITS: dict[Cause, int] = {"segmentation": _SEGMENTATION, "order": _ORDER, "position": _POSITION}
"""A set of constraints is a number, the sum of its bits; by it the measures are numbered."""
_WEIGHTS = {4: (3, 3), 8: (2, 1, 2)}
"""In how many sixths of all orders just so many others come before, by the number of sets of constraints."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one cause costs, in sixths of an error, and the range that this is proven to lie in.

    >>> Share("order", 9, 9, 9).errors
    Fraction(3, 2)
    """

    cause: Cause
    sixths: int
    low: int
    high: int

    @property
    def errors(self) -> Fraction:
        """The errors of this cause; their exact number need not be whole."""
        return Fraction(self.sixths, _ORDERS)

    @property
    def proven(self) -> bool:
        """Whether the share is exact, for every measure it is made of is."""
        return self.low == self.high

    def __add__(self, other: Share) -> Share:
        return Share(self.cause, self.sixths + other.sixths, self.low + other.low, self.high + other.high)


@dataclass(frozen=True, slots=True)
class Budget:
    """The errors of the strictest measure by cause: of one page, or with `+` of several.

    `measure` is the measure that is divided: CER:RG, or CER:R where there are no positions.

    >>> import pagemeter as pm
    >>> gt, hyp = ["the old mill", "by the river"], ["by the riuer the", "old mill"]
    >>> found = budget(pm.evaluate(gt, hyp, needed("CER", geometry=False)).scores)
    >>> {share.cause: float(share.errors) for share in found.shares}, found.errors
    ({'recognition': 1.0, 'segmentation': 5.0, 'order': 16.0}, 22)
    """

    measure: Measure
    shares: tuple[Share, ...]
    n_gt: int

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
        """Whether all shares are exact."""
        return all(share.proven for share in self.shares)

    def __add__(self, other: Budget) -> Budget:
        """The budget of both together, for shares add up as counts do."""
        if self.measure != other.measure:
            raise UsageError(
                f"cannot add budgets of {self.measure} and {other.measure}: they divide different things"
            )
        shares = tuple(a + b for a, b in zip(self.shares, other.shares, strict=True))
        return Budget(self.measure, shares, self.n_gt + other.n_gt)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON: `sixths` are exact, an infinite rate is null."""
        return {
            "errors": self.errors,
            "n_gt": self.n_gt,
            "proven": self.proven,
            "shares": {share.cause: self._fields(share) for share in self.shares},
        }

    def _fields(self, share: Share) -> dict[str, Any]:
        rate = ratio(share.sixths, _ORDERS * self.n_gt)
        return {
            "rate": rate if math.isfinite(rate) else None,
            "errors": float(share.errors),
            "sixths": share.sixths,
            "sixths_low": share.low,
            "sixths_high": share.high,
        }


@cache
def needed(unit: Unit, *, geometry: bool) -> tuple[Measure, ...]:
    """The measures that a budget is made of: eight, or four without positions.

    >>> [str(measure) for measure in needed("WER", geometry=False)]
    ['WER:S', 'WER', 'WER:RS', 'WER:R']
    """
    # S takes a constraint away.
    return tuple(
        Measure(unit, bool(bits & _ORDER), not bits & _SEGMENTATION, bool(bits & _POSITION))
        for bits in range(8 if geometry else 4)
    )


def budget(scores: Mapping[Measure, Score], unit: Unit = "CER", *, geometry: bool | None = None) -> Budget:
    """The errors of the strictest measure, divided among recognition, segmentation, order and position.

    All eight measures of the unit have to be there, or the four without G, and then position has no share;
    `geometry` says which of both is wanted, None takes what there is.

    A number of errors that is not proven to be the minimum counts with the best solution found for it or for
    any stricter measure, which is a solution of it as well; so no share is negative, whatever is proven.
    The range of a share follows from the bounds.

    >>> import pagemeter as pm
    >>> budget(pm.evaluate("a b", "a c", ["WER"]).scores, "WER")
    Traceback (most recent call last):
    pagemeter.errors.NotEvaluatedError: the budget of WER needs WER:S, WER:RS, WER:R; add them to the measures
    """
    if geometry is None:
        geometry = _enough(scores, unit, geometry=True)
    measures = needed(unit, geometry=geometry)
    missing = [str(measure) for measure in measures if measure not in scores]
    if missing:
        raise NotEvaluatedError(f"the budget of {unit} needs {', '.join(missing)}; add them to the measures")
    values = [scores[measure] for measure in measures]
    found, proven = [score.errors for score in values], [score.lower_bound for score in values]
    if proven != found:
        numbers = range(len(values))
        best, bounds = found, proven
        found = [min(best[other] for other in numbers if other & bits == bits) for bits in numbers]
        proven = [max(bounds[other] for other in numbers if other & bits == other) for bits in numbers]
    shares = [Share("recognition", *(_ORDERS * errors[0] for errors in (found, proven, found)))]
    for cause, bit in _BITS.items():
        if bit < len(values):
            low = high = sixths = _shapley(bit, found, found)
            if proven != found:
                low, high = max(0, _shapley(bit, proven, found)), _shapley(bit, found, proven)
            shares.append(Share(cause, sixths, low, high))
    return Budget(measures[-1], tuple(shares), values[-1].n_gt)


def budget_of_pages(
    errors: Sequence[NDArray[np.int64]], bounds: Sequence[NDArray[np.int64]], n_gt: int, unit: Unit
) -> Budget:
    """The sum of the budgets of many pages, from columns of errors and of lower bounds.

    Both are in the order of `needed`: eight columns, or four without positions.

    >>> import numpy as np
    >>> columns = [np.array(column) for column in ([1, 0], [2, 0], [1, 3], [4, 3])]
    >>> found = budget_of_pages(columns, columns, 20, "CER")
    >>> [(share.cause, float(share.errors)) for share in found.shares]
    [('recognition', 1.0), ('segmentation', 2.0), ('order', 4.0)]
    """
    numbers = range(len(errors))
    found = [np.minimum.reduce([errors[o] for o in numbers if o & bits == bits]) for bits in numbers]
    proven = [np.maximum.reduce([bounds[o] for o in numbers if o & bits == o]) for bits in numbers]
    first = (int(_ORDERS * column[0].sum()) for column in (found, proven, found))
    shares = [Share("recognition", *first)]
    for cause, bit in _BITS.items():
        if bit < len(errors):
            parts = (
                _shapley(bit, found, found),
                np.maximum(0, _shapley(bit, proven, found)),
                _shapley(bit, found, proven),
            )
            shares.append(Share(cause, *(int(part.sum()) for part in parts)))
    return Budget(needed(unit, geometry=len(errors) > _POSITION)[-1], tuple(shares), n_gt)


def budgets(scores: Mapping[Measure, Score]) -> dict[Measure, Budget]:
    """All budgets that these scores suffice for, by the measure that is divided, those with position first.

    >>> import pagemeter as pm
    >>> found = pm.evaluate("a", "b", ["WER", "WER:R", "WER:S", "WER:RS", "CER"])
    >>> [str(measure) for measure in budgets(found.scores)]
    ['WER:R']
    """
    units: tuple[Unit, ...] = ("CER", "WER")
    made = (
        budget(scores, unit, geometry=geometry)
        for unit in units
        for geometry in (True, False)
        if _enough(scores, unit, geometry=geometry)
    )
    return {one.measure: one for one in made}


def _enough(scores: Mapping[Measure, Score], unit: Unit, *, geometry: bool) -> bool:
    return all(measure in scores for measure in needed(unit, geometry=geometry))


def _shapley(bit: int, after: Sequence[Any], before: Sequence[Any]) -> Any:  # noqa: ANN401  (numbers or columns)
    """What a constraint adds to those imposed before it, in sixths of an error, summed over all orders."""
    weights = _WEIGHTS[len(after)]
    return sum(
        weights[bits.bit_count()] * (after[bits | bit] - before[bits])
        for bits in range(len(after))
        if not bits & bit
    )
