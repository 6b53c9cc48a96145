"""The lines and pages of a TEI text, begun by milestones or by elements that stand on their own lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions
from pagemeter.formats.tei_drafts import Draft, PageDraft
from pagemeter.formats.tei_facsimile import Facsimile, Place, Surface, ident, place_of, surface_of
from pagemeter.formats.tei_reading import ADDED, OFFERS, is_added, is_shown
from pagemeter.formats.walk import names, walk
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.page import Page

_BLANK = " \t\r\n"
# Elements that begin a line, and end it; inside them lb begins others.
_ON_LINES = names(
    "ab addrLine byline castItem dateline docEdition docImprint docTitle head imprimatur item l label line p "
    "row salute signed speaker titlePart trailer"
)
_AROUND_LINES = names(
    "address argument back body castList closer div div1 div2 div3 div4 div5 div6 div7 epigraph figure "
    "floatingText front group lg list listBibl opener postscript sourceDoc sp surface table text titlePage "
    "zone"
)
_BLOCKS = _ON_LINES | _AROUND_LINES
# They stand beside the line they are noted in, which goes on after them.
_ASIDE = frozenset(("fw", "note"))
_GROUPS = frozenset(("ab", "div", "fw", "lg", "list", "note", "p", "table", "zone"))


class TextReader:
    """Reads one `text` or `sourceDoc` element."""

    def __init__(self, facsimile: Facsimile, options: ReadOptions, notes: Notes) -> None:
        self._facsimile = facsimile
        self._options = options
        self._pages = [PageDraft(Surface(), notes)]
        self._blocks: list[Element] = []
        self._current: Draft | None = None
        self._interrupted: list[Draft | None] = []
        self._hidden: list[Element] = []
        self._group = 0

    def read(self, text: Element) -> list[Page]:
        """The pages in it."""
        walk(text, self)
        return [page.page(self._options) for page in self._pages]

    @property
    def _notes(self) -> Notes:
        return self._pages[-1].notes

    def begin(self, element: Element) -> bool:
        """Begin what an element begins; what the editor added hides its text, but not its milestones."""
        self._begin(element, LOCAL[element.tag])
        if is_added(element):
            self._notes.add(self._where(), ADDED[LOCAL[element.tag]])
            self._hidden.append(element)
            return True
        shown = is_shown(element, self._where(), self._notes)
        if not shown:
            self.end(element)
        return shown

    def text(self, text: str, inside: Element) -> None:
        """Add to the line that is open, or open one."""
        if self._hidden:
            return
        if not text.strip(_BLANK):
            if self._current is not None and LOCAL[inside.tag] not in OFFERS:
                self._current.parts.append(" ")
            return
        if self._current is None:
            self._current = self._draft(self._blocks[-1] if self._blocks else None)
        self._current.parts.append(text)

    def _begin(self, element: Element, kind: str) -> None:
        if kind == "lb":
            self._line_beginning(element)
        elif kind in ("pb", "surface"):
            self._page_beginning(element, kind)
        elif kind in ("cb", "gb"):
            self._current = None
            self._group += 1
        elif kind in ("space", "cell") and self._current is not None:
            self._current.parts.append(" ")
        elif kind == "gap":
            self._notes.add(self._where(), "gap: nothing is read for it")
        elif kind == "g" and not "".join(element.itertext()).strip():
            self._notes.add(self._where(), "g without text: nothing is read for it")
        if kind in _ASIDE:
            self._interrupted.append(self._current)
        if kind in _BLOCKS or kind in _ASIDE:
            self._current = None
            self._blocks.append(element)
            self._group += kind in _GROUPS

    def end(self, element: Element) -> None:
        """End what an element began."""
        if self._hidden and self._hidden[-1] is element:
            self._hidden.pop()
        if not self._blocks or self._blocks[-1] is not element:
            return
        self._blocks.pop()
        self._current = self._interrupted.pop() if LOCAL[element.tag] in _ASIDE else None

    def _line_beginning(self, lb: Element) -> None:
        if self._options.level == "region":
            if self._current is not None and lb.get("break") != "no":
                self._current.parts.append(" ")
            return
        self._current = self._draft(lb)

    def _page_beginning(self, element: Element, kind: str) -> None:
        found = surface_of(element) if kind == "surface" else self._facsimile.surface(element)
        page = self._pages[-1]
        if page.is_marked:
            page = PageDraft(Surface(), Notes(page.notes.source))
            self._pages.append(page)
        elif any(draft.line() is not None for draft in page.drafts):
            page.notes.add(kind, "text before the first page beginning: counted to the first page")
        page.surface = found
        page.is_marked = True
        self._current = None
        self._interrupted = [None] * len(self._interrupted)
        self._group += 1

    def _draft(self, element: Element | None) -> Draft:
        """A new line, begun by a milestone or by the text of a block."""
        outer = [block for block in self._blocks if block is not element]
        region = next((name for block in reversed(outer) if (name := ident(block))), None)
        own = None if element is None else ident(element) or element.get("n")
        draft = Draft(own, region, self._group, self._place(element))
        self._pages[-1].drafts.append(draft)
        return draft

    def _place(self, element: Element | None) -> Place | None:
        """The place of a line; that of a block counts only if the block is one line."""
        kind = "" if element is None else LOCAL[element.tag]
        if element is None or kind in _AROUND_LINES:
            return None
        breaks = ("{*}pb",) if self._options.level == "region" else ("{*}lb", "{*}cb", "{*}pb")
        if kind != "lb" and next(element.iter(*breaks), None) is not None:
            return None
        found = self._facsimile.place(element, self._where(), self._notes)
        if found is None and kind == "line":
            found = _embedded(element, self._where(), self._notes)
        return None if found == Place() else found

    def _where(self) -> str:
        block = self._blocks[-1] if self._blocks else None
        if block is None:
            return "text"
        return f"{LOCAL[block.tag]} {ident(block) or block.get('n') or ''}".strip()


def _embedded(line: Element, name: str, notes: Notes) -> Place | None:
    """The place of a line inside a zone: its own, or that of the zone if it holds no other line."""
    own = place_of(line, name, notes)
    zone = line.getparent()
    if own != Place() or zone is None or LOCAL[zone.tag] != "zone":
        return own
    alone = sum(1 for _ in zone.iterchildren("{*}line")) == 1
    return place_of(zone, name, notes) if alone else None
