"""ALTO versions 1 to 4 and the dialects of libraries, in any namespace and with any prefix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions, arrange_lines
from pagemeter.formats.coordinates import (
    BoxText,
    LazyLine,
    Rectangle,
    check_points,
    lazy_line,
    parse_number,
    text_to_points,
)
from pagemeter.formats.lines import line_type, mean, share, word
from pagemeter.formats.xml import (
    LOCAL_NAMES,
    Element,
    check_pages,
    element_label,
    parse_size,
    parse_xml,
    single_line,
)
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.formats.coordinates import RawPoints
    from pagemeter.page import Line, LineType, Points, Word

# The text and the position of lines

# Characters that mark a divided word at the end of a line: - soft hyphen ¬ ⸗ = ‐ ‑ ⹀
_HYPHENS = frozenset("-\u00ad¬⸗=‐‑⹀")
_MOST_UNCERTAIN = 9
_UNITS_PER_INCH = {"mm10": 254.0, "inch1200": 1200.0}


class LineTextReader:
    """Reads the text of the lines of one page from their String, SP and HYP elements.

    If the page has SP elements, only they separate words: Strings without one between them are joined.
    Otherwise every String is a word. A String of white space counts as SP. HYP is appended, unless the last
    String already ends in a hyphen. SUBS_CONTENT and ALTERNATIVE are not read.

    >>> from pagemeter.formats.xml import parse_xml
    >>> data = b'<TextLine><String CONTENT="a"/><SP/><String CONTENT="b"/><HYP CONTENT="-"/></TextLine>'
    >>> line = parse_xml(data, "a.xml")
    >>> LineTextReader(line, None).line_text(line)
    ('a b-', None)
    """

    def __init__(self, page: Element, notes: Notes) -> None:
        self._notes = notes
        self._string, self._space = (_first_tag(page, name) for name in ("{*}String", "{*}SP"))

    def line_text(self, line: Element) -> tuple[str, Element | None]:
        """Return the text of a line, and its Shape element if it has one."""
        # Most lines have only words, with SP between them if the page has any.
        spaces = [] if self._space is None else [space.tag for space in line[1::2]]
        if spaces.count(self._space) == len(spaces):
            strings = line[:] if self._space is None else line[::2]
            words = [string.get("CONTENT") for string in strings if string.tag == self._string]
            if len(words) == len(strings) and all(words) and not any(map(str.isspace, words)):
                return single_line(" ".join(words), line, self._notes), None
        return self._join_elements(line)

    def _join_elements(self, line: Element) -> tuple[str, Element | None]:
        parts: list[str] = []
        after_space = False
        shape = None
        label = ""
        for child in line[:]:
            name = LOCAL_NAMES[child.tag]
            if name == "String":
                content = child.get("CONTENT")
                if content is None:
                    content = _glyphs(child, self._notes)
                if not content or content.isspace():
                    after_space = after_space or bool(content)
                    continue
                if parts and (after_space or self._space is None):
                    parts.append(" ")
                parts.append(content)
                after_space = False
            elif name == "SP":
                after_space = True
            elif name == "HYP":
                label = label or element_label(line)
                parts.append(_hyphen(child, label, parts, self._notes))
            elif name == "Shape":
                shape = child
        return single_line("".join(parts), line, self._notes), shape


def _first_tag(page: Element, name: str) -> str | None:
    first = next(page.iter(name), None)
    return None if first is None else str(first.tag)


def _hyphen(hyp: Element, label: str, parts: list[str], notes: Notes) -> str:
    """Return the hyphen of HYP, or "" if the String before it ends in one."""
    hyphen: str | None = hyp.get("CONTENT")
    if not hyphen:
        notes.add(label, "HYP without CONTENT is read as -")
        hyphen = "-"
    if parts and parts[-1][-1:] in _HYPHENS and hyphen in _HYPHENS:
        notes.add(label, "the hyphen is in both String and HYP, and was used once")
        return ""
    return hyphen


def _glyphs(string: Element, notes: Notes) -> str:
    notes.add(element_label(string), "has no CONTENT, so its glyphs are used")
    return "".join([child.get("CONTENT") or "" for child in string if LOCAL_NAMES[child.tag] == "Glyph"])


@dataclass(slots=True)
class LinePositionReader:
    """Reads the positions of the lines of one file.

    `factor` converts the unit of the file to pixels; if it is None, positions are not read.
    """

    factor: float | None
    notes: Notes

    def line_position(self, line: Element, shape: Element | None) -> tuple[RawPoints, RawPoints]:
        """Return the baseline and the polygon of a line; without a shape, the polygon is its box."""
        if self.factor is None:
            return None, None
        baseline_text = line.get("BASELINE")
        baseline = None if baseline_text is None else self._baseline(line, baseline_text)
        polygon: RawPoints = None if shape is None else _polygon(shape)
        if polygon is None:
            polygon = self._box(line)
        if polygon is None and not baseline:
            polygon = self._box_of_words(line)
        if self.factor == 1:
            return baseline, polygon
        return _scaled(baseline, self.factor), _scaled(polygon, self.factor)

    def words(self, line: Element) -> tuple[Word, ...]:
        """Return the words of a line with their confidences: WC, or else CC, which has 0 for certain."""
        read = []
        for string in line.iterchildren("{*}String"):
            content = string.get("CONTENT") or ""
            if not content.strip():
                continue
            confidence = share(string.get("WC"))
            if confidence is None:
                confidence = _character_confidence(string.get("CC") or "")
            box = None if self.factor is None else self._box(string)
            scaled = box if box is None or self.factor in (None, 1) else _scaled(box, self.factor or 1)
            read.append(word(content, confidence, scaled))
        return tuple(read)

    def _baseline(self, line: Element, text: str) -> RawPoints:
        """Return the points of a baseline; a single number is the height of a horizontal one."""
        if " " in text.strip() or "," in text:
            return text
        box = self._box(line)
        try:
            height = parse_number(text)
            (left, _), (right, _), *_ = text_to_points(box) if box else ()
        except ValueError:
            reason = "the line has no box" if box is None else "it is not a number"
            self.notes.add(element_label(line), f"the baseline {text!r} was ignored: {reason}")
            return None
        return (left, height), (right, height)

    def _box(self, element: Element) -> BoxText | None:
        get = element.get
        left, top, width, height = get("HPOS"), get("VPOS"), get("WIDTH"), get("HEIGHT")
        if left is None or top is None or width is None or height is None:
            return None
        text = f"{left},{top} {width},{height}"
        if "-" in text and (width.startswith("-") or height.startswith("-")):
            self.notes.add(element_label(element), "the box was ignored: its width or height is negative")
            return None
        return BoxText(text)

    def _box_of_words(self, line: Element) -> Points | None:
        """Return the box around the words of a line that has no position itself."""
        boxes = [self._box(child) for child in line if LOCAL_NAMES[child.tag] == "String"]
        try:
            points = [corner for box in boxes if box for corner in text_to_points(box)]
        except ValueError:
            points = []
        if not points:
            return None
        self.notes.add(element_label(line), "has no position of its own, so the box around its words is used")
        xs, ys = zip(*points, strict=True)
        return Rectangle(min(xs), min(ys), max(xs), max(ys)).corners


def read_unit(root: Element) -> str:
    """Return the unit of the positions in a file, or ""."""
    for description in root.iterchildren("{*}Description"):
        for element in description.iterchildren("{*}MeasurementUnit"):
            return (element.text or "").strip()
    return ""


def pixels_per_unit(unit: str, dpi: float | None, notes: Notes) -> float | None:
    """Return the factor from a unit to pixels, or None, with a warning that names the unit."""
    if unit == "pixel":
        return 1
    if not unit:
        notes.add("MeasurementUnit", "is missing, so pixel is assumed")
        return 1
    if unit in _UNITS_PER_INCH and dpi:
        return dpi / _UNITS_PER_INCH[unit]
    detail = f"positions were ignored, because {unit} cannot be converted to pixels"
    if unit in _UNITS_PER_INCH:
        notes.add(
            f"MeasurementUnit {unit}", detail, "give the resolution of the image with {}", (("dpi", ""),)
        )
    else:
        notes.add(f"MeasurementUnit {unit}", f"{detail} (known units: pixel, mm10, inch1200)")
    return None


def _character_confidence(text: str) -> float | None:
    """Return the mean confidence of characters from digits, or from numbers, where 9 is the most uncertain.

    >>> _character_confidence("009"), _character_confidence("0 9"), _character_confidence("")
    (0.6666666666666666, 0.5, None)
    """
    digits = text.split() if " " in text else list(text)
    values = [int(digit) for digit in digits if digit.isascii() and digit.isdigit() and len(digit) == 1]
    return mean(1 - value / _MOST_UNCERTAIN for value in values)


def _scaled(raw: RawPoints, factor: float) -> RawPoints:
    try:
        points = text_to_points(raw) if isinstance(raw, str) else raw
    except ValueError:
        return raw  # `check_points` reports it
    return tuple((x * factor, y * factor) for x, y in points) if points else raw


def _polygon(shape: Element) -> str | None:
    """Return the points of a shape that is a polygon, not a circle or an ellipse."""
    for polygon in shape.iterchildren("{*}Polygon"):
        points: str | None = polygon.get("POINTS")
        return points
    return None


# Files, pages and blocks

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
    check_pages(pages, "Page", root, source)
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
