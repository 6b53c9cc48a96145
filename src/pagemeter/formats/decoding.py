"""From bytes to text: what a byte order mark says, and what to do where bytes do not fit."""

from __future__ import annotations

import codecs

from pagemeter.errors import FormatError, UsageError

# Longest first, for the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


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
        raise UsageError(
            f"unknown encoding {encoding!r}; give one that Python knows, such as utf-8"
        ) from None
    except UnicodeError as error:
        at = f"byte {error.start}: " if isinstance(error, UnicodeDecodeError) else ""
        raise FormatError(
            f"{source}: {at}not {encoding}; name the real encoding with --encoding, "
            "for example --encoding latin-1"
        ) from None
