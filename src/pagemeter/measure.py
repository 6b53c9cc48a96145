"""The eighteen measures and their names."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from pagemeter.errors import MeasureError

Unit = Literal["CER", "WER", "BOW"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit and three switches.

    `order` (R) penalises a wrong reading order, `segmentation` (S) forgives line splits and merges,
    `geometry` (G) requires matched lines to be close on the page.

    >>> str(Measure.parse("CER^{S,R}"))
    'CER:RS'
    """

    unit: Unit
    order: bool = False
    segmentation: bool = False
    geometry: bool = False

    @classmethod
    def parse(cls, name: str | Measure) -> Measure:
        """The measure of an id: any letter order, any case, and the paper's own spelling."""
        if isinstance(name, Measure):
            return name
        found = re.fullmatch(r"\s*(cer|wer|bow)\s*(?::|\^|_)?\s*\{?([rsg,\s]*)\}?\s*", name, re.IGNORECASE)
        letters = re.sub(r"[,\s]", "", found[2]).upper() if found else ""
        if not found or len(set(letters)) != len(letters):
            raise MeasureError(f"unknown measure {name!r}{_suggest(name)}; known are: {', '.join(IDS)}")
        unit: Unit = found[1].upper()  # type: ignore[assignment]
        if unit == "BOW" and set(letters) - {"G"}:
            raise MeasureError(
                f"measure {name!r}: a bag of words has neither order nor lines; use BOW or BOW:G"
            )
        return cls(unit, "R" in letters, "S" in letters, "G" in letters)

    @property
    def letters(self) -> str:
        """The switches that are on, in the order R, S, G."""
        return "R" * self.order + "S" * self.segmentation + "G" * self.geometry

    def __str__(self) -> str:
        return f"{self.unit}:{self.letters}" if self.letters else self.unit


_LETTERS = ("R", "RG", "RS", "RSG", "", "G", "S", "SG")
_UNITS: tuple[Unit, ...] = ("CER", "WER")
ALL = (
    *(Measure(unit, "R" in on, "S" in on, "G" in on) for unit in _UNITS for on in _LETTERS),
    Measure("BOW"),
    Measure("BOW", geometry=True),
)
IDS = tuple(map(str, ALL))

DEFAULT = tuple(map(Measure.parse, ("CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW")))
DEFAULT_GEOMETRY = tuple(map(Measure.parse, ("CER:RG", "CER:RSG", "CER:SG", "WER:RG", "WER:SG", "BOW:G")))


def _suggest(name: str) -> str:
    near = difflib.get_close_matches(name.upper(), IDS, n=1, cutoff=0.5)
    return f" (did you mean {near[0]}?)" if near else ""
