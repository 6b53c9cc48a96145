"""Named characters of HTML in files that are read as XML, which knows five of them only."""

from __future__ import annotations

import re
from html.entities import html5

_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))


def numbered(data: bytes) -> bytes:
    """The same file with each named character of HTML written by its number; other names stay.

    Files in UTF-16 have no such byte sequences and stay as they are.

    >>> numbered(b"Still&shy; &amp; &own;")
    b'Still&#173; &amp; &own;'
    """
    return _NAMED.sub(_number, data) if b"&" in data else data


def _number(match: re.Match[bytes]) -> bytes:
    name = match[1]
    characters = None if name in _XML else html5.get(f"{name.decode('ascii')};")
    return match[0] if characters is None else "".join(f"&#{ord(sign)};" for sign in characters).encode()
