"""What is done to a line's text before it is compared."""

from __future__ import annotations

import unicodedata

from pagemeter.settings import Settings


def normalise(text: str, settings: Settings) -> str:
    """The text in the chosen Unicode form, its white space collapsed and stripped unless kept.

    >>> normalise("  a\\u0308 \\t b ", Settings())
    'ä b'
    """
    if settings.normalise != "none" and not text.isascii():
        text = unicodedata.normalize(settings.normalise, text)
    return " ".join(text.split()) if settings.whitespace == "collapse" else text
