"""A page as one array of integers with its lines and words as slices of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagemeter.settings import Settings
from pagemeter.text.tokenise import characters, pieces_of, words_of

Ints = NDArray[np.int32]


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


def encode(lines: Sequence[str], codes: dict[str, int], *, characterwise: bool, settings: Settings) -> TokenPage:
    """Normalised lines as integers; `codes` numbers the tokens and is extended by new ones.

    >>> encode(["ab c"], {}, characterwise=True, settings=Settings()).tokens.tolist()
    [0, 1, 2, 3]
    """
    builder = _Builder()
    for text in lines:
        if characterwise:
            pieces, gaps = pieces_of(text)
            builder.add_line([characters(piece, settings.unit) for piece in pieces], gaps)
        else:
            builder.add_line(_words(text, settings), None)
    return builder.page(codes)


def _words(text: str, settings: Settings) -> list[Sequence[str]]:
    if callable(settings.tokeniser):
        return words_of(text, settings.tokeniser)
    return [(word,) for word in text.split()]


class _Builder:
    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.lines: list[tuple[int, int]] = []
        self.words: list[tuple[int, int]] = []
        self.word_line: list[int] = []

    def add_line(self, words: Sequence[Sequence[str]], gaps: Sequence[str] | None) -> None:
        """Appends a line; `gaps` are the characters between its words, None where words join with nothing."""
        if gaps is not None and words and self.words:
            self.tokens.append(" ")
        first = len(self.tokens)
        for i, word in enumerate(words):
            if gaps is not None and i > 0:
                self.tokens.append(gaps[i - 1])
            begin = len(self.tokens)
            self.tokens.extend(word)
            self.words.append((begin, len(self.tokens)))
        self.word_line.extend([len(self.lines)] * len(words))
        self.lines.append((first, len(self.tokens)))

    def page(self, codes: dict[str, int]) -> TokenPage:
        return TokenPage(
            np.array([codes.setdefault(t, len(codes)) for t in self.tokens], np.int32),
            np.array(self.lines, np.int32).reshape(-1, 2),
            np.array(self.words, np.int32).reshape(-1, 2),
            np.array(self.word_line, np.int32),
        )
