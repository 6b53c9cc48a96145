"""PAGE XML of 2009 to 2024, in any namespace and with any prefix."""

from __future__ import annotations

from pagemeter.errors import FormatError
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.order import arrange
from pagemeter.formats.page_names import NAMES, attribute
from pagemeter.formats.page_region import RegionReader
from pagemeter.formats.reading_order import groups, in_reading_order
from pagemeter.formats.spelled_line import check_spellings
from pagemeter.formats.xml import LOCAL, Element, parse
from pagemeter.page import Page


def matches(head: Head) -> bool:
    """Whether the root is PcGts, or pcGts as files of 2009 have it.

    >>> matches(Head(".xml", "PcGts", "http://schema.primaresearch.org/PAGE", "<PcGts"))
    True
    """
    return head.root is not None and head.root.lower() == "pcgts"


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """The pages of a PAGE file.

    >>> data = b'<PcGts><Page><TextRegion><TextLine id="l1"><TextEquiv><Unicode>one</Unicode></TextEquiv>'
    >>> data += b'</TextLine></TextRegion></Page></PcGts>'
    >>> read(data, "p.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    start = Notes(source)
    root = parse(data, source, options.encoding, start, mixed=False)
    del data
    pages = [child for child in root if NAMES[child.tag] == "Page"]
    if not pages:
        raise FormatError(f"{source}: {LOCAL[root.tag]}: it has no Page element; export the page again")
    return [_page(page, source, options, start if page is pages[0] else Notes(source)) for page in pages]


def _page(element: Element, source: str, options: ReadOptions, notes: Notes) -> Page:
    reader = RegionReader(options.level, notes)
    root = reader.read(element)
    check_spellings(reader.lines, "TextLine", notes)
    if options.order in ("file", "top-down-lines"):
        grouped = in_reading_order(element, root, notes)
    else:
        grouped = list(groups(root, frozenset()))
    lines = arrange(grouped, options.order)
    width, height = (size(element, name, notes) for name in ("imageWidth", "imageHeight"))
    return Page(lines, source, attribute(element, "imageFilename") or None, width, height, notes.warnings())


def size(element: Element, name: str, notes: Notes) -> int | None:
    """The width or height of a page, or None where it is missing or makes no sense."""
    found = attribute(element, name)
    if found is None:
        return None
    try:
        pixels = round(float(found))
    except (ValueError, OverflowError):
        pixels = 0
    if pixels <= 0:
        notes.add(f"{LOCAL[element.tag]} {name}", f"{found!r} is no size: left out")
        return None
    return pixels


FORMAT = Format("page", "PAGE XML, 2009 to 2024 (PcGts)", matches, read)
