"""Alignments of bags of words: every word stands for itself."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.alignment.result import Operation, Rest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.alignment.spelled import Spelled
    from pagemeter.score import Match


def edits(gt: Spelled, match: Match) -> tuple[Operation, ...]:
    """The tokens of a GT line that were found anywhere, and those that were not."""
    begin, end = gt.spans[match.gt]
    if len(match.tokens) == end - begin:
        text = gt.slice(begin, end)
        return (Operation("equal", end - begin, text, text),)
    found = {token for token, _ in match.tokens}
    made, at = [], begin
    for is_found, group in groupby(range(begin, end), found.__contains__):
        size = sum(1 for _ in group)
        text = gt.slice(at, at + size)
        made.append(Operation("equal", size, text, text) if is_found else Operation("insert", size, text, ""))
        at += size
    return tuple(made)


def left_over(hyp: Spelled, matches: Sequence[Match]) -> Iterator[Rest]:
    """The tokens that no line got, by their HYP lines."""
    got = {token for match in matches for _, token in match.tokens}
    sizes = np.diff(hyp.page.words, axis=1)[:, 0]
    word_of = np.repeat(np.arange(len(hyp.words)), sizes).tolist()
    free = [token for token in range(len(word_of)) if token not in got]
    for _, group in groupby(
        enumerate(free), lambda item: (item[1] - item[0], hyp.word_line[word_of[item[1]]])
    ):
        run = [token for _, token in group]
        words = range(word_of[run[0]], word_of[run[-1]] + 1)
        yield Rest(len(run), run[0], run[-1] + 1, words)
