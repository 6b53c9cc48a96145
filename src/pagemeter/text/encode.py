"""Two pages as integers: equal tokens get equal numbers on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.text.characters import blanks, joined
from pagemeter.text.tokenise import words_of
from pagemeter.text.tokens import Ints, Sizes, TokenPage, pairs

if TYPE_CHECKING:
    from pagemeter.settings import Settings

__all__ = ["Encoded", "Ints", "TokenPage", "encode_pair", "words_of_characters"]

Lines = Sequence[str]
Encoded = tuple[TokenPage, TokenPage, int, int | None]


def encode_pair(gt: Lines, hyp: Lines, *, characterwise: bool, settings: Settings) -> Encoded:
    """Both pages' normalised lines as integers, the number of different tokens, and the number of the blank
    that joins words, None where words are tokens. Tokens are numbered as they first appear.

    >>> from pagemeter.settings import Settings
    >>> gt, hyp, alphabet, joiner = encode_pair(["ab c"], ["b"], characterwise=True, settings=Settings())
    >>> gt.tokens.tolist(), hyp.tokens.tolist(), alphabet, joiner
    ([0, 1, 2, 3], [1], 4, 2)
    """
    if characterwise:
        return _characters(gt, hyp, settings.unit)
    if settings.tokeniser == "whitespace":
        return words_of_characters(_characters(gt, hyp, settings.unit))
    return (*_words(gt, hyp, settings), None)


def words_of_characters(pages: Encoded) -> Encoded:
    """Pages of characters as pages of the words between white space.

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


def _characters(gt: Lines, hyp: Lines, unit: str) -> Encoded:
    clusters: dict[str, int] = {}
    first, second, alphabet, joiner = _kernel.number_characters(
        *joined(gt, unit, clusters), *joined(hyp, unit, clusters), blanks(), ord(" ")
    )
    return TokenPage(*first), TokenPage(*second), alphabet, joiner


def _words(gt: Lines, hyp: Lines, settings: Settings) -> tuple[TokenPage, TokenPage, int]:
    pages = _cut(gt, settings), _cut(hyp, settings)
    tokens = dict.fromkeys(chain.from_iterable(tokens for tokens, _, _ in pages))
    codes = {token: code for code, token in enumerate(tokens)}
    first, second = (_page(*page, codes) for page in pages)
    return first, second, len(codes)


def _cut(lines: Lines, settings: Settings) -> tuple[list[str], Sizes, Sizes]:
    """All tokens of a page, the number of words in each line, and of tokens in each word."""
    groups = [words_of(line, settings.tokeniser) for line in lines]
    words = list(chain.from_iterable(groups))
    return list(chain.from_iterable(words)), _sizes(groups), _sizes(words)


def _page(tokens: list[str], counts: Sizes, sizes: Sizes, codes: dict[str, int]) -> TokenPage:
    word_ends = np.concatenate([[0], np.cumsum(sizes)])
    line_ends = word_ends[np.concatenate([[0], np.cumsum(counts)])]
    return TokenPage(
        np.fromiter(map(codes.__getitem__, tokens), np.int32, len(tokens)),
        pairs(line_ends[:-1], line_ends[1:]),
        pairs(word_ends[:-1], word_ends[1:]),
        np.repeat(np.arange(len(counts), dtype=np.int32), counts),
    )


def _sizes(parts: Sequence[Sequence[object]]) -> Sizes:
    return np.fromiter(map(len, parts), np.int64, len(parts))
