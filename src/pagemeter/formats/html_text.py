"""The text of HTML as a reader sees it, line by line, and the names of HTML elements."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING

from pagemeter.formats.base import split_names
from pagemeter.formats.latex import formula_text
from pagemeter.formats.lines import find_type
from pagemeter.page import Line, LineType

if TYPE_CHECKING:
    from pagemeter.formats.base import Mathematics, Notes, Tables

# Elements that begin and end a line.
_BLOCK_ELEMENTS = split_names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li main menu nav ol option p pre "
    "section select summary tbody tfoot thead ul"
)
# A table row is one line, and its cells are separated by one space.
_TABLE_ELEMENTS = frozenset(("table", "td", "th", "tr"))
_LIST_ELEMENTS = frozenset(("menu", "ol", "ul"))
_ELEMENT_TYPES: dict[str, LineType | None] = {
    **{name: find_type(name) for name in _BLOCK_ELEMENTS},
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
}
_INLINE_ELEMENTS = split_names(
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label mark math meter "
    "output progress q rb rp rt ruby s samp small span strike strong sub sup textarea time tt u var"
)
_HIDDEN_ELEMENTS = frozenset(("head", "script", "style", "svg", "template", "title"))
_IMAGE_ELEMENTS = frozenset(("image", "img", "object", "picture", "video"))

VOID_ELEMENTS = frozenset(
    ("area", "base", "br", "col", "colgroup", "hr", "img", "input", "link", "meta", "wbr")
)
"""Elements that have neither content nor an end tag."""

HTML_ELEMENTS = (
    _BLOCK_ELEMENTS | _TABLE_ELEMENTS | _INLINE_ELEMENTS | _HIDDEN_ELEMENTS | _IMAGE_ELEMENTS | VOID_ELEMENTS
)

_WHITE_SPACE = " \t\r\n\f"
_WHITE_SPACE_RUN = re.compile(r"[ \t\r\n\f]+")
_MAX_DIGITS = 9
_GIANT_REFERENCE = re.compile(r"&#[0-9]{1000,};?")  # Python refuses to convert so many digits

# A tag up to its ">"; those in quoted values do not count. The quantifiers never give characters back.
_TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[A-Za-z][^\s/>]*+)(?P<attributes>(?:[^>=]++|=\s*+(?:"[^"]*"|'[^']*'|))*+)>"""
)
_SIMPLE_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][^\s/>]*+)(?P<attributes>[^>]*+)>")
_START = re.compile(r"""[\s"'/]start\s*+=\s*+["']?([0-9]++)""", re.IGNORECASE)
_RAW_TEXT_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}


class LineBuilder:
    """Builds lines from running text, each with the line of the source where it begins.

    >>> builder = LineBuilder()
    >>> builder.text("two ")
    >>> builder.text("words")
    >>> builder.end_line()
    >>> [(line.text, line.id) for line in builder.lines]
    [('two words', 'L1')]
    """

    def __init__(self, tables: Tables | None = None) -> None:
        self.lines: list[Line] = []
        self._tables = tables
        self._open_tables = 0
        self.source_line = 1
        self.region = "text"
        self.prefix = ""
        self.in_row = False
        self.type: LineType = "text"
        self._typed: list[tuple[str, LineType]] = []  # open elements with a type, and the types around them
        self._typed_names: Counter[str] = Counter()
        self._first_type: LineType = "text"  # where the current line began
        self._row, self._column = -1, -1
        self._first_cell: tuple[int, int] | None = None  # where the current line began
        self._parts: list[str] = []
        self._first_source_line: int | None = None

    def text(self, text: str) -> None:
        """Add running text, which contains no line break."""
        if self._first_source_line is None and text.strip(_WHITE_SPACE):
            self._first_source_line = self.source_line
            self._first_type = "table" if self.in_row else self.type
            self._first_cell = self._cell
        self._parts.append(text)

    def end_source_line(self) -> None:
        """Handle a line break of the source, which ends the line except inside a table row."""
        self.break_line()
        self.source_line += 1

    def break_line(self) -> None:
        """End the line; inside a table row, which is one line, add a space instead."""
        if self.in_row or self._is_one_line:
            self._parts.append(" ")
        else:
            self.end_line()

    def end_line(self) -> None:
        """End the line if it has visible text; white space is collapsed as in a browser."""
        text = _WHITE_SPACE_RUN.sub(" ", "".join(self._parts)).strip(" ")
        if text:
            first = self._first_source_line
            self._add(text, self.source_line if first is None else first, self._first_type, self._first_cell)
        self._parts.clear()
        self._first_source_line = None

    def begin_type(self, element: str, line_type: LineType | None) -> None:
        """Enter an element whose lines have a type; None leaves the type unchanged."""
        if line_type is not None:
            self._typed.append((element, self.type))
            self._typed_names[element] += 1
            self.type = line_type

    def end_type(self, element: str) -> None:
        """Return to the type around the innermost open element with this name, if there is one."""
        name = "" if self._typed_names[element] else element
        while name != element:
            name, self.type = self._typed.pop()
            self._typed_names[name] -= 1

    def end_types(self) -> None:
        """Return to the type around all open elements."""
        if self._typed:
            self.type = self._typed[0][1]
            self._typed.clear()
            self._typed_names.clear()

    @property
    def _is_one_line(self) -> bool:
        return self._tables == "text" and self._open_tables > 0

    def begin_table(self) -> None:
        """Begin a table, which may be inside another one."""
        self.break_line()
        self._open_tables += 1
        if self._open_tables == 1:
            self._row = -1

    def end_table(self) -> None:
        """End a table."""
        self._open_tables = max(0, self._open_tables - 1)
        if not self._open_tables:
            self.end_row()

    def end_tables(self) -> None:
        """End all open tables."""
        self._open_tables = 0
        self.end_row()

    def begin_row(self) -> None:
        """Begin a table row."""
        self.end_row()
        self.in_row = True
        self._row, self._column = self._row + 1, -1

    def begin_cell(self) -> None:
        """Begin a cell of a table row."""
        if self._tables == "cells" and self.in_row:
            self.end_line()
        else:
            self._parts.append(" ")
        self._column += 1

    @property
    def _cell(self) -> tuple[int, int] | None:
        """The row and column of the open cell, if each cell is a line."""
        is_cell = self._tables == "cells" and self.in_row and self._column >= 0
        return (self._row, self._column) if is_cell else None

    def end_row(self) -> None:
        """End a table row, which is one line unless all of the table is."""
        self.in_row = False
        self.break_line()

    def verbatim(self, text: str) -> None:
        """Add lines exactly as they are written, without the blank ones."""
        self.end_line()
        lines = (
            (number, line) for number, line in enumerate(text.split("\n"), self.source_line) if line.strip()
        )
        if self.prefix:
            for number, line in islice(lines, 1):
                self._add(line.rstrip("\r"), number, self.type)
        region, line_type = self.region, self.type
        self.lines += [
            Line(line.rstrip("\r"), None, None, f"L{number}", region, line_type) for number, line in lines
        ]

    def end_item(self) -> None:
        """End a list item; its number becomes a line if no text followed it."""
        self.end_line()
        if self.prefix:
            self._add("", self.source_line, self.type)

    def _add(
        self, text: str, source_line: int, line_type: LineType, cell: tuple[int, int] | None = None
    ) -> None:
        whole = f"{self.prefix} {text}".rstrip(" ") if self.prefix else text
        self.prefix = ""
        self.lines.append(Line(whole, id=f"L{source_line}", region=self.region, type=line_type, cell=cell))


class HtmlReader:
    """Passes the text of HTML to a `LineBuilder`, without the tags.

    The time is linear in the length of the HTML, even if elements are not closed. Python's HTMLParser takes
    quadratic time for unclosed tags and comments.

    >>> from pagemeter.formats.base import Notes
    >>> builder = LineBuilder()
    >>> HtmlReader(builder, Notes("a.md")).read_block("<table><tr><td>a<td>b</tr></table>", 1)
    >>> builder.lines[0].text
    'a b'
    """

    def __init__(self, builder: LineBuilder, notes: Notes, math: Mathematics = "text") -> None:
        self._builder = builder
        self._math = math
        self._formula: list[str] | None = None  # the text of an open math element
        self._notes = notes
        self._hidden: list[str] = []
        self._first_hidden: dict[str, int] = {}  # by name, the position of the outermost in `_hidden`
        self._lists: list[int | None] = []
        self._first_source_line: int | None = None
        self._line = 1  # of the HTML, from 1

    @property
    def is_hidden(self) -> bool:
        """True while the parser is inside an element that browsers do not show."""
        return bool(self._hidden)

    def read_block(self, html: str, source_line: int) -> None:
        """Read a block of HTML that begins on a line of the source."""
        self._builder.end_line()
        self._builder.source_line = self._first_source_line = source_line
        self.read_inline(html)
        self._first_source_line = None
        self.close_elements()

    def read_inline(self, html: str) -> None:
        """Read one tag, comment or declaration inside a paragraph."""
        tag_pattern, last_end, last_comment_end = _TAG, html.rfind(">"), html.rfind("-->")
        position = text_begin = counted = 0
        self._line = 1
        while (begin := html.find("<", position)) >= 0:
            after = html[begin + 1 : begin + 2]
            end = -1
            tag = None
            if begin > last_end:
                break
            if html.startswith("<!--", begin):
                end = html.find("-->", begin + 4) + 3 if begin + 4 <= last_comment_end else -1
            elif after in ("!", "?") or (after == "/" and not html[begin + 2 : begin + 3].isalpha()):
                end = html.find(">", begin) + 1
            elif tag := tag_pattern.match(html, begin):
                end = tag.end()
            elif tag_pattern is _TAG and (tag := _SIMPLE_TAG.match(html, begin)):
                tag_pattern, end = _SIMPLE_TAG, tag.end()  # no ">" outside quotes follows
            if end < 0:
                position = begin + 1
                continue
            self._text(html[text_begin:begin])
            self._line += html.count("\n", counted, begin)
            counted = begin
            position = text_begin = end
            self._update_source_line()
            if tag is None:
                self._skip(html[begin:end])
            elif raw_text_end := self._tag(tag):
                closing = raw_text_end.search(html, end)
                position = text_begin = len(html) if closing is None else closing.start()
            self._line += html.count("\n", counted, text_begin)
            counted = text_begin
        self._text(html[text_begin:])

    def close_elements(self) -> None:
        """Close all open elements, so that a missing end tag affects one block only."""
        self._hidden.clear()
        self._first_hidden.clear()
        self._lists.clear()
        self._end_formula()
        self._builder.end_tables()
        self._builder.end_types()

    def _tag(self, match: re.Match[str]) -> re.Pattern[str] | None:
        """Handle a tag; return the pattern of the end tag if only that ends the content of the element."""
        name, attributes = match["name"].lower(), match["attributes"]
        if match["end"]:
            self._end_tag(name)
            return None
        self._start_tag(name, attributes)
        if attributes.endswith("/"):
            self._end_tag(name)
            return None
        return _RAW_TEXT_END.get(name)

    def _start_tag(self, tag: str, attributes: str) -> None:
        """Begin a line, a row, a cell or a hidden element."""
        if tag in _HIDDEN_ELEMENTS:
            self._first_hidden.setdefault(tag, len(self._hidden))
            self._hidden.append(tag)
            self._note(f"<{tag}> was skipped, because a browser does not show it")
        elif tag in _IMAGE_ELEMENTS:
            self._note("image was skipped, because its description is not printed on the page")
        elif tag == "br":
            self._builder.break_line()
        elif tag == "hr":
            self._builder.end_line()
            self._note("horizontal rule was skipped")
        elif tag in _TABLE_ELEMENTS:
            self._begin_table_part(tag)
        elif tag == "math":
            self._formula = self._formula or []
        elif tag in _BLOCK_ELEMENTS:
            self._begin_block(tag, attributes)
            self._builder.begin_type(tag, _ELEMENT_TYPES[tag])
        elif tag not in HTML_ELEMENTS:
            self._builder.begin_type(tag, find_type(tag))
            self._note(f"<{tag}> is not an HTML element: the tag was dropped, its text is kept")

    def _begin_table_part(self, tag: str) -> None:
        if tag == "table":
            self._builder.begin_table()
            self._builder.begin_type(tag, "table")
        elif tag == "tr":
            self._builder.begin_row()
        else:
            self._builder.begin_cell()

    def _end_tag(self, tag: str) -> None:
        """End the line, row, cell or hidden element that the start tag began."""
        if (outermost := self._first_hidden.get(tag)) is not None:
            del self._hidden[outermost:]
            self._first_hidden = {name: at for name, at in self._first_hidden.items() if at < outermost}
        elif tag == "tr":
            self._builder.end_row()
        elif tag == "table":
            self._builder.end_table()
        elif tag == "math":
            self._end_formula()
        elif tag == "li":
            self._builder.end_item()
        elif tag in _BLOCK_ELEMENTS:
            self._builder.break_line()
            if tag in _LIST_ELEMENTS and self._lists:
                self._lists.pop()
        self._builder.end_type(tag)

    def _text(self, html: str) -> None:
        """Add text; its line breaks end lines, as in a Markdown paragraph."""
        if self._hidden or not html:
            return
        self._update_source_line()
        if self._formula is not None:
            self._formula.append(html)
            return
        self._add_text(unescape_html(html))

    def _end_formula(self) -> None:
        """Add the text of a math element, which is LaTeX unless it has tags of MathML inside it."""
        if self._formula is not None:
            latex = unescape_html("".join(self._formula))
            self._formula = None
            label = f"line {self._builder.source_line}"
            self._add_text(formula_text(latex, self._math, label, self._notes))

    def _add_text(self, text: str) -> None:
        first, *others = text.split("\n")
        self._builder.text(first)
        for other in others:
            self._builder.end_source_line()
            self._builder.text(other)

    def _skip(self, markup: str) -> None:
        """Skip a comment, a document type or a processing instruction; others are read as comments."""
        if markup[:9].lower() == "<!doctype":
            self._note("document type was skipped")
        elif markup.startswith("<?"):
            self._note("processing instruction was skipped")
        elif markup.strip("<>!-/ \t\r\n\f"):
            self._note("HTML comment was skipped")

    def _begin_block(self, tag: str, attributes: str) -> None:
        self._builder.break_line()
        if tag in _LIST_ELEMENTS:
            self._lists.append(_first_number(attributes) if tag == "ol" else None)
        elif tag == "li" and self._lists and (number := self._lists[-1]) is not None:
            self._builder.prefix = f"{number}."
            self._lists[-1] = number + 1
            self._note("the numbers of an HTML list were counted, because the file does not contain them")

    def _update_source_line(self) -> None:
        if self._first_source_line is not None:
            self._builder.source_line = self._first_source_line + self._line - 1

    def _note(self, detail: str) -> None:
        self._notes.add(f"line {self._builder.source_line}", detail)


def unescape_html(text: str) -> str:
    """Replace the character references in a text by characters.

    >>> unescape_html("a &amp; &#98;")
    'a & b'
    """
    return unescape(_GIANT_REFERENCE.sub("\ufffd", text))


def _first_number(attributes: str) -> int:
    start = _START.search(attributes)
    return int(start[1]) if start and len(start[1]) <= _MAX_DIGITS else 1
