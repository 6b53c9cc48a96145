"""ABBYY FineReader XML, versions 6 to 15: pages of blocks, paragraphs, lines and characters."""

from __future__ import annotations

from pagemeter.errors import FormatError
from pagemeter.formats.abbyy_place import place
from pagemeter.formats.abbyy_text import LineText
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.order import arrange
from pagemeter.formats.page_xml import size
from pagemeter.formats.walk import names
from pagemeter.formats.xml import LOCAL, Element, parse
from pagemeter.page import Line, Page

_WITHOUT_TEXT = names("Picture RasterPicture VectorPicture Separator SeparatorsBox AutoAnalysis Unknown")
_NOT_READ = frozenset(("Barcode", "Checkmark", "GroupCheckmark", "CheckmarkGroup"))


def matches(head: Head) -> bool:
    """Whether the root is `document` and FineReader is named in it.

    >>> uri = "http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml"
    >>> matches(Head(".xml", "document", uri, "<document"))
    True
    """
    if head.root != "document":
        return False
    return "abbyy" in head.namespace.lower() or "finereader" in head.text[:4000].lower()


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """The pages of a FineReader file.

    >>> line = b'<line baseline="9" l="0" t="0" r="50" b="10"><formatting>one</formatting></line>'
    >>> data = b'<document><page><block blockType="Text"><text><par>' + line
    >>> data += b'</par></text></block></page></document>'
    >>> read(data, "a.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    start = Notes(source)
    root = parse(data, source, options.encoding, start)
    pages = list(root.iter("{*}page"))
    if not pages:
        raise FormatError(f"{source}: {LOCAL[root.tag]}: it has no page element; export the page again")
    return [_page(page, options, start if page is pages[0] else Notes(source)) for page in pages]


def _page(page: Element, options: ReadOptions, notes: Notes) -> Page:
    if options.level == "region":
        notes.add("block", "FineReader blocks have no text of their own: lines are read")
    texts = LineText(page, notes)
    blocks = [block for block in page.iter("{*}block") if not _is_in_block(block)]
    groups = [_block(block, f"block {number}", texts, notes) for number, block in enumerate(blocks, 1)]
    groups.append(_outside(page, texts, notes, any(groups)))
    width, height = (size(page, name, notes) for name in ("width", "height"))
    return Page(arrange(groups, options.order), notes.source, None, width, height, notes.warnings())


def _block(block: Element, name: str, texts: LineText, notes: Notes) -> list[Line]:
    """The lines of a block; cells of a table come row by row, as the file has them."""
    kind = block.get("blockType") or ""
    if kind in _NOT_READ:
        notes.add(name, f"{kind}: left out, for it is no text line")
        return []
    lines = [
        _line(line, name, f"{name} line {number}", texts, notes)
        for number, line in enumerate(block.iter("{*}line"), 1)
    ]
    if lines and kind in _WITHOUT_TEXT:
        notes.add(name, f"{kind} with text in it: its lines are read")
    if not lines and kind not in _WITHOUT_TEXT and "".join(block.itertext()).strip():
        notes.add(name, f"{kind or 'block'} with text but no line: left out")
    return lines


def _outside(page: Element, texts: LineText, notes: Notes, repeated: bool) -> list[Line]:  # noqa: FBT001
    """Lines that are in no block but in the logical structure of a page, which may repeat the blocks."""
    lines = [line for line in page.iter("{*}line") if not _is_in_block(line)]
    if repeated:
        for _ in lines:
            notes.add("line outside any block", "left out, for the blocks have lines")
        return []
    if lines:
        notes.add("page", "no block has lines: those outside any block are read")
    return [_line(line, None, f"line {number}", texts, notes) for number, line in enumerate(lines, 1)]


def _is_in_block(element: Element) -> bool:
    return next(element.iterancestors("{*}block"), None) is not None


def _line(line: Element, region: str | None, name: str, texts: LineText, notes: Notes) -> Line:
    baseline, polygon = place(line, name, notes)
    return Line(texts.of(line, name), baseline, polygon, name, region)


FORMAT = Format("abbyy", "ABBYY FineReader XML, versions 6 to 15", matches, read)
