"""The text inside hOCR elements, with white space as HTML shows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.formats.hocr_classes import (
    CHARACTER,
    ENDS_LINE,
    WORD,
    is_alternative,
    kind_of,
    kinds_inside,
)
from pagemeter.formats.walk import walk
from pagemeter.formats.xml import lxml

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagemeter.formats.base import Level, Notes
    from pagemeter.formats.xml import Element

_BLANK = " \t\r\n\f"
_BLANKS = re.compile(r"[ \t\r\n\f]+")


class Collector:
    """Gathers running text: words are parted by a blank even where the file has none between them.

    `where` says what a warning calls the place. Blanks at the beginning are not gathered: nobody sees them.
    """

    def __init__(self, level: Level | None, where: Callable[[], str], notes: Notes) -> None:
        self._level = level
        self._where = where
        self._notes = notes
        self._parts: list[str] = []
        self._words: list[tuple[Element, bool]] = []
        self._after_word = False

    def take(self) -> str:
        """The text so far; the collector is empty afterwards."""
        self._after_word = False
        if not self._parts:
            return ""
        text = _shown("".join(self._parts))
        self._parts.clear()
        return text

    def begin(self, element: Element) -> bool:
        """Part words and lines; other readings are not looked into."""
        return self.enter(element, kind_of(element))

    def enter(self, element: Element, kind: int) -> bool:
        """The same as `begin`, for an element whose kind is known."""
        if is_alternative(element, kind):
            self._notes.add(self._where(), "other readings of a character or word: left out")
            return False
        if kind & WORD:
            self._words.append((element, bool(kinds_inside(element) & CHARACTER)))
            if self._after_word:
                self._parts.append(" ")
        elif kind & ENDS_LINE and self._parts:
            self._parts.append(" ")
        return True

    def end(self, element: Element) -> None:
        """Leave a word."""
        if self._words and self._words[-1][0] is element:
            self._words.pop()
            self._after_word = True

    def text(self, text: str, inside: Element) -> None:  # noqa: ARG002  (what every visitor is told)
        """Take running text."""
        blank = not text.strip(_BLANK)
        if blank and (not self._parts or (self._words and self._words[-1][1])):
            return  # at the beginning, or indentation between the characters of one word
        if not blank and self._level == "word" and not self._words:
            self._notes.add(self._where(), "text outside any word: left out as asked")
            return
        self._parts.append(text)
        self._after_word = False


def text_of(element: Element, level: Level | None, name: str, notes: Notes) -> str:
    r"""The text of an element as one line.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse
    >>> line = parse(b"<p><b class='ocr_word'>a</b><b class='ocr_word'>b</b>&#173; <br/></p>", "a.hocr")
    >>> text_of(line, None, "line", Notes("a.hocr"))
    'a b\xad'
    """
    collector = Collector(level, lambda: name, notes)
    walk(element, collector)
    return collector.take()


def plain_text_of(element: Element) -> str:
    """The text of an element with no kind but words inside, none of them TOUCHING: all of it counts.

    >>> from pagemeter.formats.xml import parse
    >>> plain_text_of(parse(b"<p> <b class='ocr_word'>a</b> <b class='ocr_word'>b</b> </p>", "a.hocr"))
    'a b'
    """
    text = lxml().tostring(element, method="text", encoding="utf-8", with_tail=False)
    if b"\v" in text:  # the one blank of bytes that is none of HTML
        return _shown(text.decode())
    return b" ".join(text.split()).decode()


def _shown(text: str) -> str:
    """The text with each run of blanks as one, and none at its ends."""
    return _BLANKS.sub(" ", text).strip(" ")
