"""Which of very many texts occur more than once, in eight bytes each."""

from __future__ import annotations

import hashlib
import sys
from array import array

import numpy as np

_MANY = 100_000  # fewer are in a set as well, where they are found in a tenth of the time
_HASH_IS_WIDE = sys.hash_info.width == 64  # noqa: PLR2004  (bits)


class Repeated:
    """The texts that were added more than once; two of ten million are taken for one with a chance of 10⁻⁶.

    >>> repeated = Repeated()
    >>> for text in ("a", "b", "a"): repeated.add(text)
    >>> "a" in repeated, "b" in repeated
    (True, False)
    """

    __slots__ = ("_added", "_few", "_found")

    def __init__(self) -> None:
        self._added = array("q")
        self._found = np.zeros(0, np.int64)
        self._few = frozenset[int]()

    def add(self, text: str) -> None:
        """Adds a text, before any is looked up."""
        self._added.append(digest(text))

    def __contains__(self, text: str) -> bool:
        if not self:
            return False
        wanted = digest(text)
        if self._few:
            return wanted in self._few
        place = int(np.searchsorted(self._found, wanted))
        return place < len(self._found) and bool(self._found[place] == wanted)

    def __bool__(self) -> bool:
        if self._added:
            digests = np.array(self._added)
            self._added = array("q")
            digests.sort()
            self._found = np.unique(digests[1:][digests[1:] == digests[:-1]])
            self._few = frozenset(self._found.tolist() if len(self._found) < _MANY else ())
        return len(self._found) > 0


def digest(text: str) -> int:
    """A number of eight bytes for a text, the same as long as this process lives.

    Python's own hash (SipHash, PEP 456) takes a tenth of the time of any other, but has to have eight bytes.

    >>> digest("a") == digest("b")
    False
    """
    if _HASH_IS_WIDE:
        return hash(text)
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)
