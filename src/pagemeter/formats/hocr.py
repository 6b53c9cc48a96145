"""hOCR, as XML or as the HTML that browsers put up with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.hocr_classes import (
    AREA,
    LINE,
    PAGE,
    PARAGRAPH,
    UNSEEN,
    WORD,
    kind_of,
    kinds_inside,
)
from pagemeter.formats.hocr_page import PageReader
from pagemeter.formats.hocr_soup import parse_soup
from pagemeter.formats.html_names import NAMES
from pagemeter.formats.named_entities import numbered
from pagemeter.formats.walk import walk
from pagemeter.formats.xml import LOCAL, Element, parse

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
    del data
    finder = _Finder(root)
    for name in finder.outside if finder.pages else ():
        notes.add(name, "text outside any ocr_page: left out")
    pages: list[Page] = []
    for element in finder.pages or [_whole(root, source, notes)]:
        reader = PageReader(element, options, Notes(source) if pages else notes)
        pages.append(reader.page(len(pages) + 1))
        for inner in reader.inner_pages():
            pages.append(PageReader(inner, options, Notes(source)).page(len(pages) + 1))
    return pages


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
    if not (kind_of(root) | kinds_inside(root)) & (LINE | AREA | PARAGRAPH | WORD):
        raise FormatError(
            f"{source}: no element of a class of hOCR, such as ocr_page or ocr_line; "
            "name the real format with --format"
        )
    notes.add("file", "no ocr_page: all of it is taken for one page")
    return root


class _Finder:
    """Finds the outermost pages, and for each text outside them the name of the element it stands in."""

    def __init__(self, root: Element) -> None:
        self.pages: list[Element] = []
        self.outside: list[str] = []
        self._unseen = 0
        if self.begin(root):
            walk(root, self)

    def begin(self, element: Element) -> bool:
        kind = kind_of(element)
        if kind & PAGE:
            self.pages.append(element)
            return False
        self._unseen += bool(kind & UNSEEN)
        return True

    def text(self, text: str, inside: Element) -> None:
        if not self._unseen and text.strip():
            self.outside.append(LOCAL[inside.tag].lower())

    def end(self, element: Element) -> None:
        self._unseen -= bool(kind_of(element) & UNSEEN)


FORMAT = Format("hocr", "hOCR, as XML or as HTML (Tesseract, OCRopus, kraken)", matches, read)
