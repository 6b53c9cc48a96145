"""What a format module offers: a name, a test whether a file is of it, and a reader.

Each module of this folder that reads a format holds it as `FORMAT`; a third party offers its own `Format`
object through an entry point of the group `pagemeter.formats`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pagemeter.page import Page, Warn

if TYPE_CHECKING:
    from collections.abc import Callable

Level = Literal["line", "region", "word"]
Order = Literal["file", "document", "top-down", "top-down-lines"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What is taken from a file.

    `level` forces the level the text is taken from; None takes lines first, then regions or words where a
    file has none. `order` "file" follows the explicit reading order of the file, "document" the order of the
    elements, "top-down" sorts regions, and the lines in each, by their place; "top-down-lines" sorts only the
    lines in each region and leaves the regions where "file" has them. `encoding` overrides what the file says
    of itself. `dpi` turns positions given in millimetres or inches into pixels.
    """

    level: Level | None = None
    order: Order = "file"
    encoding: str | None = None
    dpi: float | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What detection looks at: the root element of an XML file, or the beginning of the text.

    `suffix` is lower case with its dot. `root` is the local name of the first element as written, `namespace`
    its namespace or "". `text` is the beginning of the file, the first 16 kilobytes.
    """

    suffix: str
    root: str | None
    namespace: str
    text: str


@dataclass(frozen=True, slots=True)
class Format:
    """One file format. `read` gives a file's pages; `source` is the name to use in messages."""

    name: str
    description: str
    matches: Callable[[Head], bool]
    read: Callable[[bytes, str, ReadOptions], list[Page]]


class Notes:
    """The warnings of one page, one for each reason however many elements share it.

    >>> notes = Notes("p.xml")
    >>> notes.add("TextLine l1", "has no text"); notes.add("TextLine l2", "has no text")
    >>> [str(warn) for warn in notes.warnings()]
    ['p.xml: TextLine l1 and 1 more: has no text']
    """

    __slots__ = ("_found", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._found: dict[str, list[str]] = {}

    def add(self, element: str, reason: str) -> None:
        """Keep what was skipped, repaired or guessed at an element."""
        self._found.setdefault(reason, []).append(element)

    def warnings(self) -> tuple[Warn, ...]:
        """One warning a reason, naming the first element and the number of the others."""
        return tuple(
            Warn(self.source, found[0] + (f" and {len(found) - 1} more" if len(found) > 1 else ""), reason)
            for reason, found in self._found.items()
        )
