"""TEI: lines from `lb`, `l`, `ab` and `p`; positions from the facsimile that the text is linked with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.formats.registry import TEI_ROOTS
from pagemeter.formats.tei.facsimile import Facsimile
from pagemeter.formats.tei.lines import TeiTextReader
from pagemeter.formats.xml import LOCAL_NAMES, Element, parse_xml, replace_html_entities

if TYPE_CHECKING:
    from pagemeter.page import Page

_DOCUMENTS = ("{*}TEI", "{*}TEI.2")


def read_tei(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a TEI file; each `pb` begins a page.

    >>> data = b"<TEI><text><body><p><lb/>one<lb/>two</p></body></text></TEI>"
    >>> [line.text for line in read_tei(data, "a.xml", ReadOptions())[0].lines]
    ['one', 'two']
    """
    first_notes = Notes(source)
    root = parse_xml(replace_html_entities(data), source, options.encoding, first_notes, duplicate_ids=True)
    documents = [root, *_inner_documents(root)] if LOCAL_NAMES[root.tag] in TEI_ROOTS else []
    texts = [text for document in documents if (text := _text_element(document, first_notes)) is not None]
    if not texts:
        raise FormatError(
            "has no text element", source=source, element=LOCAL_NAMES[root.tag], remedy="check the export"
        )
    if options.level == "word":
        first_notes.add("file", "TEI words are not read on their own, so lines are read")
    facsimile = Facsimile(root)
    pages: list[Page] = []
    for text in texts:
        check_page_count(len(pages), source)
        pages += TeiTextReader(facsimile, options, Notes(source) if pages else first_notes).read(text)
    return pages


def _inner_documents(root: Element) -> list[Element]:
    """Return the documents of a corpus; a document inside the text of another one is part of that text."""
    return [
        document
        for document in root.iterdescendants(*_DOCUMENTS)
        if next(document.iterancestors("{*}text", "{*}sourceDoc"), None) is None
    ]


def _text_element(document: Element, notes: Notes) -> Element | None:
    """Return the element with the text of a document: `text`, or `sourceDoc` if `text` is empty."""
    children = [child for child in document if LOCAL_NAMES[child.tag] in ("text", "sourceDoc")]
    filled = [child for child in children if "".join(child.itertext()).strip()]
    best = min(filled or children, key=lambda child: LOCAL_NAMES[child.tag] != "text", default=None)
    if len(filled) > 1:
        notes.add("sourceDoc", "was skipped, because the text element is read")
    return best
