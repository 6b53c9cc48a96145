r"""Tokenisers: they split a line into words of tokens for WER and BOW.

The tokeniser `uax29` follows Unicode Standard Annex #29. The `\b` of the regex module with its WORD flag
departs from the annex beside regional indicators and format characters, so the rules WB3c to WB16 are written
out here with its character properties. Lines are split at white space first. Characters of scripts without
spaces are words of their own, unless the tokeniser joins them (`pagemeter.text.characters`).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError
from pagemeter.signature import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pagemeter.settings import Tokeniser

_BLANK = re.compile(r"\s")
_MAX_CACHED = 100  # characters; longer texts without white space hardly recur
_RUN_OF_BLANKS = re.compile(r"\s\s+")


def words_of(line: str, tokeniser: Tokeniser | str, cuts: Sequence[int] = ()) -> list[Sequence[str]]:
    """Return the tokens of a line, grouped by the words between two boundaries.

    Lines can be split at boundaries only (measures with S). A tokeniser that makes two tokens of `its,`
    does not allow a split between them, and one that keeps `New York` as one token prevents a split there.

    Args:
        line: The line.
        tokeniser: The name of a tokeniser, or a function from str to tokens.
        cuts: The boundaries besides white space, as positions in the line (`pagemeter.text.characters`).
            White space and the tokeniser "punctuation" split there. Other tokenisers may make one token of
            the text on both sides.

    >>> words_of("its, New York", "punctuation")
    [('its', ','), ('New',), ('York',)]
    >>> words_of("its, New York", lambda s: ["its", ",", "New York"])
    [['its', ','], ['New York']]
    >>> words_of("東京 Bay", "whitespace", [1]), words_of("東京都", lambda s: ["東京", "都"], [1, 2])
    ([('東',), ('京',), ('Bay',)], [['東京'], ['都']])

    """
    if not isinstance(tokeniser, str):
        return _words_of_callable(line, tokeniser, cuts)
    if tokeniser == "space":
        return [(word,) for word in space_words(line)]
    if cuts and tokeniser == "isri":  # its words are not parts of the line
        found = [segment for piece in line.split() for segment in _isri_segments(piece)]
        return [list(map(_isri_word, group)) for group in _words_by_position(line, found, cuts)]
    if cuts and tokeniser in _SEGMENTING:
        found = [token for piece in line.split() for token in _tokens_of_piece(piece, tokeniser)]
        return _words_by_position(line, found, cuts)
    pieces = [piece for begin, end in pairwise((0, *cuts, len(line))) for piece in line[begin:end].split()]
    if tokeniser == "whitespace":
        return [(piece,) for piece in pieces]
    return [tokens for piece in pieces if (tokens := _tokens_of_piece(piece, tokeniser))]


def _tokens_of_piece(piece: str, tokeniser: str) -> tuple[str, ...]:
    """Return the tokens of a text without white space; words recur, so their tokens are cached."""
    return (_tokens_of_word if len(piece) <= _MAX_CACHED else _tokens_of_word.__wrapped__)(piece, tokeniser)


@lru_cache(maxsize=1 << 16)
def _tokens_of_word(piece: str, tokeniser: str) -> tuple[str, ...]:
    if piece.isascii() and piece.isalpha() and tokeniser != "isri":
        return (piece,)
    return tuple(_TOKENISERS[tokeniser](piece))


def letters_numbers_others(text: str) -> list[str]:
    """Split a text into runs of letters, runs of numbers, and single other characters.

    Marks and private-use characters count as letters. The CITlab tokeniser of the Java tool splits like this;
    it separates letters from numbers too.

    >>> letters_numbers_others("No. 3b, (sic!)")
    ['No', '.', '3', 'b', ',', '(', 'sic', '!', ')']
    """
    result: list[str] = _runs().findall(text)
    return result


@cache
def _runs() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms, only this tokeniser)

    return regex.compile(r"[\p{L}\p{M}\p{Co}]++|\p{N}++|[^\s\x1c-\x1f]")


def uax29_words(text: str) -> list[str]:
    """Return the words of a text: its segments with a letter, a number or an emoji.

    >>> uax29_words("don’t pay 3.14, l’homme: 👍🏽")
    ['don’t', 'pay', '3.14', 'l’homme', '👍🏽']
    """
    word_pattern = _uax29_patterns()[1]
    return [segment for segment in segments(text) if word_pattern.search(segment)]


def dinglehopper_words(text: str) -> list[str]:
    """Return the words of dinglehopper: segments that are not only marks, punctuation, symbols and controls.

    >>> dinglehopper_words("don’t pay 3.14, l’homme: 👍🏽")
    ['don’t', 'pay', '3.14', 'l’homme']
    """
    word_pattern = _uax29_patterns()[2]
    return [segment for segment in segments(text) if word_pattern.search(segment)]


def isri_words(text: str) -> list[str]:
    """Return the words of the ISRI tools: segments that begin with a letter, mark or number, in lower case.

    Private-use characters are words of their own.

    >>> isri_words("Don’t pay 3.14, (L’homme_)")
    ['don’t', 'pay', '3.14', 'l’homme_']
    """
    return list(map(_isri_word, _isri_segments(text)))


def _isri_segments(text: str) -> list[str]:
    *_, segment_pattern, word_pattern = _uax29_patterns()
    return [segment for segment in segment_pattern.findall(text) if word_pattern.match(segment)]


def _isri_word(segment: str) -> str:
    return unicodedata.normalize("NFC", segment.lower())


def space_words(text: str) -> list[str]:
    r"""Return the words between spaces, U+0020; a run of white space counts as one.

    A single line end or tab does not separate words, as in jiwer.

    >>> space_words(" one  two\tthree\n\nfour ")
    ['one', 'two\tthree', 'four']
    """
    return [word for word in _RUN_OF_BLANKS.sub(" ", text).strip().split(" ") if word]


def segments(text: str) -> list[str]:
    """Split a text at each default word boundary; private-use characters are letters.

    >>> segments("(3.14)!")
    ['(', '3.14', ')', '!']
    """
    result: list[str] = _uax29_patterns()[0].findall(text)
    return result


@cache
def _uax29_patterns() -> tuple[Any, ...]:
    """Return patterns: a segment, words of `uax29` and `dinglehopper`, and segments and words of `isri`."""
    import regex  # noqa: PLC0415  (15 ms, only this tokeniser)

    # An emoji is shown in colour by default, with a variation selector, or joined to another emoji.
    emoji = r"\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\u200D\p{Extended_Pictographic}"
    patterns = (
        _segment(r"\p{Co}"),
        rf"[\p{{L}}\p{{N}}\p{{Co}}]|{emoji}",
        r"[^\p{M}\p{P}\p{Z}\p{S}\p{Cc}\p{Cf}]",
        _segment(),
        r"[\p{L}\p{M}\p{N}\p{Pc}\p{Co}]",
    )
    return tuple(map(regex.compile, patterns))


def _segment(letters: str = "") -> str:
    """Return the pattern of one segment; marks and format characters join the character before (WB4).

    Args:
        letters: A class of characters that are treated as letters besides those of the annex.

    """
    marks = f"{_of('Extend', 'Format', 'ZWJ')}*+"
    letter = rf"[\p{{WB=ALetter}}\p{{WB=Hebrew_Letter}}{letters}]{marks}"
    number = _of("Numeric") + marks
    in_letters = _of("MidLetter", "MidNumLet", "Single_Quote") + marks
    in_numbers = _of("MidNum", "MidNumLet", "Single_Quote") + marks
    hebrew, double, single = (_of(name) + marks for name in ("Hebrew_Letter", "Double_Quote", "Single_Quote"))
    low, katakana = _of("ExtendNumLet") + marks, _of("Katakana") + marks
    # WB5 to WB12: an inner character needs the same kind on both sides. WB13 to WB13b: _ joins all kinds.
    alphanumeric = (
        f"(?:{hebrew}{double}(?={hebrew})|{letter}{in_letters}(?={letter})|{letter}"
        f"|{number}{in_numbers}(?={number})|{number})+"
    )
    run = f"(?:{alphanumeric}|(?:{katakana})+)"
    # WB7a: a quote after a Hebrew letter belongs to it and ends the segment.
    word = f"(?:{low})*+{run}(?:(?:{low})++{run})*(?:(?<={hebrew}){single}|(?:{low})*)"
    flag = rf"\p{{RI}}{marks}(?:\p{{RI}}{marks})?"
    other = f"[^{_of('Extend', 'Format', 'ZWJ')[1:-1]}]{marks}"
    stray = f"{_of('Extend', 'Format', 'ZWJ')}++"
    # WB3c: a joiner attaches an emoji to what precedes it. A few emoji are letters too and continue a word.
    emoji = r"\p{Extended_Pictographic}"
    return (
        rf"(?:{word}|(?:{low})+|{flag}|{other}|{stray})(?:(?<=\u200D)(?={emoji})(?:{word}|{emoji}{marks}))*"
    )


def _of(*names: str) -> str:
    return "[" + "".join(rf"\p{{WB={name}}}" for name in names) + "]"


_TOKENISERS: dict[str, Callable[[str], Sequence[str]]] = {
    "uax29": uax29_words,
    "punctuation": letters_numbers_others,
    "dinglehopper": dinglehopper_words,
    "isri": isri_words,
}
_SEGMENTING = frozenset(("uax29", "dinglehopper", "isri"))  # UAX #29
SEES_WHITE_SPACE = _SEGMENTING | {"space"}
"""The tokenisers whose rules also decide which white space separates words."""


def words_of_whole(lines: Sequence[str], glue: str, tokeniser: str) -> list[str]:
    r"""Return the tokens of a page that is one text, by one of `SEES_WHITE_SPACE`.

    Args:
        lines: The lines.
        glue: The text between two lines.
        tokeniser: The name of the tokeniser.

    >>> words_of_whole(["one two", "three"], "\n", "space"), words_of_whole(["1.", "2"], " ", "uax29")
    (['one', 'two\nthree'], ['1', '2'])

    """
    if tokeniser == "space":
        return space_words(glue.join(lines))
    return [token for line in lines for token in _TOKENISERS[tokeniser](line)]


def _words_of_callable(line: str, tokeniser: Tokeniser, cuts: Sequence[int]) -> list[Sequence[str]]:
    """Group the tokens of a callable by words.

    If the callable splits the words of a line as it splits the line, each word has its own tokens. Otherwise,
    the tokens are searched in the line.
    """
    tokens = _checked_tokens(line, tokeniser)
    if cuts and _positions(line, tokens) is not None:
        return _words_by_position(line, tokens, cuts)
    pieces = [_checked_tokens(piece, tokeniser) for piece in line.split()]
    if [token for piece in pieces for token in piece] == tokens:
        return [piece for piece in pieces if piece]
    return _words_by_position(line, tokens)


def _positions(line: str, tokens: list[str]) -> list[int] | None:
    """Return the start of each token, or None if the tokens are not parts of the line."""
    begins: list[int] = []
    end = 0
    for token in tokens:
        begins.append(line.find(token, end))
        if begins[-1] < 0:
            return None
        end = begins[-1] + len(token)
    return begins


def _words_by_position(line: str, tokens: list[str], cuts: Sequence[int] = ()) -> list[Sequence[str]]:
    begins = _positions(line, tokens)
    if begins is None:
        raise UsageError(
            f"tokeniser: its tokens for {line!r} are neither parts of the text nor those of its words, "
            "so it is unknown where the line may be split",
            remedy="change the text by normalisation, and let the tokeniser only split it",
        )
    groups: list[list[str]] = []
    end = 0
    for token, begin in zip(tokens, begins, strict=True):
        # The first cut from the end of the last token on is before this token, or at its start.
        cut = bisect_left(cuts, end)
        if not groups or _BLANK.search(line, end, begin) or (cut < len(cuts) and cuts[cut] <= begin):
            groups.append([])
        groups[-1].append(token)
        end = begin + len(token)
    return list(groups)


def _checked_tokens(text: str, tokeniser: Tokeniser) -> list[str]:
    tokens: object = tokeniser(text)
    if not isinstance(tokens, Iterable):
        raise UsageError(
            f"tokeniser: it returned {tokens!r:.40} for {text!r}, of type {type(tokens).__name__}",
            remedy="return a list of str",
        )
    checked = list(tokens)
    for token in checked:
        if not isinstance(token, str) or not token:
            raise UsageError(
                f"tokeniser: it returned the token {token!r:.40} for {text!r}",
                remedy="return tokens that are str and not empty",
            )
    return checked


def function_label(function: Callable[..., object]) -> str:
    """Return the name of a function and a digest of its source, for a signature."""
    return f"custom({escape(_function_name(function))})@{_digest(function)}"


def _function_name(function: Callable[..., object]) -> str:
    named: Any = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None)
    return f"{module}.{named.__qualname__}" if module else str(named.__qualname__)


def _digest(function: Callable[..., object]) -> str:
    """Return eight digits of the source of a function, or of its byte code, or of its name."""
    import inspect  # noqa: PLC0415  (rarely needed)

    named: Any = function if hasattr(function, "__qualname__") else type(function)
    code = getattr(named, "__code__", None)
    try:
        content = inspect.getsource(named)
    except (OSError, TypeError):
        content = (
            _function_name(function)
            if code is None
            else f"{code.co_code.hex()} {code.co_names} {code.co_varnames}"
        )
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]
