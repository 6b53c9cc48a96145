"""PAGE XML of 2009 to 2024, in any namespace and with any prefix: pages, regions and their reading order."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions, arrange_lines
from pagemeter.formats.coordinates import (
    LazyLine,
    Rectangle,
    bounding_rectangle,
    check_points,
    lazy_line,
)
from pagemeter.formats.lines import ReadingBudget, line_type
from pagemeter.formats.page.text import (
    PAGE_NAMES,
    equiv_text,
    get_attribute,
    line_parts,
    line_text,
    other_texts,
    points_text,
    read_words,
    region_lines,
    tagged_line,
)
from pagemeter.formats.xml import (
    Element,
    check_pages,
    element_label,
    parse_size,
    parse_xml,
    single_line,
)
from pagemeter.page import Line, Page, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.formats.base import Level, Tables
    from pagemeter.page import LineType


def read_page_xml(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a PAGE file.

    >>> data = b'<PcGts><Page><TextRegion><TextLine id="l1"><TextEquiv><Unicode>one</Unicode></TextEquiv>'
    >>> data += b'</TextLine></TextRegion></Page></PcGts>'
    >>> read_page_xml(data, "p.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    first_notes = Notes(source)
    root = parse_xml(data, source, options.encoding, first_notes, mixed=False, plain=True)
    size = len(data)
    del data
    pages = [child for child in root if PAGE_NAMES[child.tag] == "Page"]
    check_pages(pages, "Page", root, source)
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


# Regions, which may be nested, and their lines

_STRUCTURE = re.compile(r"structure\s*+\{[^{}]*?\btype\s*+:([^;{}]*+)")
_ESCAPE = re.compile(r"\\u[0-9A-Fa-f]{4}")  # how Transkribus writes spaces and special characters in `custom`
# All other elements are searched, so that lines in unexpected elements are found.
_WITHOUT_LINES = frozenset(
    (
        "AlternativeImage",
        "Border",
        "Coords",
        "CornerPts",
        "Grid",
        "Labels",
        "Layers",
        "Metadata",
        "PrintSpace",
        "ReadingOrder",
        "Relations",
        "TextEquiv",
        "TextStyle",
        "UserDefined",
    )
)


@dataclass(slots=True)
class Region:
    """A region with its lines and inner regions in document order."""

    id: str | None
    custom: str = ""
    type: LineType = "text"
    cell: tuple[int, int] | None = None
    parts: list[Region | Line] = field(default_factory=list)

    has_lines: bool = False
    has_text: bool = False

    def descendants(self) -> Iterator[Region]:
        """Iterate over all inner regions, in document order."""
        stack = [iter(self.parts)]
        while stack:
            for part in stack[-1]:
                if type(part) is Region:  # half the time of isinstance
                    yield part
                    stack.append(iter(part.parts))
                    break
            else:
                stack.pop()

    def note_content(self) -> None:
        """Set `has_lines` and `has_text`: whether there is a line, or one with text, at any depth."""
        self.has_lines = any(isinstance(part, Line) or part.has_lines for part in self.parts)
        self.has_text = any(
            not part.text.isspace() and part.text != "" if isinstance(part, Line) else part.has_text
            for part in self.parts
        )


@dataclass(slots=True)
class RegionReader:
    """Reads the regions of one page; `lines` collects all lines in document order.

    `words` is True if lines keep their words. `choice` chooses their reading. `budget` limits their further
    readings, and None accepts none.
    """

    level: Level | None
    notes: Notes
    words: bool = False
    choice: str | None = None
    budget: ReadingBudget | None = None
    lines: list[LazyLine] = field(default_factory=list)

    def read(self, element: Element, parent: Region | None = None) -> Region:
        """Read an element and all its content as a region; without an id, it gets the id of its parent."""
        kind = PAGE_NAMES[element.tag]
        outer_id, outer_type = (None, "text") if parent is None else (parent.id, parent.type)
        outer_type = line_type(kind, outer_type)
        region = Region(element.get("id") or outer_id, element.get("custom") or "")
        region.type = _structure_type(element.get("type"), region.custom, outer_type)
        if kind == "TableCell":
            region.cell = _row_column(element.get("row"), element.get("col"))
        equivs: list[Element] = []
        own_lines: list[LazyLine] = []
        parts = region.parts
        last, name = None, ""
        for child in element[:]:
            tag = child.tag
            if tag != last:  # most lines follow a line
                last, name = tag, PAGE_NAMES[tag]
            if name == "TextLine":
                line = self._line(child, region)
                own_lines.append(line)
                parts.append(line)
            elif name == "TextEquiv":
                equivs.append(child)
            elif name == "Roles":
                region.cell = _cell_role(child) or region.cell
            elif name not in _WITHOUT_LINES:
                parts.append(self.read(child, region))
        region.note_content()
        if self.level == "region" or (equivs and not region.has_text):
            own_lines = self._use_region_text(region, element, equivs, own_lines)
            region.note_content()
        if kind == "TableRegion":
            _sort_cells(region, element, self.notes)
        self.lines += own_lines
        return region

    def _line(self, element: Element, region: Region) -> LazyLine:
        parts = None if self.words or self.level == "word" else line_parts(element)
        if parts is None:
            equivs, words, polygon, baseline = _find_parts(element)
            text = line_text(element, equivs, words, self.level, self.notes)
            line_id, custom, type_name = element.get("id"), element.get("custom") or "", element.get("type")
        else:
            equivs, words = [], []
            line_id, custom, type_name, polygon, baseline, text = parts
            text = single_line(text, element, self.notes)
        kind = region.type
        if type_name is not None or "structure" in custom:
            kind = _structure_type(type_name, custom, kind)
        kept = read_words(text, equivs, words) if self.words else ()
        more = self.budget is not None and len(equivs) > 1
        if not more and "offset" not in custom:
            return lazy_line(text, baseline, polygon, line_id, region.id, kind, kept, (), (), region.cell)
        label = element_label(element)
        main, readings = tagged_line(text, custom, self.choice, label, self.notes, self.budget)
        if more:
            others = other_texts(equivs, element, self.notes)
            readings += tuple(Reading(other) for other in others if other not in (text, main.text))
        return lazy_line(
            main.text,
            baseline,
            polygon,
            line_id,
            region.id,
            kind,
            kept,
            main.notes,
            readings,
            region.cell,
        )

    def _use_region_text(
        self, region: Region, element: Element, equivs: list[Element], own_lines: list[LazyLine]
    ) -> list[LazyLine]:
        """Use the text of a region instead of its lines, where that applies, and return its lines."""
        texts = region_lines(equiv_text(equivs, element, self.notes) or "")
        label = element_label(element)
        if self.level in ("line", "word"):
            if texts:
                self.notes.add(label, f"has text but no {self.level} with text, and was skipped as requested")
            return own_lines
        if not texts and self.level is None:
            return own_lines
        if not texts and any(line.text.strip() for line in own_lines):
            self.notes.add(label, "has lines but no text of its own: lines are not read, as requested")
        if self.level is None:
            self.notes.add(label, "no line has text, so the lines of the region's own text are used")
        lines = _lines_of_region_text(texts, region, element, own_lines)
        regions = [part for part in region.parts if isinstance(part, Region)]
        region.parts[:] = [*regions, *lines]
        return lines


def _find_parts(element: Element) -> tuple[list[Element], list[Element], str | None, str | None]:
    """Return the TextEquiv and Word elements of a line, its polygon and its baseline."""
    equivs: list[Element] = []
    words: list[Element] = []
    polygon = baseline = None
    for child in element[:]:
        name = PAGE_NAMES[child.tag]
        if name == "TextEquiv":
            equivs.append(child)
        elif name == "Coords":
            polygon = points_text(child)
        elif name == "Baseline":
            baseline = points_text(child)
        elif name == "Word":
            words.append(child)
    return equivs, words, polygon, baseline


def _lines_of_region_text(
    texts: list[str], region: Region, element: Element, own_lines: list[LazyLine]
) -> list[LazyLine]:
    """Return lines for the text of a region, with the positions of the region's lines if there are as many.

    A single line of text has the position of the region.
    """
    if len(texts) == len(own_lines):
        return [
            lazy_line(text, *line.raw_points, line.id, region.id, line.type, cell=region.cell)
            for text, line in zip(texts, own_lines, strict=True)
        ]
    coords = next((child for child in element if PAGE_NAMES[child.tag] == "Coords"), None)
    polygon = points_text(coords) if coords is not None and len(texts) == 1 else None
    return [lazy_line(text, None, polygon, None, region.id, region.type, cell=region.cell) for text in texts]


def join_tables(root: Region, tables: Tables) -> None:
    """Join the lines of each table: those of a cell, of a row, or of all cells become one line."""
    regions = [root]
    while regions:  # those inside a joined cell are no longer reached
        region = regions.pop()
        cells = [part for part in region.parts if isinstance(part, Region) and part.cell is not None]
        others = [part for part in region.parts if not (isinstance(part, Region) and part.cell is not None)]
        regions += [part for part in others if isinstance(part, Region)]
        if not cells:
            continue
        groups: dict[object, list[Line]] = {}
        for number, cell in enumerate(cells):
            key = {"cells": number, "rows": cell.cell and cell.cell[0]}.get(tables)
            groups.setdefault(key, []).extend(_lines_inside(cell))
        joined = [_joined(lines, region) for lines in groups.values() if lines]
        region.parts[:] = [*joined, *others]


def _lines_inside(region: Region) -> list[Line]:
    """Return the lines of a region and of the regions inside it."""
    inner = [line for part in region.descendants() for line in part.parts if isinstance(line, Line)]
    return [*(part for part in region.parts if isinstance(part, Line)), *inner]


def _joined(lines: list[Line], table: Region) -> Line:
    """Return one line with the text of several, and the box around them."""
    if len(lines) == 1:
        return lines[0]
    points = [point for line in lines for point in line.polygon or line.baseline or ()]
    box = bounding_rectangle([Rectangle(x, y, x, y) for x, y in points])
    text = " ".join(line.text for line in lines if line.text.strip())
    polygon = None if box is None else box.corners
    words = tuple(word for line in lines for word in line.words)
    cell = lines[0].cell if len({line.cell for line in lines}) == 1 else None
    return Line(text, None, polygon, lines[0].id, table.id, lines[0].type, words, cell=cell)


def _structure_type(name: str | None, custom: str, outer: LineType) -> LineType:
    """Return the type of a region or line: from `custom`, as Transkribus writes it, or its attribute type."""
    inner = line_type(name, outer)
    if "structure" in custom and (match := _STRUCTURE.search(custom)):
        return line_type(_ESCAPE.sub(" ", match[1]), inner)
    return inner


def _cell_role(roles: Element) -> tuple[int, int] | None:
    """Return the row and column of a TextRegion that has the role of a table cell, as in OCR-D."""
    for role in roles:
        if PAGE_NAMES[role.tag] == "TableCellRole":
            return _row_column(role.get("rowIndex"), role.get("columnIndex"))
    return None


def _row_column(row: str | None, column: str | None) -> tuple[int, int] | None:
    try:
        return int(row or ""), int(column or "")
    except ValueError:
        return None


def _sort_cells(table: Region, element: Element, notes: Notes) -> None:
    """Sort the cells of a table row by row; parts without row and column follow in their order."""
    cells = [part for part in table.parts if isinstance(part, Region) and part.cell is not None]
    if not cells:
        return
    others = [part for part in table.parts if not (isinstance(part, Region) and part.cell is not None)]
    if any(isinstance(part, Line) or part.has_lines for part in others):
        notes.add(
            element_label(element), "text without a row and a column is read after the cells of the table"
        )
    table.parts[:] = [*sorted(cells, key=lambda cell: cell.cell or (0, 0)), *others]


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
