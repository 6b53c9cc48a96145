r"""Words after Unicode Standard Annex #29: the default word boundaries, and which segments are words.

The regex module's own `\b` with its WORD flag departs from the annex beside regional indicators and format
characters, so the rules WB3c to WB16 are written out here over its character properties. White space never
comes here: a line is cut there first.
"""

from __future__ import annotations

from functools import cache
from typing import Any


def words(text: str) -> list[str]:
    """The words of a text: its segments that hold a letter, a number or an emoji.

    >>> words("don’t pay 3.14, l’homme: 👍🏽")
    ['don’t', 'pay', '3.14', 'l’homme', '👍🏽']
    """
    segment, word = _patterns()
    return [found for found in segment.findall(text) if word.search(found)]


def segments(text: str) -> list[str]:
    """A text without white space, cut at every default word boundary.

    >>> segments("(3.14)!")
    ['(', '3.14', ')', '!']
    """
    found: list[str] = _patterns()[0].findall(text)
    return found


@cache
def _patterns() -> tuple[Any, Any]:
    import regex  # noqa: PLC0415  (15 ms that only this tokeniser needs)

    # An emoji shows in colour by itself, by a selector after it, or joined to another.
    word = (
        r"\p{L}|\p{N}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\u200D\p{Extended_Pictographic}"
    )
    return regex.compile(_segment()), regex.compile(word)


def _segment() -> str:
    """One segment. Every atom takes the marks and format characters after it along (WB4)."""
    marks = f"{_of('Extend', 'Format', 'ZWJ')}*+"
    letter, number = _of("ALetter", "Hebrew_Letter") + marks, _of("Numeric") + marks
    in_letters = _of("MidLetter", "MidNumLet", "Single_Quote") + marks
    in_numbers = _of("MidNum", "MidNumLet", "Single_Quote") + marks
    hebrew, double, single = (_of(name) + marks for name in ("Hebrew_Letter", "Double_Quote", "Single_Quote"))
    low, katakana = _of("ExtendNumLet") + marks, _of("Katakana") + marks
    # WB5 to WB12: what may stand inside needs its like on both sides. WB13 to WB13b: _ joins all of them.
    alphanumeric = (
        f"(?:{hebrew}{double}(?={hebrew})|{letter}{in_letters}(?={letter})|{letter}"
        f"|{number}{in_numbers}(?={number})|{number})+"
    )
    run = f"(?:{alphanumeric}|(?:{katakana})+)"
    # WB7a: a quote after a Hebrew letter belongs to it, but nothing goes on from there.
    word = f"(?:{low})*+{run}(?:(?:{low})++{run})*(?:(?<={hebrew}){single}|(?:{low})*)"
    flag = rf"\p{{RI}}{marks}(?:\p{{RI}}{marks})?"
    other = f"[^{_of('Extend', 'Format', 'ZWJ')[1:-1]}]{marks}"
    stray = f"{_of('Extend', 'Format', 'ZWJ')}++"
    # WB3c: a joiner holds an emoji to what stands before it; a few emoji are letters too and go on as such.
    emoji = r"\p{Extended_Pictographic}"
    return (
        rf"(?:{word}|(?:{low})+|{flag}|{other}|{stray})(?:(?<=\u200D)(?={emoji})(?:{word}|{emoji}{marks}))*"
    )


def _of(*names: str) -> str:
    return "[" + "".join(rf"\p{{WB={name}}}" for name in names) + "]"
