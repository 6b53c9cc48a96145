"""The classes of hOCR elements, by what they mean to a reader of lines."""

from __future__ import annotations

from pagemeter.formats.walk import names
from pagemeter.formats.xml import LOCAL, Element

PAGE = frozenset(("ocr_page",))
LINE = frozenset(("ocr_line", "ocrx_line"))
# Kinds of text that Tesseract puts in the place of ocr_line; elsewhere they are blocks with lines inside.
FLOAT = frozenset(("ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat", "ocr_pageno", "ocr_footnote"))
AREA = frozenset(("ocr_carea", "ocrx_block", "ocr_block", "ocr_column"))
PARAGRAPH = frozenset(("ocr_par",))
WORD = frozenset(("ocrx_word", "ocr_word"))
_BLOCK_CLASSES = AREA | PARAGRAPH | FLOAT | LINE
CHARACTER = frozenset(("ocrx_cinfo", "ocr_cinfo"))

_BLOCK_TAGS = names("blockquote dd div dl dt h1 h2 h3 h4 h5 h6 li ol p pre table td th tr ul")


class _Classes(dict[str | None, frozenset[str]]):
    """Class attributes as sets, each worked out once."""

    def __missing__(self, attribute: str | None) -> frozenset[str]:
        found = self[attribute] = frozenset((attribute or "").split())
        return found


_CLASSES = _Classes()


def classes(element: Element) -> frozenset[str]:
    """The classes of an element.

    >>> from pagemeter.formats.xml import parse
    >>> sorted(classes(parse(b"<p class='ocr_par b'/>", "a.hocr")))
    ['b', 'ocr_par']
    """
    return _CLASSES[element.get("class")]


def tag(element: Element) -> str:
    """The name of an element in lower case, without its namespace."""
    return LOCAL[element.tag].lower()


def is_block(element: Element) -> bool:
    """Whether an element begins and ends a line where text stands in it without one."""
    return tag(element) in _BLOCK_TAGS or not classes(element).isdisjoint(_BLOCK_CLASSES)


def holds(element: Element, kinds: frozenset[str]) -> bool:
    """Whether an element of a kind is inside."""
    inside = element.iterdescendants()
    return any(isinstance(other.tag, str) and not classes(other).isdisjoint(kinds) for other in inside)


def is_line(element: Element) -> bool:
    """Whether an element is one text line, not a block of lines.

    >>> from pagemeter.formats.xml import parse
    >>> is_line(parse(b"<h1 class='ocr_header'>A</h1>", "a.hocr"))
    True
    >>> is_line(parse(b"<div class='ocr_header'><p class='ocr_line'>A</p></div>", "a.hocr"))
    False
    """
    own = classes(element)
    if not own.isdisjoint(LINE):
        return not holds(element, LINE)
    return not own.isdisjoint(FLOAT) and not holds(element, LINE | AREA | PARAGRAPH | FLOAT)


def is_region(element: Element) -> bool:
    """Whether an element is a paragraph, or a block without any."""
    own = classes(element)
    if not own.isdisjoint(PARAGRAPH):
        return not holds(element, PARAGRAPH)
    return not own.isdisjoint(AREA | FLOAT) and not holds(element, PARAGRAPH | AREA | FLOAT)


def is_page(element: Element) -> bool:
    """Whether an element is a page."""
    return not classes(element).isdisjoint(PAGE)


def is_alternative(element: Element) -> bool:
    """Whether an element lists other readings of characters or words that are given beside it."""
    own = classes(element)
    if "ocr_symbol" in own or (tag(element) == "del" and "alt" in own):
        return True
    return not own.isdisjoint(CHARACTER) and holds(element, CHARACTER)
