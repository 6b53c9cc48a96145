"""TEI: lines from `lb`, `l`, `ab` and `p`; places from the facsimile where the text is linked with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.named_entities import numbered
from pagemeter.formats.tei_facsimile import Facsimile
from pagemeter.formats.tei_lines import TextReader
from pagemeter.formats.xml import LOCAL, Element, parse

if TYPE_CHECKING:
    from pagemeter.page import Page

_ROOTS = frozenset(("TEI", "teiCorpus", "TEI.2", "teiCorpus.2"))
_XML_ID = re.compile(rb"\sxml:id\s*=(?=\s*[\"'])")
_DOCUMENTS = ("{*}TEI", "{*}TEI.2")


def matches(head: Head) -> bool:
    """Whether the root is that of a TEI file or corpus, of any version.

    >>> matches(Head(".xml", "TEI", "http://www.tei-c.org/ns/1.0", "<TEI"))
    True
    """
    return head.root in _ROOTS


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """The pages of a TEI file: `pb` begins one.

    >>> data = b"<TEI><text><body><p><lb/>one<lb/>two</p></body></text></TEI>"
    >>> [line.text for line in read(data, "a.xml", ReadOptions())[0].lines]
    ['one', 'two']
    """
    start = Notes(source)
    root = _root(numbered(data), source, options.encoding, start)
    documents = [root, *root.iterdescendants(*_DOCUMENTS)] if LOCAL[root.tag] in _ROOTS else []
    texts = [text for document in documents if (text := _text(document, start)) is not None]
    if not texts:
        raise FormatError(f"{source}: {LOCAL[root.tag]}: it has no text element; check the export")
    if options.level == "word":
        start.add("file", "TEI words are not read on their own: lines are read")
    facsimile = Facsimile(root)
    pages: list[Page] = []
    for text in texts:
        pages += TextReader(facsimile, options, Notes(source) if pages else start).read(text)
    return pages


def _root(data: bytes, source: str, encoding: str | None, notes: Notes) -> Element:
    """The root element, also of a file that gives one xml:id twice, which libxml2 refuses."""
    try:
        return parse(data, source, encoding, notes)
    except FormatError as error:
        if "already defined" not in str(error):
            raise
    notes.add("xml:id", "one id for several elements: links lead to the first")
    return parse(_XML_ID.sub(b" id=", data), source, encoding, notes)


def _text(document: Element, notes: Notes) -> Element | None:
    """The element of a document that holds its text: `text`, or where it is empty `sourceDoc`."""
    children = [child for child in document if LOCAL[child.tag] in ("text", "sourceDoc")]
    filled = [child for child in children if "".join(child.itertext()).strip()]
    best = min(filled or children, key=lambda child: LOCAL[child.tag] != "text", default=None)
    if len(filled) > 1:
        notes.add("sourceDoc", "left out: the text element is read")
    return best


FORMAT = Format("tei", "TEI: lb, l, ab and p; places from facsimile zones", matches, read)
