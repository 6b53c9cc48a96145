"""The text of an ALTO line, put together from its String, SP and HYP elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.page_text import name_of, one_line
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes

# Marks that part a word at the end of a line: - soft hyphen ¬ ⸗ = ‐ ‑ ⹀
_HYPHENS = frozenset("-\u00ad¬⸗=‐‑⹀")


class LineTexts:
    """Reads the texts of the lines of one page.

    Where the page has SP elements, only they make a blank between two Strings: Strings without one between
    them belong together. Else every String is a word of its own. A String of blanks counts as SP. HYP is
    appended unless the last String ends in the mark already. SUBS_CONTENT and ALTERNATIVE are not read.

    >>> from pagemeter.formats.xml import parse
    >>> data = b'<TextLine><String CONTENT="a"/><SP/><String CONTENT="b"/><HYP CONTENT="-"/></TextLine>'
    >>> line = parse(data, "a.xml")
    >>> LineTexts(line, None).of(line)
    ('a b-', None)
    """

    def __init__(self, page: Element, notes: Notes) -> None:
        self._notes = notes
        self._string, self._space = (_first_tag(page, name) for name in ("{*}String", "{*}SP"))

    def of(self, line: Element) -> tuple[str, Element | None]:
        """The text of a line, and its Shape if it has one."""
        # Most lines are nothing but words, with SP between them where the page has any.
        spaces = [] if self._space is None else [space.tag for space in line[1::2]]
        if spaces.count(self._space) == len(spaces):
            strings = line[:] if self._space is None else line[::2]
            words = [string.get("CONTENT") for string in strings if string.tag == self._string]
            if len(words) == len(strings) and all(words) and not any(map(str.isspace, words)):
                return one_line(" ".join(words), line, self._notes), None
        return self._piece_by_piece(line)

    def _piece_by_piece(self, line: Element) -> tuple[str, Element | None]:
        pieces: list[str] = []
        gap = False
        shape = None
        for child in line[:]:
            name = LOCAL[child.tag]
            if name == "String":
                content = child.get("CONTENT")
                if content is None:
                    content = _glyphs(child, self._notes)
                if not content or content.isspace():
                    gap = gap or bool(content)
                    continue
                if pieces and (gap or self._space is None):
                    pieces.append(" ")
                pieces.append(content)
                gap = False
            elif name == "SP":
                gap = True
            elif name == "HYP":
                pieces.append(_hyphen(child, line, pieces, self._notes))
            elif name == "Shape":
                shape = child
        return one_line("".join(pieces), line, self._notes), shape


def _first_tag(page: Element, name: str) -> str | None:
    first = next(page.iter(name), None)
    return None if first is None else str(first.tag)


def _hyphen(hyp: Element, line: Element, pieces: list[str], notes: Notes) -> str:
    """The mark of HYP, or nothing where the String before it ends in one: it is on the page once."""
    mark: str | None = hyp.get("CONTENT")
    if not mark:
        notes.add(name_of(line), "HYP without CONTENT: read as -")
        mark = "-"
    if pieces and pieces[-1][-1:] in _HYPHENS and mark in _HYPHENS:
        notes.add(name_of(line), "hyphen in both String and HYP: counted once")
        return ""
    return mark


def _glyphs(string: Element, notes: Notes) -> str:
    notes.add(name_of(string), "has no CONTENT: read from its glyphs, if any")
    return "".join([child.get("CONTENT") or "" for child in string if LOCAL[child.tag] == "Glyph"])
