"""A line as words of tokens: what a tokeniser makes of it for WER and BOW."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError
from pagemeter.text import uax29

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pagemeter.settings import Tokeniser

_BLANK = re.compile(r"\s")


def words_of(line: str, tokeniser: Tokeniser | str) -> list[Sequence[str]]:
    """A tokeniser's tokens, grouped by the pieces of text between white space.

    A segmentation may be cut where the text has white space and nowhere else, so a tokeniser that makes two
    tokens of `its,` makes no boundary there, and one that keeps `New York` together leaves none inside.

    >>> words_of("its, New York", "punctuation")
    [('its', ','), ('New',), ('York',)]
    >>> words_of("its, New York", lambda s: ["its", ",", "New York"])
    [['its', ','], ['New York']]
    """
    if not isinstance(tokeniser, str):
        return _words_of_callable(line, tokeniser)
    if tokeniser == "whitespace":
        return [(piece,) for piece in line.split()]
    return [tokens for piece in line.split() if (tokens := _cut(piece, tokeniser))]


def letters_numbers_others(text: str) -> list[str]:
    """Runs of letters, runs of numbers, and every other character by itself.

    Marks and private-use characters count as letters. This is how the CITlab tokeniser cuts that the Java
    tool uses; it takes letters and numbers apart too.

    >>> letters_numbers_others("No. 3b, (sic!)")
    ['No', '.', '3', 'b', ',', '(', 'sic', '!', ')']
    """
    found: list[str] = _runs().findall(text)
    return found


_CUTS: dict[str, Callable[[str], Sequence[str]]] = {
    "uax29": uax29.words,
    "punctuation": letters_numbers_others,
}


@lru_cache(maxsize=1 << 16)
def _cut(piece: str, tokeniser: str) -> tuple[str, ...]:
    """The tokens of a piece of text. Words come again, on both pages, so what was cut once is remembered."""
    if piece.isascii() and piece.isalpha():
        return (piece,)
    return tuple(_CUTS[tokeniser](piece))


@cache
def _runs() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms that only this tokeniser needs)

    return regex.compile(r"[\p{L}\p{M}\p{Co}]++|\p{N}++|[^\s\x1c-\x1f]")


def _words_of_callable(line: str, tokeniser: Tokeniser) -> list[Sequence[str]]:
    """The groups of a callable's tokens: by the pieces of the line, if it cuts these as it cuts the line, or
    else by where its tokens stand.
    """
    tokens = _tokens(line, tokeniser)
    pieces = [_tokens(piece, tokeniser) for piece in line.split()]
    if [token for piece in pieces for token in piece] == tokens:
        return [piece for piece in pieces if piece]
    return _words_by_place(line, tokens)


def _words_by_place(line: str, tokens: list[str]) -> list[Sequence[str]]:
    groups: list[list[str]] = []
    end = 0
    for token in tokens:
        start = line.find(token, end)
        if start < 0:
            raise UsageError(
                f"tokeniser: its tokens for {line!r} are neither parts of the text nor those of its pieces "
                "between white space, so it is unknown where the line may be split; change the text by "
                "normalisation and let the tokeniser only cut"
            )
        if not groups or _BLANK.search(line, end, start):
            groups.append([])
        groups[-1].append(token)
        end = start + len(token)
    return list(groups)


def _tokens(text: str, tokeniser: Tokeniser) -> list[str]:
    given: object = tokeniser(text)
    if not isinstance(given, Iterable):
        raise UsageError(
            f"tokeniser: it gave {given!r:.40} for {text!r}, of type {type(given).__name__}; "
            "it must give a list of str"
        )
    tokens = list(given)
    for token in tokens:
        if not isinstance(token, str) or not token:
            raise UsageError(
                f"tokeniser: it gave the token {token!r:.40} for {text!r}; "
                "every token must be a str that is not empty"
            )
    return tokens
