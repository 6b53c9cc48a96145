"""Limits that a run must not pass, for use in continuous integration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.corpus.measures import MARK
from pagemeter.errors import UsageError
from pagemeter.measure import Measure
from pagemeter.report.figures import percent, rate

if TYPE_CHECKING:
    from pagemeter.corpus import Totals


@dataclass(frozen=True, slots=True)
class Limit:
    """The highest rate that a measure may have.

    >>> Limit.parse("CER:RS=5%") == Limit.parse("cer:sr=0.05")
    True
    """

    measure: Measure
    rate: float

    @classmethod
    def parse(cls, text: str) -> Limit:
        """The limit that MEASURE=RATE names; a rate is a number or per cent."""
        name, equals, number = text.rpartition("=")
        measure, number = Measure.parse(name if equals else text), number.strip()
        try:
            value = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
        except ValueError:
            value = -1.0
        if not equals or not value >= 0:
            raise UsageError(
                f"--fail-above {text}: give a measure and a rate, such as {measure}=0.05 or {measure}=5%"
            )
        if value > 1 and not number.endswith("%"):
            raise UsageError(
                f"--fail-above {text}: {number} is {100 * value:g} %; write {measure}={number}% or, if that "
                f"is meant, {measure}={100 * value:g}%"
            )
        return cls(measure, value)

    @property
    def name(self) -> str:
        """The measure as it is asked for besides others, from whose totals it takes no page."""
        return f"{self.measure}{MARK if self.measure.geometry else ''}"

    def passed(self, totals: Totals) -> str | None:
        """What to say if the limit is passed, or may be as far as is proven, or as there are positions."""
        score = totals.scores.get(self.measure)
        if score is None and totals.pages:
            return f"{self.measure} has no total to hold against its limit: pages lack positions"
        if score is None or score.rate <= self.rate:
            return None
        limit = f"the limit of {percent(self.rate)}"
        if score.lower_bound <= self.rate * score.n_gt and not score.optimal:
            proven = f"only {rate(score)} is proven; give a longer --time-limit"
            return f"{self.measure} may be above {limit}: {proven}"
        return f"{self.measure} is {rate(score)}, above {limit}"
