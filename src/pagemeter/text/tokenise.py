"""A line as words of tokens: characters for CER, what a tokeniser makes for WER."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from pagemeter.errors import UsageError
from pagemeter.settings import Tokeniser

_BLANK = re.compile(r"\s")


@cache
def _clusters() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms that plain ASCII need not pay)

    return regex.compile(r"\X")


def characters(text: str, unit: str) -> Sequence[str]:
    """The characters of a text: extended grapheme clusters, or code points.

    >>> [len(characters("e\\u0301", unit)) for unit in ("grapheme", "codepoint")]
    [1, 2]
    """
    if unit == "codepoint" or text.isascii():
        return text
    found: list[str] = _clusters().findall(text)
    return found


def pieces_of(line: str) -> tuple[list[str], list[str]]:
    """A line cut at each white-space character: the pieces, and the characters between them.

    >>> pieces_of("a  b")
    (['a', '', 'b'], [' ', ' '])
    """
    return (_BLANK.split(line), _BLANK.findall(line)) if line else ([], [])


def words_of(line: str, tokeniser: Tokeniser) -> list[Sequence[str]]:
    """A tokeniser's tokens, grouped by the pieces of text between white space.

    A segmentation may be cut where the text has white space and nowhere else, so a tokeniser that makes two
    tokens of `its,` makes no boundary there, and one that keeps `New York` together leaves none inside.

    >>> words_of("its, New York", lambda s: ["its", ",", "New York"])
    [['its', ','], ['New York']]
    """
    tokens = list(tokeniser(line))
    groups: list[list[str]] = []
    end = 0
    for token in tokens:
        start = line.find(token, end)
        if start < 0:
            return _words_by_piece(line, tokeniser, tokens)
        if not groups or _BLANK.search(line, end, start):
            groups.append([])
        groups[-1].append(token)
        end = start + len(token)
    return list(groups)


def _words_by_piece(line: str, tokeniser: Tokeniser, tokens: list[str]) -> list[Sequence[str]]:
    """The groups for a tokeniser that changes what it cuts: it must do so piece by piece."""
    groups = [list(tokeniser(piece)) for piece in line.split()]
    if [token for group in groups for token in group] != tokens:
        raise UsageError(
            f"tokeniser: its tokens for {line!r} are neither parts of the text nor those of the text's pieces "
            "between white space, so it is unknown where the line may be split; change the text by "
            "normalisation and let the tokeniser only cut"
        )
    return [group for group in groups if group]
