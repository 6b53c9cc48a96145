"""hOCR, as XML or as the HTML that browsers put up with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.hocr_classes import AREA, LINE, PARAGRAPH, WORD, classes, holds, is_page, tag
from pagemeter.formats.hocr_page import PageReader
from pagemeter.formats.hocr_soup import parse_soup
from pagemeter.formats.html_names import NAMES
from pagemeter.formats.named_entities import numbered
from pagemeter.formats.walk import Text, walk
from pagemeter.formats.xml import Element, parse

if TYPE_CHECKING:
    from pagemeter.page import Page

_MARK = re.compile(r"""class\s*=\s*["']?[^"'>]*\bocrx?_""")
_PLACE = re.compile(r"line \d+, column \d+")


def matches(head: Head) -> bool:
    """Whether a file is called .hocr, is HTML, or a part of HTML with a class of hOCR near its beginning.

    >>> matches(Head(".html", "html", "", "<html><body><div class='ocr_page'>"))
    True
    """
    if head.suffix == ".hocr":
        return True
    if head.root is None:
        return head.text.startswith("<") and bool(_MARK.search(head.text))
    return head.root.lower() == "html" or (head.root.lower() in NAMES and bool(_MARK.search(head.text)))


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """The pages of an hOCR file.

    >>> page = b"<div class='ocr_page'><p class='ocr_line' title='bbox 0 0 9 9'>one</p></div>"
    >>> read(page, "a.hocr", ReadOptions())[0].lines[0].text
    'one'
    """
    notes = Notes(source)
    root = _tree(data, source, options, notes)
    pages = [element for element in root.iter() if isinstance(element.tag, str) and is_page(element)]
    if not pages:
        pages = [_whole(root, source, notes)]
    elif root not in pages:
        _note_outside(root, notes)
    return [
        PageReader(page, options, notes if page is pages[0] else Notes(source)).page(number)
        for number, page in enumerate(pages, 1)
    ]


def _tree(data: bytes, source: str, options: ReadOptions, notes: Notes) -> Element:
    """The tree of a file; where it is no XML, that of a browser."""
    try:
        return parse(numbered(data), source, options.encoding, notes)
    except FormatError as error:
        lower = data.lower()
        if not lower.strip() or b"<!entity" in lower:
            raise
        if b"<html" in lower and b"</html" not in lower:
            raise FormatError(
                f"{source}: </html> is missing: the file is cut off; get a complete copy"
            ) from None
        place = _PLACE.search(str(error))
        notes.add(place[0] if place else "file", "not well-formed XML: all of it is read as HTML")
    return parse_soup(numbered(data), source, options.encoding, notes)


def _whole(root: Element, source: str, notes: Notes) -> Element:
    """The root in the place of a page, where a file has lines but no page."""
    kinds = LINE | AREA | PARAGRAPH | WORD
    if classes(root).isdisjoint(kinds) and not holds(root, kinds):
        raise FormatError(
            f"{source}: no element of a class of hOCR, such as ocr_page or ocr_line; "
            "name the real format with --format"
        )
    notes.add("file", "no ocr_page: all of it is taken for one page")
    return root


def _note_outside(root: Element, notes: Notes) -> None:
    def enter(element: Element) -> bool:
        return tag(element) not in ("head", "script", "style") and not is_page(element)

    for event in walk(root, enter):
        if isinstance(event, Text) and event.text.strip():
            notes.add(tag(event.element), "text outside any ocr_page: left out")


FORMAT = Format("hocr", "hOCR, as XML or as HTML (Tesseract, OCRopus, kraken)", matches, read)
