"""How intervals and p-values are made: how often pages are drawn again, from which seed, within what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pagemeter.errors import UsageError

Strata = Literal["none", "folder", "document"]
STRATA: tuple[Strata, ...] = get_args(Strata)


@dataclass(frozen=True, slots=True)
class Resampling:
    """What intervals and p-values depend on besides the counts.

    `strata` says within what pages are drawn: all pages, those of a folder, or those of a document.

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
            raise UsageError(f"confidence={self.confidence}: give a share between 0.5 and 1, such as 0.95")
        if not 100 <= self.resamples <= 1_000_000:  # noqa: PLR2004
            raise UsageError(f"resamples={self.resamples}: give a number from 100 to 1000000")
        if self.seed < 0:
            raise UsageError(f"seed={self.seed}: give a whole number, 0 or more")
        if self.strata not in STRATA:
            raise UsageError(f"strata={self.strata!r}: known are {', '.join(STRATA)}")

    @property
    def tail(self) -> float:
        """The share that may lie beyond either end of an interval."""
        return (1 - self.confidence) / 2
