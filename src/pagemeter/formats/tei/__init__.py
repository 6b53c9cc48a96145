"""TEI: lines from `lb`, `l`, `ab` and `p`; positions from the facsimile that the text is linked with."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pagemeter.errors import FormatError
from pagemeter.formats.base import MAX_LABEL, Notes, ReadOptions, arrange_lines, check_page_count, split_names
from pagemeter.formats.coordinates import lazy_line
from pagemeter.formats.lines import ReadingBudget, line_type
from pagemeter.formats.registry import TEI_ROOTS
from pagemeter.formats.tei.facsimile import Facsimile, Position, Surface, get_id, read_position, read_surface
from pagemeter.formats.tei.readings import (
    CHOICE,
    CHOICE_END,
    EDITORIAL_TEXT,
    GAP_BEGIN,
    GAP_END,
    MAIN,
    OTHER,
    READINGS,
    SUPPLIED,
    SUPPLIED_END,
    UNCLEAR,
    UNCLEAR_END,
    Choices,
    has_codes,
    parse_marked,
    without_codes,
)
from pagemeter.formats.xml import LOCAL_NAMES, Element, parse_xml, replace_html_entities, walk
from pagemeter.page import Line, LineType, Note, Page, Reading

_WHITE_SPACE = " \t\r\n"
_WHITE_SPACE_RUN = re.compile(r"[ \t\r\n]+")
# Elements that begin and end a line; `lb` inside them begins further lines.
_LINE_ELEMENTS = split_names(
    "ab addrLine byline castItem dateline docEdition docImprint docTitle head imprimatur item l label line p "
    "row salute signed speaker titlePart trailer"
)
_AROUND_LINES = split_names(
    "address argument back body castList closer div div1 div2 div3 div4 div5 div6 div7 epigraph figure "
    "floatingText front group lg list listBibl opener postscript sourceDoc sp surface table text titlePage "
    "zone"
)
_BLOCKS = _LINE_ELEMENTS | _AROUND_LINES
# Elements beside a line, which continues after them.
_ASIDES = frozenset(("fw", "note"))
_REGIONS = frozenset(("ab", "div", "fw", "lg", "list", "note", "p", "table", "zone"))
_ALTERNATIVES = frozenset(("choice", "app", "subst"))
"""Elements that contain several readings; white space between the readings is indentation."""

_LONGEST_GAP = 1000  # characters


@dataclass(slots=True)
class _OpenBlock:
    """A block that is being read; `region` is the nearest id of the block and the blocks around it."""

    element: Element
    id: str | None
    label: str
    region: str | None
    position: Position | None = None
    type: LineType = "text"
    has_position: bool = False  # True when `position` has been read


@dataclass(slots=True)
class _LineDraft:
    """A line that may still get text."""

    id: str | None
    region: str | None
    group: int
    position: Position | None
    type: LineType
    parts: list[str] = field(default_factory=list)

    def line(self, notes: Notes, budget: ReadingBudget) -> Line | None:
        """Return the line, or None if it has neither text nor a position."""
        marked = "".join(self.parts)
        remarks: tuple[Note, ...] = ()
        readings: tuple[Reading, ...] = ()
        if has_codes(marked):
            main, readings = parse_marked(
                marked, f"line {(self.id or '')[:MAX_LABEL]}".strip(), notes, budget
            )
            text, remarks = main.text, main.notes
        else:
            text = _WHITE_SPACE_RUN.sub(" ", marked).strip(" ")
        if not text and self.position is None and not remarks and not readings:
            return None
        points = self.position or Position()
        return lazy_line(
            text, points.baseline, points.polygon, self.id, self.region, self.type, (), remarks, readings
        )


@dataclass(slots=True)
class _PageDraft:
    """A page that may still get lines."""

    surface: Surface
    notes: Notes
    drafts: list[_LineDraft] = field(default_factory=list)
    has_milestone: bool = False

    def page(self, options: ReadOptions, budget: ReadingBudget) -> Page:
        """Return the page with its lines in the requested order."""
        groups: dict[int, list[Line]] = {}
        for draft in self.drafts:
            line = draft.line(self.notes, budget)
            if line is not None:
                groups.setdefault(draft.group, []).append(line)
        lines = arrange_lines(groups.values(), options.order)
        surface = self.surface
        size = surface.width, surface.height
        return Page(lines, self.notes.source, surface.image, *size, self.notes.warnings())


class TeiTextReader:
    """Reads one `text` or `sourceDoc` element."""

    def __init__(
        self, facsimile: Facsimile, options: ReadOptions, notes: Notes, budget: ReadingBudget
    ) -> None:
        self._budget = budget
        self._facsimile = facsimile
        self._options = options
        self._pages = [_PageDraft(Surface(), notes)]
        self._blocks: list[_OpenBlock] = []
        self._readings: dict[Element, Element | None] = {}
        self._current: _LineDraft | None = None
        self._interrupted: list[_LineDraft | None] = []
        self._choice = Choices(options)
        self._open: list[tuple[Element, str, str]] = []  # elements with codes: at their begin and their end
        self._carried = {UNCLEAR: 0, SUPPLIED: 0}  # how many elements continue on the next line
        self._hidden: list[Element] = []
        self._characters: list[tuple[Element, int]] = []  # open `g`, and the texts before each
        self._text_count = 0
        self._group = 0

    def read(self, text: Element) -> list[Page]:
        """Return the pages in the element."""
        walk(text, self)
        return [page.page(self._options, self._budget) for page in self._pages]

    @property
    def _notes(self) -> Notes:
        return self._pages[-1].notes

    def begin(self, element: Element) -> bool:
        """Handle the start of an element; editorial text is skipped, but the milestones in it are not."""
        name = LOCAL_NAMES[element.tag]
        self._begin(element, name)
        if self._choice.is_hidden(element):
            self._notes.add(self._label(), EDITORIAL_TEXT[name])
            if name == "supplied":
                self._put(element, SUPPLIED, SUPPLIED_END)
            else:
                self._hidden.append(element)
            return True
        if name == "unclear":
            self._put(element, UNCLEAR, UNCLEAR_END)
        if name in ("choice", "app") and self._choice.all_readings:
            self._put(element, CHOICE, CHOICE_END)
        entered = self._is_read(element)
        if not entered:
            self.end(element)
        return entered

    def _is_read(self, element: Element) -> bool:
        """Return True if the text of an element is read: it is on the page, or another accepted reading."""
        is_main = self._choice.is_on_page(element, self._label(), self._notes, self._readings)
        parent = element.getparent()
        if (
            not self._choice.all_readings
            or parent is None
            or LOCAL_NAMES[parent.tag] not in ("choice", "app")
            or LOCAL_NAMES[element.tag] not in READINGS
        ):
            return is_main
        self._put(element, MAIN if is_main else OTHER, "")
        return True

    def _put(self, element: Element, code: str, end: str) -> None:
        """Add the code of an element to the line, and remember the code of its end."""
        if not self._hidden:
            if self._current is None:
                self._current = self._new_line()
            self._current.parts.append(code)
            self._open.append((element, code, end))
            if code in self._carried:
                self._carried[code] += 1

    def text(self, text: str, inside: Element) -> None:
        """Add text to the current line, or begin a line."""
        is_blank = not text.strip(_WHITE_SPACE)
        self._text_count += not is_blank
        if self._hidden:
            return
        if is_blank:
            if self._current is not None and LOCAL_NAMES[inside.tag] not in _ALTERNATIVES:
                self._current.parts.append(" ")
            return
        if self._current is None:
            self._current = self._new_line()
        self._current.parts.append(without_codes(text))

    def end(self, element: Element) -> None:
        """Handle the end of an element."""
        if self._hidden and self._hidden[-1] is element:
            self._hidden.pop()
        while self._open and self._open[-1][0] is element:
            _, code, end = self._open.pop()
            if code in self._carried:
                self._carried[code] -= 1
            if self._current is not None and end:
                self._current.parts.append(end)
        if self._characters and self._characters[-1][0] is element:
            texts_before = self._characters.pop()[1]
            if texts_before == self._text_count:
                self._notes.add(self._label(), "g has no text, and was skipped")
        if not self._blocks or self._blocks[-1].element is not element:
            return
        self._blocks.pop()
        self._current = self._interrupted.pop() if LOCAL_NAMES[element.tag] in _ASIDES else None

    def _begin(self, element: Element, name: str) -> None:
        if name == "lb":
            self._begin_line(element)
        elif name in ("pb", "surface"):
            self._begin_page(element, name)
        elif name in ("cb", "gb"):
            self._current = None
            self._group += 1
        elif name in ("space", "cell") and self._current is not None:
            self._current.parts.append(" ")
        elif name == "gap":
            self._notes.add(self._label(), "a gap has no text, and was skipped")
            self._put(element, f"{GAP_BEGIN}{_characters(element)}{GAP_END}", "")
        elif name == "g":
            self._characters.append((element, self._text_count))
        if name in _ASIDES:
            self._interrupted.append(self._current)
        if name in _BLOCKS or name in _ASIDES:
            self._current = None
            self._open_block(element, name)
            self._group += name in _REGIONS

    def _begin_line(self, lb: Element) -> None:
        if self._options.level == "region":
            if self._current is not None and lb.get("break") != "no":
                self._current.parts.append(" ")
            return
        region = self._blocks[-1].region if self._blocks else None
        self._current = self._add_line(get_id(lb) or lb.get("n"), region, self._position(lb, "lb"))

    def _begin_page(self, element: Element, name: str) -> None:
        surface = read_surface(element) if name == "surface" else self._facsimile.find_surface(element)
        page = self._pages[-1]
        if page.has_milestone:
            page = _PageDraft(Surface(), Notes(page.notes.source))
            self._pages.append(page)
            check_page_count(len(self._pages), page.notes.source)
        elif any(draft.line(Notes(""), ReadingBudget(0)) is not None for draft in page.drafts):
            page.notes.add(name, "text before the first page beginning was added to the first page")
        page.surface = surface
        page.has_milestone = True
        self._current = None
        self._interrupted = [None] * len(self._interrupted)
        self._group += 1

    def _open_block(self, element: Element, name: str) -> None:
        outer, outer_type = (
            (self._blocks[-1].region, self._blocks[-1].type) if self._blocks else (None, "text")
        )
        block_id = get_id(element)
        line_id = block_id or element.get("n")
        label = f"{name} {(line_id or '')[:MAX_LABEL]}".strip()
        block_type = tei_type(element, name, outer_type)
        self._blocks.append(_OpenBlock(element, line_id, label, block_id or outer, type=block_type))

    def _new_line(self) -> _LineDraft:
        """Start a new line in a block."""
        if not self._blocks:
            return self._add_line(None, None, None)
        block = self._blocks[-1]
        if not block.has_position:
            block.position = self._position(block.element, LOCAL_NAMES[block.element.tag])
            block.has_position = True
        region = self._blocks[-2].region if len(self._blocks) > 1 else None
        return self._add_line(block.id, region, block.position)

    def _add_line(self, line_id: str | None, region: str | None, position: Position | None) -> _LineDraft:
        block_type = self._blocks[-1].type if self._blocks else "text"
        draft = _LineDraft(line_id, region, self._group, position, block_type)
        # One code is enough for elements inside each other.
        draft.parts += [code for code, count in self._carried.items() if count]
        self._pages[-1].drafts.append(draft)
        return draft

    def _position(self, element: Element, name: str) -> Position | None:
        """Return the position of a line; the position of a block is used only if the block is one line."""
        if name in _AROUND_LINES:
            return None
        breaks = ("{*}pb",) if self._options.level == "region" else ("{*}lb", "{*}cb", "{*}pb")
        if name != "lb" and next(element.iter(*breaks), None) is not None:
            return None
        position = self._facsimile.find_position(element, self._label(), self._notes)
        if position is None and name == "line":
            position = _embedded_position(element, self._label(), self._notes)
        return None if position == Position() else position

    def _label(self) -> str:
        return self._blocks[-1].label if self._blocks else "text"


def _embedded_position(line: Element, label: str, notes: Notes) -> Position | None:
    """Return the position of a `line` in a zone, or that of the zone if it has no other line."""
    position = read_position(line, label, notes)
    zone = line.getparent()
    if position != Position() or zone is None or LOCAL_NAMES[zone.tag] != "zone":
        return position
    for preceding in (False, True):
        if next(line.itersiblings("{*}line", preceding=preceding), None) is not None:
            return None
    return read_position(zone, label, notes)


def _characters(gap: Element) -> str:
    """Return the number of characters in a gap, or an empty text if it is not known."""
    unit = (gap.get("unit") or "").lower()
    count = (gap.get("quantity") or gap.get("extent") or "").strip()
    if not unit:
        count, _, unit = count.partition(" ")
    known = unit.startswith(("char", "letter", "glyph", "grapheme")) and count.isascii() and count.isdigit()
    return count if known and 0 < int(count) <= _LONGEST_GAP else ""


# Types of lines

_FW_TYPES: dict[str | None, LineType] = {
    "head": "header",
    "foot": "footer",
    "catch": "catchword",
    "sig": "catchword",
    "lineNum": "other",
}
_PLACES: tuple[tuple[LineType, tuple[str, ...]], ...] = (
    ("footnote", ("foot", "bottom", "below", "end")),
    ("marginalia", ("margin", "left", "right", "inner", "outer", "opposite")),
    ("text", ("inline", "inspace", "interlin", "line")),
)


def tei_type(element: Element, name: str, outer: LineType) -> LineType:
    """Return the type of the lines in a block, or `outer`, the type of the block around it.

    >>> from pagemeter.formats.xml import parse_xml
    >>> [tei_type(parse_xml(xml, "a.xml"), "fw", "text") for xml in (b'<fw type="pageNum"/>', b"<fw/>")]
    ['page-number', 'header']
    """
    stated, place = element.get("type"), (element.get("place") or "").lower()
    if name == "fw":
        by_place: LineType = "footer" if "bot" in place or "foot" in place else "header"
        return _FW_TYPES.get(stated) or line_type(stated, by_place)
    if name == "note":
        by_place = next((kind for kind, words in _PLACES if any(word in place for word in words)), "footnote")
        return line_type(stated, by_place)
    if name == "head":
        return "caption" if outer in ("figure", "table") else "heading"
    if name in ("figure", "table"):
        return line_type(name)
    return line_type(stated, outer) if name == "zone" or name in _LINE_ELEMENTS else outer


# Files

_DOCUMENTS = ("{*}TEI", "{*}TEI.2")


def read_tei(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a TEI file; each `pb` begins a page.

    >>> data = b"<TEI><text><body><p><lb/>one<lb/>two</p></body></text></TEI>"
    >>> [line.text for line in read_tei(data, "a.xml", ReadOptions())[0].lines]
    ['one', 'two']
    """
    first_notes = Notes(source)
    root = parse_xml(replace_html_entities(data), source, options.encoding, first_notes, duplicate_ids=True)
    documents = [root, *_inner_documents(root)] if LOCAL_NAMES[root.tag] in TEI_ROOTS else []
    texts = [text for document in documents if (text := _text_element(document, first_notes)) is not None]
    if not texts:
        raise FormatError(
            "has no text element", source=source, element=LOCAL_NAMES[root.tag], remedy="check the export"
        )
    if options.level == "word":
        first_notes.add("file", "TEI words are not read on their own, so lines are read")
    facsimile = Facsimile(root)
    budget = ReadingBudget(len(data))
    pages: list[Page] = []
    for text in texts:
        check_page_count(len(pages), source)
        notes = Notes(source) if pages else first_notes
        pages += TeiTextReader(facsimile, options, notes, budget).read(text)
    return pages


def _inner_documents(root: Element) -> list[Element]:
    """Return the documents of a corpus; a document inside the text of another one is part of that text."""
    return [
        document
        for document in root.iterdescendants(*_DOCUMENTS)
        if next(document.iterancestors("{*}text", "{*}sourceDoc"), None) is None
    ]


def _text_element(document: Element, notes: Notes) -> Element | None:
    """Return the element with the text of a document: `text`, or `sourceDoc` if `text` is empty."""
    children = [child for child in document if LOCAL_NAMES[child.tag] in ("text", "sourceDoc")]
    filled = [child for child in children if "".join(child.itertext()).strip()]
    best = min(filled or children, key=lambda child: LOCAL_NAMES[child.tag] != "text", default=None)
    if len(filled) > 1:
        notes.add("sourceDoc", "was skipped, because the text element is read")
    return best
