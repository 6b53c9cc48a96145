"""hOCR, as well-formed XML or as HTML that only browsers accept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from pagemeter.errors import FormatError, TruncatedError, UsageError
from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.formats.hocr.elements import AREA, HIDDEN, LINE, PAGE, PARAGRAPH, WORD, kind_of, kinds_inside
from pagemeter.formats.hocr.lines import PageReader
from pagemeter.formats.html_text import HTML_ELEMENTS, VOID_ELEMENTS
from pagemeter.formats.plain import decode, decode_text, without_controls
from pagemeter.formats.xml import (
    LOCAL_NAMES,
    Element,
    check_memory,
    parse_xml,
    replace_html_entities,
    walk,
)

if TYPE_CHECKING:
    from pagemeter.page import Page

_DECLARED_ENCODING = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._-]+)""", re.IGNORECASE)
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MAX_ATTRIBUTES = 1000  # of one element
# Attributes as the HTML standard separates them, also if an equals sign or a quote is in the wrong place.
_ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+"""
_ATTRIBUTES = re.compile(
    rf"<[A-Za-z][^\s/>]*+(?:{_ATTRIBUTE}){{0,{_MAX_ATTRIBUTES}}}+(?P<more>{_ATTRIBUTE})?"
)
_LIMIT_EXCEEDED = 114  # error number of libxml2, after which it drops the rest of a file
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>")
# Recognised text is not always escaped, so only the names of HTML elements make a tag.
_LESS_THAN = re.compile(
    rf"<(?!/?(?:{'|'.join(sorted(HTML_ELEMENTS))})[\s/>]|!--(?:(?!<!--).)*?-->|!doctype\b)",
    re.DOTALL | re.IGNORECASE,
)
_SELF_CLOSING = re.compile(
    rf"<(?!(?:{'|'.join(sorted(VOID_ELEMENTS))})\b)([a-z][a-z0-9]*)(\s[^<>]*)?/>", re.IGNORECASE
)


def read_hocr(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of an hOCR file.

    >>> page = b"<div class='ocr_page'><p class='ocr_line' title='bbox 0 0 9 9'>one</p></div>"
    >>> read_hocr(page, "a.hocr", ReadOptions())[0].lines[0].text
    'one'
    """
    notes = Notes(source)
    root = _parse(data, source, options, notes)
    del data
    finder = _PageFinder(root)
    for name in finder.outside if finder.pages else ():
        notes.add(name, "text outside any ocr_page was skipped")
    check_page_count(len(finder.pages), source)
    pages: list[Page] = []
    reader: PageReader | None = None
    for element in finder.pages or [_as_page(root, source, notes)]:
        reader = PageReader(element, options, Notes(source) if pages else notes, reader)
        pages.append(reader.page(len(pages) + 1))
        inner_pages = reader.inner_pages()
        check_page_count(len(pages) + len(inner_pages), source)
        for inner in inner_pages:
            reader = PageReader(inner, options, Notes(source), reader)
            pages.append(reader.page(len(pages) + 1))
    return pages


def _parse(data: bytes, source: str, options: ReadOptions, notes: Notes) -> Element:
    """Parse a file as XML, or as HTML if it is not well-formed."""
    try:
        return parse_xml(replace_html_entities(data), source, options.encoding, notes)
    except FormatError as error:
        lower = data.lower()
        if not lower.strip() or b"<!entity" in lower:
            raise
        if b"<html" in lower and b"</html" not in lower:
            raise TruncatedError(
                "</html> is missing, because the file is cut off", source=source, remedy="get a complete copy"
            ) from None
        where = error.problem.element or "file"
        notes.add(where, "not well-formed XML, so the whole file is read as HTML")
    return parse_html(replace_html_entities(data), source, options.encoding, notes)


def _as_page(root: Element, source: str, notes: Notes) -> Element:
    """Return the root as the page of a file that has lines but no ocr_page."""
    if not (kind_of(root) | kinds_inside(root)) & (LINE | AREA | PARAGRAPH | WORD):
        raise FormatError(
            "no element has a class of hOCR, such as ocr_page or ocr_line",
            source=source,
            remedy="name the real format, for example {}",
            settings=(("format", "text"),),
        )
    notes.add("file", "there is no ocr_page, so the whole file is read as one page")
    return root


class _PageFinder:
    """Finds the outermost pages, and the names of the elements that have text outside pages."""

    def __init__(self, root: Element) -> None:
        self.pages: list[Element] = []
        self.outside: list[str] = []
        self._hidden_depth = 0
        if self.begin(root):
            walk(root, self)

    def begin(self, element: Element) -> bool:
        kind = kind_of(element)
        if kind & PAGE:
            self.pages.append(element)
            return False
        self._hidden_depth += bool(kind & HIDDEN)
        return True

    def text(self, text: str, inside: Element) -> None:
        if not self._hidden_depth and text.strip():
            self.outside.append(LOCAL_NAMES[inside.tag].lower())

    def end(self, element: Element) -> None:
        self._hidden_depth -= bool(kind_of(element) & HIDDEN)


# Files that are not well-formed XML


def parse_html(data: bytes, source: str, encoding: str | None, notes: Notes) -> Element:
    """Parse HTML, even if it is invalid, and return its root element.

    >>> from pagemeter.formats.base import Notes
    >>> parse_html(b"<p class=ocr_line>a<br>b", "a.html", None, Notes("a.html"))[0][0].get("class")
    'ocr_line'
    """
    text = escape_text(_decode(data, source, encoding, notes), notes)
    _check_attributes(text, source)
    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        check_memory(parser.error_log)
        message = str(error).splitlines()[0] if str(error) else "the file is empty"
        raise FormatError(
            f"cannot be parsed as HTML ({message})", source=source, remedy="get a complete copy"
        ) from None
    check_memory(parser.error_log)
    if root is None:
        raise FormatError("contains no element", source=source, remedy="get a complete copy")
    if any(entry.type == _LIMIT_EXCEEDED for entry in parser.error_log):
        raise FormatError(
            "nested too deeply, or a value is too long for a page file",
            source=source,
            remedy="repair the file",
        )
    return root


def _check_attributes(text: str, source: str) -> None:
    """Raise FormatError if an element has too many attributes, for which the parser takes quadratic time."""
    if any(tag["more"] for tag in _ATTRIBUTES.finditer(text)):
        raise FormatError(
            f"an element has more than {_MAX_ATTRIBUTES:,} attributes",
            source=source,
            remedy="repair the file",
        )


def escape_text(text: str, notes: Notes) -> str:
    """Escape each `<` that does not begin a tag, and write self-closing elements with an end tag.

    >>> from pagemeter.formats.base import Notes
    >>> escape_text("s<5<b>!<!--,</b>", Notes("a.html"))
    's&lt;5<b>!&lt;!--,</b>'
    """
    text = without_controls(text, "text", notes)
    text, count = _LESS_THAN.subn("&lt;", _DECLARATION.sub("", text))
    if count:
        notes.add("text", f"{count} '<' do not begin a tag, and are read as characters")
    return _SELF_CLOSING.sub(lambda match: f"<{match[1]}{match[2] or ''}></{match[1]}>", text)


def _decode(data: bytes, source: str, encoding: str | None, notes: Notes) -> str:
    declared = (
        None if encoding or data.startswith(_BYTE_ORDER_MARKS) else _DECLARED_ENCODING.search(data[:2000])
    )
    if declared is not None:
        name = declared[1].decode("ascii")
        try:
            return decode(data, source, name)
        except UsageError:
            notes.add("declaration", f"unknown encoding {name!r}, so the file is read as UTF-8")
    return decode_text(data, source, encoding)
