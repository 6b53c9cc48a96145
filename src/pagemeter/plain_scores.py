"""The scores of a page as plain numbers, which are sent, kept and added up much more quickly than objects."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from pagemeter.measure import ALL, Measure
from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMBERS = ("ins", "dels", "sub", "cor", "lower_bound", "canonical", "seconds")
"""What is kept of a score, in this order: eight bytes each, and all but the seconds are whole."""

_PLACE = {measure: place for place, measure in enumerate(ALL)}
_Value = TypeVar("_Value")


class _MadeLater(Mapping[Measure, _Value]):
    """A mapping that is made when somebody looks into it."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[Measure, _Value] | None = None

    @abstractmethod
    def _make(self) -> dict[Measure, _Value]: ...

    @property
    def _all(self) -> dict[Measure, _Value]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, measure: Measure) -> _Value:
        return self._all[measure]

    def __iter__(self) -> Iterator[Measure]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


class PlainScores(_MadeLater[Score]):
    """The scores of a page by measure.

    `layout` has a byte a measure, its place among all measures; `numbers` has the numbers of `NUMBERS` for
    each of them.

    >>> from pagemeter import evaluate
    >>> plain = PlainScores.of(evaluate("one", "ore", "CER, WER").scores, {})
    >>> list(plain.layout), [score.errors for score in plain.values()]
    ([4, 12], [1, 1])
    """

    __slots__ = ("layout", "numbers")

    def __init__(self, layout: bytes, numbers: bytes) -> None:
        super().__init__()
        self.layout, self.numbers = layout, numbers

    @classmethod
    def of(cls, scores: Mapping[Measure, Score], seconds: Mapping[Measure, float]) -> PlainScores:
        """The plain numbers of scores, and of how long each took."""
        if isinstance(scores, PlainScores):
            return scores
        return cls.from_rows(
            (_PLACE[m], s.ins, s.dels, s.sub, s.cor, s.lower_bound, s.canonical, seconds.get(m, 0.0))
            for m, s in scores.items()
        )

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[float, ...]]) -> PlainScores:
        """The scores that stand in rows: the place of a measure among all, then its numbers."""
        layout, numbers = bytearray(), array("d")
        for place, *row in rows:
            layout.append(int(place))
            numbers.extend(row)
        return cls(bytes(layout), numbers.tobytes())

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in their order."""
        return measures_of(self.layout)

    def __len__(self) -> int:
        return len(self.layout)

    def rows(self) -> Iterator[tuple[float, ...]]:
        """The numbers of each measure."""
        numbers = iter(memoryview(self.numbers).cast("d").tolist())
        return zip(*[numbers] * len(NUMBERS), strict=True)

    def _make(self) -> dict[Measure, Score]:
        made = {}
        for measure, (ins, dels, sub, cor, bound, canonical, _) in zip(
            self.measures, self.rows(), strict=True
        ):
            counts = Counts(int(ins), int(dels), int(sub), int(cor))
            made[measure] = Score(measure, counts, int(bound), bool(canonical))
        return made

    def __reduce__(self) -> tuple[type[PlainScores], tuple[bytes, bytes]]:
        return PlainScores, (self.layout, self.numbers)


class PlainSeconds(_MadeLater[float]):
    """How long each measure of a page took.

    >>> plain = PlainScores.from_rows([(4, 0, 0, 1, 2, 1, True, 0.25)])
    >>> {str(measure): seconds for measure, seconds in PlainSeconds(plain).items()}
    {'CER': 0.25}
    """

    __slots__ = ("_scores",)

    def __init__(self, *scores: PlainScores) -> None:
        super().__init__()
        self._scores = scores

    def _make(self) -> dict[Measure, float]:
        return {m: row[-1] for one in self._scores for m, row in zip(one.measures, one.rows(), strict=True)}

    def __reduce__(self) -> tuple[type[PlainSeconds], tuple[PlainScores, ...]]:
        return PlainSeconds, self._scores


@cache
def measures_of(layout: bytes) -> tuple[Measure, ...]:
    """The measures of a layout.

    >>> [str(measure) for measure in measures_of(bytes([0, 16]))]
    ['CER:R', 'BOW']
    """
    return tuple(ALL[place] for place in layout)
