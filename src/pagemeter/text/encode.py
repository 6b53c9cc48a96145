"""Encoding of two pages as integers: equal tokens have equal numbers on both pages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pagemeter import _kernel
from pagemeter.text.characters import code_points, cuts_of, white_space_table, zero_joins
from pagemeter.text.tokenisers import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.settings import Settings

Ints = NDArray[np.int32]
Sizes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
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

    @property
    def line_tokens(self) -> int:
        """The number of tokens in all lines, with the spaces inside lines but not those between them."""
        return int((self.lines[:, 1] - self.lines[:, 0]).sum())

    @property
    def word_tokens(self) -> int:
        """The number of tokens in all words, without joining spaces."""
        return int((self.words[:, 1] - self.words[:, 0]).sum())


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
