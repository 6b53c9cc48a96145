"""Names of files, and other texts, as they can be shown and written anywhere."""

from __future__ import annotations

import re
import unicodedata

_SURROGATE = re.compile("[\ud800-\udfff]")
_BYTE = 0xDC00
# Invisible marks, embeddings, overrides and isolates that change the direction of what follows.
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def portable(text: str) -> str:
    r"""A text that UTF-8 can hold: bytes of a name that are none stand as \xhh.

    >>> portable("gt/\udce4.xml")
    'gt/\\xe4.xml'
    """
    return _SURROGATE.sub(lambda found: _escape(found[0]), text)


def shown(text: str) -> str:
    r"""A text on one line that moves no cursor and turns nothing around: what would is an escape.

    >>> shown("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    >>> shown("gt/\u202efdp.xml")
    'gt/\\u202efdp.xml'
    """
    if text.isprintable():
        return text
    return "".join(repr(c)[1:-1] if _acts(c) else c for c in portable(text))


def width(text: str) -> int:
    r"""The columns that a text takes in a terminal.

    >>> width("a\u0308"), width("漢字")
    (1, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def shortened(text: str, columns: int) -> str:
    """A text that takes no more columns, its middle left out where it must be.

    >>> shortened("a-very-long-name", 9)
    'a-ve…name'
    """
    if width(text) <= columns:
        return text
    head, tail = text[: columns // 2], text[-((columns - 1) // 2) :]
    while width(head) + width(tail) >= columns:
        head, tail = (head[:-1], tail) if width(head) >= width(tail) else (head, tail[1:])
    return f"{head}…{tail}"


def _acts(c: str) -> bool:
    return c in _DIRECTIONS or unicodedata.category(c) in ("Cc", "Zl", "Zp")


def _escape(surrogate: str) -> str:
    code = ord(surrogate)
    return f"\\x{code - _BYTE:02x}" if _BYTE + 0x80 <= code <= _BYTE + 0xFF else f"\\u{code:04x}"


def _columns(c: str) -> int:
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1
