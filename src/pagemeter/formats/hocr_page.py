"""One page of an hOCR file: its lines, and the text that stands outside any line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.boxes import Box, union
from pagemeter.formats.hocr_classes import (
    AREA,
    PARAGRAPH,
    WORD,
    classes,
    is_block,
    is_line,
    is_page,
    is_region,
    tag,
)
from pagemeter.formats.hocr_place import baseline, bounding_box, outline
from pagemeter.formats.hocr_text import Collector, enterable, text_of
from pagemeter.formats.hocr_title import properties
from pagemeter.formats.order import arrange
from pagemeter.formats.walk import Begin, End, Event, walk
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
        self._is_unit = is_region if options.level == "region" else is_line
        self._groups: list[list[Line]] = [[]]
        self._blocks: list[Element] = []
        self._stray = Collector(options.level, notes)
        self._stray_boxes: list[Box] = []
        self._has_units = any(isinstance(inner.tag, str) and self._is_unit(inner) for inner in page.iter())

    def page(self, number: int) -> Page:
        """The page; `number` is its place in the file."""
        title = properties(self._element.get("title") or "")
        for event in walk(self._element, self._enter):
            self._see(event)
        self._end_stray()
        box = bounding_box(title, self._name(self._element, f"page {number}"), self._notes)
        image = " ".join(title.get("image") or title.get("x_source") or ()) or None
        lines = arrange(self._groups, self._options.order)
        width, height = (None, None) if box is None else (round(box.right), round(box.bottom))
        return Page(lines, self._notes.source, image, width or None, height or None, self._notes.warnings())

    def _enter(self, element: Element) -> bool:
        return not self._is_unit(element) and not is_page(element) and enterable(element)

    def _see(self, event: Event) -> None:
        if isinstance(event, (Begin, End)):
            element = event.element
            if self._is_unit(element) or is_block(element) or tag(element) == "br":
                self._end_stray()
            if not classes(element).isdisjoint(AREA | PARAGRAPH):
                self._turn(event)
        if isinstance(event, Begin):
            if self._is_unit(element):
                self._unit(element)
                return
            self._note_word(element)
        self._stray.see(event, self._where())

    def _turn(self, event: Begin | End) -> None:
        """Enter or leave a block; the lines of each make a group of their own."""
        if isinstance(event, Begin):
            self._blocks.append(event.element)
        elif self._blocks and self._blocks[-1] is event.element:
            self._blocks.pop()
        if not classes(event.element).isdisjoint(AREA) or len(self._blocks) <= 1:
            self._groups.append([])

    def _unit(self, element: Element) -> None:
        name = self._name(element, "line")
        title = properties(element.get("title") or "")
        text = text_of(element, self._options.level, name, self._notes)
        box = bounding_box(title, name, self._notes)
        polygon = outline(title, box, name, self._notes)
        points = None
        if self._options.level != "region":
            points = baseline(title, _angle(element), box, name, self._notes)
        self._groups[-1].append(Line(text, points, polygon, element.get("id"), self._region()))

    def _end_stray(self) -> None:
        """Make a line of text that stood outside any."""
        text = self._stray.take()
        boxes, self._stray_boxes = self._stray_boxes, []
        if not text:
            return
        if self._options.level in ("line", "region"):
            self._notes.add(self._where(), f"text outside any {self._options.level}: left out as asked")
            return
        reason = (
            "text outside any line: taken as a line"
            if self._has_units
            else "no line in it: its text is taken as one"
        )
        self._notes.add(self._where(), reason)
        box = union(boxes)
        block = self._blocks[-1] if self._blocks else None
        if box is None and block is not None and self._is_one_line(block):
            box = bounding_box(properties(block.get("title") or ""), self._where(), self._notes)
        polygon = None if box is None else box.corners
        self._groups[-1].append(Line(text, None, polygon, None, self._region()))

    def _is_one_line(self, block: Element) -> bool:
        """Whether a block has no line ends in it, so that its box is that of its one line."""
        inside = [inner for inner in block.iterdescendants() if isinstance(inner.tag, str)]
        return not any(self._is_unit(inner) or is_block(inner) or tag(inner) == "br" for inner in inside)

    def _note_word(self, element: Element) -> None:
        if not classes(element).isdisjoint(WORD):
            title = properties(element.get("title") or "")
            box = bounding_box(title, self._name(element, "word"), self._notes)
            self._stray_boxes += [] if box is None else [box]

    def _region(self) -> str | None:
        """The id of the innermost block, or of the paragraph where blocks have none."""
        areas = [block for block in self._blocks if not classes(block).isdisjoint(AREA)]
        for block in (*reversed(areas), *reversed(self._blocks)):
            if block.get("id"):
                return str(block.get("id"))
        return None

    def _where(self) -> str:
        block = self._blocks[-1] if self._blocks else self._element
        return self._name(block, "page" if block is self._element else "paragraph")

    def _name(self, element: Element, kind: str) -> str:
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
