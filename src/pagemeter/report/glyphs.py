"""Characters that cannot be seen, or not alone, made visible and called by their names."""

from __future__ import annotations

import unicodedata

DOTTED_CIRCLE = "\u25cc"
BLANK = "\u2423"
_MOST = 4  # characters that are named; longer texts speak for themselves


def visible(text: str) -> str:
    r"""A text of which everything can be seen.

    A blank is drawn, a mark without a letter sits on a dotted circle, and what has no shape stands as its
    code point.

    >>> visible("\u0301 \u200b")
    '◌́␣[U+200B]'
    """
    return "".join(_visible(c, text[at - 1] if at else "") for at, c in enumerate(text))


def named(text: str) -> str:
    r"""The names of the characters of a short text, empty where it is plain to see what they are.

    >>> named("ſ"), named("e\u0301"), named("the")
    ('LATIN SMALL LETTER LONG S', 'e + COMBINING ACUTE ACCENT', '')
    """
    if text.isascii() and text.isprintable() and " " not in text:
        return ""
    return " + ".join(map(name_of, text)) if len(text) <= _MOST else ""


def name_of(character: str) -> str:
    r"""The name of one character; a plain letter or digit is its own.

    >>> name_of(" "), name_of("\x07"), name_of("\ue000"), name_of("x")
    ('SPACE', 'U+0007', 'U+E000', 'x')
    """
    if character.isascii() and character.isalnum():
        return character
    return unicodedata.name(character, f"U+{ord(character):04X}")


def _visible(character: str, before: str) -> str:
    category = unicodedata.category(character)
    if character == " ":
        return BLANK
    if category.startswith("M"):
        return character if before and not before.isspace() else DOTTED_CIRCLE + character
    if category in ("Cc", "Cf", "Cs", "Cn", "Zs", "Zl", "Zp"):
        return f"[U+{ord(character):04X}]"
    return character
