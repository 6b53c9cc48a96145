"""Lines and pages of a TEI text while it is read: a line may go on after a note that stands inside it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.formats.order import arrange
from pagemeter.formats.tei_facsimile import Place, Surface
from pagemeter.page import Line, Page

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes, ReadOptions

_BLANKS = re.compile(r"[ \t\r\n]+")


@dataclass(slots=True)
class Draft:
    """A line that may still grow."""

    id: str | None
    region: str | None
    group: int
    place: Place | None
    parts: list[str] = field(default_factory=list)

    def line(self) -> Line | None:
        """The line; None if nothing is said of it, neither text nor place."""
        text = _BLANKS.sub(" ", "".join(self.parts)).strip(" ")
        if not text and self.place is None:
            return None
        place = self.place or Place()
        return Line(text, place.baseline, place.polygon, self.id, self.region)


@dataclass(slots=True)
class PageDraft:
    """A page that may still grow."""

    surface: Surface
    notes: Notes
    drafts: list[Draft] = field(default_factory=list)
    is_marked: bool = False

    def page(self, options: ReadOptions) -> Page:
        """The page with its lines in order."""
        groups: dict[int, list[Line]] = {}
        for draft in self.drafts:
            line = draft.line()
            if line is not None:
                groups.setdefault(draft.group, []).append(line)
        lines = arrange(groups.values(), options.order)
        surface = self.surface
        size = surface.width, surface.height
        return Page(lines, self.notes.source, surface.image, *size, self.notes.warnings())
