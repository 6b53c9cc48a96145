"""PAGE XML of 2009 to 2024, in any namespace and with any prefix."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Notes, ReadOptions, arrange_lines, check_page_count
from pagemeter.formats.coordinates import check_points
from pagemeter.formats.lines import ReadingBudget
from pagemeter.formats.page.regions import Region, RegionReader, join_tables
from pagemeter.formats.page.text import PAGE_NAMES, get_attribute
from pagemeter.formats.xml import LOCAL_NAMES, Element, parse_size, parse_xml
from pagemeter.page import Line, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.formats.xml import Element


def read_page_xml(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a PAGE file.

    >>> data = b'<PcGts><Page><TextRegion><TextLine id="l1"><TextEquiv><Unicode>one</Unicode></TextEquiv>'
    >>> data += b'</TextLine></TextRegion></Page></PcGts>'
    >>> read_page_xml(data, "p.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    first_notes = Notes(source)
    root = parse_xml(data, source, options.encoding, first_notes, mixed=False)
    size = len(data)
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
    budget = ReadingBudget(size) if options.readings == "all" else None
    return [
        _page(page, options, first_notes if page is pages[0] else Notes(source), budget) for page in pages
    ]


def _page(page: Element, options: ReadOptions, notes: Notes, budget: ReadingBudget | None) -> Page:
    reader = RegionReader(options.level, notes, options.words, options.choice, budget)
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


# The reading order of regions

_CUSTOM_INDEX = re.compile(r"readingOrder\s*+\{[^{}]*?\bindex\s*+:\s*+(\d{1,18})(?!\d)")
_LAST = 1 << 62


def order_regions(page: Element, root: Region, notes: Notes) -> list[list[Line]]:
    """Return the lines of each region in reading order.

    The order is that of ReadingOrder, or of the indices in the attribute `custom`, or of the document. A
    region in ReadingOrder includes its inner regions that are not in ReadingOrder. Regions that are missing
    in ReadingOrder follow in document order, with a warning.
    """
    orders = [child for child in page if PAGE_NAMES[child.tag] == "ReadingOrder"]
    references = list(_references(orders, notes))
    if not references:
        _sort_by_custom_index(root, notes)
        return list(split_regions(root, frozenset()))
    listed = _resolve(references, root, notes)
    listed_ids = frozenset(map(id, listed))
    ordered = [lines for region in listed for lines in split_regions(region, listed_ids)]
    return ordered + _unlisted(root, listed_ids, notes)


def split_regions(region: Region, excluded: frozenset[int]) -> Iterator[list[Line]]:
    """Iterate over the lines of a region and of its inner regions, in document order.

    `excluded` has the Python ids of inner regions to leave out.
    """
    lines: list[Line] = []
    for part in region.parts:
        if isinstance(part, Line):
            lines.append(part)
        elif id(part) not in excluded:
            if lines:
                yield lines
                lines = []
            yield from split_regions(part, excluded)
    if lines:
        yield lines


def _references(members: Iterable[Element], notes: Notes) -> Iterator[str]:
    """Iterate over the region ids of members; a group that is a region itself precedes its members."""
    for member in members:
        reference = get_attribute(member, "regionRef")
        if reference:
            yield reference
        if len(member):
            yield from _references(_members(member, notes), notes)


def _members(group: Element, notes: Notes) -> list[Element]:
    """Return the members of a group in their order."""
    members = list(group)
    kind = PAGE_NAMES[group.tag]
    if kind.startswith("Ordered"):
        indices = [_index(member) for member in members]
        if len(set(indices)) < len(indices):
            notes.add(
                f"{kind} {group.get('id')}", "members have equal or no indices, so document order is used"
            )
        members = [members[at] for at in sorted(range(len(members)), key=indices.__getitem__)]
    elif kind.startswith("Unordered") and len(members) > 1:
        notes.add(f"{kind} {group.get('id')}", "its members have no order, so document order is used")
    return members


def _index(member: Element) -> int:
    """Return the index of a member; members without one come last."""
    try:
        return int(member.get("index"))
    except (TypeError, ValueError):
        return _LAST


def _resolve(references: list[str], root: Region, notes: Notes) -> list[Region]:
    """Return the regions with the given ids; several references and several regions may have the same id."""
    known: dict[str, deque[Region]] = defaultdict(deque)
    for region in root.descendants():
        if region.id is not None:
            known[region.id].append(region)
    regions: list[Region] = []
    for reference in references:
        if reference not in known:
            notes.add(f"ReadingOrder {reference}", "there is no region with this id")
        elif not known[reference]:
            notes.add(
                f"ReadingOrder {reference}", "the region is listed again, and its first position is used"
            )
        else:
            regions.append(known[reference].popleft())
    return regions


def _unlisted(root: Region, listed_ids: frozenset[int], notes: Notes) -> list[list[Line]]:
    detail = "not in the reading order, placed after the others in document order"
    unlisted = []
    for part in root.parts:
        if isinstance(part, Line):
            notes.add(f"line {part.id}", detail)
            unlisted.append([part])
        elif id(part) not in listed_ids and (regions := list(split_regions(part, listed_ids))):
            notes.add(f"region {part.id}", detail)
            unlisted += regions
    return unlisted


def _sort_by_custom_index(root: Region, notes: Notes) -> None:
    """Sort the regions of a page by the index in their attribute `custom`, if any region has one."""
    indices = [_custom_index(part) for part in root.parts]
    if all(index is None for index in indices):
        return
    for part, index in zip(root.parts, indices, strict=True):
        if index is None and isinstance(part, Region) and part.has_lines:
            notes.add(
                f"region {part.id}", "has no index in its attribute custom, unlike others, and is read last"
            )
    keys = [_LAST if index is None else index for index in indices]
    root.parts = [root.parts[at] for at in sorted(range(len(keys)), key=keys.__getitem__)]


def _custom_index(part: Region | Line) -> int | None:
    match = _CUSTOM_INDEX.search(part.custom) if isinstance(part, Region) else None
    return int(match[1]) if match else None
