"""The measures: their units, their letters and their ids.

`UNITS` describes each unit of measure once. Other modules ask a `Measure` for the properties of its unit and
do not compare unit names, so a new unit is added here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, NoReturn, Self, cast

from pagemeter.errors import MeasureError, did_you_mean

UnitName = Literal["CER", "WER", "BOW", "BOC", "LCS", "HWER"]
Comparing = Literal["distance", "bag", "subsequence", "assignment"]
"""How tokens are compared: in their order by edits, as a multiset, by the longest common subsequence, or one
to one by an assignment of similar words."""


@dataclass(frozen=True, slots=True)
class Unit:
    """The properties of a unit of measure.

    Args:
        name: The first part of a measure id.
        label: The tokens that are counted, as a heading.
        of_characters: True if tokens are characters, False if they are words.
        method: How tokens are compared.
        letters: The letters that a measure of this unit may have. T excludes all others.
        whole: True if every measure of this unit compares the page as one text.
        aligned_as: The unit whose tokens an alignment of this unit shows.

    """

    name: UnitName
    label: str
    of_characters: bool = False
    method: Comparing = "distance"
    letters: str = ""
    whole: bool = False
    aligned_as: UnitName = "WER"

    @property
    def has_budget(self) -> bool:
        """True if errors can be divided by cause; this needs measures with and without each letter."""
        return set("RSG") <= set(self.letters)

    @property
    def combinations(self) -> tuple[str, ...]:
        """The letters of all measures of this unit."""
        several = tuple(letters for letters in _LETTERS if set(letters) <= set(self.letters))
        return several + (("T",) if "T" in self.letters else ())


_LETTERS = ("R", "RG", "RS", "RSG", "", "G", "S", "SG")


UNITS: dict[UnitName, Unit] = {
    unit.name: unit
    for unit in (
        Unit("CER", "Characters", of_characters=True, letters="RSGT", aligned_as="CER"),
        Unit("WER", "Words", letters="RSGT"),
        Unit("BOW", "Words", method="bag", letters="G"),
        Unit("BOC", "Characters", of_characters=True, method="bag", whole=True, aligned_as="CER"),
        Unit("LCS", "Words", method="subsequence", whole=True),
        Unit("HWER", "Words", method="assignment", whole=True),
    )
}
BUDGET_UNITS: tuple[UnitName, ...] = tuple(name for name, unit in UNITS.items() if unit.has_budget)
DEFAULT_BUDGET_UNIT: UnitName = "CER"


class Measure(str):
    """A measure: a unit and its letters. It is a str, so its id is also a key of dictionaries.

    Args:
        unit: CER (characters), WER (words), BOW and BOC (bags of words and characters), LCS (longest common
            subsequence of words) or HWER (words by an assignment).
        order: R, a wrong reading order is an error.
        segmentation: S, lines that are split or merged are not errors.
        geometry: G, only lines that are close to each other on the page can be matched.
        text: T, the page is one text: its lines are in order, and line ends are characters or spaces.

    Raises:
        MeasureError: The unit is unknown, or does not have one of the letters.

    >>> Measure.parse("CER^{S,R}")
    'CER:RS'
    >>> Measure("CER", order=True) == "CER:R"
    True

    """

    __slots__ = ("__dict__",)  # for the properties, which are computed once

    def __new__(
        cls,
        unit: UnitName,
        order: bool = False,  # noqa: FBT001, FBT002
        segmentation: bool = False,  # noqa: FBT001, FBT002
        geometry: bool = False,  # noqa: FBT001, FBT002
        text: bool = False,  # noqa: FBT001, FBT002
    ) -> Self:
        """Return the measure; its id is composed of the unit and the letters."""
        if not isinstance(unit, str) or unit not in UNITS:
            raise MeasureError(
                f"Measure: unknown unit {unit!r:.40}",
                remedy=f"use {', '.join(UNITS)}, or Measure.parse for an id such as 'CER:R'",
            )
        letters = "R" * order + "S" * segmentation + "G" * geometry + "T" * text
        name = f"{unit}:{letters}" if letters else unit
        if letters not in UNITS[unit].combinations:
            known = [known for known in EVERY if known.partition(":")[0] == unit]
            raise MeasureError(
                f"measure {name!r}: {_why_not(UNITS[unit], letters)}",
                remedy=f"use {' or '.join(known)}",
            )
        return super().__new__(cls, name)

    def __getnewargs__(self) -> tuple[str, bool, bool, bool, bool]:  # type: ignore[override]
        """Return the arguments with which a pickled measure is created again."""
        return self.unit, self.order, self.segmentation, self.geometry, "T" in self.letters

    def __getstate__(self) -> None:
        """Return None, because the id determines everything else."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Measure cannot be changed, so {name!r} cannot be set")

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
                f"unknown measure {name!r}{did_you_mean(name, EVERY)}",
                remedy=f"use one of {', '.join(EVERY)}",
            )
        unit: UnitName = parts[1].upper()  # type: ignore[assignment]
        return cls(unit, *(letter in letters for letter in "RSGT"))

    @cached_property
    def unit(self) -> UnitName:
        """The unit: CER, WER, BOW, BOC, LCS or HWER."""
        return cast("UnitName", str(self).partition(":")[0])  # a plain str, also if there is no letter

    @cached_property
    def letters(self) -> str:
        """The letters of the measure, in the order R, S, G, or T alone."""
        return str(self).partition(":")[2]

    @cached_property
    def order(self) -> bool:
        """True if a wrong reading order is an error (R)."""
        return "R" in self.letters

    @cached_property
    def segmentation(self) -> bool:
        """True if split or merged lines do not count as errors (S)."""
        return "S" in self.letters

    @cached_property
    def geometry(self) -> bool:
        """True if only lines that are close to each other on the page can be matched (G)."""
        return "G" in self.letters

    @cached_property
    def constraints(self) -> tuple[str, ...]:
        """What the measure demands of a matching: whole lines (no S), their order (R), their position (G)."""
        lines = ("lines",) if self.aligns_lines and not self.segmentation else ()
        return (*lines, *(letter for letter in "RG" if letter in self.letters))

    @property
    def label(self) -> str:
        """The tokens that are counted, as a heading: Characters or Words."""
        return UNITS[self.unit].label

    @cached_property
    def of_characters(self) -> bool:
        """True if tokens are characters, False if they are words."""
        return UNITS[self.unit].of_characters

    @cached_property
    def method(self) -> Comparing:
        """How tokens are compared."""
        return UNITS[self.unit].method

    @cached_property
    def is_bag(self) -> bool:
        """True if the tokens of a page are compared as a multiset, without lines and order."""
        return self.method == "bag"

    @cached_property
    def whole(self) -> bool:
        """True if the page is compared as one text (T), so that there is no matching of lines."""
        return UNITS[self.unit].whole or "T" in self.letters

    @cached_property
    def aligns_lines(self) -> bool:
        """True if the tokens of matched lines are aligned with each other, which kinds of errors need."""
        return not (self.whole or self.is_bag)

    @property
    def aligned_as(self) -> UnitName:
        """The unit whose tokens an alignment shows."""
        return UNITS[self.unit].aligned_as

    @property
    def separator(self) -> str:
        """The text between two tokens."""
        return "" if self.of_characters else " "


def _why_not(unit: Unit, letters: str) -> str:
    if "T" in letters and "T" in unit.letters:
        return "T is the page as one text, which excludes the other letters"
    subject = f"a bag of {unit.label.lower()}" if unit.method == "bag" else unit.name
    return f"{subject} has neither order nor lines"


_ID = re.compile(rf"\s*({'|'.join(UNITS)})\s*(?::|\^|_)?\s*\{{?([rsgt,\s]*)\}}?\s*", re.IGNORECASE)
_COMMA = re.compile(r",(?!\s*[rsgt]{1,3}\s*\??\s*(?:[,}]|$))", re.IGNORECASE)

_EVERY = tuple(
    Measure(unit.name, *(letter in letters for letter in "RSGT"))
    for unit in UNITS.values()
    for letters in unit.combinations
)
ALL = tuple(measure for measure in _EVERY if not measure.whole)
"""The eighteen measures of the paper, in the order in which they are listed; the id `all` means these."""
EVERY = (*ALL, *(measure for measure in _EVERY if measure.whole))
"""All measures, with those that compare the page as one text."""

IDS = tuple(map(str, ALL))
DEFAULT = tuple(map(Measure.parse, ("CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW")))


def parse_measures(
    names: str | Measure | Iterable[str | Measure], has_positions: Callable[[], bool]
) -> tuple[Measure, ...]:
    """Return the measures of several ids, each once.

    A str may have several ids, separated by commas. The id `all` is replaced by the eighteen measures of the
    paper, or by those without G if `has_positions` returns False; these come first.

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


@cache
def looser_measures(measure: Measure) -> tuple[Measure, ...]:
    """Return the measures that allow every matching of this measure, and more; the strictest ones first.

    >>> [str(looser) for looser in looser_measures(Measure.parse("CER:R"))]
    ['CER:RS', 'CER', 'CER:S']
    """
    if measure.whole:
        return ()
    same_unit = [other for other in ALL if other.unit == measure.unit and other != measure]
    allowed = set(measure.constraints)
    looser = [other for other in same_unit if allowed.issuperset(other.constraints)]
    return tuple(sorted(looser, key=lambda other: -len(other.constraints)))


def split_ids(names: str) -> list[str]:
    """Split a text at the commas between ids, but not at those between the letters of one id.

    >>> split_ids("CER:R,WER^{R,S},BOW")
    ['CER:R', 'WER^{R,S}', 'BOW']
    """
    return _COMMA.split(names)


def _is_all(name: str | Measure) -> bool:
    return isinstance(name, str) and name.strip().lower() == "all"
