"""The scores of a page as plain numbers, which are sent, kept and added up much more quickly than objects."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from pagemeter.measure import ALL, Measure
from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMBERS = ("ins", "dels", "sub", "cor", "lower_bound", "canonical", "seconds")
"""What is kept of a score, in this order: eight bytes each, and all but the seconds are whole."""

_PLACE = {measure: place for place, measure in enumerate(ALL)}
_ROW = struct.Struct(f"{len(NUMBERS)}d")


class PlainScores(Mapping[Measure, Score]):
    """The scores of a page by measure, each made when somebody asks for it.

    `layout` has a byte a measure, its place among all measures; `numbers` has the numbers of `NUMBERS` for
    each of them.

    >>> from pagemeter import evaluate
    >>> plain = PlainScores.of(evaluate("one", "ore", "CER, WER").scores, {})
    >>> list(plain.layout), [score.errors for score in plain.values()]
    ([4, 12], [1, 1])
    """

    __slots__ = ("layout", "numbers")

    def __init__(self, layout: bytes, numbers: bytes) -> None:
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

    def row(self, measure: Measure) -> tuple[float, ...]:
        """The numbers of a measure."""
        place = self.layout.find(_PLACE[measure])
        if place < 0:
            raise KeyError(measure)
        return _ROW.unpack_from(self.numbers, place * _ROW.size)

    def __getitem__(self, measure: Measure) -> Score:
        ins, dels, sub, cor, bound, canonical, _ = self.row(measure)
        counts = Counts(int(ins), int(dels), int(sub), int(cor))
        return Score(measure, counts, int(bound), bool(canonical))

    def __iter__(self) -> Iterator[Measure]:
        return iter(measures_of(self.layout))

    def __len__(self) -> int:
        return len(self.layout)


class PlainSeconds(Mapping[Measure, float]):
    """How long each measure of a page took.

    >>> plain = PlainScores.from_rows([(4, 0, 0, 1, 2, 1, True, 0.25)])
    >>> {str(measure): seconds for measure, seconds in PlainSeconds(plain).items()}
    {'CER': 0.25}
    """

    __slots__ = ("_scores",)

    def __init__(self, *scores: PlainScores) -> None:
        self._scores = scores

    def __getitem__(self, measure: Measure) -> float:
        for scores in self._scores:
            if measure in scores:
                return scores.row(measure)[-1]
        raise KeyError(measure)

    def __iter__(self) -> Iterator[Measure]:
        return (measure for scores in self._scores for measure in scores)

    def __len__(self) -> int:
        return sum(map(len, self._scores))


@cache
def measures_of(layout: bytes) -> tuple[Measure, ...]:
    """The measures of a layout.

    >>> [str(measure) for measure in measures_of(bytes([0, 16]))]
    ['CER:R', 'BOW']
    """
    return tuple(ALL[place] for place in layout)
