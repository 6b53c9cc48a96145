"""Blocks of data for the report: compressed, kept aside, and no more of them than there is room for."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, TextIO

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

MEGABYTE = 1_000_000
PAGE, READ, IMAGE = "page", "read", "image"
"""Kinds of blocks: the ground truth of a page, what a system read, and its image."""
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


@dataclass(frozen=True, slots=True)
class _Block:
    """A block in the temporary file."""

    name: str
    page: int
    at: int
    size: int

    @property
    def is_image(self) -> bool:
        return self.name.startswith(IMAGE)


@dataclass(slots=True)
class Blocks:
    """Blocks that wait in a temporary file until it is known which of them find room."""

    spool: IO[bytes]
    _blocks: list[_Block] = field(default_factory=list)

    def add(self, kind: str, page: int, content: bytes, system: int | None = None) -> None:
        """Keeps a block of a page; its name is made of the kind, the page and the system."""
        name = f"{kind}{page}" if system is None else f"{kind}{page}-{system}"
        self._blocks.append(_Block(name, page, self.spool.tell(), len(content)))
        self.spool.write(content)

    def choose(self, worst_first: Iterable[int], room: Room) -> tuple[set[int], set[int]]:
        """The pages whose lines find room, and of these the ones whose image does, the worst first."""
        order, left = list(worst_first), room.most_bytes
        pages: set[int] = set()
        images: set[int] = set()
        for found, is_image in ((pages, False), (images, True)):
            sizes: Counter[int] = Counter()
            for block in self._blocks:
                if block.is_image == is_image:
                    sizes[block.page] += block.size
            for page in order:
                if page in sizes and sizes[page] <= left and (not is_image or page in pages):
                    left -= sizes[page]
                    found.add(page)
        return pages, images

    def without_room(self, pages: set[int], images: set[int]) -> list[str]:
        """How many pages found no room for their lines or image, after they were chosen."""
        every = {block.page for block in self._blocks if not block.is_image}
        pictured = {block.page for block in self._blocks if block.is_image}
        gone = {"details": len(every - pages), "image": len(pictured - images)}
        what = ", ".join(f"{count:,} without {name}" for name, count in gone.items() if count)
        return [f"pages that found no room: {what}; give more with --html-size MB"] if what else []

    def write(self, file: TextIO, pages: set[int], images: set[int]) -> None:
        """Writes the chosen blocks as elements that hold data."""
        for block in self._blocks:
            if block.page in (images if block.is_image else pages):
                self.spool.seek(block.at)
                write_block(file, block.name, self.spool.read(block.size))


def write_block(file: TextIO, name: str, content: bytes) -> None:
    """Writes one block as an element that holds data."""
    file.write(f'<script type="text/plain" id="{name}">{content.decode("ascii")}</script>\n')
