"""The eighteen measures and their names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from pagemeter.errors import MeasureError

Unit = Literal["CER", "WER", "BOW"]
UNITS: tuple[Unit, ...] = get_args(Unit)


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

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise MeasureError(
                f"Measure: unit={self.unit!r}; known are: {', '.join(UNITS)}; for an id such as 'CER:R' use "
                "Measure.parse"
            )
        if self.unit == "BOW" and (self.order or self.segmentation):
            raise MeasureError(
                f"measure {str(self)!r}: a bag of words has neither order nor lines; use BOW or BOW:G"
            )

    @classmethod
    def parse(cls, name: str | Measure) -> Measure:
        """The measure of an id: any letter order, any case, and the paper's own spelling."""
        if isinstance(name, Measure):
            return name
        if not isinstance(name, str):
            raise MeasureError(f"a measure is named by a str such as 'CER:R', not by {name!r:.40}")
        found = re.fullmatch(r"\s*(cer|wer|bow)\s*(?::|\^|_)?\s*\{?([rsg,\s]*)\}?\s*", name, re.IGNORECASE)
        letters = re.sub(r"[,\s]", "", found[2]).upper() if found else ""
        if not found or len(set(letters)) != len(letters):
            raise MeasureError(f"unknown measure {name!r}{suggest(name)}; known are: {', '.join(IDS)}")
        unit: Unit = found[1].upper()  # type: ignore[assignment]
        return cls(unit, "R" in letters, "S" in letters, "G" in letters)

    @property
    def letters(self) -> str:
        """The switches that are on, in the order R, S, G."""
        return "R" * self.order + "S" * self.segmentation + "G" * self.geometry

    def __str__(self) -> str:
        return f"{self.unit}:{self.letters}" if self.letters else self.unit


_LETTERS = ("R", "RG", "RS", "RSG", "", "G", "S", "SG")
ALL = (
    *(Measure(unit, "R" in on, "S" in on, "G" in on) for unit in UNITS[:2] for on in _LETTERS),
    Measure("BOW"),
    Measure("BOW", geometry=True),
)
IDS = tuple(map(str, ALL))
_COMMA = re.compile(r",(?!\s*[rsg]{1,3}\s*\??\s*(?:[,}]|$))", re.IGNORECASE)

DEFAULT = tuple(map(Measure.parse, ("CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW")))
DEFAULT_GEOMETRY = tuple(map(Measure.parse, ("CER:RG", "CER:RSG", "CER:SG", "WER:RG", "WER:SG", "BOW:G")))


def named(
    names: str | Measure | Iterable[str | Measure], has_places: Callable[[], bool]
) -> tuple[Measure, ...]:
    """The measures of ids, each once; a str may hold several, separated by commas.

    `all` stands for all eighteen, or for those without G where the pages have no places, and is put first.

    >>> [str(measure) for measure in named("CER:R, WER^{R,S}, cer:r", lambda: False)]
    ['CER:R', 'WER:RS']
    >>> len(named("all", lambda: False))
    9
    """
    given = names if isinstance(names, Iterable) and not isinstance(names, str) else [names]
    parts = [part for name in given for part in (split_ids(name) if isinstance(name, str) else [name])]
    chosen = [Measure.parse(part) for part in parts if not _is_all(part)]
    if len(chosen) < len(parts):
        places = has_places()
        chosen = [*(measure for measure in ALL if places or not measure.geometry), *chosen]
    return tuple(dict.fromkeys(chosen))


def split_ids(names: str) -> list[str]:
    """The ids in a text that separates them by commas; commas between the letters of one stay.

    >>> split_ids("CER:R,WER^{R,S},BOW")
    ['CER:R', 'WER^{R,S}', 'BOW']
    """
    return _COMMA.split(names)


def suggest(name: str, known: Iterable[str] = IDS) -> str:
    """The known id that is nearest to a name, as a question to put behind it.

    >>> suggest("CRE:R")
    ' (did you mean CER:R?)'
    """
    near = difflib.get_close_matches(name.upper(), list(known), n=1, cutoff=0.5)
    return f" (did you mean {near[0]}?)" if near else ""


def _is_all(name: str | Measure) -> bool:
    return isinstance(name, str) and name.strip().lower() == "all"
