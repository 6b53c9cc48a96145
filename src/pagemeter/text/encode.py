"""Encoding of two pages as integers: equal tokens have equal numbers on both pages.

Measures of lines use pages of tokens with their lines and words. Measures with T join the lines of a page to
one text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagemeter import _kernel
from pagemeter.text.characters import characters, code_points, cuts_of, white_space_table, zero_joins
from pagemeter.text.normalisation import passes_filters
from pagemeter.text.tokenisers import SEES_WHITE_SPACE, words_of, words_of_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.settings import Settings

Ints = NDArray[np.int32]
Sizes = NDArray[np.int64]


@dataclass(frozen=True)
class TokenPage:
    """All tokens of a page as integers, with the positions of its lines and words.

    If tokens are characters, a space joins two words and two lines, except where words meet without a space
    (`pagemeter.text.characters`); if tokens are words, nothing does.

    Args:
        tokens: The numbers of the tokens.
        lines: Pairs (begin, end) into `tokens`, one per line.
        words: Pairs (begin, end) into `tokens`, one per word.
        word_line: The line of each word.

    """

    tokens: Ints
    lines: Ints
    words: Ints
    word_line: Ints

    @cached_property
    def line_tokens(self) -> int:
        """The number of tokens in all lines, with the spaces inside lines but not those between them."""
        return _kernel.measure_spans(self.lines)[0]

    @cached_property
    def word_tokens(self) -> int:
        """The number of tokens in all words, without joining spaces."""
        return _kernel.measure_spans(self.words)[0]

    @cached_property
    def lines_with_text(self) -> Ints | None:
        """The indices of the lines that have tokens, or None if all have."""
        if _kernel.measure_spans(self.lines)[1] == 0:
            return None
        return np.flatnonzero(self.lines[:, 1] > self.lines[:, 0]).astype(np.int32)


Encoded = tuple[TokenPage, TokenPage, int, int | None]
"""Both pages, the number of different tokens, and the token that joins words (None for words)."""


def encode_pair(gt: Sequence[str], hyp: Sequence[str], *, characterwise: bool, settings: Settings) -> Encoded:
    """Encode the normalised lines of both pages; tokens are numbered in the order of their first occurrence.

    >>> from pagemeter.settings import Settings
    >>> gt, hyp, alphabet, joiner = encode_pair(["ab c"], ["b"], characterwise=True, settings=Settings())
    >>> gt.tokens.tolist(), hyp.tokens.tolist(), alphabet, joiner
    ([0, 1, 2, 3], [1], 4, 2)
    """
    if characterwise:
        return _encode_characters(gt, hyp, settings)
    if settings.tokeniser == "whitespace":
        return words_of_characters(_encode_characters(gt, hyp, settings))
    return _encode_words(gt, hyp, settings)


def words_of_characters(pages: Encoded) -> Encoded:
    """Encode the words between two boundaries, given pages of characters.

    >>> from pagemeter.settings import Settings
    >>> pages = encode_pair(["a b", "a"], ["b"], characterwise=True, settings=Settings())
    >>> gt, hyp, alphabet, joiner = words_of_characters(pages)
    >>> gt.tokens.tolist(), hyp.tokens.tolist(), alphabet, joiner
    ([0, 1, 0], [1], 2, None)
    """
    gt, hyp, alphabet, _ = pages
    first, second, words = _kernel.number_words(
        gt.tokens, gt.words, gt.word_line, len(gt.lines),
        hyp.tokens, hyp.words, hyp.word_line, len(hyp.lines), alphabet,
    )  # fmt: skip
    return TokenPage(*first), TokenPage(*second), words, None


def _encode_characters(gt: Sequence[str], hyp: Sequence[str], settings: Settings) -> Encoded:
    clusters: dict[str, int] = {}
    pages = [code_points(lines, settings.unit, clusters) for lines in (gt, hyp)]
    scripts = settings.boundaries == "scripts"
    (gt_points, gt_joins), (hyp_points, hyp_joins) = (
        (page, zero_joins(*page, clusters) if scripts else None) for page in pages
    )
    first, second, alphabet, joiner = _kernel.number_characters(
        *gt_points, gt_joins, *hyp_points, hyp_joins, white_space_table(), ord(" ")
    )
    return TokenPage(*first), TokenPage(*second), alphabet, joiner


def _encode_words(gt: Sequence[str], hyp: Sequence[str], settings: Settings) -> Encoded:
    pages = _tokenise(gt, settings), _tokenise(hyp, settings)
    tokens = dict.fromkeys(chain.from_iterable(tokens for tokens, _, _ in pages))
    codes = {token: code for code, token in enumerate(tokens)}
    first, second = (_token_page(*page, codes) for page in pages)
    return first, second, len(codes), None


def _tokenise(lines: Sequence[str], settings: Settings) -> tuple[list[str], Sizes, Sizes]:
    """Return all tokens of a page, the number of words per line, and the number of tokens per word."""
    groups = words_of_lines(lines, settings)
    words = list(chain.from_iterable(groups))
    return list(chain.from_iterable(words)), _sizes(groups), _sizes(words)


def words_of_lines(lines: Sequence[str], settings: Settings) -> list[list[Sequence[str]]]:
    """Return the tokens of each line, grouped by words."""
    cuts = cuts_of(lines) if settings.boundaries == "scripts" else [()] * len(lines)
    return [words_of(line, settings.tokeniser, places) for line, places in zip(lines, cuts, strict=True)]


def _token_page(tokens: list[str], word_counts: Sizes, sizes: Sizes, codes: dict[str, int]) -> TokenPage:
    word_ends = np.concatenate([[0], np.cumsum(sizes)])
    line_ends = word_ends[np.concatenate([[0], np.cumsum(word_counts)])]
    return TokenPage(
        np.fromiter(map(codes.__getitem__, tokens), np.int32, len(tokens)),
        _spans(line_ends),
        _spans(word_ends),
        np.repeat(np.arange(len(word_counts), dtype=np.int32), word_counts),
    )


def _spans(ends: Sizes) -> Ints:
    """Return pairs (begin, end) of adjoining spans."""
    return np.stack([ends[:-1], ends[1:]], axis=1).astype(np.int32)


def _sizes(parts: Sequence[Sequence[object]]) -> Sizes:
    return np.fromiter(map(len, parts), np.int64, len(parts))


@dataclass(frozen=True, slots=True)
class WholeText:
    r"""A page as one text.

    Args:
        lines: The normalised lines.
        glue: The character between two lines.
        end: The line end after the last line, or nothing.

    >>> from pagemeter.settings import Settings
    >>> whole = WholeText.of(["one", " ", "two"], ["one", "", "two"], Settings(whitespace="strip"))
    >>> "".join(whole.characters("grapheme"))
    'one\n\ntwo'

    """

    lines: Sequence[str]
    glue: str = "\n"
    end: str = ""

    @classmethod
    def of(
        cls, texts: Sequence[str], lines: Sequence[str], settings: Settings, *, open_end: bool = False
    ) -> WholeText:
        """Return the text of a page.

        Blank lines are part of it, unless white space is collapsed. Lines that normalisation has emptied,
        such as those that a filter leaves out, are not.

        Args:
            texts: The lines of the page.
            lines: The normalised lines.
            settings: How white space and line ends count.
            open_end: True if there is no line end after the last line.

        """
        blank_lines = settings.whitespace != "collapse" and passes_filters(
            "", settings.keep_lines, settings.drop_lines
        )
        if not blank_lines:
            kept = [line for line in lines if line]
        else:
            pairs = zip(texts, lines, strict=True)
            kept = [line for text, line in pairs if line or not text.strip()]
        if settings.whitespace == "strip-page":
            first = next((number for number, line in enumerate(kept) if line), len(kept))
            last = next((number for number in range(len(kept), 0, -1) if kept[number - 1]), 0)
            kept = kept[first:last]
        glue = " " if settings.line_end == "space" else "\n"
        has_end = settings.line_end == "counted-last" or (
            settings.line_end == "counted-given" and not open_end
        )
        return cls(kept, glue, "\n" if has_end and kept else "")

    def characters(self, unit: str) -> list[str]:
        """Return the characters; a line end is one, and no character extends over it."""
        tokens: list[str] = []
        for number, line in enumerate(self.lines):
            if number:
                tokens.append(self.glue)
            tokens += characters(line, unit)
        return tokens + list(self.end)

    def words(self, settings: Settings) -> list[str]:
        """Return the words."""
        if isinstance(settings.tokeniser, str) and settings.tokeniser in SEES_WHITE_SPACE:
            return words_of_whole(self.lines, self.glue, settings.tokeniser)
        return [token for line in words_of_lines(self.lines, settings) for word in line for token in word]


class TextPair(NamedTuple):
    """The tokens of both pages, and the number of different ones."""

    gt: Ints
    hyp: Ints
    alphabet: int


def encode_texts(gt: Sequence[str], hyp: Sequence[str]) -> TextPair:
    """Number the tokens of both pages; equal tokens have equal numbers.

    >>> pair = encode_texts(["a", "b", "a"], ["c", "a"])
    >>> pair.gt.tolist(), pair.hyp.tolist(), pair.alphabet
    ([0, 1, 0], [2, 0], 3)
    """
    codes = {token: code for code, token in enumerate(dict.fromkeys(chain(gt, hyp)))}
    first, second = (np.fromiter(map(codes.__getitem__, side), np.int32, len(side)) for side in (gt, hyp))
    return TextPair(first, second, len(codes))


class SpelledWords(NamedTuple):
    """The characters of the words of both pages as numbers, and where each word begins and ends."""

    characters: TextPair
    gt: Ints
    hyp: Ints


def encode_spelled(gt: Sequence[str], hyp: Sequence[str], unit: str) -> SpelledWords:
    """Number the characters of words.

    >>> spelled = encode_spelled(["ab", "c"], ["b"], "codepoint")
    >>> spelled.characters.gt.tolist(), spelled.gt.tolist(), spelled.hyp.tolist()
    ([0, 1, 2], [[0, 2], [2, 3]], [[0, 1]])
    """
    sides = [[characters(word, unit) for word in side] for side in (gt, hyp)]
    pair = encode_texts(*(list(chain.from_iterable(side)) for side in sides))
    return SpelledWords(pair, *map(_spans_of, sides))


def _spans_of(words: Sequence[Sequence[str]]) -> Ints:
    return np.ascontiguousarray(_spans(np.cumsum([0, *map(len, words)])))
