"""The text of FineReader lines, which is spelled character by character or run by run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.formats.walk import walk
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
        self._name = ""
        self._parts: list[str] = []
        self._run: Element = None
        self._run_is_spelled = False
        self._guess_blanks = any(map(_starts_word, characters)) and not any(map(_is_blank, characters))

    def of(self, line: Element, name: str) -> str:
        """The text of a line; a hyphen at its end stays as it is written."""
        self._name = name
        self._parts.clear()
        walk(line, self)
        return "".join(self._parts).strip(_BLANK)

    def begin(self, element: Element) -> bool:
        """Take a character, or look inside all but other readings."""
        if element.get("base64encoded") in _TRUE:
            self._notes.add(self._name, "text in base64: kept as it is written")
        kind = LOCAL[element.tag]
        if kind == "charParams" and not len(element):
            self._parts.append(self._character(element))
            return False
        return kind not in _VARIANTS

    def end(self, element: Element) -> None:
        """Take a character, which stands behind its variants."""
        if LOCAL[element.tag] == "charParams":
            self._parts.append(self._character(element))

    def text(self, text: str, inside: Element) -> None:
        """Take text of a run without characters of its own; what stands between elements is indentation."""
        kind = LOCAL[inside.tag]
        if kind == "charParams" or (kind != "formatting" and not text.strip(_BLANK)):
            return
        if inside is not self._run:
            self._run = inside
            self._run_is_spelled = next(inside.iterchildren("{*}charParams"), None) is not None
        if not self._run_is_spelled:
            self._parts.append(_INDENT.sub(" ", text))

    def _character(self, element: Element) -> str:
        text = _own_text(element)
        if not text:
            self._notes.add(self._name, "charParams without a character: read as a blank")
            return " "
        if self._guess_blanks and _starts_word(element):
            self._notes.add(
                self._name, "no blank is spelled on the page: words are parted where wordStart says so"
            )
            return f" {_trimmed(text)}"
        return _trimmed(text)


def _own_text(element: Element) -> str:
    """The text directly inside an element: variants of a character come before it."""
    text: str = element.text or ""
    return text + "".join([child.tail or "" for child in element]) if len(element) else text


def _trimmed(text: str) -> str:
    """A character without the indentation around it; a blank stays one."""
    return text.strip(_BLANK) or _INDENT.sub(" ", text)


def _is_blank(element: Element) -> bool:
    return not _own_text(element).strip(_BLANK)


def _starts_word(element: Element) -> bool:
    return element.get("wordStart") in _TRUE or element.get("wordFirst") in _TRUE
