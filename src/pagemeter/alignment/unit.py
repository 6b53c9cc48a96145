"""Both pages of an evaluation as tokens of one unit, and the edits between pairs that measures matched."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter import _kernel
from pagemeter.alignment import bag
from pagemeter.alignment.result import KINDS, Operation, Rest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.alignment.spelled import Spelled
    from pagemeter.measure import Measure
    from pagemeter.score import Match

Operations = tuple[Operation, ...]
Runs = list[list[int]]

# Bytes for the table of one pair of lines; lines whose table is larger are halved first.
MOST_CELLS = 1 << 26


class Pair(NamedTuple):
    """A GT line and the HYP tokens that it got, from `begin` to before `end`."""

    gt: int
    begin: int
    end: int


class Unit:
    """What measures of one unit share: the pages, and what was found of the pairs met so far."""

    def __init__(self, gt: Spelled, hyp: Spelled, alphabet: int) -> None:
        self.gt, self.hyp, self._alphabet = gt, hyp, alphabet
        self._runs: dict[Pair, Runs] = {}
        self._edits: dict[Pair, Operations] = {}

    def edits(self, measure: Measure, matches: Sequence[Match]) -> list[Operations]:
        """The edits of each match."""
        if measure.unit == "BOW":
            return [bag.edits(self.gt, match) for match in matches]
        pairs = [self.pair(match) for match in matches]
        for pair, runs in self.runs(pairs).items():
            if pair not in self._edits:
                self._edits[pair] = tuple(self._operations(pair, runs))
        return [self._edits[pair] for pair in pairs]

    def runs(self, pairs: Iterable[Pair]) -> dict[Pair, Runs]:
        """Runs of edits of one kind: the number of the kind and of the tokens, for each pair."""
        asked = dict.fromkeys(pairs)
        new = [pair for pair in asked if pair not in self._runs]
        if new:
            self._learn(new)
        return {pair: self._runs[pair] for pair in asked}

    def left(self, measure: Measure, matches: Sequence[Match]) -> Iterator[Rest]:
        """What no line got."""
        if measure.unit == "BOW":
            return bag.left_over(self.hyp, matches)
        return self._words_left(matches) if measure.segmentation else self._lines_left(matches)

    def pair(self, match: Match) -> Pair:
        """Where the tokens of a match stand."""
        if match.hyp_line is None:
            return Pair(match.gt, *self.hyp.span(match.hyp_words))
        return Pair(match.gt, *self.hyp.spans[match.hyp_line])

    def _learn(self, new: list[Pair]) -> None:
        gt, hyp = self.gt.page, self.hyp.page
        places = np.array(new, np.int32)
        spans = np.ascontiguousarray(gt.lines[places[:, 0]]), np.ascontiguousarray(places[:, 1:])
        rows = _kernel.edits(gt.tokens, spans[0], hyp.tokens, spans[1], self._alphabet, MOST_CELLS)
        ends = np.searchsorted(rows[:, 0], np.arange(len(new) + 1)).tolist()
        runs = rows[:, 1:].tolist()
        self._runs.update((pair, runs[ends[i] : ends[i + 1]]) for i, pair in enumerate(new))

    def _operations(self, pair: Pair, runs: Runs) -> Iterator[Operation]:
        """The runs with their texts."""
        gt, hyp = self.gt.slice, self.hyp.slice
        i, j = self.gt.spans[pair.gt][0], pair.begin
        for number, length in runs:
            kind = KINDS[number]
            if kind == "insert":
                yield Operation(kind, length, gt(i, i := i + length), "")
            elif kind == "delete":
                yield Operation(kind, length, "", hyp(j, j := j + length))
            elif kind == "equal":
                yield Operation(kind, length, gt(i, i := i + length), hyp(j, j := j + length))
            else:
                for _ in range(length):
                    yield Operation(kind, 1, gt(i, i := i + 1), hyp(j, j := j + 1))

    def _lines_left(self, matches: Sequence[Match]) -> Iterator[Rest]:
        got = {match.hyp_line for match in matches}
        for y, (begin, end) in enumerate(self.hyp.spans):
            if y not in got and begin < end:
                yield Rest(end - begin, begin, end, self.hyp.words_of(y))

    def _words_left(self, matches: Sequence[Match]) -> Iterator[Rest]:
        """Runs of words that no line got; their joining blanks cost nothing and are not counted."""
        ends = sorted((match.hyp_words[0], match.hyp_words[-1] + 1) for match in matches)
        free = 0
        for first, last in (*ends, (len(self.hyp.words),) * 2):
            words = range(free, first)
            size = sum(end - begin for begin, end in self.hyp.words[free:first])
            if size:
                yield Rest(size, *self.hyp.span(words), words)
            free = last
