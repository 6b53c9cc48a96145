"""The text of an ALTO line, put together from its String, SP and HYP elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.page_text import name_of, one_line
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes

# Marks that part a word at the end of a line: - soft hyphen ¬ ⸗ = ‐ ‑ ⹀
_HYPHENS = frozenset("-\u00ad¬⸗=‐‑⹀")


def line_text(line: Element, space: str | None, notes: Notes) -> tuple[str, Element | None]:
    """The text of a line, and its Shape if it has one.

    `space` is what the page calls its SP elements. Where it has some, only they make a blank between two
    Strings: Strings without one between them belong together. Else every String is a word of its own. A
    String of blanks counts as SP. HYP is appended unless the last String ends in the mark already.
    SUBS_CONTENT and ALTERNATIVE are not read.

    >>> from pagemeter.formats.xml import parse
    >>> data = b'<TextLine><String CONTENT="a"/><SP/><String CONTENT="b"/><HYP CONTENT="-"/></TextLine>'
    >>> line_text(parse(data, "a.xml"), "SP", notes=None)
    ('a b-', None)
    """
    words = [word.get("CONTENT") for word in line.iterchildren("{*}String")]
    if _is_plain(line, words, space):
        return one_line(" ".join(words), line, notes), None
    return _spelled_out(line, space, notes)


def space_of(page: Element) -> str | None:
    """What the page calls its SP elements, or None where it has none.

    >>> from pagemeter.formats.xml import parse
    >>> space_of(parse(b'<Page><TextLine><SP/></TextLine></Page>', ""))
    'SP'
    """
    first = next(page.iter("{*}SP"), None)
    return None if first is None else str(first.tag)


def _is_plain(line: Element, words: list[str | None], space: str | None) -> bool:
    """Whether a line is nothing but words, with SP between them where the page has any.

    So are most, and this takes half the time of going from element to element.
    """
    if not all(words) or any(map(str.isspace, words)):  # type: ignore[arg-type]  # all of them are strings
        return False
    if space is None:
        return len(line) == len(words)
    gaps = [gap.tag for gap in line[1::2]]
    return gaps.count(space) == len(gaps) == len(words) - 1


def _spelled_out(line: Element, space: str | None, notes: Notes) -> tuple[str, Element | None]:
    pieces: list[str] = []
    gap = False
    shape = None
    for child in line:
        name = LOCAL[child.tag]
        if name == "String":
            content = child.get("CONTENT")
            if content is None:
                content = _glyphs(child, notes)
            if not content or content.isspace():
                gap = gap or bool(content)
                continue
            if pieces and (gap or space is None):
                pieces.append(" ")
            pieces.append(content)
            gap = False
        elif name == "SP":
            gap = True
        elif name == "HYP":
            pieces.append(_hyphen(child, line, pieces, notes))
        elif name == "Shape":
            shape = child
    return one_line("".join(pieces), line, notes), shape


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
