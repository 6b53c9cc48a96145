"""Pages of tokens together with their text, so that each token can be shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.measure import UNITS
from pagemeter.text import TokenPage, characters, encode_pair
from pagemeter.text.encode import words_of_characters, words_of_lines
from pagemeter.text.notation_tokens import encode_notations
from pagemeter.text.notations import SHOWN

if TYPE_CHECKING:
    from pagemeter.measure import UnitName
    from pagemeter.page import Page
    from pagemeter.settings import Settings
    from pagemeter.text.encode import Sizes
    from pagemeter.text.notation_tokens import Notations
    from pagemeter.text.notations import NotedTexts

_TextAndBounds = tuple[str, Sequence[int], Sequence[int]]
_WHITE_SPACE = re.compile(r"(\s)")


@dataclass(frozen=True, slots=True)
class TokenText:
    """A page of tokens and the text in which they are; words and lines are joined by spaces.

    Args:
        source: The page.
        page: Its tokens.
        lines: The normalised lines.
        text: The text of all tokens; token i is ``text[starts[i]:ends[i]]``.
        starts: The start of each token.
        ends: The end of each token.
        optional: For each line, whether its text costs nothing if it is not matched.
        spans: The tokens of each line, as [begin, end].
        words: The tokens of each word, as [begin, end].
        word_line: The line of each word.
        line_words: The first word of each line, and the number of all words.

    """

    source: Page
    page: TokenPage
    lines: Sequence[str]
    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    optional: Sequence[bool]
    spans: list[list[int]] = field(init=False)
    words: list[list[int]] = field(init=False)
    word_line: list[int] = field(init=False)
    line_words: list[int] = field(init=False)

    def __post_init__(self) -> None:
        line_words = np.searchsorted(self.page.word_line, np.arange(len(self.lines) + 1))
        object.__setattr__(self, "spans", self.page.lines.tolist())
        object.__setattr__(self, "words", self.page.words.tolist())
        object.__setattr__(self, "word_line", self.page.word_line.tolist())
        object.__setattr__(self, "line_words", line_words.tolist())

    def slice(self, begin: int, end: int) -> str:
        """Return the text of the tokens from `begin` to before `end`."""
        return self.text[self.starts[begin] : self.ends[end - 1]] if begin < end else ""

    def span(self, words: Sequence[int]) -> tuple[int, int]:
        """Return the tokens of a run of words, with the spaces between them."""
        return self.words[words[0]][0], self.words[words[-1]][1]

    def words_of(self, line: int) -> range:
        """Return the words of a line, as indices into those of the page."""
        return range(self.line_words[line], self.line_words[line + 1])

    def follows(self, word: int) -> bool:
        """Return True if a word follows the previous word of its line without a space."""
        if not word or self.word_line[word] != self.word_line[word - 1]:
            return False
        (begin, end), before = self.words[word], self.words[word - 1][1]
        return before > 0 and begin < end and self.starts[begin] == self.ends[before - 1]

    def word(self, word: int) -> str:
        """Return the text of a word."""
        return self.slice(*self.words[word])


def token_texts(
    pages: tuple[Page, Page],
    lines: tuple[Sequence[str], Sequence[str]],
    unit: UnitName,
    settings: Settings,
    *,
    breaks: bool = False,
    readings: NotedTexts | None = None,
) -> tuple[TokenText, TokenText, int, Notations | None]:
    r"""Return both pages as tokens with their texts, the number of different tokens, and the notations.

    Args:
        pages: The ground truth and the hypothesis.
        lines: The normalised lines of both.
        unit: The unit whose tokens are used.
        settings: The settings of the evaluation.
        breaks: True to join the lines of HYP by `\n` instead of a space, which shows where lines end.
        readings: The accepted readings of the ground truth, which are its lines then.

    """
    lines = (readings.rows, lines[1]) if readings else lines
    glues = (" ", "\n" if breaks else " ")
    if not UNITS[unit].of_characters and settings.tokeniser != "whitespace":
        encoded = encode_pair(*lines, characterwise=False, settings=settings)
        parts = [_word_bounds(texts, settings, glue) for texts, glue in zip(lines, glues, strict=True)]
    else:
        encoded = encode_pair(*lines, characterwise=True, settings=settings)
        parts = [
            _character_bounds(texts, page, settings, glue)
            for texts, page, glue in zip(lines, encoded[:2], glues, strict=True)
        ]
        if not UNITS[unit].of_characters:
            parts = [_joined(*part, page) for part, page in zip(parts, encoded[:2], strict=True)]
            encoded = words_of_characters(encoded)
    *token_pages, alphabet, _ = encoded
    notations = None
    if readings:
        notations = encode_notations(
            readings, lines[1], encoded, settings, characterwise=UNITS[unit].of_characters
        )
        parts[0] = (parts[0][0].translate(SHOWN), *parts[0][1:])
        lines = (tuple(line.translate(SHOWN) for line in lines[0]), lines[1])
    types = settings.optional_types("gt"), settings.optional_types("hyp")
    gt, hyp = (
        TokenText(page, tokens, texts, *part, [line.type in optional for line in page.lines])
        for page, tokens, texts, part, optional in zip(pages, token_pages, lines, parts, types, strict=True)
    )
    return gt, hyp, alphabet, notations


def _character_bounds(lines: Sequence[str], page: TokenPage, settings: Settings, glue: str) -> _TextAndBounds:
    """Return the text of a page of characters. Lines that meet without a space have at most a line break."""
    filled = [line for line in lines if line]
    spans = page.lines[page.lines[:, 0] < page.lines[:, 1]]
    spaced = (spans[1:, 0] > spans[:-1, 1]).tolist()
    if all(spaced) and sum(map(len, filled)) + len(spaced) == len(page.tokens):
        text = glue.join(filled)  # each character is one code point
        return text, range(len(text)), range(1, len(text) + 1)
    break_only = glue if glue == "\n" else ""
    text, sizes, offsets, offset = "", [], [], 0
    for line, space in zip(filled, [None, *spaced], strict=True):
        if space:
            text += glue
            sizes.append(1)
            offsets.append(offset)
        elif space is not None:
            text += break_only
            offset += len(break_only)
        # White space is always a character of its own, even before a combining mark.
        new = [len(c) for piece in _WHITE_SPACE.split(line) for c in characters(piece, settings.unit)]
        text += line
        sizes += new
        offsets += [offset] * len(new)
    return text, *_bounds(np.array(sizes, np.int64), np.array(offsets, np.int64))


def _joined(text: str, starts: Sequence[int], ends: Sequence[int], page: TokenPage) -> _TextAndBounds:
    """Return the bounds of words, given those of characters."""
    words = [(begin, end) for begin, end in page.words.tolist() if begin < end]
    return text, [starts[begin] for begin, _ in words], [ends[end - 1] for _, end in words]


def _word_bounds(lines: Sequence[str], settings: Settings, glue: str) -> _TextAndBounds:
    tokenised = words_of_lines(lines, settings)
    text = glue.join(" ".join(map("".join, line)) for line in tokenised if line)
    pieces = [word for line in tokenised for word in line]
    sizes = np.array([len(token) for word in pieces for token in word], np.int64)
    return text, *_bounds(sizes, np.repeat(np.arange(len(pieces)), [len(word) for word in pieces]))


def _bounds(sizes: Sizes, spaces: Sizes) -> tuple[Sequence[int], Sequence[int]]:
    """Return the start and the end of each token, given the number of spaces before each."""
    ends = np.cumsum(sizes) + spaces
    return (ends - sizes).tolist(), ends.tolist()
