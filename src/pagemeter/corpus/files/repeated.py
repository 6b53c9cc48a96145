"""Which of very many texts occur more than once, in eight bytes each."""

from __future__ import annotations

import hashlib
from array import array

import numpy as np


class Repeated:
    """The texts that were added more than once; two of ten million are taken for one with a chance of 10⁻⁶.

    >>> repeated = Repeated()
    >>> for text in ("a", "b", "a"): repeated.add(text)
    >>> "a" in repeated, "b" in repeated
    (True, False)
    """

    __slots__ = ("_added", "_found")

    def __init__(self) -> None:
        self._added = array("Q")
        self._found = np.zeros(0, np.uint64)

    def add(self, text: str) -> None:
        """Adds a text, before any is looked up."""
        self._added.append(digest(text))

    def __contains__(self, text: str) -> bool:
        if not self:
            return False
        wanted = np.uint64(digest(text))
        place = int(np.searchsorted(self._found, wanted))
        return place < len(self._found) and bool(self._found[place] == wanted)

    def __bool__(self) -> bool:
        if self._added:
            digests = np.array(self._added)
            self._added = array("Q")
            digests.sort()
            self._found = np.unique(digests[1:][digests[1:] == digests[:-1]])
        return len(self._found) > 0


def digest(text: str) -> int:
    """A number of eight bytes for a text.

    >>> digest("a") == digest("b")
    False
    """
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
