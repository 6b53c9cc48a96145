"""The `title` attribute of hOCR elements: properties parted by semicolons."""

from __future__ import annotations

import re

_TOKEN = re.compile(r'"(?P<double>[^"]*)"|\'(?P<single>[^\']*)\'|(?P<bare>[^;\s]+)|(?P<end>;)')


def properties(title: str) -> dict[str, tuple[str, ...]]:
    """Each property's values by its name; the first wins where one is given twice.

    >>> properties("bbox 0 0 9 8; image 'a; b.png'")
    {'bbox': ('0', '0', '9', '8'), 'image': ('a; b.png',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    quoted = '"' in title or "'" in title
    for words in _quoted(title) if quoted else map(str.split, title.split(";")):
        if words:
            found.setdefault(words[0].lower(), tuple(words[1:]))
    return found


def _quoted(title: str) -> list[list[str]]:
    """The words of each property, where semicolons and blanks in quotes belong to a word."""
    parts: list[list[str]] = [[]]
    for match in _TOKEN.finditer(title):
        if match["end"] is None:
            parts[-1].append(match[match.lastgroup or 0])
        else:
            parts.append([])
    return parts
