"""hOCR that is not well-formed XML: mended where its text is not escaped, then read as browsers do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError, UsageError
from pagemeter.formats.decoding import decode
from pagemeter.formats.html_names import EMPTY, NAMES
from pagemeter.formats.plain import text_of, without_controls
from pagemeter.formats.xml import check_memory, lxml

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.formats.xml import Element

_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._-]+)""", re.IGNORECASE)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LIMIT_PASSED = 114  # how libxml2 numbers the error after which it drops the rest of a file
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>")
# What recognisers read is not always escaped: only the names of HTML make a tag.
_LESS = re.compile(
    rf"<(?!/?(?:{'|'.join(sorted(NAMES))})[\s/>]|!--(?:(?!<!--).)*?-->|!doctype\b)", re.DOTALL | re.IGNORECASE
)
_CLOSED = re.compile(rf"<(?!(?:{'|'.join(sorted(EMPTY))})\b)([a-z][a-z0-9]*)(\s[^<>]*)?/>", re.IGNORECASE)


def parse_soup(data: bytes, source: str, encoding: str | None, notes: Notes) -> Element:
    """The root element of a file of HTML, however broken.

    >>> from pagemeter.formats.base import Notes
    >>> parse_soup(b"<p class=ocr_line>a<br>b", "a.html", None, Notes("a.html"))[0][0].get("class")
    'ocr_line'
    """
    etree = lxml()
    text = mended(_decoded(data, source, encoding, notes), notes)
    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        check_memory(parser.error_log)
        said = str(error).splitlines()[0] if str(error) else "nothing in it"
        raise FormatError(f"{source}: {said}: it is not even HTML; get a complete copy") from None
    check_memory(parser.error_log)
    if root is None:
        raise FormatError(f"{source}: it holds no element; get a complete copy")
    if any(entry.type == _LIMIT_PASSED for entry in parser.error_log):
        raise FormatError(
            f"{source}: it is nested too deeply or one value is too long for a page file; mend it"
        )
    return root


def mended(text: str, notes: Notes) -> str:
    """The text with each `<` that begins no tag written as a character, and empty elements closed.

    >>> from pagemeter.formats.base import Notes
    >>> mended("s<5<b>!<!--,</b>", Notes("a.html"))
    's&lt;5<b>!&lt;!--,</b>'
    """
    text = without_controls(text, "text", notes)
    text, count = _LESS.subn("&lt;", _XML_DECLARATION.sub("", text))
    if count:
        notes.add("text", f"{count} '<' that begin no tag: read as characters")
    return _CLOSED.sub(lambda match: f"<{match[1]}{match[2] or ''}></{match[1]}>", text)


def _decoded(data: bytes, source: str, encoding: str | None, notes: Notes) -> str:
    declared = None if encoding or data.startswith(_BOMS) else _DECLARED.search(data[:2000])
    if declared is not None:
        name = declared[1].decode("ascii")
        try:
            return decode(data, source, name)
        except UsageError:
            notes.add("declaration", f"unknown encoding {name!r}: read as UTF-8")
    return text_of(data, source, encoding)
