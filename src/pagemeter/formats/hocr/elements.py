"""hOCR elements: their kinds, the text inside them, and the positions in their titles.

The kind of an element follows from its classes and its name. It is an integer with one bit for each class
that matters, so that the kinds of many elements are combined with `|` and tested with `&`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lxml import etree

from pagemeter.formats.base import split_names
from pagemeter.formats.coordinates import (
    PointsText,
    Rectangle,
    parse_number,
    parse_points,
    parse_rectangle,
    polynomial_baseline,
    range_error,
)
from pagemeter.formats.lines import find_type
from pagemeter.formats.xml import LOCAL_NAMES, ValueCache, walk
from pagemeter.page import LineType

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagemeter.formats.base import Level, Notes
    from pagemeter.formats.xml import Element
    from pagemeter.page import Points

PAGE, LINE, FLOAT, AREA, PARAGRAPH, WORD, CHARACTER = (1 << bit for bit in range(7))
_SYMBOL, _ALT, _DEL, _BLOCK, _BREAK, HIDDEN, TOUCHING = (1 << bit for bit in range(7, 14))
# Elements that begin and end a line if they contain text outside lines.
ENDS_LINE = _BLOCK | _BREAK | AREA | PARAGRAPH | FLOAT | LINE

_CLASS_KINDS = {
    "ocr_page": PAGE,
    **dict.fromkeys(("ocr_line", "ocrx_line"), LINE),
    # Tesseract uses these instead of ocr_line; in other files they are blocks with lines inside.
    **dict.fromkeys(
        ("ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat", "ocr_pageno", "ocr_footnote"), FLOAT
    ),
    **dict.fromkeys(("ocr_carea", "ocrx_block", "ocr_block", "ocr_column"), AREA),
    "ocr_par": PARAGRAPH,
    **dict.fromkeys(("ocrx_word", "ocr_word"), WORD),
    **dict.fromkeys(("ocrx_cinfo", "ocr_cinfo"), CHARACTER),
    "ocr_symbol": _SYMBOL,
    "alt": _ALT,
}
_NAME_KINDS = {
    **dict.fromkeys(
        split_names("blockquote dd div dl dt h1 h2 h3 h4 h5 h6 li ol p pre table td th tr ul"),
        _BLOCK,
    ),
    **dict.fromkeys(("head", "script", "style"), HIDDEN),
    "br": _BREAK,
    "del": _DEL,
}
_WHITE_SPACE = " \t\r\n\f"
_WHITE_SPACE_RUN = re.compile(r"[ \t\r\n\f]+")


class _KindsOfClass(ValueCache[str | None, int]):
    """Kinds by class attribute."""

    def compute(self, key: str | None) -> int:
        kind = 0
        for name in (key or "").split():
            kind |= _CLASS_KINDS.get(name, 0)
        return kind


class _KindsOfTag(ValueCache[str, int]):
    """Kinds by tag."""

    def compute(self, key: str) -> int:
        return _NAME_KINDS.get(key.rpartition("}")[2].lower(), 0)


_OF_CLASS = _KindsOfClass()
_OF_TAG = _KindsOfTag()


def kind_of(element: Element) -> int:
    """Return the kind of an element.

    >>> from pagemeter.formats.xml import parse_xml
    >>> kind_of(parse_xml(b"<i class='ocr_par b'/>", "a.hocr")) == PARAGRAPH
    True
    """
    return _OF_CLASS[element.get("class")] | _OF_TAG[element.tag]


class _TypesOfClass(ValueCache[str, LineType | None]):
    """Line types by class attribute."""

    def compute(self, key: str) -> LineType | None:
        known = (find_type(name.removeprefix("ocrx_").removeprefix("ocr_")) for name in key.split())
        return next(filter(None, known), None)


_TYPE_OF_CLASS = _TypesOfClass()
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def class_type(element: Element, outer: LineType) -> LineType:
    """Return the type of the lines in an element, from its class or name, or else the type around it.

    >>> from pagemeter.formats.xml import parse_xml
    >>> class_type(parse_xml(b"<p class='ocr_pageno'/>", "a.hocr"), "header")
    'page-number'
    """
    names = element.get("class")
    if names and "ocr" in names and (found := _TYPE_OF_CLASS[names]) is not None:
        return found
    name = LOCAL_NAMES[element.tag].lower()
    return "heading" if name in _HEADINGS else "table" if name == "table" else outer


def kinds_inside(element: Element) -> int:
    """Return the kinds of all elements inside, and TOUCHING if there is no text between two words.

    >>> from pagemeter.formats.xml import parse_xml
    >>> line = b"<p><i class='ocr_word'>a</i> <i class='ocr_word'>b</i></p>"
    >>> kinds_inside(parse_xml(line, "a.hocr")) == WORD
    True
    """
    kinds = 0
    after_bare_word = False
    for inner in element.iterdescendants("*"):
        kind = _OF_CLASS[inner.get("class")]
        kinds |= kind | (
            0 if kind == WORD else _OF_TAG[inner.tag]
        )  # the name of a word element is irrelevant
        if kind & WORD:
            if after_bare_word:
                kinds |= TOUCHING
            after_bare_word = not inner.tail
    return kinds


def has_breaks(element: Element) -> bool:
    """Return True if an element inside begins or ends a line; the search ends at the first one.

    >>> from pagemeter.formats.xml import parse_xml
    >>> has_breaks(parse_xml(b"<p>a<br/>b</p>", "a.hocr"))
    True
    """
    for inner in element.iterdescendants("*"):
        kind = _OF_CLASS[inner.get("class")]
        if (kind | (0 if kind == WORD else _OF_TAG[inner.tag])) & ENDS_LINE:
            return True
    return False


def all_kinds_inside(root: Element) -> dict[Element, int]:
    """Return the result of `kinds_inside` for an element and all elements in it, in linear time.

    >>> from pagemeter.formats.xml import parse_xml
    >>> page = parse_xml(b"<p><b><i class='ocr_word'>a</i><i class='ocr_word'>b</i></b></p>", "a.hocr")
    >>> inside = all_kinds_inside(page)
    >>> all(inside[element] == kinds_inside(element) for element in page.iter())
    True
    """
    table: dict[Element, int] = {}
    bare_words = [0]  # the number of words without text after them, among the first words
    stack: list[tuple[int, int]] = [(0, 0)]  # for open elements, the kinds inside, and the words before
    for event, element in etree.iterwalk(root, events=("start", "end")):
        kind = _OF_CLASS[element.get("class")]
        if event == "start":
            if kind & WORD:
                bare_words.append(bare_words[-1] + (not element.tail))
            stack.append((0, len(bare_words) - 1))
            continue
        inside, before = stack.pop()
        last = len(bare_words) - 2
        if last > before and bare_words[last] > bare_words[before]:
            inside |= TOUCHING
        table[element] = inside
        around, outer_before = stack[-1]
        around |= inside & ~TOUCHING | kind | (0 if kind == WORD else _OF_TAG[element.tag])
        stack[-1] = around, outer_before
    return table


def is_line(kind: int, inside: int) -> bool:
    """Return True if an element is one text line, not a block of lines, given the kinds inside it.

    >>> is_line(FLOAT, WORD), is_line(FLOAT, LINE | WORD)
    (True, False)
    """
    if kind & LINE:
        return not inside & LINE
    return bool(kind & FLOAT) and not inside & (LINE | AREA | PARAGRAPH | FLOAT)


def is_region(kind: int, inside: int) -> bool:
    """Return True if an element is a paragraph, or a block without paragraphs, given the kinds inside it.

    >>> is_region(AREA, LINE), is_region(AREA, PARAGRAPH | LINE)
    (True, False)
    """
    if kind & PARAGRAPH:
        return not inside & PARAGRAPH
    return bool(kind & (AREA | FLOAT)) and not inside & (PARAGRAPH | AREA | FLOAT)


def _is_alternative(element: Element, kind: int) -> bool:
    """Return True if an element lists alternative readings of characters or words next to it."""
    if kind & _SYMBOL or (kind & _DEL and kind & _ALT):
        return True
    return bool(kind & CHARACTER and kinds_inside(element) & CHARACTER)


class TextCollector:
    """Collects running text, with a space between words even if the file has none.

    `label` returns the name of the current element for warnings. White space at the beginning is dropped.
    """

    def __init__(self, level: Level | None, label: Callable[[], str], notes: Notes) -> None:
        self._level = level
        self._label = label
        self._notes = notes
        self._parts: list[str] = []
        self._words: list[tuple[Element, bool]] = []
        self._after_word = False
        self.inside: Element = None  # the element of the first text

    def take(self) -> str:
        """Return the collected text, and reset the collector."""
        self._after_word = False
        if not self._parts:
            return ""
        text = _collapse("".join(self._parts))
        self._parts.clear()
        return text

    def begin(self, element: Element) -> bool:
        """Enter an element, unless it is an alternative reading."""
        return self.enter(element, kind_of(element))

    def enter(self, element: Element, kind: int) -> bool:
        """Enter an element whose kind is known, as `begin` does."""
        if _is_alternative(element, kind):
            self._notes.add(self._label(), "alternative readings of a character or word were skipped")
            return False
        if kind & WORD:
            # A word in a word is not searched again.
            has_characters = self._words[-1][1] if self._words else bool(kinds_inside(element) & CHARACTER)
            self._words.append((element, has_characters))
            if self._after_word:
                self._parts.append(" ")
        elif kind & ENDS_LINE and self._parts:
            self._parts.append(" ")
        return True

    def end(self, element: Element) -> None:
        """Leave an element."""
        if self._words and self._words[-1][0] is element:
            self._words.pop()
            self._after_word = True

    def text(self, text: str, inside: Element) -> None:
        """Add running text."""
        is_blank = not text.strip(_WHITE_SPACE)
        if is_blank and (not self._parts or (self._words and self._words[-1][1])):
            return  # at the beginning, or indentation between the characters of one word
        if not is_blank and self._level == "word" and not self._words:
            self._notes.add(self._label(), "text outside any word was skipped as requested")
            return
        if not self._parts:
            self.inside = inside
        self._parts.append(text)
        self._after_word = False


def element_text(element: Element, level: Level | None, label: str, notes: Notes) -> str:
    r"""Return the text of an element as one line.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse_xml
    >>> line = parse_xml(b"<p><b class='ocr_word'>a</b><b class='ocr_word'>b</b>&#173; <br/></p>", "a.hocr")
    >>> element_text(line, None, "line", Notes("a.hocr"))
    'a b\xad'
    """
    collector = TextCollector(level, lambda: label, notes)
    walk(element, collector)
    return collector.take()


def simple_text(element: Element) -> str:
    """Return the text of an element that contains only words, none of them TOUCHING. This is the fast path.

    >>> from pagemeter.formats.xml import parse_xml
    >>> simple_text(parse_xml(b"<p> <b class='ocr_word'>a</b> <b class='ocr_word'>b</b> </p>", "a.hocr"))
    'a b'
    """
    text: bytes = etree.tostring(element, method="text", encoding="utf-8", with_tail=False)
    if b"\v" in text:  # white space for bytes.split, but not in HTML
        return _collapse(text.decode())
    return b" ".join(text.split()).decode()


def _collapse(text: str) -> str:
    """Replace each run of white space by one space, and remove white space at both ends."""
    return _WHITE_SPACE_RUN.sub(" ", text).strip(" ")


# The attribute `title`, with the positions bbox, poly, baseline and textangle
#
# Most titles are simple, as Tesseract writes them. They cannot be invalid, and are parsed when they are first
# used.

_QUARTER_TURN = 90  # degrees
_MAX_COEFFICIENTS = 8
_TOKEN = re.compile(r'"(?P<double>[^"]*)"|\'(?P<single>[^\']*)\'|(?P<bare>[^;\s]+)|(?P<end>;)')

# Whole numbers far below the limit of coordinates, and a slope so small that the baseline is below it, too.
_SIMPLE_TITLE = re.compile(
    r"bbox ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5})"
    r"(; baseline -?(?:0|0?\.[0-9]{1,9}) -?[0-9]{1,5}(?:\.[0-9]{1,9})?)?"
    r"(?:; x_[a-z]+ -?[0-9.]+)*"
)

Properties = Mapping[str, Sequence[str]]


def parse_title(title: str) -> dict[str, tuple[str, ...]]:
    """Return the values of each property by its name; if a property is repeated, the first one is used.

    >>> parse_title("bbox 0 0 9 8; image 'a; b.png'")
    {'bbox': ('0', '0', '9', '8'), 'image': ('a; b.png',)}
    """
    properties: dict[str, tuple[str, ...]] = {}
    has_quotes = '"' in title or "'" in title
    for words in _split_quoted(title) if has_quotes else map(str.split, title.split(";")):
        if words:
            properties.setdefault(words[0].lower(), tuple(words[1:]))
    return properties


def _split_quoted(title: str) -> list[list[str]]:
    """Return the words of each property; semicolons and white space inside quotes are part of a word."""
    parts: list[list[str]] = [[]]
    for match in _TOKEN.finditer(title):
        if match["end"] is None:
            parts[-1].append(match[match.lastgroup or 0])
        else:
            parts.append([])
    return parts


class TitleBox(PointsText):
    """A simple title that is parsed as the corners of its `bbox`.

    >>> TitleBox("bbox 0 0 9 5").points()
    ((0, 0), (9, 0), (9, 5), (0, 5))
    """

    __slots__ = ()

    def points(self) -> Points:
        """Return the corners, clockwise from the top left."""
        return parse_rectangle(parse_title(self)["bbox"])[0].corners


class TitleBaseline(PointsText):
    """A simple title that is parsed as its `baseline`.

    >>> TitleBaseline("bbox 0 0 100 20; baseline 0 -5").points()
    ((0.0, 15.0), (100.0, 15.0))
    """

    __slots__ = ()

    def points(self) -> Points:
        """Return the two ends of the baseline."""
        properties = parse_title(self)
        coefficients = tuple(map(parse_number, properties["baseline"]))
        return polynomial_baseline(coefficients, parse_rectangle(properties["bbox"])[0])


def simple_position(title: str) -> tuple[TitleBaseline | None, TitleBox] | None:
    """Return the unparsed baseline and polygon of an upright line, or None if its title is not simple.

    >>> simple_position("bbox 0 0 100 20; baseline 0 -5; x_size 30")[0].points()
    ((0.0, 15.0), (100.0, 15.0))
    >>> simple_position("bbox 100 20 0 0")
    """
    match = _SIMPLE_TITLE.fullmatch(title)
    if match is None:
        return None
    left, top, right, bottom = map(int, match.group(1, 2, 3, 4))
    if left > right or top > bottom:
        return None
    return TitleBaseline(title) if match[5] else None, TitleBox(title)


def read_bbox(properties: Properties, label: str, notes: Notes) -> Rectangle | None:
    """Return the `bbox` of an element, or None if it is missing or unusable.

    >>> from pagemeter.formats.base import Notes
    >>> read_bbox({"bbox": ("0", "0", "9", "5")}, "line", Notes("a.hocr"))
    Rectangle(left=0, top=0, right=9, bottom=5)
    """
    words = properties.get("bbox")
    if words is None:
        return None
    try:
        box, swapped = parse_rectangle(words)
    except ValueError as error:
        notes.add(label, f"bbox was ignored: {error}")
        return None
    if swapped:
        notes.add(label, "opposite edges of bbox are swapped, and were corrected")
    return box


def read_polygon(properties: Properties, box: Rectangle | None, label: str, notes: Notes) -> Points | None:
    """Return the `poly` of an element, or the corners of its box.

    >>> from pagemeter.formats.base import Notes
    >>> read_polygon({"poly": ("0", "0", "9", "0", "9", "5")}, None, "line", Notes("a.hocr"))
    ((0, 0), (9, 0), (9, 5))
    """
    words = properties.get("poly")
    if words:
        try:
            return parse_points(" ".join(words))
        except ValueError as error:
            notes.add(label, f"poly was ignored: {error}")
    return None if box is None else box.corners


def read_baseline(
    properties: Properties, angle: str | None, box: Rectangle | None, label: str, notes: Notes
) -> Points | None:
    """Return the baseline of a line from its polynomial; without one, turned text has the edge of its box.

    >>> from pagemeter.formats.base import Notes
    >>> read_baseline({"baseline": ("0", "-5")}, None, Rectangle(0, 0, 100, 20), "line", Notes("a.hocr"))
    ((0.0, 15.0), (100.0, 15.0))
    >>> read_baseline({}, "180", Rectangle(0, 0, 100, 20), "line", Notes("a.hocr"))
    ((100.0, 0.0), (0.0, 0.0))
    """
    turns = _quarter_turns(angle, label, notes)
    polynomial = _coefficients(properties, label, notes) or ((0.0,) if turns else None)
    if box is None or polynomial is None:
        return None
    points = polynomial_baseline(polynomial, box, turns)
    if reason := range_error(points):
        notes.add(label, f"baseline was ignored: {reason}")
        return None
    return points


def _quarter_turns(angle: str | None, label: str, notes: Notes) -> int:
    """Return the number of quarter turns of the text of a line, counter-clockwise."""
    if angle is None:
        return 0
    try:
        degrees = parse_number(angle)
    except ValueError as error:
        notes.add(label, f"textangle was ignored: {error}")
        return 0
    if degrees % _QUARTER_TURN:
        notes.add(label, "textangle is not a multiple of 90, and was rounded")
    return round(degrees / _QUARTER_TURN) % 4


def _coefficients(properties: Properties, label: str, notes: Notes) -> tuple[float, ...] | None:
    words = properties.get("baseline")
    if words is None:
        return None
    if not 1 <= len(words) <= _MAX_COEFFICIENTS:
        notes.add(label, f"baseline was ignored: {len(words)} coefficients")
        return None
    try:
        return tuple(map(parse_number, words))
    except ValueError as error:
        notes.add(label, f"baseline was ignored: {error}")
        return None
