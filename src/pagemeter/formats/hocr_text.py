"""The text inside hOCR elements, with white space as HTML shows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.formats.hocr_classes import (
    CHARACTER,
    WORD,
    classes,
    holds,
    is_alternative,
    is_block,
    tag,
)
from pagemeter.formats.walk import Begin, Event, Text, walk

if TYPE_CHECKING:
    from pagemeter.formats.base import Level, Notes
    from pagemeter.formats.xml import Element

BLANK = " \t\r\n\f"
_BLANKS = re.compile(r"[ \t\r\n\f]+")


class Collector:
    """Gathers running text: words are parted by a blank even where the file has none between them."""

    def __init__(self, level: Level | None, notes: Notes) -> None:
        self._level = level
        self._notes = notes
        self._parts: list[str] = []
        self._words: list[tuple[Element, bool]] = []
        self._after_word = False

    def see(self, event: Event, name: str) -> None:
        """Take what an event adds; `name` is what a warning calls the place."""
        if isinstance(event, Text):
            self._text(event.text, name)
        elif isinstance(event, Begin):
            self._begin(event.element, name)
        elif self._words and self._words[-1][0] is event.element:
            self._words.pop()
            self._after_word = True

    def take(self) -> str:
        """The text so far; the collector is empty afterwards."""
        text = _BLANKS.sub(" ", "".join(self._parts)).strip(" ")
        self._parts.clear()
        self._after_word = False
        return text

    def _begin(self, element: Element, name: str) -> None:
        own = classes(element)
        if is_alternative(element):
            self._notes.add(name, "other readings of a character or word: left out")
        elif not own.isdisjoint(WORD):
            self._words.append((element, holds(element, CHARACTER)))
            if self._after_word:
                self._parts.append(" ")
        elif tag(element) == "br" or is_block(element):
            self._parts.append(" ")

    def _text(self, text: str, name: str) -> None:
        blank = not text.strip(BLANK)
        if blank and self._words and self._words[-1][1]:
            return  # indentation between the characters of one word
        if not blank and self._level == "word" and not self._words:
            self._notes.add(name, "text outside any word: left out as asked")
            return
        self._parts.append(text)
        self._after_word = False


def enterable(element: Element) -> bool:
    """Whether the text inside an element counts."""
    return not is_alternative(element)


def text_of(element: Element, level: Level | None, name: str, notes: Notes) -> str:
    r"""The text of an element as one line.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse
    >>> line = parse(b"<p><b class='ocr_word'>a</b><b class='ocr_word'>b</b>&#173; <br/></p>", "a.hocr")
    >>> text_of(line, None, "line", Notes("a.hocr"))
    'a b\xad'
    """
    collector = Collector(level, notes)
    for event in walk(element, enterable):
        collector.see(event, name)
    return collector.take()
