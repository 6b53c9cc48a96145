"""The regions of a PAGE file, nested as they may be, with the lines in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.formats.page_names import NAMES
from pagemeter.formats.page_text import equiv_text, line_text, name_of, region_lines
from pagemeter.formats.spelled_line import Spelled, SpelledLine, spelled_line
from pagemeter.page import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.formats.base import Level, Notes
    from pagemeter.formats.xml import Element

# Whatever is not listed is looked into, so that no line is lost in an element that nobody foresaw.
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
    """A region and what is in it: lines and regions in document order."""

    id: str | None
    custom: str = ""
    cell: tuple[int, int] | None = None
    parts: list[Region | Line] = field(default_factory=list)

    def descendants(self) -> Iterator[Region]:
        """All regions inside, in document order."""
        for part in self.parts:
            if isinstance(part, Region):
                yield part
                yield from part.descendants()

    def has_lines(self) -> bool:
        """Whether a line is in it at any depth."""
        return any(isinstance(part, Line) or part.has_lines() for part in self.parts)

    def has_text(self) -> bool:
        """Whether a line with text is in it at any depth."""
        return any(part.text.strip() if isinstance(part, Line) else part.has_text() for part in self.parts)


@dataclass(slots=True)
class RegionReader:
    """Builds the regions of one page; `lines` are all lines in document order."""

    level: Level | None
    notes: Notes
    lines: list[SpelledLine] = field(default_factory=list)

    def read(self, element: Element, parent: str | None = None) -> Region:
        """The region of an element with all that is in it."""
        kind = NAMES[element.tag]
        region = Region(element.get("id") or parent, element.get("custom") or "")
        if kind == "TableCell":
            region.cell = _row_column(element.get("row"), element.get("col"))
        equivs: list[Element] = []
        own: list[SpelledLine] = []
        parts = region.parts
        for child in element[:]:
            name = NAMES[child.tag]
            if name == "TextLine":
                line = self._line(child, region.id)
                own.append(line)
                parts.append(line)
            elif name == "TextEquiv":
                equivs.append(child)
            elif name == "Roles":
                region.cell = _cell_role(child) or region.cell
            elif name not in _WITHOUT_LINES:
                parts.append(self.read(child, region.id))
        if self.level == "region" or (equivs and not region.has_text()):
            own = self._take_region_text(region, element, equivs, own)
        if kind == "TableRegion":
            _sort_cells(region, element, self.notes)
        self.lines += own
        return region

    def _line(self, element: Element, region: str | None) -> SpelledLine:
        equivs: list[Element] = []
        words: list[Element] = []
        baseline: Spelled = None
        polygon: Spelled = None
        for child in element[:]:
            name = NAMES[child.tag]
            if name == "TextEquiv":
                equivs.append(child)
            elif name == "Coords":
                polygon = child.get("points") or _spelled(child)
            elif name == "Baseline":
                baseline = child.get("points") or _spelled(child)
            elif name == "Word":
                words.append(child)
        text = line_text(element, equivs, words, self.level, self.notes)
        return spelled_line(text, baseline, polygon, element.get("id"), region)

    def _take_region_text(
        self, region: Region, element: Element, equivs: list[Element], own: list[SpelledLine]
    ) -> list[SpelledLine]:
        """Put the text of a region in the place of its own lines, and give the lines it has then."""
        texts = region_lines(equiv_text(equivs, element, self.notes) or "")
        if self.level in ("line", "word"):
            if texts:
                self.notes.add(name_of(element), f"has text but no {self.level} with text: left out as asked")
            return own
        if not texts and self.level is None:
            return own
        if not texts and any(line.text.strip() for line in own):
            self.notes.add(name_of(element), "has lines but no text of its own: left out as asked")
        if self.level is None:
            self.notes.add(name_of(element), "no line has text: the region's own text is taken line by line")
        lines = _with_places(texts, region, element, own)
        others = [part for part in region.parts if isinstance(part, Region)]
        region.parts[:] = [*others, *lines]
        return lines


def _with_places(
    texts: list[str], region: Region, element: Element, own: list[SpelledLine]
) -> list[SpelledLine]:
    """Lines of a region's text: with the places of as many lines, or of the region where it is one line."""
    if len(texts) == len(own):
        return [
            spelled_line(text, *line.spelling, line.id, region.id)
            for text, line in zip(texts, own, strict=True)
        ]
    coords = next((child for child in element if NAMES[child.tag] == "Coords"), None)
    polygon = _spelled(coords) if coords is not None and len(texts) == 1 else None
    return [spelled_line(text, None, polygon, None, region.id) for text in texts]


def _spelled(element: Element) -> str:
    """The points of Coords or Baseline: an attribute, or Point children in files of 2009 and 2010."""
    spelling: str | None = element.get("points")
    if spelling is None:
        return " ".join([f"{point.get('x')},{point.get('y')}" for point in element])
    return spelling


def _cell_role(roles: Element) -> tuple[int, int] | None:
    """Row and column as OCR-D has them: a TextRegion of a table with the role of a cell."""
    for role in roles:
        if NAMES[role.tag] == "TableCellRole":
            return _row_column(role.get("rowIndex"), role.get("columnIndex"))
    return None


def _row_column(row: str | None, column: str | None) -> tuple[int, int] | None:
    try:
        return int(row or ""), int(column or "")
    except ValueError:
        return None


def _sort_cells(table: Region, element: Element, notes: Notes) -> None:
    """Read a table row by row; cells without row and column stay where they are, behind the others."""
    cells = [part for part in table.parts if isinstance(part, Region) and part.cell is not None]
    if not cells:
        return
    others = [part for part in table.parts if not (isinstance(part, Region) and part.cell is not None)]
    if any(isinstance(part, Line) or part.has_lines() for part in others):
        notes.add(name_of(element), "not all of its text has a row and a column: read after the rest")
    table.parts[:] = [*sorted(cells, key=lambda cell: cell.cell or (0, 0)), *others]
