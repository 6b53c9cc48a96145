"""Classes and functions of all format modules: Format, Head, ReadOptions, Notes, and the order of lines.

`pagemeter.formats.registry` lists the built-in formats. Other packages add a `Format` object through an entry
point of the group `pagemeter.formats`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pagemeter.errors import FormatError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.page import Line, Page

Level = Literal["line", "region", "word", "page"]
Mathematics = Literal["text", "canonical"]
Tables = Literal["cells", "rows", "text"]
ReadingChoice = Literal["first", "all"]
Order = Literal["file", "document", "top-down", "top-down-lines"]
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Settings that readers follow.

    Args:
        level: The elements that the text is taken from. None means lines, and regions or words where
            a file has no text in its lines. "page" joins all of these to one line.
        order: "file" is the reading order that the file states, "document" the order of the elements in the
            file. "top-down" sorts the regions, and the lines in each region, by their position.
            "top-down-lines" sorts the lines in each region and leaves the regions in the order of "file".
        encoding: The character encoding of the file, whatever the file declares.
        dpi: The resolution of the image, which converts positions in millimetres or inches to pixels.
        math: "text" reads LaTeX as the characters that it prints, if it is simple, "canonical" in a form that
            equal formulas share.
        tables: The lines of a table: one per cell, one per row, or one for all of its "text". None leaves the
            lines as they are in the file, and rows in formats without lines.
        choice: The readings of TEI that count instead of what is on the page, separated by commas: "expan",
            "reg", "corr".
        readings: "all" accepts all readings of a line that the file has, not only the first.
        words: True to keep the words of lines with their confidences and positions, where a file has them.

    """

    level: Level | None = None
    order: Order = "file"
    encoding: str | None = None
    dpi: float | None = None
    math: Mathematics = "text"
    tables: Tables | None = None
    words: bool = False
    choice: str | None = None
    readings: ReadingChoice = "first"


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file, from which its format is detected.

    Args:
        suffix: The suffix of the file name, in lower case and with its dot.
        root: The local name of the root element, or None if the file is not XML.
        namespace: The namespace of the root element, or "".
        text: The first 16 kilobytes of the file, without white space at the beginning.

    """

    suffix: str
    root: str | None
    namespace: str
    text: str


ReadFunction = Callable[[bytes, str, ReadOptions], "list[Page]"]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Args:
        name: A short name, the value of the setting `format`.
        description: One line for a list of the formats.
        matches: Returns True if a file with this beginning has the format.
        read: Returns the pages of a file. Its arguments are the content of the file, the name of the file for
            messages, and the options.
        suffixes: The usual suffixes of such files, in lower case and with their dot. They determine which
            files of a folder are page files; `matches` decides on the format.
        any_text: True if every text is valid in this format. Files of other formats are never plain text.

    """

    name: str
    description: str
    matches: Callable[[Head], bool]
    read: ReadFunction
    suffixes: tuple[str, ...] = ()
    any_text: bool = False


def split_names(names: str) -> frozenset[str]:
    """Return the names in a list that is separated by spaces.

    >>> sorted(split_names("p lb"))
    ['lb', 'p']
    """
    return frozenset(names.split())


def check_page_count(count: int, source: str) -> None:
    """Raise FormatError if a file has too many pages.

    >>> check_page_count(30_000, "a.txt")
    Traceback (most recent call last):
    pagemeter.errors.FormatError: a.txt: has 30,000 pages, but a file may have at most 20,000. Split it.
    """
    if count > _MAX_PAGES:
        detail = f"has {count:,} pages, but a file may have at most {_MAX_PAGES:,}"
        raise FormatError(detail, source=source, remedy="split it")


_MAX_PAGES = 20_000  # of one file
_MAX_REASONS = 200  # different warnings of one page
MAX_LABEL = 300
"""Characters of an id, a label or a reason in warnings; a file may repeat an id of any length many times."""


class Notes:
    """Collects the warnings of one page, one for each reason.

    >>> notes = Notes("p.xml")
    >>> notes.add("TextLine l1", "has no text"); notes.add("TextLine l2", "has no text")
    >>> [str(warning) for warning in notes.warnings()]
    ['p.xml: TextLine l1 and 1 more: has no text']
    """

    __slots__ = ("_elements", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        # For each reason, the first element and the number of elements.
        self._elements: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Any]] = {}

    def add(
        self, element: str, detail: str, remedy: str = "", settings: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """Record that an element was skipped, repaired or guessed; the arguments are those of `Problem`."""
        reason = (detail[:MAX_LABEL], remedy, settings)
        counted = self._elements.get(reason)
        if counted is not None:
            counted[1] += 1
        elif len(self._elements) < _MAX_REASONS:
            self._elements[reason] = [element[:MAX_LABEL], 1]
        else:
            reason = (
                f"has more than {_MAX_REASONS} different warnings, and the others are not shown",
                "",
                (),
            )
            self._elements.setdefault(reason, ["file", 1])

    def warnings(self) -> tuple[Problem, ...]:
        """Return one warning per reason, with the first element and the number of the others."""
        return tuple(
            Problem(
                detail,
                self.source,
                first + (f" and {count - 1} more" if count > 1 else ""),
                remedy,
                settings,
                kind="format",
            )
            for (detail, remedy, settings), (first, count) in self._elements.items()
        )


def arrange_lines(regions: Iterable[Sequence[Line]], order: Order) -> tuple[Line, ...]:
    """Return the lines of a page in the requested order.

    `regions` has the lines of each region, in the order of "file" or "document". Lines of equal height keep
    their order, because the script decides which of them comes first.

    >>> from pagemeter.page import Line
    >>> low, high = Line("low", ((0, 90), (9, 90))), Line("high", ((0, 10), (9, 10)))
    >>> [line.text for line in arrange_lines([[low], [high]], "top-down")]
    ['high', 'low']
    """
    if order not in ("top-down", "top-down-lines"):
        return tuple(line for lines in regions for line in lines)
    ordered = [_sorted_by(lines, _tops(lines)) for lines in regions if lines]
    if order == "top-down":
        ordered = _sorted_by(ordered, _tops([lines[0] for lines in ordered]))
    return tuple(line for lines in ordered for line in lines)


def _sorted_by(items: Sequence[_Item], keys: Sequence[float]) -> list[_Item]:
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]


def _tops(lines: Sequence[Line]) -> list[float]:
    """Return the upper edge of each line; a line without a position follows the line before it."""
    tops: list[float] = []
    for line in lines:
        points = line.polygon or line.baseline
        if points:
            tops.append(min(y for _, y in points))
        else:
            tops.append(tops[-1] if tops else -math.inf)
    return tops
