"""Which measures a run is evaluated by, and which of them only where pages have positions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pagemeter.errors import MeasureError
from pagemeter.measure import ALL, DEFAULT, DEFAULT_GEOMETRY, Measure, split_ids
from pagemeter.stats.budget import needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.measure import Unit

MARK = "?"
"""What stands behind the id of a measure that is left out on pages without positions, as in `CER:G?`."""

_Named = tuple[Measure, bool]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The measures of a run; those of `where_placed` only on pages with positions on both sides.

    `budget` are the units whose error budget is wanted, for which further measures are evaluated.

    >>> Wanted.of(["CER,WER:SG?"]).names
    ('CER', 'WER:SG?')
    """

    measures: tuple[Measure, ...]
    where_placed: frozenset[Measure] = frozenset()
    budget: tuple[Unit, ...] = ()

    @classmethod
    def of(cls, asked: Iterable[str | Measure] | Wanted | None) -> Wanted:
        """The measures asked for, each once; `all` stands for all there are, None for the default ones.

        The default is with the budget of CER. Of default and `all` the measures with G are left out on pages
        without positions, and so is one asked for as `CER:G?`, unless it is asked for as `CER:G` as well.
        Several may be separated by commas.

        >>> [str(measure) for measure in Wanted.of(["wer", "WER", "CER:SR"]).measures]
        ['WER', 'CER:RS']
        """
        if isinstance(asked, Wanted):
            return asked
        if asked is None:
            measures = DEFAULT + DEFAULT_GEOMETRY
            return cls(measures, frozenset(DEFAULT_GEOMETRY), ("CER",))
        named = [*_all_named(asked)]
        required = {measure for measure, marked in named if not marked}
        measures = tuple(dict.fromkeys(measure for measure, _ in named))
        return cls(measures, frozenset(measures) - required)

    def with_budget(self, units: str) -> Wanted:
        """The same with the error budgets of these units, separated by commas; `none` is without any.

        >>> Wanted.of(["WER"]).with_budget("wer").budget
        ('WER',)
        """
        known: dict[str, tuple[Unit, ...]] = {"CER": ("CER",), "WER": ("WER",), "NONE": ()}
        found: tuple[Unit, ...] = ()
        for name in units.split(","):
            if name.strip().upper() not in known:
                raise MeasureError(f"no budget of {name!r}; known are: CER, WER, none")
            found += known[name.strip().upper()]
        return replace(self, budget=tuple(dict.fromkeys(found)))

    @property
    def names(self) -> tuple[str, ...]:
        """The ids as `of` takes them."""
        return tuple(f"{m}{MARK if m in self.where_placed else ''}" for m in self.measures)

    @property
    def required(self) -> tuple[Measure, ...]:
        """The measures that every page is evaluated by."""
        return tuple(measure for measure in self.measures if measure not in self.where_placed)

    def evaluated(self, *, placed: bool) -> tuple[Measure, ...]:
        """What a page is evaluated by: the measures, and those that only a budget needs.

        >>> [str(measure) for measure in Wanted.of(None).evaluated(placed=False)]
        ['CER:R', 'CER:RS', 'CER:S', 'WER:R', 'WER:S', 'BOW', 'CER']
        """
        own = self.measures if placed else self.required
        extra = (measure for unit in self.budget for measure in needed(unit, geometry=placed))
        return tuple(dict.fromkeys((*own, *extra)))


def _all_named(asked: Iterable[str | Measure]) -> Iterator[_Named]:
    for several in asked:
        for name in [several] if isinstance(several, Measure) else split_ids(several):
            if isinstance(name, str) and name.strip().lower() == "all":
                yield from _where_placed(ALL)
            else:
                yield _named(name)


def _named(name: str | Measure) -> _Named:
    if isinstance(name, Measure) or not name.strip().endswith(MARK):
        return Measure.parse(name), False
    measure = Measure.parse(name.strip().removesuffix(MARK))
    if not measure.geometry:
        raise MeasureError(f"measure {name!r}: only one with G can lack positions; write {measure}")
    return measure, True


def _where_placed(measures: tuple[Measure, ...]) -> list[_Named]:
    return [(measure, measure.geometry) for measure in measures]
