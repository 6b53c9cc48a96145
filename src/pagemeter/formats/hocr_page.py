"""One page of an hOCR file: its lines, and the text that stands outside any line."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.formats.boxes import Box, union
from pagemeter.formats.hocr_classes import (
    AREA,
    ENDS_LINE,
    FLOAT,
    LINE,
    PAGE,
    PARAGRAPH,
    WORD,
    is_line,
    is_region,
    kind_of,
    kinds_inside,
)
from pagemeter.formats.hocr_place import baseline, bounding_box, late, outline
from pagemeter.formats.hocr_text import Collector, plain_text_of, text_of
from pagemeter.formats.hocr_title import properties
from pagemeter.formats.order import arrange
from pagemeter.formats.spelled_line import Spelled, spelled_line
from pagemeter.formats.walk import walk
from pagemeter.page import Line, Page

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes, ReadOptions
    from pagemeter.formats.xml import Element

_BLOCK = AREA | PARAGRAPH


class _Block(NamedTuple):
    """A block or paragraph that is open, and the region of the lines in it: itself, or one around it."""

    element: Element
    region: str | None
    in_area: bool


class PageReader:
    """Reads one page element."""

    def __init__(self, page: Element, options: ReadOptions, notes: Notes) -> None:
        self._element = page
        self._options = options
        self._notes = notes
        self._candidates = AREA | PARAGRAPH | FLOAT if options.level == "region" else LINE | FLOAT
        self._is_unit = is_region if options.level == "region" else is_line
        self._groups: list[list[Line]] = [[]]
        self._blocks: list[_Block] = []
        self._angles: dict[Element, str | None] = {}
        self._seen = 0
        self._stray = Collector(options.level, self._where, notes)
        self._stray_boxes: list[Box] = []
        self.text = self._stray.text  # what stands outside any line

    def page(self, number: int) -> Page:
        """The page; `number` is its place in the file."""
        title = properties(self._element.get("title") or "")
        walk(self._element, self)
        self._end_stray()
        box = bounding_box(title, _name(self._element, f"page {number}"), self._notes)
        image = " ".join(title.get("image") or title.get("x_source") or ()) or None
        lines = arrange(self._groups, self._options.order)
        width, height = (None, None) if box is None else (round(box.right), round(box.bottom))
        return Page(lines, self._notes.source, image, width or None, height or None, self._notes.warnings())

    def inner_pages(self) -> list[Element]:
        """The pages inside the page that was read, at any depth."""
        if not self._seen & PAGE:
            return []
        return [element for element in self._element.iterdescendants("*") if kind_of(element) & PAGE]

    def begin(self, element: Element) -> bool:
        """Take a line, or enter what may hold lines."""
        kind = kind_of(element)
        self._seen |= kind
        if kind & ENDS_LINE:
            self._end_stray()
        if kind & _BLOCK:
            self._open(element, kind)
        if kind & self._candidates and self._is_unit(kind, inside := kinds_inside(element)):
            self._seen |= inside
            self._unit(element, inside)
            if kind & _BLOCK:
                self.end(element)
            return False
        if kind & WORD:
            box = bounding_box(properties(element.get("title") or ""), _name(element, "word"), self._notes)
            self._stray_boxes += [] if box is None else [box]
        entered = self._stray.enter(element, kind) and not kind & PAGE
        if not entered:
            self._seen |= kinds_inside(element)
            self.end(element)
        return entered

    def end(self, element: Element) -> None:
        """Leave a block, or what ends a line."""
        kind = kind_of(element)
        if kind & ENDS_LINE:
            self._end_stray()
        if kind & _BLOCK:
            if self._blocks and self._blocks[-1].element is element:
                self._blocks.pop()
            self._turn(kind)
        self._stray.end(element)

    def _open(self, element: Element, kind: int) -> None:
        """Open a block; the region is the innermost area with an id, else the innermost paragraph."""
        ident: str | None = element.get("id")
        _, region, in_area = self._blocks[-1] if self._blocks else _Block(None, None, in_area=False)
        if ident and (kind & AREA or not in_area):
            region, in_area = ident, bool(kind & AREA)
        self._blocks.append(_Block(element, region, in_area))
        self._turn(kind)

    def _turn(self, kind: int) -> None:
        """Begin or end a block; the lines of each make a group of their own."""
        if kind & AREA or len(self._blocks) <= 1:
            self._groups.append([])

    def _unit(self, element: Element, inside: int) -> None:
        title = element.get("title") or ""
        if inside in (0, WORD) and self._options.level != "word":
            text = plain_text_of(element)
        else:
            text = text_of(element, self._options.level, _name(element, "line"), self._notes)
        upright = self._options.level != "region" and self._angle(element, title) is None
        found = late(title) if upright else None
        points, polygon = self._place(element, title) if found is None else found
        self._groups[-1].append(spelled_line(text, points, polygon, element.get("id"), self._region()))

    def _place(self, element: Element, title: str) -> tuple[Spelled, Spelled]:
        name = _name(element, "line")
        values = properties(title)
        box = bounding_box(values, name, self._notes)
        polygon = outline(values, box, name, self._notes)
        if self._options.level == "region":
            return None, polygon
        return baseline(values, self._angle(element, title), box, name, self._notes), polygon

    def _angle(self, element: Element, title: str) -> str | None:
        """The `textangle` of a line, or of the innermost element around it that has one."""
        if "textangle" in title:
            words = properties(title).get("textangle")
            if words:
                return words[0]
        parent = element.getparent()
        return self._angles[parent] if parent in self._angles else self._angle_around(parent)

    def _angle_around(self, element: Element) -> str | None:
        """The angle that holds inside an element, worked out once for each."""
        unknown = []
        while element is not None and element not in self._angles:
            unknown.append(element)
            element = element.getparent()
        angle = self._angles.get(element)
        for inner in reversed(unknown):
            title = inner.get("title") or ""
            words = properties(title).get("textangle") if "textangle" in title else None
            angle = self._angles[inner] = words[0] if words else angle
        return angle

    def _end_stray(self) -> None:
        """Make a line of text that stood outside any."""
        text = self._stray.take()
        boxes, self._stray_boxes = self._stray_boxes, []
        if not text:
            return
        where = self._where()
        if self._options.level in ("line", "region"):
            self._notes.add(where, f"text outside any {self._options.level}: left out as asked")
            return
        reason = (
            "text outside any line: taken as a line"
            if self._has_units
            else "no line in it: its text is taken as one"
        )
        self._notes.add(where, reason)
        box = union(boxes)
        block = self._blocks[-1].element if self._blocks else None
        # A block without line ends in it is one line, and its box that of the line.
        if box is None and block is not None and not kinds_inside(block) & ENDS_LINE:
            box = bounding_box(properties(block.get("title") or ""), where, self._notes)
        polygon = None if box is None else box.corners
        self._groups[-1].append(Line(text, None, polygon, None, self._region()))

    def _region(self) -> str | None:
        return self._blocks[-1].region if self._blocks else None

    def _where(self) -> str:
        if self._blocks:
            return _name(self._blocks[-1].element, "paragraph")
        return _name(self._element, "page")

    @cached_property
    def _has_units(self) -> bool:
        return any(
            kind & self._candidates and self._is_unit(kind, kinds_inside(element))
            for element in self._element.iter("*")
            for kind in (kind_of(element),)
        )


def _name(element: Element, kind: str) -> str:
    """What a warning calls an element."""
    ident = element.get("id")
    return f"{kind} {ident}" if ident else kind
