"""One page of an hOCR file: its lines, and the text that stands outside any line."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

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
from pagemeter.formats.hocr_place import baseline, bounding_box, outline
from pagemeter.formats.hocr_text import Collector, text_of
from pagemeter.formats.hocr_title import properties
from pagemeter.formats.order import arrange
from pagemeter.formats.walk import walk
from pagemeter.page import Line, Page

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes, ReadOptions
    from pagemeter.formats.xml import Element


class PageReader:
    """Reads one page element."""

    def __init__(self, page: Element, options: ReadOptions, notes: Notes) -> None:
        self._element = page
        self._options = options
        self._notes = notes
        self._candidates = AREA | PARAGRAPH | FLOAT if options.level == "region" else LINE | FLOAT
        self._is_unit = is_region if options.level == "region" else is_line
        self._groups: list[list[Line]] = [[]]
        self._blocks: list[tuple[Element, int]] = []
        self._around: tuple[Element, str | None] = (None, None)
        self._stray = Collector(options.level, self._where, notes)
        self._stray_boxes: list[Box] = []

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

    def begin(self, element: Element) -> bool:
        """Take a line, or enter what may hold lines."""
        kind = kind_of(element)
        inside = kinds_inside(element) if kind & self._candidates else 0
        if kind & ENDS_LINE:
            self._end_stray()
        if kind & (AREA | PARAGRAPH):
            self._blocks.append((element, kind))
            self._turn(kind)
        if self._is_unit(kind, inside):
            self._unit(element, inside)
            return False
        if kind & WORD:
            box = bounding_box(properties(element.get("title") or ""), _name(element, "word"), self._notes)
            self._stray_boxes += [] if box is None else [box]
        return self._stray.enter(element, kind) and not kind & PAGE

    def end(self, element: Element) -> None:
        """Leave a block, or what ends a line."""
        kind = kind_of(element)
        if kind & ENDS_LINE:
            self._end_stray()
        if kind & (AREA | PARAGRAPH):
            if self._blocks and self._blocks[-1][0] is element:
                self._blocks.pop()
            self._turn(kind)
        self._stray.end(element)

    def text(self, text: str, inside: Element) -> None:
        """Keep text that stands outside any line."""
        self._stray.text(text, inside)

    def _turn(self, kind: int) -> None:
        """Begin or end a block; the lines of each make a group of their own."""
        if kind & AREA or len(self._blocks) <= 1:
            self._groups.append([])

    def _unit(self, element: Element, inside: int) -> None:
        name = _name(element, "line")
        spelled = element.get("title") or ""
        title = properties(spelled)
        text = text_of(element, inside, self._options.level, name, self._notes)
        box = bounding_box(title, name, self._notes)
        polygon = outline(title, box, name, self._notes)
        points = None
        if self._options.level != "region":
            angle = self._angle(element, spelled)
            points = baseline(title, angle, box, name, self._notes)
        self._groups[-1].append(Line(text, points, polygon, element.get("id"), self._region()))

    def _angle(self, element: Element, title: str) -> str | None:
        """The `textangle` of a line or of what is around it, which is worked out once for lines side by side."""
        if "textangle" in title:
            return _angle(element)
        parent = element.getparent()
        if parent is not self._around[0]:
            self._around = parent, _angle(parent)
        return self._around[1]

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
        block = self._blocks[-1][0] if self._blocks else None
        # A block without line ends in it is one line, and its box that of the line.
        if box is None and block is not None and not kinds_inside(block) & ENDS_LINE:
            box = bounding_box(properties(block.get("title") or ""), where, self._notes)
        polygon = None if box is None else box.corners
        self._groups[-1].append(Line(text, None, polygon, None, self._region()))

    def _region(self) -> str | None:
        """The id of the innermost block, or of the paragraph where blocks have none."""
        found = None
        for block, kind in reversed(self._blocks):
            ident: str | None = block.get("id")
            if ident and kind & AREA:
                return ident
            found = found or ident
        return found or None

    def _where(self) -> str:
        if self._blocks:
            return _name(self._blocks[-1][0], "paragraph")
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


def _angle(element: Element) -> str | None:
    """The `textangle` of an element or of the innermost element around it that has one."""
    for each in (element, *element.iterancestors()):
        title = each.get("title") or ""
        words = properties(title).get("textangle") if "textangle" in title else None
        if words:
            return words[0]
    return None
