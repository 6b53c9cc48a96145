"""The eighteen measures: their units, their letters and their ids.

`UNITS` describes each unit of measure once. Other modules ask a `Measure` for the properties of its unit and
do not compare unit names, so a new unit is added here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, Self, cast

from pagemeter.errors import MeasureError, did_you_mean

UnitName = Literal["CER", "WER", "BOW"]


@dataclass(frozen=True, slots=True)
class Unit:
    """The properties of a unit of measure.

    Args:
        name: The first part of a measure id.
        label: The tokens that are counted, as a heading.
        of_characters: True if tokens are characters, False if they are words.
        is_bag: True if the tokens of a page are compared as a multiset, without lines and order.
        letters: The letters that a measure of this unit may have.
        aligned_as: The unit whose tokens an alignment of this unit shows.

    """

    name: UnitName
    label: str
    of_characters: bool = False
    is_bag: bool = False
    letters: str = "RSG"
    aligned_as: UnitName = "WER"

    @property
    def has_budget(self) -> bool:
        """True if errors can be divided by cause; this needs measures with and without each letter."""
        return self.letters == "RSG"


UNITS: dict[UnitName, Unit] = {
    unit.name: unit
    for unit in (
        Unit("CER", "Characters", of_characters=True, aligned_as="CER"),
        Unit("WER", "Words"),
        Unit("BOW", "Words", is_bag=True, letters="G"),
    )
}
BUDGET_UNITS: tuple[UnitName, ...] = tuple(name for name, unit in UNITS.items() if unit.has_budget)
DEFAULT_BUDGET_UNIT: UnitName = "CER"


class Measure(str):
    """A measure: a unit and three switches. It is a str, so its id is also a key of dictionaries.

    Args:
        unit: CER (characters), WER (words) or BOW (bag of words).
        order: R, a wrong reading order is an error.
        segmentation: S, lines that are split or merged are not errors.
        geometry: G, only lines that are close to each other on the page can be matched.

    Raises:
        MeasureError: The unit is unknown, or does not have one of the letters.

    >>> Measure.parse("CER^{S,R}")
    'CER:RS'
    >>> Measure("CER", order=True) == "CER:R"
    True

    """

    __slots__ = ()

    def __new__(
        cls,
        unit: UnitName,
        order: bool = False,  # noqa: FBT001, FBT002
        segmentation: bool = False,  # noqa: FBT001, FBT002
        geometry: bool = False,  # noqa: FBT001, FBT002
    ) -> Self:
        """Return the measure; its id is composed of the unit and the letters."""
        if not isinstance(unit, str) or unit not in UNITS:
            raise MeasureError(
                f"Measure: unknown unit {unit!r:.40}",
                remedy=f"use {', '.join(UNITS)}, or Measure.parse for an id such as 'CER:R'",
            )
        letters = "R" * order + "S" * segmentation + "G" * geometry
        name = f"{unit}:{letters}" if letters else unit
        if not set(letters) <= set(UNITS[unit].letters):
            known = [known for known in IDS if known.partition(":")[0] == unit]
            raise MeasureError(
                f"measure {name!r}: a bag of words has neither order nor lines",
                remedy=f"use {' or '.join(known)}",
            )
        return super().__new__(cls, name)

    def __getnewargs__(self) -> tuple[str, bool, bool, bool]:  # type: ignore[override]
        """Return the arguments with which a pickled measure is created again."""
        return self.unit, self.order, self.segmentation, self.geometry

    @classmethod
    def parse(cls, name: str | Measure) -> Measure:
        """Return the measure of an id, with letters in any order, any case, or in the paper's notation."""
        if isinstance(name, Measure):
            return name
        if not isinstance(name, str):
            raise MeasureError(f"a measure is named by a str such as 'CER:R', not by {name!r:.40}")
        parts = _ID.fullmatch(name)
        letters = re.sub(r"[,\s]", "", parts[2]).upper() if parts else ""
        if not parts or len(set(letters)) != len(letters):
            raise MeasureError(
                f"unknown measure {name!r}{did_you_mean(name, IDS)}", remedy=f"use one of {', '.join(IDS)}"
            )
        unit: UnitName = parts[1].upper()  # type: ignore[assignment]
        return cls(unit, "R" in letters, "S" in letters, "G" in letters)

    @property
    def unit(self) -> UnitName:
        """The unit: CER, WER or BOW."""
        return cast("UnitName", str(self).partition(":")[0])  # a plain str, also if there is no letter

    @property
    def letters(self) -> str:
        """The letters of the measure, in the order R, S, G."""
        return str(self).partition(":")[2]

    @property
    def order(self) -> bool:
        """True if a wrong reading order is an error (R)."""
        return "R" in self.letters

    @property
    def segmentation(self) -> bool:
        """True if split or merged lines do not count as errors (S)."""
        return "S" in self.letters

    @property
    def geometry(self) -> bool:
        """True if only lines that are close to each other on the page can be matched (G)."""
        return "G" in self.letters

    @property
    def label(self) -> str:
        """The tokens that are counted, as a heading: Characters or Words."""
        return UNITS[self.unit].label

    @property
    def of_characters(self) -> bool:
        """True if tokens are characters, False if they are words."""
        return UNITS[self.unit].of_characters

    @property
    def is_bag(self) -> bool:
        """True if the tokens of a page are compared as a multiset, without lines and order."""
        return UNITS[self.unit].is_bag

    @property
    def aligned_as(self) -> UnitName:
        """The unit whose tokens an alignment shows."""
        return UNITS[self.unit].aligned_as

    @property
    def separator(self) -> str:
        """The text between two tokens."""
        return "" if self.of_characters else " "


_ID = re.compile(rf"\s*({'|'.join(UNITS)})\s*(?::|\^|_)?\s*\{{?([rsg,\s]*)\}}?\s*", re.IGNORECASE)
_COMMA = re.compile(r",(?!\s*[rsg]{1,3}\s*\??\s*(?:[,}]|$))", re.IGNORECASE)

ALL = tuple(
    Measure(unit.name, "R" in letters, "S" in letters, "G" in letters)
    for unit in UNITS.values()
    for letters in ("R", "RG", "RS", "RSG", "", "G", "S", "SG")
    if set(letters) <= set(unit.letters)
)
"""All measures, in the order in which they are listed."""

IDS = tuple(map(str, ALL))
DEFAULT = tuple(map(Measure.parse, ("CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW")))


def parse_measures(
    names: str | Measure | Iterable[str | Measure], has_positions: Callable[[], bool]
) -> tuple[Measure, ...]:
    """Return the measures of several ids, each once.

    A str may have several ids, separated by commas. The id `all` is replaced by all eighteen measures, or by
    those without G if `has_positions` returns False; these come first.

    >>> [str(measure) for measure in parse_measures("CER:R, WER^{R,S}, cer:r", lambda: False)]
    ['CER:R', 'WER:RS']
    >>> len(parse_measures("all", lambda: False))
    9
    """
    given = names if isinstance(names, Iterable) and not isinstance(names, str) else [names]
    parts = [part for name in given for part in (split_ids(name) if isinstance(name, str) else [name])]
    measures = [Measure.parse(part) for part in parts if not _is_all(part)]
    if len(measures) < len(parts):
        positions = has_positions()
        measures = [*(measure for measure in ALL if positions or not measure.geometry), *measures]
    return tuple(dict.fromkeys(measures))


@cache
def budget_measures(unit: UnitName, *, geometry: bool) -> tuple[Measure, ...]:
    """Return the measures that the error budget of a unit needs: eight, or four without positions.

    The index of a measure is the sum of its constraints: lines (no S) 1, order (R) 2, position (G) 4.

    >>> [str(measure) for measure in budget_measures("WER", geometry=False)]
    ['WER:S', 'WER', 'WER:RS', 'WER:R']
    """
    return tuple(
        Measure(unit, order=bool(index & 2), segmentation=not index & 1, geometry=bool(index & 4))
        for index in range(8 if geometry else 4)
    )


def split_ids(names: str) -> list[str]:
    """Split a text at the commas between ids, but not at those between the letters of one id.

    >>> split_ids("CER:R,WER^{R,S},BOW")
    ['CER:R', 'WER^{R,S}', 'BOW']
    """
    return _COMMA.split(names)


def _is_all(name: str | Measure) -> bool:
    return isinstance(name, str) and name.strip().lower() == "all"
