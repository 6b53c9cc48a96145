"""From bytes to text: what a byte order mark says, and what to do where bytes do not fit."""

from __future__ import annotations

import codecs
import re

from pagemeter.errors import FormatError, UsageError

# Longest first, for the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


def check_encoding(name: str) -> None:
    """Refuse what is no name of an encoding of text.

    >>> check_encoding("hex")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: unknown encoding 'hex'; name one that Python knows, such as utf-8 or latin-1
    """
    try:
        text = codecs.lookup(name)._is_text_encoding  # noqa: SLF001  (codecs such as hex turn bytes into bytes)
    except LookupError:
        text = False
    if not text:
        raise UsageError(f"unknown encoding {name!r}; name one that Python knows, such as utf-8 or latin-1")


def shown_encoding(data: bytes) -> str | None:
    """The Unicode encoding that an XML file says it is in, by mark, declaration or default, if all of it is.

    A declared encoding of single bytes fits any bytes, so it shows nothing.

    >>> shown_encoding("<a>é</a>".encode()), shown_encoding("<a>é</a>".encode("latin-1"))
    ('utf-8', None)
    """
    name = marked_encoding(data)
    if name is None and data.lstrip().startswith(b"<"):
        declared = DECLARED.match(data[:200])
        name = "utf-8" if not declared or declared[1].lower() in (b"utf-8", b"utf8") else None
    try:
        text = data.decode(name) if name else ""
    except UnicodeError:
        return None
    return name if text.lstrip("\ufeff \t\r\n").startswith("<") else None


def marked_encoding(data: bytes) -> str | None:
    """The encoding that the byte order mark of a file names, if it has one.

    >>> marked_encoding("a".encode("utf-16"))
    'utf-16'
    """
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def decode(data: bytes, source: str, encoding: str) -> str:
    r"""The text of bytes in a named encoding; the error names the first byte that does not fit.

    >>> decode(b"caf\xe9", "a.txt", "latin-1")
    'café'
    """
    try:
        return data.decode(encoding)
    except LookupError:
        check_encoding(encoding)
        raise
    except UnicodeError as error:
        at = f"byte {error.start}: " if isinstance(error, UnicodeDecodeError) else ""
        raise FormatError(
            f"{source}: {at}not {encoding}; name the real encoding with --encoding, "
            "for example --encoding latin-1"
        ) from None
