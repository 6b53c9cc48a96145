"""The text of FineReader lines, which is spelled character by character or run by run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.formats.walk import Begin, End, Text, walk
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes

_INDENT = re.compile(r"[ \t]*[\r\n][ \t\r\n]*")
_BLANK = " \t\r\n"
_VARIANTS = frozenset(("wordRecVariants", "charRecVariants"))
_TRUE = frozenset(("1", "true"))


class LineText:
    """Reads the lines of one page; whether blanks are spelled is a matter of the page."""

    def __init__(self, page: Element, notes: Notes) -> None:
        characters = list(page.iter("{*}charParams"))
        self._notes = notes
        self._guess_blanks = any(map(_starts_word, characters)) and not any(map(_is_blank, characters))

    def of(self, line: Element, name: str) -> str:
        """The text of a line; a hyphen at its end stays as it is written."""
        parts: list[str] = []
        for event in walk(line, lambda element: LOCAL[element.tag] not in _VARIANTS):
            if isinstance(event, Begin):
                self._begin(event.element, name)
            elif isinstance(event, End):
                if LOCAL[event.element.tag] == "charParams":
                    parts.append(self._character(event.element, bool(parts), name))
            else:
                parts.append(_run(event))
        return "".join(parts).strip(_BLANK)

    def _begin(self, element: Element, name: str) -> None:
        if element.get("base64encoded") in _TRUE:
            self._notes.add(name, "text in base64: kept as it is written")

    def _character(self, element: Element, later: bool, name: str) -> str:  # noqa: FBT001 - private
        text = _own_text(element)
        if not text:
            self._notes.add(name, "charParams without a character: read as a blank")
            return " "
        if self._guess_blanks and later and _starts_word(element):
            self._notes.add(name, "no blank is spelled on the page: words are parted where wordStart says so")
            return f" {_trimmed(text)}"
        return _trimmed(text)


def _run(event: Text) -> str:
    """Text of a run without characters of its own; what stands between elements is indentation."""
    inside = LOCAL[event.element.tag]
    if inside == "charParams" or next(event.element.iterchildren("{*}charParams"), None) is not None:
        return ""
    if inside != "formatting" and not event.text.strip(_BLANK):
        return ""
    return _INDENT.sub(" ", event.text)


def _own_text(element: Element) -> str:
    """The text directly inside an element: variants of a character come before it."""
    return (element.text or "") + "".join(child.tail or "" for child in element)


def _trimmed(text: str) -> str:
    """A character without the indentation around it; a blank stays one."""
    return text.strip(_BLANK) or _INDENT.sub(" ", text)


def _is_blank(element: Element) -> bool:
    return not _own_text(element).strip(_BLANK)


def _starts_word(element: Element) -> bool:
    return element.get("wordStart") in _TRUE or element.get("wordFirst") in _TRUE
