"""Limits that a run must not pass, for use in continuous integration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        measure = Measure.parse(name if equals else text)
        try:
            value = float(number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
        except ValueError:
            value = -1.0
        if not equals or not value >= 0:
            raise UsageError(
                f"--fail-above {text}: give a measure and a rate, such as {measure}=0.05 or {measure}=5%"
            )
        return cls(measure, value)

    def passed(self, totals: Totals) -> str | None:
        """What to say if the limit is passed."""
        score = totals.scores.get(self.measure)
        if score is None or score.rate <= self.rate:
            return None
        return f"{self.measure} is {rate(score)}, above the limit of {percent(self.rate)}"
