"""One page of an hOCR file: its lines, and its text outside lines."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from pagemeter.formats.base import MAX_LABEL, Notes, arrange_lines
from pagemeter.formats.coordinates import Rectangle, bounding_rectangle, lazy_line
from pagemeter.formats.hocr.elements import (
    AREA,
    ENDS_LINE,
    FLOAT,
    LINE,
    PAGE,
    PARAGRAPH,
    WORD,
    TextCollector,
    all_kinds_inside,
    class_type,
    element_text,
    has_breaks,
    is_line,
    is_region,
    kind_of,
    kinds_inside,
    parse_title,
    read_baseline,
    read_bbox,
    read_polygon,
    simple_position,
    simple_text,
)
from pagemeter.formats.lines import share, shares
from pagemeter.formats.xml import walk
from pagemeter.page import Line, Page, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.formats.base import ReadOptions
    from pagemeter.formats.coordinates import RawPoints
    from pagemeter.formats.hocr.elements import Properties
    from pagemeter.formats.xml import Element
    from pagemeter.page import LineType

_BLOCK = AREA | PARAGRAPH
_MAX_ANGLE = 40  # characters; each line inside parses it
_MAX_NESTED_UNITS = 4  # elements that contain units and could be units


class _OpenBlock(NamedTuple):
    """A block or paragraph that is being read, and the region of its lines: itself, or a block around it."""

    element: Element
    region: str | None
    in_area: bool
    label: str


class _Inherited(NamedTuple):
    """The attributes that lines inherit from the elements around them."""

    angle: str | None = None
    type: LineType = "text"

    def inside(self, element: Element) -> _Inherited:
        """Return the attributes for lines inside an element: its own, or else the inherited ones."""
        title = element.get("title") or ""
        words = parse_title(title).get("textangle") if "textangle" in title else None
        angle = words[0][:_MAX_ANGLE] if words else self.angle
        return _Inherited(angle, class_type(element, self.type))


class PageReader:
    """Reads one page element.

    The units of a page are lines, or paragraphs and blocks if the level is "region". `before` reads
    the previous page of the file: what lines inherit from the elements around both pages is computed once.
    """

    def __init__(
        self, page: Element, options: ReadOptions, notes: Notes, before: PageReader | None = None
    ) -> None:
        self._element = page
        self._options = options
        self._notes = notes
        self._unit_kinds = AREA | PARAGRAPH | FLOAT if options.level == "region" else LINE | FLOAT
        self._is_unit = is_region if options.level == "region" else is_line
        self._regions: list[list[Line]] = [[]]
        self._blocks: list[_OpenBlock] = []
        self.inherited: dict[Element, _Inherited] = {} if before is None else before.inherited
        self._kinds = 0
        self._inside: dict[Element, int] = {}
        self._nested_units = 0
        self._blocks_with_breaks: dict[Element, bool] = {}
        self._page_label = _element_label(page, "page")
        self._loose_text = TextCollector(options.level, self._label, notes)
        self._loose_boxes: list[Rectangle] = []
        self.text = self._loose_text.text  # text outside any line

    def page(self, number: int) -> Page:
        """Return the page; `number` is its number in the file."""
        title = parse_title(self._element.get("title") or "")
        walk(self._element, self)
        self._end_loose_line()
        box = read_bbox(title, _element_label(self._element, f"page {number}"), self._notes)
        image = " ".join(title.get("image") or title.get("x_source") or ()) or None
        lines = arrange_lines(self._regions, self._options.order)
        width, height = (None, None) if box is None else (round(box.right), round(box.bottom))
        return Page(lines, self._notes.source, image, width or None, height or None, self._notes.warnings())

    def inner_pages(self) -> list[Element]:
        """Return the pages inside the page that was read, at any depth."""
        if not self._kinds & PAGE:
            return []
        return [element for element in self._element.iterdescendants("*") if kind_of(element) & PAGE]

    def begin(self, element: Element) -> bool:
        """Read a line, or enter an element that may contain lines."""
        kind = kind_of(element)
        self._kinds |= kind
        if kind & ENDS_LINE:
            self._end_loose_line()
        if kind & _BLOCK:
            self._open_block(element, kind)
        if kind & self._unit_kinds and self._is_unit(kind, inside := self._kinds_inside(element)):
            self._kinds |= inside
            self._add_unit(element, inside)
            if kind & _BLOCK:
                self.end(element)
            return False
        if kind & WORD:
            title = parse_title(element.get("title") or "")
            box = read_bbox(title, _element_label(element, "word"), self._notes)
            self._loose_boxes += [] if box is None else [box]
        entered = self._loose_text.enter(element, kind) and not kind & PAGE
        if not entered:
            if not self._kinds & PAGE:
                self._kinds |= kinds_inside(element)
            self.end(element)
        return entered

    def end(self, element: Element) -> None:
        """Leave an element."""
        kind = kind_of(element)
        if kind & ENDS_LINE:
            self._end_loose_line()
        if kind & _BLOCK:
            if self._blocks and self._blocks[-1].element is element:
                self._blocks.pop()
            self._begin_region(kind)
        self._loose_text.end(element)

    def _open_block(self, element: Element, kind: int) -> None:
        """Enter a block; the region is the innermost area with an id, or else the innermost paragraph."""
        element_id: str | None = element.get("id")
        region, in_area = (
            (self._blocks[-1].region, self._blocks[-1].in_area) if self._blocks else (None, False)
        )
        if element_id and (kind & AREA or not in_area):
            region, in_area = element_id, bool(kind & AREA)
        self._blocks.append(_OpenBlock(element, region, in_area, _element_label(element, "paragraph")))
        self._begin_region(kind)

    def _begin_region(self, kind: int) -> None:
        """Begin a new list of lines where an area or an outermost paragraph begins or ends."""
        if kind & AREA or len(self._blocks) <= 1:
            self._regions.append([])

    def _add_unit(self, element: Element, inside: int) -> None:
        title = element.get("title") or ""
        if inside in (0, WORD) and self._options.level != "word":
            text = simple_text(element)
        else:
            text = element_text(element, self._options.level, _element_label(element, "line"), self._notes)
        around = self._inherited_in(element.getparent())
        own = around.inside(element) if "textangle" in title else around
        is_upright = self._options.level != "region" and own.angle is None
        position = simple_position(title) if is_upright else None
        baseline, polygon = self._position(element, title, own.angle) if position is None else position
        unit_type = class_type(element, around.type)
        words = hocr_words(element) if self._options.words else ()
        line = lazy_line(text, baseline, polygon, element.get("id"), self._region(), unit_type, words)
        self._regions[-1].append(line)

    def _position(self, element: Element, title: str, angle: str | None) -> tuple[RawPoints, RawPoints]:
        label = _element_label(element, "line")
        properties = parse_title(title)
        box = read_bbox(properties, label, self._notes)
        polygon = read_polygon(properties, box, label, self._notes)
        if self._options.level == "region":
            return None, polygon
        return read_baseline(properties, angle, box, label, self._notes), polygon

    def _inherited_in(self, element: Element) -> _Inherited:
        """Return the attributes that the lines inside an element inherit, computed once per element."""
        unknown = []
        while element is not None and element not in self.inherited:
            unknown.append(element)
            element = element.getparent()
        inherited = _Inherited() if element is None else self.inherited[element]
        for inner in reversed(unknown):
            inherited = self.inherited[inner] = inherited.inside(inner)
        return inherited

    def _end_loose_line(self) -> None:
        """Turn the last text outside lines into a line."""
        text, inside = self._loose_text.take(), self._loose_text.inside
        boxes, self._loose_boxes = self._loose_boxes, []
        if not text:
            return
        label = self._label()
        if self._options.level in ("line", "region"):
            self._notes.add(label, f"text outside any {self._options.level} was skipped as requested")
            return
        self._notes.add(
            label,
            "text outside any line is read as a line"
            if self._has_units
            else "there are no lines, so the text is read as one line",
        )
        box = bounding_rectangle(boxes)
        block = self._blocks[-1].element if self._blocks else None
        # A block without line breaks is one line, and has the box of that line.
        if box is None and block is not None and not self._has_breaks(block):
            box = read_bbox(parse_title(block.get("title") or ""), label, self._notes)
        polygon = None if box is None else box.corners
        self._regions[-1].append(
            Line(text, None, polygon, None, self._region(), self._inherited_in(inside).type)
        )

    def _region(self) -> str | None:
        return self._blocks[-1].region if self._blocks else None

    def _label(self) -> str:
        return self._blocks[-1].label if self._blocks else self._page_label

    def _kinds_inside(self, element: Element) -> int:
        """Return the kinds inside a possible unit; after many nested units, all are computed at once."""
        if self._nested_units > _MAX_NESTED_UNITS:
            if not self._inside:
                self._inside = all_kinds_inside(self._element)
            return self._inside[element]
        inside = kinds_inside(element)
        self._nested_units += bool(inside & self._unit_kinds)
        return inside

    def _has_breaks(self, block: Element) -> bool:
        if block not in self._blocks_with_breaks:
            self._blocks_with_breaks[block] = has_breaks(block)
        return self._blocks_with_breaks[block]

    @cached_property
    def _has_units(self) -> bool:
        """True if the page has a unit; pages inside it do not count."""
        walker = etree.iterwalk(self._element, events=("start",))
        for _, element in walker:
            kind = kind_of(element)
            if kind & PAGE and element is not self._element:
                walker.skip_subtree()
            elif kind & self._unit_kinds and self._is_unit(kind, self._kinds_inside(element)):
                return True
        return False


def hocr_words(line: Element) -> tuple[Word, ...]:
    """Return the outermost words of a line, with x_wconf, or else the mean of x_confs or of characters.

    >>> from pagemeter.formats.xml import parse_xml
    >>> data = b"<p><b class='ocrx_word' title='bbox 0 0 9 9; x_wconf 87'>one</b></p>"
    >>> hocr_words(parse_xml(data, "a.hocr"))
    (Word(text='one', confidence=0.87, polygon=((0, 0), (9, 0), (9, 9), (0, 9)), baseline=None),)
    """
    words, inside = [], set()
    scratch = Notes("")  # the reader of the line reports what it finds
    for element in line.iterdescendants("*"):
        if element in inside or not kind_of(element) & WORD:
            continue
        inner = list(element.iterdescendants("*"))
        inside.update(inner)
        text = element_text(element, None, "word", scratch)
        if text:
            properties = parse_title(element.get("title") or "")
            box = read_bbox(properties, "word", scratch)
            polygon = None if box is None else box.corners
            words.append(Word(text, _confidence(properties, inner), polygon))
    return tuple(words)


def _confidence(properties: Properties, inner: Sequence[Element]) -> float | None:
    for name in ("x_wconf", "x_conf"):
        if properties.get(name):
            text = properties[name][0]
            return share(text, 1 if "." in text else 100)
    if "x_confs" in properties:
        return shares(" ".join(properties["x_confs"]))
    titles = (parse_title(element.get("title") or "") for element in inner)
    return shares(" ".join(title["x_conf"][0] for title in titles if title.get("x_conf")))


def _element_label(element: Element, kind: str) -> str:
    """Return the kind and id of an element, for warnings."""
    element_id = element.get("id")
    return f"{kind} {element_id[:MAX_LABEL]}" if element_id else kind
