"""Token pages that can be read: where in the text each token stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.text import TokenPage, characters, encode_pair, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.page import Page
    from pagemeter.settings import Settings

_BLANK = re.compile(r"(\s)")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A page of tokens and the text they were cut from, words joined by blanks.

    Token i is `text[starts[i]:ends[i]]`. `lines` are the texts of the lines as they were compared.
    """

    source: Page
    page: TokenPage
    lines: Sequence[str]
    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    words: list[list[int]] = field(init=False)
    word_line: list[int] = field(init=False)
    line_words: list[int] = field(init=False)

    def __post_init__(self) -> None:
        begins = np.searchsorted(self.page.word_line, np.arange(len(self.lines) + 1))
        object.__setattr__(self, "words", self.page.words.tolist())
        object.__setattr__(self, "word_line", self.page.word_line.tolist())
        object.__setattr__(self, "line_words", begins.tolist())

    def slice(self, begin: int, end: int) -> str:
        """The text of the tokens from `begin` to before `end`."""
        return self.text[self.starts[begin] : self.ends[end - 1]] if begin < end else ""

    def span(self, words: Sequence[int]) -> tuple[int, int]:
        """The tokens of a run of words, with the blanks between them."""
        return self.words[words[0]][0], self.words[words[-1]][1]

    def words_of(self, line: int) -> range:
        """The words of a line, as indices into those of the page."""
        return range(self.line_words[line], self.line_words[line + 1])

    def word(self, word: int) -> str:
        """The text of a word."""
        return self.slice(*self.words[word])

    def with_breaks(self) -> Spelled:
        r"""The same page with `\n` for the blank between two lines, so that it shows where HYP was cut."""
        text = list(self.text)
        for word in self.line_words[1:-1]:
            if 0 < word < len(self.words):
                begin = self.words[word][0]
                at = self.starts[begin] if begin < len(self.starts) else len(self.text)
                text[at - 1] = "\n"
        return Spelled(self.source, self.page, self.lines, "".join(text), self.starts, self.ends)


def spell(
    pages: tuple[Page, Page], lines: tuple[Sequence[str], Sequence[str]], unit: str, settings: Settings
) -> tuple[Spelled, Spelled, int]:
    """Both pages' normalised lines as tokens with their texts, and the number of different tokens."""
    characterwise = unit == "CER"
    gt, hyp, alphabet, _ = encode_pair(*lines, characterwise=characterwise, settings=settings)
    read = _characters if characterwise else _words
    first, second = (
        Spelled(page, tokens, texts, *read(texts, tokens, settings))
        for page, tokens, texts in zip(pages, (gt, hyp), lines, strict=True)
    )
    return first, second, alphabet


def _characters(
    lines: Sequence[str], page: TokenPage, settings: Settings
) -> tuple[str, Sequence[int], Sequence[int]]:
    text = " ".join(filter(None, lines))
    if len(text) == len(page.tokens):
        return text, range(len(text)), range(1, len(text) + 1)
    # White space is always a character of its own, whatever it is followed by.
    pieces = _BLANK.split(text)
    sizes = [len(c) for piece in pieces for c in characters(piece, settings.unit)]
    ends = np.cumsum(sizes)
    return text, (ends - sizes).tolist(), ends.tolist()


def _words(
    lines: Sequence[str],
    page: TokenPage,  # noqa: ARG001  (characters need it)
    settings: Settings,
) -> tuple[str, Sequence[int], Sequence[int]]:
    words = [word for line in lines for word in words_of(line, settings.tokeniser)]
    sizes = np.array([len(token) for word in words for token in word], np.int64)
    blanks = np.repeat(np.arange(len(words)), [len(word) for word in words])
    ends = np.cumsum(sizes) + blanks
    return " ".join(map("".join, words)), (ends - sizes).tolist(), ends.tolist()
