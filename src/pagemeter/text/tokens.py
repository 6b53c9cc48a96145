"""A page as one array of integers with its lines and words as slices of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Sizes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokenPage:
    """All words of a page, joined, as integers.

    `lines` and `words` are (begin, end) pairs into `tokens`; `word_line` is the line of each word. Characters
    have a joining blank between words and between lines, words as tokens have nothing there.
    """

    tokens: Ints
    lines: Ints
    words: Ints
    word_line: Ints

    @property
    def line_tokens(self) -> int:
        """The tokens of all lines: joining blanks count inside a line, not between lines."""
        return int((self.lines[:, 1] - self.lines[:, 0]).sum())

    @property
    def word_tokens(self) -> int:
        """The tokens of all words, without any joining blank."""
        return int((self.words[:, 1] - self.words[:, 0]).sum())


def pairs(begins: Sizes, ends: Sizes) -> Ints:
    """Begins and ends side by side.

    >>> pairs(np.array([0, 2]), np.array([1, 4])).tolist()
    [[0, 1], [2, 4]]
    """
    return np.stack([begins, ends], axis=1).astype(np.int32)
