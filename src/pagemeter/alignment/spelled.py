"""Token pages that can be read: where in the text each token stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.text import TokenPage, characters, encode_pair, words_of

if TYPE_CHECKING:
    from pagemeter.page import Page
    from pagemeter.settings import Settings
    from pagemeter.text.tokens import Sizes

Spelling = tuple[str, Sequence[int], Sequence[int]]
_BLANK = re.compile(r"(\s)")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A page of tokens and the text they were cut from, words joined by blanks.

    Token i is `text[starts[i]:ends[i]]`. `lines` are the texts of the lines as they were compared; `spans`
    and `words` say which tokens a line and a word have.
    """

    source: Page
    page: TokenPage
    lines: Sequence[str]
    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    spans: list[list[int]] = field(init=False)
    words: list[list[int]] = field(init=False)
    word_line: list[int] = field(init=False)
    line_words: list[int] = field(init=False)

    def __post_init__(self) -> None:
        begins = np.searchsorted(self.page.word_line, np.arange(len(self.lines) + 1))
        object.__setattr__(self, "spans", self.page.lines.tolist())
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


def spell(
    pages: tuple[Page, Page],
    lines: tuple[Sequence[str], Sequence[str]],
    unit: str,
    settings: Settings,
    *,
    breaks: bool = False,
) -> tuple[Spelled, Spelled, int]:
    r"""Both pages' normalised lines as tokens with their texts, and the number of different tokens.

    With `breaks` the lines of HYP are joined by `\n` instead of a blank, so that it shows where it was cut.
    """
    characterwise = unit == "CER"
    gt, hyp, alphabet, _ = encode_pair(*lines, characterwise=characterwise, settings=settings)
    read = _characters if characterwise else _words
    first, second = (
        Spelled(page, tokens, texts, *read(texts, settings, glue, len(tokens.tokens)))
        for page, tokens, texts, glue in zip(
            pages, (gt, hyp), lines, (" ", "\n" if breaks else " "), strict=True
        )
    )
    return first, second, alphabet


def _characters(lines: Sequence[str], settings: Settings, glue: str, count: int) -> Spelling:
    text = glue.join(filter(None, lines))
    if len(text) == count:  # every character is one code point
        return text, range(len(text)), range(1, len(text) + 1)
    # White space is always a character of its own, whatever it is followed by.
    sizes = [len(c) for piece in _BLANK.split(text) for c in characters(piece, settings.unit)]
    return text, *_bounds(np.array(sizes, np.int64))


def _words(lines: Sequence[str], settings: Settings, glue: str, count: int) -> Spelling:  # noqa: ARG001
    if settings.tokeniser == "whitespace":
        words = [line.split() for line in lines]
        sizes = np.array([len(word) for line in words for word in line], np.int64)
        return glue.join(" ".join(line) for line in words if line), *_bounds(sizes, np.arange(len(sizes)))
    cut = [words_of(line, settings.tokeniser) for line in lines]
    text = glue.join(" ".join(map("".join, line)) for line in cut if line)
    pieces = [word for line in cut for word in line]
    sizes = np.array([len(token) for word in pieces for token in word], np.int64)
    return text, *_bounds(sizes, np.repeat(np.arange(len(pieces)), [len(word) for word in pieces]))


def _bounds(sizes: Sizes, blanks: Sizes | int = 0) -> tuple[Sequence[int], Sequence[int]]:
    """Where tokens begin and end, with so many blanks before each."""
    ends = np.cumsum(sizes) + blanks
    return (ends - sizes).tolist(), ends.tolist()
