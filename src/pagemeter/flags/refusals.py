"""Answers of models that refuse to read a page, recognised by components of their phrases.

A model refuses in many words: it apologises, says that it cannot read, see or help, that the image is blank
or blurred, that there is no text, that it is an AI, or it asks for a better image. `refusals.toml` has
patterns for each of these components by language, and a combination of components makes a refusal. No full
sentences are listed, so other phrasings are found too.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from pkgutil import get_data
from typing import NamedTuple

_MOST_CHARACTERS = 800
"""A longer answer is not a refusal."""
_FEW_CHARACTERS = 250
"""A part of a refusal is sufficient in an answer of at most this length."""
_A_NOTE = 40
"""An answer of at most this length can be a note such as "[illegible]"."""
_ONE_SENTENCE = 80
"""An answer of at most this length can be an apology that does not mention the image."""
_WIDE = 3
"""A character of Chinese, Japanese or Korean says as much as this number of letters."""
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|[。！？；؟।។။።։]")
_MARKUP = re.compile(r"[*_`~#>]+")
_BRACKETS = "[](){}<>.…-— "
_APOSTROPHES = str.maketrans(dict.fromkeys("'‘`´ʼ", "’"))


class _Patterns(NamedTuple):
    """The components of refusals in one language; `refusals.toml` explains them."""

    apology: re.Pattern[str]
    inability: re.Pattern[str]
    reading: re.Pattern[str]
    image: re.Pattern[str]
    unreadable: re.Pattern[str]
    no_text: re.Pattern[str]
    machine: re.Pattern[str]
    ask: re.Pattern[str]


def is_refusal(text: str) -> bool:
    """Return True if a short text has the components of a refusal in any language.

    >>> is_refusal("I'm sorry, but I can't read the text in this image.")
    True
    >>> is_refusal("I am sorry to hear that your mother is unwell.")
    False
    """
    text = _normalised(text)
    if not text or len(text) > _MOST_CHARACTERS:
        return False
    return any(_refuses(text, patterns) for patterns in _patterns())


def _refuses(text: str, patterns: _Patterns) -> bool:
    """Return True if a text refuses in one language.

    An apology counts for all sentences; other components must be in one sentence.
    """
    length = sum(_WIDE if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
    short, brief, note = length <= _FEW_CHARACTERS, length <= _ONE_SENTENCE, length <= _A_NOTE
    if note and (_covers(patterns.unreadable, text) or _covers(patterns.no_text, text)):
        return True
    apology = bool(patterns.apology.search(text))
    whole = note or bool(patterns.image.search(text) and patterns.reading.search(text))
    if apology and short and whole and patterns.inability.search(text):
        return True
    for sentence in _SENTENCE_END.split(text):
        inability, reading, image, unreadable, no_text, machine, ask = (
            bool(pattern.search(sentence)) for pattern in patterns[1:]
        )
        if (
            (machine and (apology or inability or image))
            or (inability and reading and (image or note or (apology and brief)))
            or (image and unreadable and (short or inability or apology))
            or (no_text and (apology or inability or (short and (image or reading))))
            or (ask and image and short)
        ):
            return True
    return False


def _covers(pattern: re.Pattern[str], text: str) -> bool:
    """Return True if a pattern matches at least half of a note."""
    return 2 * sum(len(match[0]) for match in pattern.finditer(text)) >= len(text.strip(_BRACKETS)) > 0


def _normalised(text: str) -> str:
    folded = unicodedata.normalize("NFKC", _MARKUP.sub(" ", text.translate(_APOSTROPHES))).casefold()
    visible = (" " if character == "\u200c" else character for character in folded)
    return " ".join("".join(c for c in visible if unicodedata.category(c) != "Cf").split())


@cache
def _patterns() -> tuple[_Patterns, ...]:
    data = get_data(__package__, "refusals.toml")  # a part of the package, not a file of the user
    languages = tomllib.loads((data or b"").decode())
    return tuple(
        _Patterns(
            *(
                re.compile(unicodedata.normalize("NFKC", "|".join(phrases[name])))
                for name in _Patterns._fields
            )
        )
        for phrases in languages.values()
    )
