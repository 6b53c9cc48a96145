"""What is accepted as a page: a page, a file, a text or a list of lines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pagemeter.errors import PathAsTextWarning, UsageError, warn
from pagemeter.page import Line, Page, split_lines

PageLike = Page | Path | Iterable[str] | Sequence[Line] | str
_ACCEPTED = "give a Page, a pathlib.Path, a list of line strings or of Line objects, or a str"


class Source:
    """One side of a comparison: the texts of its lines and its page, made of them if somebody asks for it.

    >>> Source(["one", "two"]).page.lines[1].text
    'two'
    """

    __slots__ = ("_page", "texts")

    def __init__(self, texts: Sequence[str], page: Page | None = None) -> None:
        self.texts, self._page = texts, page

    @classmethod
    def of(cls, page: Page) -> Source:
        """The source that a page is."""
        return cls([line.text for line in page.lines], page)

    @property
    def page(self) -> Page:
        """The page."""
        if self._page is None:
            self._page = Page(tuple(map(Line, self.texts)))
        return self._page

    @property
    def has_geometry(self) -> bool:
        """Whether any line has a place; a page without text needs none."""
        return not any(map(str.strip, self.texts)) if self._page is None else self._page.has_geometry


def as_source(given: PageLike, side: str = "page") -> Source:
    r"""Whatever is accepted as a page; a str is always text, never a path. `side` names it in messages.

    >>> as_source("one\ntwo").texts
    ['one', 'two']
    """
    if isinstance(given, Page):
        return Source.of(given)
    if isinstance(given, Path):
        from pagemeter.formats import load  # noqa: PLC0415  (XML readers load only where a file is read)

        return Source.of(load(given))
    if isinstance(given, str):
        _warn_of_path(given, side)
        return Source(split_lines(given))
    if isinstance(given, Iterator):
        given = tuple(given)
    if given and isinstance(given, list | tuple) and all(isinstance(line, Line) for line in given):
        return Source.of(Page(tuple(given)))
    return Source(tuple(_checked(given, side)))


def _warn_of_path(text: str, side: str) -> None:
    """A text of one line that happens to be the path of a file was probably meant as such."""
    if "\n" not in text and os.path.isfile(text):  # noqa: PTH113  (false for a text that cannot be a path)
        warn(
            f"the {side} {text!r} is measured as text, though it is the path of a file; "
            f"to read the file give pathlib.Path({text!r})",
            PathAsTextWarning,
        )


def _checked(lines: object, side: str) -> Sequence[str]:
    if not isinstance(lines, Sequence) or isinstance(lines, bytes | bytearray | memoryview):
        raise UsageError(f"cannot make a page of {type(lines).__name__} ({side}); {_ACCEPTED}")
    for kind in set(map(type, lines)):
        if not issubclass(kind, str):
            index = next(i for i, line in enumerate(lines) if type(line) is kind)
            raise UsageError(
                f"cannot make a page of this list ({side}): the item with index {index} is of type "
                f"{kind.__name__}, not str; {_ACCEPTED}"
            )
    return lines
