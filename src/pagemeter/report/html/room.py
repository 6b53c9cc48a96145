"""Blocks of data for the report: compressed, kept aside, and no more of them than there is room for."""

from __future__ import annotations

import base64
import json
import math
import zlib
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, TextIO

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

MEGABYTE = 1_000_000
PAGE, IMAGE = "p", "i"
"""What the names of blocks begin with; the number of the page follows."""
_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Room:
    """The bytes that the details of pages may take; beyond, those of the best pages are left out."""

    most_bytes: int = 100 * MEGABYTE

    @classmethod
    def of(cls, megabytes: float) -> Room:
        """Room for so many megabytes.

        >>> Room.of(1.5).most_bytes
        1500000
        """
        if not 0 <= megabytes < math.inf:
            raise UsageError(f"--html-size {megabytes}: give megabytes, 0 or more")
        return cls(int(megabytes * MEGABYTE))


def pack(value: object) -> bytes:
    """A value as JSON, compressed, in letters that mean nothing to HTML.

    >>> b"<" in pack("<script>")
    False
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), _LEVEL))


@dataclass(slots=True)
class Blocks:
    """Blocks that wait in a temporary file until it is known which of them find room."""

    spool: IO[bytes]
    _blocks: list[tuple[str, int, int, int]] = field(default_factory=list)

    def add(self, kind: str, page: int, content: bytes) -> None:
        """Keeps a block of a page."""
        self._blocks.append((f"{kind}{page}", page, self.spool.tell(), len(content)))
        self.spool.write(content)

    def choose(self, worst_first: Collection[int], room: Room) -> set[str]:
        """The blocks that find room: lines before images, and those of the worst pages first."""
        rank = {page: rank for rank, page in enumerate(worst_first)}
        chosen, used = set(), 0
        for name, _, _, size in sorted(self._blocks, key=lambda b: (b[0].startswith(IMAGE), rank[b[1]])):
            if used + size <= room.most_bytes:
                used += size
                chosen.add(name)
        return chosen

    def write(self, file: TextIO, chosen: Collection[str]) -> None:
        """Writes the chosen blocks as elements that hold data."""
        for name, _, at, size in self._blocks:
            if name in chosen:
                self.spool.seek(at)
                write_block(file, name, self.spool.read(size))


def write_block(file: TextIO, name: str, content: bytes) -> None:
    """Writes one block as an element that holds data."""
    file.write(f'<script type="text/plain" id="{name}">{content.decode("ascii")}</script>\n')
