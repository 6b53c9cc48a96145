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
    words: list[str] = []
    for match in _TOKEN.finditer(title + ";"):
        if match["end"] is None:
            words.append(match[match.lastgroup or 0])
        elif words:
            found.setdefault(words[0].lower(), tuple(words[1:]))
            words = []
    return found
