"""ALTO versions 1 to 4 and the dialects of libraries, in any namespace and with any prefix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.alto.lines import LinePositionReader, LineTextReader, pixels_per_unit, read_unit
from pagemeter.formats.base import Notes, ReadOptions, arrange_lines, check_page_count
from pagemeter.formats.coordinates import LazyLine, check_points, lazy_line
from pagemeter.formats.line_types import line_type
from pagemeter.formats.xml import LOCAL_NAMES, Element, element_label, parse_size, parse_xml
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.page import Line, LineType

# All other elements are searched, so that lines in unexpected elements are found.
_WITHOUT_LINES = frozenset(("Shape", "Illustration", "GraphicalElement"))


def read_alto(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of an ALTO file.

    >>> data = b'<alto><Layout><Page><TextLine><String CONTENT="one"/></TextLine></Page></Layout></alto>'
    >>> read_alto(data, "a.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    first_notes = Notes(source)
    root = parse_xml(data, source, options.encoding, first_notes, mixed=False)
    del data
    pages = [page for layout in root.iterchildren("{*}Layout") for page in layout.iterchildren("{*}Page")]
    if not pages:
        raise FormatError(
            "has no Page element",
            source=source,
            element=LOCAL_NAMES[root.tag],
            remedy="export the page again",
        )
    check_page_count(len(pages), source)
    file = _FileProperties(read_unit(root), _image(root), _read_references(root), _read_tags(root))
    return [_page(file, page, options, first_notes if page is pages[0] else Notes(source)) for page in pages]


@dataclass(frozen=True, slots=True)
class _FileProperties:
    """The properties that all pages of a file share."""

    unit: str
    image: str | None
    references: list[str]
    tags: dict[str, str]


def _page(file: _FileProperties, page: Element, options: ReadOptions, notes: Notes) -> Page:
    if options.level == "region":
        notes.add("TextBlock", "ALTO blocks have no text of their own, so lines are read")
    factor = pixels_per_unit(file.unit, options.dpi, notes)
    positions = LinePositionReader(factor, notes)
    reader = _BlockReader(LineTextReader(page, notes), positions, file.tags, notes, options.words)
    reader.read(page, _Block(None))
    check_points(reader.lines, "TextLine", notes)
    if options.order in ("file", "top-down-lines"):
        regions = _order_blocks(file.references, page, reader.blocks, notes)
    else:
        regions = [block.lines for block in reader.blocks]
    return Page(
        arrange_lines(regions, options.order),
        notes.source,
        file.image,
        _page_size(page, "WIDTH", factor, notes),
        _page_size(page, "HEIGHT", factor, notes),
        notes.warnings(),
    )


def _image(root: Element) -> str | None:
    for description in root.iterchildren("{*}Description"):
        for name in description.iter("{*}fileName"):
            if name.text and name.text.strip():
                return str(name.text).strip()
    return None


def _page_size(page: Element, name: str, factor: float | None, notes: Notes) -> int | None:
    if factor is None:
        return None
    size = parse_size(page.get(name), page, name, notes)
    return None if size is None else round(size * factor)


@dataclass(slots=True)
class _BlockReader:
    """Collects the blocks of one page, at any depth, and all their lines, in document order."""

    texts: LineTextReader
    positions: LinePositionReader
    tags: dict[str, str]  # the label of each tag, by its id
    notes: Notes
    words: bool = False
    blocks: list[_Block] = field(default_factory=list)
    lines: list[LazyLine] = field(default_factory=list)

    def read(self, element: Element, block: _Block) -> None:
        """Add the lines of an element to a block, and search the element for further blocks."""
        self.blocks.append(block)
        for child in element[:]:
            name = LOCAL_NAMES[child.tag]
            if name == "TextLine":
                block.lines.append(self._line(child, block))
            elif name == "String":
                self.notes.add(element_label(child), "is outside any TextLine, and was skipped")
            elif name not in _WITHOUT_LINES:
                next_id = child.get("IDNEXT") if name == "TextBlock" else None
                block_type = line_type(child.get("TYPE"), line_type(name, block.type))
                block_type = self._tagged_type(child, block_type)
                self.read(child, _Block(child.get("ID") or block.id, next_id, block_type))

    def _tagged_type(self, element: Element, outer: LineType) -> LineType:
        """Return the type that the tags of an element name, or else that of the element around it."""
        references = element.get("TAGREFS")
        for reference in references.split() if references else ():
            outer = line_type(self.tags.get(reference), outer)
        return outer

    def _line(self, element: Element, block: _Block) -> LazyLine:
        text, shape = self.texts.line_text(element)
        baseline, polygon = self.positions.line_position(element, shape)
        tagged = self._tagged_type(element, block.type)
        words = self.positions.words(element) if self.words else ()
        line = lazy_line(text, baseline, polygon, element.get("ID"), block.id, tagged, words)
        self.lines.append(line)
        return line


# Reading order


@dataclass(slots=True)
class _Block:
    """A text block with its lines, and the id of the next block, from its attribute IDNEXT."""

    id: str | None
    next_id: str | None = None
    type: LineType = "text"
    lines: list[Line] = field(default_factory=list)


def _read_tags(root: Element) -> dict[str, str]:
    """Return the label of each tag by its id; eScriptorium writes the types of blocks and lines as tags."""
    return {
        tag.get("ID"): tag.get("LABEL") or tag.get("TYPE") or ""
        for tags in root.iterchildren("{*}Tags")
        for tag in tags
        if LOCAL_NAMES[tag.tag] != "NamedEntityTag" and tag.get("ID")
    }


def _read_references(root: Element) -> list[str]:
    """Return the ids in ReadingOrder (ALTO 4.3)."""
    return [
        reference
        for child in root
        if LOCAL_NAMES[child.tag] == "ReadingOrder"
        for reference in _references(child)
    ]


def _order_blocks(
    references: list[str], page: Element, blocks: list[_Block], notes: Notes
) -> list[list[Line]]:
    """Return the lines of each block in reading order.

    The order is that of ReadingOrder (ALTO 4.3), or of the IDNEXT attributes, or of the document.
    """
    if references:
        return _order_by_references(references, page, blocks, notes)
    return [block.lines for block in _follow_next_ids(blocks, notes)]


def _references(group: Element) -> Iterator[str]:
    """Iterate over the references of groups in document order, because ALTO has no index."""
    for member in group:
        if member.get("REF"):
            yield member.get("REF")
        yield from _references(member)


def _order_by_references(
    references: list[str], page: Element, blocks: list[_Block], notes: Notes
) -> list[list[Line]]:
    """Order lines by the first reference to the line, its block or one of its words."""
    targets = _targets(page, blocks)
    if not targets:
        return [block.lines for block in blocks]
    remaining = {id(line) for block in blocks for line in block.lines}
    ordered: list[list[Line]] = []
    for reference in references:
        if reference not in targets:
            notes.add(f"ElementRef {reference}", "there is no element with this id")
            continue
        lines = [line for line in targets[reference] if id(line) in remaining]
        remaining.difference_update(map(id, lines))
        targets[reference].clear()  # a further reference to it adds nothing, and takes no time
        ordered.append(lines)
    for block in blocks:
        unlisted = [line for line in block.lines if id(line) in remaining]
        for line in unlisted:
            detail = "not in the reading order, placed after the others in document order"
            notes.add(f"TextLine {line.id}", detail)
        ordered.append(unlisted)
    return _merge_blocks(ordered)


def _targets(page: Element, blocks: list[_Block]) -> dict[str, list[Line]]:
    """Return the lines that each id refers to: those of a block, a line, or the line of a word."""
    targets: dict[str, list[Line]] = {element.get("ID"): [] for element in page.iter() if element.get("ID")}
    for block in blocks:
        for line in block.lines:
            if line.id:
                targets[line.id].append(line)
            if block.id:
                targets[block.id].append(line)
    for element in page.iter("{*}TextLine"):
        lines = targets.get(element.get("ID") or "", [])
        targets.update((word.get("ID"), lines) for word in element if word.get("ID"))
    return targets


def _merge_blocks(groups: list[list[Line]]) -> list[list[Line]]:
    """Merge neighbouring groups of the same block, so that lines listed one by one remain one region."""
    merged: list[list[Line]] = []
    for group in filter(None, groups):
        if merged and merged[-1][-1].region == group[0].region:
            merged[-1] += group
        else:
            merged.append(list(group))
    return merged


def _follow_next_ids(blocks: list[_Block], notes: Notes) -> Iterator[_Block]:
    """Iterate over the blocks in document order, but each is followed by the block of its IDNEXT."""
    next_ids = {block.next_id for block in blocks if block.next_id}
    if not next_ids:
        yield from blocks
        return
    known = {block.id: block for block in reversed(blocks) if block.id}
    for reference in next_ids - known.keys():
        notes.add(f"IDNEXT {reference}", "there is no block with this id and text")
    visited: set[int] = set()
    heads = [block for block in blocks if block.id not in next_ids]
    for head in heads + blocks:  # a cycle of blocks has no head, and is entered at its first block
        block: _Block | None = head
        while block is not None and id(block) not in visited:
            visited.add(id(block))
            yield block
            block = known.get(block.next_id or "")
