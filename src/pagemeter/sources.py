"""What is accepted as a page: a page, a file, a text or a list of lines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pagemeter.errors import PathAsTextWarning, UsageError, warn
from pagemeter.page import Line, Page

PageLike = Page | Path | Sequence[str] | str
_ACCEPTED = "give a Page, a pathlib.Path, a list of line strings or a str"


def as_page(source: PageLike, side: str = "page") -> Page:
    r"""A page of whatever is accepted as one; a str is always text, never a path.

    `side` says in messages which page is meant.

    >>> [line.text for line in as_page("one\ntwo").lines]
    ['one', 'two']
    """
    if isinstance(source, Page):
        return source
    if isinstance(source, Path):
        from pagemeter.formats import load  # noqa: PLC0415  (XML readers load only where a file is read)

        return load(source)
    if isinstance(source, str):
        _warn_of_path(source, side)
        return Page.from_text(source)
    return Page(tuple(map(Line, _checked(source, side))))


def _warn_of_path(text: str, side: str) -> None:
    """A text of one line that happens to be the path of a file was probably meant as such."""
    if "\n" not in text and os.path.isfile(text):  # noqa: PTH113  (false for a text that cannot be a path)
        warn(
            f"the {side} {text!r} is measured as text, though it is the path of a file; "
            f"to read the file give pathlib.Path({text!r})",
            PathAsTextWarning,
        )


def _checked(lines: Sequence[str], side: str) -> Sequence[str]:
    if not isinstance(lines, Sequence) or isinstance(lines, bytes | bytearray | memoryview):
        raise UsageError(f"cannot make a page of {type(lines).__name__} ({side}); {_ACCEPTED}")
    for kind in set(map(type, lines)):
        if not issubclass(kind, str):
            index = next(i for i, line in enumerate(lines) if type(line) is kind)
            hint = "pm.Page(lines) takes Line objects; " if issubclass(kind, Line) else ""
            raise UsageError(
                f"cannot make a page of this list ({side}): the item with index {index} is of type "
                f"{kind.__name__}, not str; {hint}{_ACCEPTED}"
            )
    return lines
