"""PAGE XML of 2009 to 2024, in any namespace and with any prefix."""

from __future__ import annotations

from pagemeter.errors import FormatError
from pagemeter.formats.base import Notes, ReadOptions, arrange_lines, check_page_count
from pagemeter.formats.coordinates import check_points
from pagemeter.formats.page.reading_order import order_regions, split_regions
from pagemeter.formats.page.regions import RegionReader, join_tables
from pagemeter.formats.page.text import PAGE_NAMES, get_attribute
from pagemeter.formats.xml import LOCAL_NAMES, Element, parse_size, parse_xml
from pagemeter.page import Page


def read_page_xml(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a PAGE file.

    >>> data = b'<PcGts><Page><TextRegion><TextLine id="l1"><TextEquiv><Unicode>one</Unicode></TextEquiv>'
    >>> data += b'</TextLine></TextRegion></Page></PcGts>'
    >>> read_page_xml(data, "p.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    first_notes = Notes(source)
    root = parse_xml(data, source, options.encoding, first_notes, mixed=False)
    del data
    pages = [child for child in root if PAGE_NAMES[child.tag] == "Page"]
    if not pages:
        raise FormatError(
            "has no Page element",
            source=source,
            element=LOCAL_NAMES[root.tag],
            remedy="export the page again",
        )
    check_page_count(len(pages), source)
    return [_page(page, options, first_notes if page is pages[0] else Notes(source)) for page in pages]


def _page(page: Element, options: ReadOptions, notes: Notes) -> Page:
    reader = RegionReader(options.level, notes, options.words, options.choice, options.readings == "all")
    root = reader.read(page)
    check_points(reader.lines, "TextLine", notes)
    if options.tables is not None:
        join_tables(root, options.tables)
    if options.order in ("file", "top-down-lines"):
        regions = order_regions(page, root, notes)
    else:
        regions = list(split_regions(root, frozenset()))
    lines = arrange_lines(regions, options.order)
    width, height = (
        parse_size(get_attribute(page, name), page, name, notes) for name in ("imageWidth", "imageHeight")
    )
    image = get_attribute(page, "imageFilename") or None
    return Page(lines, notes.source, image, width, height, notes.warnings())
