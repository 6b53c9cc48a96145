"""ABBYY FineReader XML, versions 6 to 15: pages of blocks, paragraphs, lines and characters."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions, arrange_lines, split_names
from pagemeter.formats.coordinates import (
    Rectangle,
    bounding_rectangle,
    parse_number,
    parse_rectangle,
    polynomial_baseline,
)
from pagemeter.formats.lines import line_type, mean, share
from pagemeter.formats.xml import LOCAL_NAMES, check_pages, parse_size, parse_xml, walk
from pagemeter.page import Line, Page, Word

if TYPE_CHECKING:
    from pagemeter.formats.xml import Element
    from pagemeter.page import LineType, Points

_BLOCKS_WITHOUT_TEXT = split_names(
    "Picture RasterPicture VectorPicture Separator SeparatorsBox AutoAnalysis Unknown"
)
_SKIPPED_BLOCKS = frozenset(("Barcode", "Checkmark", "GroupCheckmark", "CheckmarkGroup"))
_EDGES = ("l", "t", "r", "b")
# The number of quarter turns of the text, counter-clockwise.
_TURNS = {"RotatedCounterclockwise": 1, "RotatedUpsidedown": 2, "RotatedClockwise": 3}

_WHITE_SPACE_RUN = re.compile(r"[ \t\r\n]++")
_BREAK = re.compile(r"[\r\n]")
_WHITE_SPACE = " \t\r\n"
_ALTERNATIVES = frozenset(("wordRecVariants", "charRecVariants"))
_TRUE = frozenset(("1", "true"))


def read_abbyy(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a FineReader file.

    >>> line = b'<line baseline="9" l="0" t="0" r="50" b="10"><formatting>one</formatting></line>'
    >>> data = b'<document><page><block blockType="Text"><text><par>' + line
    >>> data += b'</par></text></block></page></document>'
    >>> read_abbyy(data, "a.xml", ReadOptions())[0].lines[0].text
    'one'
    """
    first_notes = Notes(source)
    root = parse_xml(data, source, options.encoding, first_notes)
    pages = _outermost(root, "page")
    check_pages(pages, "page", root, source)
    roles = _style_roles(root)
    return [_page(page, options, roles, first_notes if page is pages[0] else Notes(source)) for page in pages]


def _style_roles(root: Element) -> dict[str, str]:
    """Return the role of each paragraph style by its id, such as heading, footnote or rt (running title)."""
    return {
        style.get("id"): style.get("role") or ""
        for style in root.iter("{*}paragraphStyle")
        if style.get("id")
    }


def _page(page: Element, options: ReadOptions, roles: dict[str, str], notes: Notes) -> Page:
    if options.level == "region":
        notes.add("block", "FineReader blocks have no text of their own, so lines are read")
    texts = _TextReader(page, notes, words=options.words)
    blocks = _outermost(page, "block")
    types = _LineTypes(roles)
    regions = [
        _block(block, f"block {number}", texts, types, notes) for number, block in enumerate(blocks, 1)
    ]
    regions.append(_lines_outside_blocks(page, texts, notes, any(regions)))
    width, height = (parse_size(page.get(name), page, name, notes) for name in ("width", "height"))
    return Page(arrange_lines(regions, options.order), notes.source, None, width, height, notes.warnings())


class _LineTypes:
    """Finds the types of lines from the type of their block and the style of their paragraph."""

    def __init__(self, roles: dict[str, str]) -> None:
        self._roles = roles
        self._of_paragraph: dict[Element, LineType] = {}

    def line_type(self, line: Element, block_type: str) -> LineType:
        paragraph = line.getparent()
        if paragraph not in self._of_paragraph:
            role = self._roles.get(paragraph.get("style") or "")
            self._of_paragraph[paragraph] = line_type(role, line_type(block_type))
        return self._of_paragraph[paragraph]


def _block(block: Element, label: str, texts: _TextReader, types: _LineTypes, notes: Notes) -> list[Line]:
    """Return the lines of a block; the cells of a table are in the order of the file, row by row."""
    kind = block.get("blockType") or ""
    if kind in _SKIPPED_BLOCKS:
        notes.add(label, f"{kind} was skipped, because it is not a text line")
        return []
    lines = [
        _line(line, label, f"{label} line {number}", texts, notes, kind=types.line_type(line, kind))
        for number, line in enumerate(_outermost(block, "line"), 1)
    ]
    if lines and kind in _BLOCKS_WITHOUT_TEXT:
        notes.add(label, f"{kind} contains text, and its lines are read")
    if not lines and kind not in _BLOCKS_WITHOUT_TEXT and "".join(block.itertext()).strip():
        notes.add(label, f"{kind or 'block'} has text but no line, and was skipped")
    return lines


def _lines_outside_blocks(
    page: Element,
    texts: _TextReader,
    notes: Notes,
    blocks_have_lines: bool,  # noqa: FBT001
) -> list[Line]:
    """Return the lines outside blocks, unless blocks have lines: the lines outside may repeat them."""
    lines = [line for line in _outermost(page, "line") if next(line.iterancestors("{*}block"), None) is None]
    if blocks_have_lines:
        for _ in lines:
            notes.add("line outside any block", "skipped, because the blocks have lines")
        return []
    if lines:
        notes.add("page", "no block has lines, so the lines outside blocks are read")
    return [_line(line, None, f"line {number}", texts, notes) for number, line in enumerate(lines, 1)]


def _outermost(element: Element, name: str) -> list[Element]:
    """Return the elements with a name that are not inside another one of that name."""
    tag = f"{{*}}{name}"
    return [inner for inner in element.iter(tag) if next(inner.iterancestors(tag), None) is None]


def _line(
    line: Element,
    region: str | None,
    label: str,
    texts: _TextReader,
    notes: Notes,
    *,
    kind: LineType = "text",
) -> Line:
    baseline, polygon = _position(line, label, texts.orientations, notes)
    text = texts.line_text(line, label)
    return Line(text, baseline, polygon, label, region, kind, texts.words())


class _TextReader:
    """Reads the text of the lines of one page, which is stored by character or by run of one format.

    If no character of the page is a space, words are separated by the attribute wordStart.
    """

    def __init__(self, page: Element, notes: Notes, *, words: bool = False) -> None:
        characters = list(page.iter("{*}charParams"))
        self.orientations = _Orientations()
        self._notes = notes
        self._label = ""
        self._parts: list[str] = []
        self._elements: list[Element | None] | None = [] if words else None  # those of the parts
        self._has_characters: dict[Element, bool] = {}
        self._guess_spaces = any(map(_starts_word, characters)) and not any(map(_is_space, characters))

    def line_text(self, line: Element, label: str) -> str:
        """Return the text of a line; a hyphen at its end is left unchanged."""
        self._label = label
        self._parts.clear()
        self._has_characters.clear()
        if self._elements is not None:
            self._elements.clear()
        walk(line, self)
        return "".join(self._parts).strip(_WHITE_SPACE)

    def words(self) -> tuple[Word, ...]:
        """Return the words of the line that was read last, if they were asked for."""
        words: list[Word] = []
        pieces: list[str] = []  # of the word that is not complete
        elements: list[Element] = []
        for part, element in zip(self._parts, self._elements or (), strict=False):
            for number, piece in enumerate(part.split(" ")):
                if number and pieces:
                    words.append(_word("".join(pieces), elements))
                    pieces, elements = [], []
                if piece:
                    pieces.append(piece)
                    elements += [] if element is None else [element]
        if pieces:
            words.append(_word("".join(pieces), elements))
        return tuple(words)

    def _add(self, text: str, element: Element | None = None) -> None:
        self._parts.append(text)
        if self._elements is not None:
            self._elements.append(element)

    def begin(self, element: Element) -> bool:
        """Add a character, or enter an element that is not an alternative reading."""
        if element.get("base64encoded") in _TRUE:
            self._notes.add(self._label, "text in base64 was not decoded")
        name = LOCAL_NAMES[element.tag]
        if name == "charParams" and not len(element):
            self._parts.append(self._character(element))
            if self._elements is not None:
                self._elements.append(element)
            return False
        return name not in _ALTERNATIVES

    def end(self, element: Element) -> None:
        """Add a character that has alternatives, which precede it."""
        if LOCAL_NAMES[element.tag] == "charParams":
            self._add(self._character(element), element)

    def text(self, text: str, inside: Element) -> None:
        """Add the text of a run without character elements; white space between elements is indentation."""
        name = LOCAL_NAMES[inside.tag]
        if name == "charParams" or (name != "formatting" and not text.strip(_WHITE_SPACE)):
            return
        if inside not in self._has_characters:
            self._has_characters[inside] = next(inside.iterchildren("{*}charParams"), None) is not None
        if not self._has_characters[inside]:
            self._add(_without_indentation(text))

    def _character(self, element: Element) -> str:
        text = _own_text(element)
        if not text:
            self._notes.add(self._label, "charParams without a character is read as a space")
            return " "
        if self._guess_spaces and _starts_word(element):
            self._notes.add(
                self._label, "the page has no spaces, so words are separated by the attribute wordStart"
            )
            return f" {_trimmed(text)}"
        return _trimmed(text)


def _word(text: str, characters: list[Element]) -> Word:
    """Return a word with its own confidence, or else the mean of its characters, and the box around them."""
    if not characters:
        return Word(text)
    own = mean(share(element.get("wordConfidence"), 100) for element in characters)
    if own is None:
        own = mean(share(element.get("charConfidence"), 100) for element in characters)
    boxes = []
    for element in characters:
        edges = [element.get(edge) for edge in _EDGES]
        if None not in edges:
            with suppress(ValueError):
                boxes.append(parse_rectangle(edges)[0])
    box = bounding_rectangle(boxes)
    return Word(text, own, None if box is None else box.corners)


def _own_text(element: Element) -> str:
    """Return the text directly inside an element, without its alternative readings."""
    text: str = element.text or ""
    return text + "".join([child.tail or "" for child in element]) if len(element) else text


def _trimmed(text: str) -> str:
    """Remove the indentation around a character; a space remains a space."""
    return text.strip(_WHITE_SPACE) or _without_indentation(text)


def _without_indentation(text: str) -> str:
    r"""Replace white space with a line break in it by one space.

    >>> _without_indentation("a  b \n  c")
    'a  b c'
    """
    if "\n" not in text and "\r" not in text:
        return text
    return _WHITE_SPACE_RUN.sub(lambda run: " " if _BREAK.search(run[0]) else run[0], text)


def _is_space(element: Element) -> bool:
    return not _own_text(element).strip(_WHITE_SPACE)


def _starts_word(element: Element) -> bool:
    return element.get("wordStart") in _TRUE or element.get("wordFirst") in _TRUE


def _position(
    line: Element, label: str, orientations: _Orientations, notes: Notes
) -> tuple[Points | None, Points | None]:
    """Return the baseline and the polygon of a line.

    >>> line = parse_xml(b'<line baseline="9" l="0" t="0" r="50" b="10"/>', "a.xml")
    >>> _position(line, "line 1", _Orientations(), Notes("a.xml"))[0]
    ((0.0, 9.0), (50.0, 9.0))
    """
    words = [line.get(edge) for edge in _EDGES]
    if None in words:
        if any(words):
            notes.add(label, "the position was ignored: an edge is missing")
        return None, None
    try:
        rectangle, swapped = parse_rectangle(words)
    except ValueError as error:
        notes.add(label, f"the position was ignored: {error}")
        return None, None
    if swapped:
        notes.add(label, "opposite edges of the box are swapped, and were corrected")
    return _baseline(line, rectangle, orientations.turns(line), label, notes), rectangle.corners


def _baseline(line: Element, rectangle: Rectangle, turns: int, label: str, notes: Notes) -> Points | None:
    try:
        position = None if line.get("baseline") is None else parse_number(line.get("baseline"))
    except ValueError as error:
        notes.add(label, f"the baseline was ignored: {error}")
        position = None
    if position is not None and not _is_near(position, rectangle, turns):
        notes.add(label, "the baseline was ignored: it is far from the line")
        position = None
    if position is None:
        return polynomial_baseline((0.0,), rectangle, turns) if turns else None
    left, top, right, bottom = rectangle
    below = (position - bottom, position - right, top - position, left - position)[turns]
    return polynomial_baseline((below,), rectangle, turns)


class _Orientations:
    """The quarter turns of the text inside elements; older schemas have the orientation on the block."""

    def __init__(self) -> None:
        self._turns: dict[Element, int] = {}

    def turns(self, line: Element) -> int:
        """Return the quarter turns of the nearest element around a line that has an orientation."""
        unknown = []
        element = line.getparent()
        while element is not None and element not in self._turns:
            unknown.append(element)
            element = element.getparent()
        turns = 0 if element is None else self._turns[element]
        for inner in reversed(unknown):
            orientation = inner.get("orientation")
            turns = self._turns[inner] = _TURNS.get(orientation, 0) if orientation else turns
        return turns


def _is_near(position: float, line: Rectangle, turns: int) -> bool:
    """Return True if a baseline is inside its line or at most the line's height away."""
    low, high = (line.left, line.right) if turns % 2 else (line.top, line.bottom)
    margin = high - low
    return low - margin <= position <= high + margin
