"""Settings of a run: how failed and empty pages count, and how intervals and p-values are computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pagemeter.errors import UsageError, did_you_mean

Strata = Literal["none", "folder", "document"]
STRATA: tuple[Strata, ...] = get_args(Strata)

Failed = Literal["missing", "exclude"]
"""What happens to a page whose hypothesis cannot be used."""
FAILED: tuple[Failed, ...] = get_args(Failed)

Refusals = Literal["keep", "missing"]
"""How the answer of a model that refuses to read a page counts: as it is, or as missing."""
REFUSALS: tuple[Refusals, ...] = get_args(Refusals)

EmptyGt = Literal["keep", "exclude"]
"""What happens to a page whose ground truth has no text."""
EMPTY_GT: tuple[EmptyGt, ...] = get_args(EmptyGt)


@dataclass(frozen=True, slots=True)
class Resampling:
    """Settings of intervals and p-values.

    Args:
        confidence: The confidence of intervals, such as 0.95.
        resamples: The number of resamples.
        seed: The seed of the random numbers.
        strata: The groups in which pages are drawn: "none" (all pages), "folder" or "document".

    Raises:
        UsageError: A value is not valid.

    >>> Resampling(confidence=95)
    Traceback (most recent call last):
    pagemeter.errors.UsageError: confidence=95: give a share between 0.5 and 1, such as 0.95

    """

    confidence: float = 0.95
    resamples: int = 10_000
    seed: int = 1
    strata: Strata = "none"

    def __post_init__(self) -> None:
        if not 0.5 <= self.confidence < 1:  # noqa: PLR2004
            raise UsageError(
                "give a share between 0.5 and 1, such as 0.95", setting=("confidence", f"{self.confidence:g}")
            )
        if not 100 <= self.resamples <= 1_000_000:  # noqa: PLR2004
            raise UsageError("give a number from 100 to 1000000", setting=("resamples", str(self.resamples)))
        if self.seed < 0:
            raise UsageError("give a whole number, 0 or more", setting=("seed", str(self.seed)))
        if self.strata not in STRATA:
            raise UsageError(
                f"unknown value{did_you_mean(str(self.strata), STRATA)}",
                setting=("strata", str(self.strata)),
                remedy=f"use one of {', '.join(STRATA)}",
            )

    @property
    def tail(self) -> float:
        """The share of the distribution outside either end of an interval."""
        return (1 - self.confidence) / 2
