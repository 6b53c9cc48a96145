"""ALTO 1 to 4 and the dialects of libraries, in any namespace and with any prefix."""

from __future__ import annotations

from dataclasses import dataclass, field

from pagemeter.errors import FormatError
from pagemeter.formats.alto_order import Block, in_reading_order
from pagemeter.formats.alto_place import Places, pixels_per_unit
from pagemeter.formats.alto_text import LineTexts
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.order import arrange
from pagemeter.formats.page_text import name_of
from pagemeter.formats.page_xml import size
from pagemeter.formats.spelled_line import SpelledLine, check_spellings, spelled_line
from pagemeter.formats.xml import LOCAL, Element, parse
from pagemeter.page import Page

# Whatever is not listed is looked into, so that no line is lost in an element that nobody foresaw.
_WITHOUT_LINES = frozenset(("Shape", "Illustration", "GraphicalElement"))


def matches(head: Head) -> bool:
    """Whether the root is alto.

    >>> matches(Head(".xml", "alto", "http://www.loc.gov/standards/alto/ns-v4#", "<alto"))
    True
    """
    return head.root is not None and head.root.lower() == "alto"


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """The pages of an ALTO file.

    >>> data = b'<alto><Layout><Page><TextLine><String CONTENT="one"/></TextLine></Page></Layout></alto>'
    >>> read(data, "a.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    start = Notes(source)
    root = parse(data, source, options.encoding, start, mixed=False)
    del data
    pages = [page for layout in root.iterchildren("{*}Layout") for page in layout.iterchildren("{*}Page")]
    if not pages:
        raise FormatError(f"{source}: {LOCAL[root.tag]}: it has no Page element; export the page again")
    return [_page(root, page, options, start if page is pages[0] else Notes(source)) for page in pages]


def _page(root: Element, page: Element, options: ReadOptions, notes: Notes) -> Page:
    if options.level == "region":
        notes.add("TextBlock", "ALTO blocks have no text of their own: lines are read")
    factor = pixels_per_unit(root, options.dpi, notes)
    reader = _BlockReader(LineTexts(page, notes), Places(factor, notes), notes)
    reader.read(page, Block(None))
    check_spellings(reader.lines, "TextLine", notes)
    if options.order in ("file", "top-down-lines"):
        groups = in_reading_order(root, page, reader.blocks, notes)
    else:
        groups = [block.lines for block in reader.blocks]
    return Page(
        arrange(groups, options.order),
        notes.source,
        _image(root),
        _pixels(page, "WIDTH", factor, notes),
        _pixels(page, "HEIGHT", factor, notes),
        notes.warnings(),
    )


def _image(root: Element) -> str | None:
    for description in root.iterchildren("{*}Description"):
        for name in description.iter("{*}fileName"):
            if name.text and name.text.strip():
                return str(name.text).strip()
    return None


def _pixels(page: Element, name: str, factor: float | None, notes: Notes) -> int | None:
    found = None if factor is None else size(page, name, notes)
    return None if found is None or factor is None else round(found * factor)


@dataclass(slots=True)
class _BlockReader:
    """Collects the blocks of one page in document order, however they are nested."""

    texts: LineTexts
    places: Places
    notes: Notes
    blocks: list[Block] = field(default_factory=list)
    lines: list[SpelledLine] = field(default_factory=list)

    def read(self, element: Element, block: Block) -> None:
        """Take the lines in an element and look for more blocks in it."""
        self.blocks.append(block)
        for child in element[:]:
            name = LOCAL[child.tag]
            if name == "TextLine":
                block.lines.append(self._line(child, block.id))
            elif name == "String":
                self.notes.add(name_of(child), "stands outside a TextLine: left out")
            elif name not in _WITHOUT_LINES:
                following = child.get("IDNEXT") if name == "TextBlock" else None
                self.read(child, Block(child.get("ID") or block.id, following))

    def _line(self, element: Element, block: str | None) -> SpelledLine:
        text, shape = self.texts.of(element)
        baseline, polygon = self.places.of(element, shape)
        line = spelled_line(text, baseline, polygon, element.get("ID"), block)
        self.lines.append(line)
        return line


FORMAT = Format("alto", "ALTO XML, versions 1 to 4 (alto)", matches, read)
