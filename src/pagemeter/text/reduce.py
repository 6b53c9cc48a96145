"""What is not compared: case, diacritics, punctuation, symbols, digits."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection
from functools import cache
from typing import Any

Change = Callable[[str], str]

_CLASSES = {"punctuation": r"\p{P}", "symbols": r"\p{S}", "digits": r"\p{Nd}"}
# Letters and numbers with their marks; private-use characters stand for letters in old prints. The regex
# module's white space lacks four control characters that str.split knows.
_LETTERS_NUMBERS = r"\p{L}\p{M}\p{N}\p{Co}\s\x1c-\x1f"
_ALPHABETS = r"[\p{Latin}\p{Greek}\p{Cyrillic}]"


def fold(text: str) -> str:
    """The text with all differences of case removed, after Unicode's full case folding.

    Decomposed first, as canonical caseless matching demands (definition D145 of the Unicode Standard).

    >>> fold("Straße ΌΣΟΣ") == fold("STRASSE όσος")
    True
    """
    return text.lower() if text.isascii() else unicodedata.normalize("NFD", text).casefold()


def fold_as_is(text: str) -> str:
    """The same, code point by code point, for text whose Unicode form is not to be touched."""
    return text.casefold()


def without(kinds: Collection[str]) -> Change:
    """Removes punctuation, symbols or decimal digits, each with the marks that stand on it.

    >>> without(["punctuation", "digits"])("its, 3 pence – no more!")
    'its  pence  no more'
    """
    return _remover("[" + "".join(_CLASSES[kind] for kind in sorted(kinds)) + "]")


def letters_and_numbers(text: str) -> str:
    """The text without anything but letters, numbers, their marks and white space.

    >>> letters_and_numbers("§ 3: „Was?“")
    ' 3 Was'
    """
    return _remover(f"[^{_LETTERS_NUMBERS}]")(text)


def without_diacritics(text: str) -> str:
    r"""Latin, Greek and Cyrillic letters without their marks.

    Marks of other scripts stay: there they are vowels and signs that no reader would leave out. Letters with
    a stroke (ø, ł, đ) have no mark that could be taken away.

    >>> without_diacritics("Äpfel, a\u0308, ΐ, й, שָׁלוֹם, कि")
    'Apfel, a, ι, и, שָׁלוֹם, कि'
    """
    if text.isascii():
        return text
    return str(_marks().sub("", text.translate(_BASES)))


class _Bases(dict[int, str]):
    """The letter that a precomposed letter is built on, found when it is first asked for."""

    def __missing__(self, point: int) -> str:
        letter = chr(point)
        built = unicodedata.normalize("NFD", letter)
        self[point] = built[0] if len(built) > 1 and _alphabet().match(letter) else letter
        return self[point]


_BASES = _Bases()


@cache
def _alphabet() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms that only some settings need)

    return regex.compile(_ALPHABETS)


@cache
def _marks() -> Any:  # noqa: ANN401
    """Marks after a letter of these alphabets. Variation selectors choose a glyph and are no diacritics."""
    import regex  # noqa: PLC0415

    mark = r"[[\p{Mn}\p{Me}]--[\uFE00-\uFE0F\U000E0100-\U000E01EF]]"
    return regex.compile(rf"(?V1)(?<=[{_ALPHABETS}&&\p{{L}}]){mark}++")


@cache
def _remover(characters: str) -> Change:
    import regex  # noqa: PLC0415

    pattern = regex.compile(rf"{characters}\p{{M}}*+")
    return lambda text: str(pattern.sub("", text))
