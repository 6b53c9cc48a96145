"""Markup of models: Markdown with boxes of DeepSeek-OCR, and the XML of CHURRO."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions, check_page_count, split_names
from pagemeter.formats.blocks import Block, BlockPage, content_markup, finish_pages
from pagemeter.formats.coordinates import Rectangle, bounding_rectangle
from pagemeter.formats.decoding import decode_text, without_controls
from pagemeter.formats.html_text import LineBuilder, unescape_html
from pagemeter.formats.line_types import find_type
from pagemeter.formats.plain import split_pages
from pagemeter.page import Page

if TYPE_CHECKING:
    from pagemeter.formats.base import Tables
    from pagemeter.page import Line, LineType, Points

# DeepSeek-OCR with grounding: each Markdown block follows its label and its box, from 0 to 999:
#
#     <|ref|>title<|/ref|><|det|>[[100, 50, 900, 80]]<|/det|>
#     # A title

_SCALE = 999
_PAGE_END = re.compile(r"<--- ?Page Split ?--->")
_REFERENCE = re.compile(r"<\|ref\|>([^<]*+)<\|/ref\|>\s*+<\|det\|>([^<]*+)<\|/det\|>")
_SPECIAL_TOKEN = re.compile(r"<\|/?(?:ref|det|grounding)\|>|<[|｜](?:end[_▁]of[_▁]sentence)[|｜]>")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_MAX_NUMBERS = 4_000  # of one box


def read_deepseek(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    r"""Read the pages of a DeepSeek-OCR answer with boxes.

    >>> data = b"<|ref|>title<|/ref|><|det|>[[1,2,3,4]]<|/det|>\n# One\n"
    >>> [(line.text, line.type) for line in read_deepseek(data, "p.md", ReadOptions())[0].lines]
    [('One', 'heading')]
    """
    text = _PAGE_END.sub("\f", decode_text(data, source, options.encoding))
    pages = split_pages(text, source)
    check_page_count(len(pages), source)
    return finish_pages([_page(page, Notes(source)) for page in pages], len(text), source, options)


def _page(text: str, notes: Notes) -> BlockPage:
    page = BlockPage(notes, scale=_SCALE)
    label, polygon, begin = "", None, 0
    for match in _REFERENCE.finditer(text):
        page.blocks.append(_block(text[begin : match.start()], label, polygon))
        label, begin = match[1].strip(), match.end()
        polygon = _polygon(match[2], f"block {len(page.blocks) + 1}", notes)
    page.blocks.append(_block(text[begin:], label, polygon))
    if not page.blocks[0].text:
        del page.blocks[0]
    return page


def _block(text: str, label: str, polygon: Points | None) -> Block:
    content = _SPECIAL_TOKEN.sub("", text).strip()
    return Block(content, label, content_markup(content, label), polygon)


def _polygon(text: str, label: str, notes: Notes) -> Points | None:
    """Return the rectangle around the boxes of a block."""
    numbers = [float(number) for number in _NUMBER.findall(text[: _MAX_NUMBERS * 10])]
    box = None
    if len(numbers) % 4 == 0 and all(0 <= number <= _SCALE + 1 for number in numbers):
        box = bounding_rectangle([Rectangle(*numbers[at : at + 4]) for at in range(0, len(numbers), 4)])
    if box is None:
        notes.add(label, f"the position was ignored: not boxes of four numbers from 0 to {_SCALE}")
        return None
    return box.corners


# CHURRO: the XML `HistoricalDocument`, as the model wrote it. The model may leave characters unescaped, add a
# code fence, or reach its limit of tokens. The tags are therefore read one after the other, and everything
# else is text.

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z]*+)(?P<attributes>[^<>]*+)>")
_ATTRIBUTE = re.compile(r"""\b(type|placement)\s*+=\s*+["']([^"'<>]{0,40}+)""")
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL)
_BLOCKS = split_names(
    "BlockQuotation Body Caption CatchWord DateLine DatedEntry Figure FolioNumber Footer Formula Header "
    "Heading Item Line List MarginalNote MarginalNotes Page PageNumber Paragraph RecordEntry SignatureMark "
    "Table br lb"
)
_ROWS = split_names("Row TableRow")
_CELLS = split_names("Cell TableCell")
_INLINE = split_names(
    "Above Abbreviation Addition Below Deletion Emphasis Expansion Foreign Gap HistoricalDocument Illegible "
    "Initial InterlinearNote Name Symbol"
)
# What the model says about the page, and not text on it.
_DESCRIPTIONS = split_names(
    "Description Language Metadata PhysicalDescription Script TranscriptionNote WritingDirection"
)
_HEADING_TYPES: dict[str, LineType] = {"running_title": "header", "figure": "caption"}


def read_churro(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of an answer of CHURRO.

    >>> data = b"<HistoricalDocument><Page><Header><Line>A & B</Line></Header></Page></HistoricalDocument>"
    >>> [(line.text, line.type) for line in read_churro(data, "p.xml", ReadOptions())[0].lines]
    [('A & B', 'header')]
    """
    text = decode_text(data, source, options.encoding)
    notes = Notes(source)
    begin, end = text.find("<HistoricalDocument"), text.rfind("</HistoricalDocument>")
    if end < 0:
        notes.add(
            "HistoricalDocument",
            "is cut off, and the text before it is read",
            "if the model reached its limit of tokens, raise the limit",
        )
    document = _COMMENT.sub("", text[max(begin, 0) : end if end > begin else None])
    if options.level in ("region", "word"):
        notes.add("file", f"CHURRO's {options.level}s are not read on their own, so lines are read")
    reader = _TagReader(notes, options.tables)
    reader.read(without_controls(document, "text", notes))
    check_page_count(len(reader.pages), source)
    warnings = notes.warnings()
    return [
        Page(tuple(lines), source, warnings=() if number else warnings)
        for number, lines in enumerate(reader.pages or [[]])
    ]


class _TagReader:
    """Passes the text between tags to a `LineBuilder`, and begins a list of lines at each page."""

    def __init__(self, notes: Notes, tables: Tables | None) -> None:
        self.pages: list[list[Line]] = []
        self._notes = notes
        self._builder = LineBuilder(tables)
        self._hidden = ""  # the name of the description that is being skipped
        self._in_line = False

    def read(self, text: str) -> None:
        """Read a document."""
        position = 0
        for tag in _TAG.finditer(text):
            self._text(text[position : tag.start()])
            self._tag(tag["name"], tag["attributes"], is_end=bool(tag["end"]))
            position = tag.end()
        self._text(text[position:])
        self._end_page()

    def _text(self, text: str) -> None:
        """Add text; outside lines, its line breaks end lines."""
        if self._hidden or not text:
            return
        content = unescape_html(text)
        if self._in_line or self._builder.in_row:
            self._builder.text(content)
            self._builder.source_line += content.count("\n")
            return
        first, *others = content.split("\n")
        self._builder.text(first)
        for other in others:
            self._builder.end_source_line()
            self._builder.text(other)

    def _tag(self, name: str, attributes: str, *, is_end: bool) -> None:
        is_empty = attributes.endswith("/")
        if name in _DESCRIPTIONS:
            self._hidden = "" if is_end and name == self._hidden else self._hidden
            self._hidden = self._hidden or ("" if is_end or is_empty else name)
            return
        if name in _BLOCKS:
            self._hidden = ""
            self._block(name, attributes, is_end=is_end or is_empty)
        elif name in _ROWS:
            (self._builder.end_row if is_end else self._builder.begin_row)()
        elif name in _CELLS:
            if not is_end:
                self._builder.begin_cell()
        elif name not in _INLINE and not is_end:
            self._notes.add(
                f"line {self._builder.source_line}",
                f"<{name}> is not an element of CHURRO: the tag was dropped, its text is kept",
            )

    def _block(self, name: str, attributes: str, *, is_end: bool) -> None:
        if name == "Table":
            (self._builder.end_table if is_end else self._builder.begin_table)()
        self._builder.break_line()
        if name == "Page" and not is_end:
            self._end_page()
        if name == "Line":
            self._in_line = not is_end
        elif is_end:
            self._builder.end_type(name)
        else:
            self._builder.region = f"{name} L{self._builder.source_line}"
            self._builder.begin_type(name, _block_type(name, dict(_ATTRIBUTE.findall(attributes))))

    def _end_page(self) -> None:
        """End a page; text before the first page belongs to it."""
        self._builder.end_tables()
        self._builder.end_types()
        if self._builder.lines:
            self.pages.append(self._builder.lines)
            self._builder.lines = []


def _block_type(name: str, attributes: dict[str, str]) -> LineType | None:
    """Return the type of the lines in an element."""
    if name == "Heading":
        return _HEADING_TYPES.get(attributes.get("type", ""), "heading")
    if name.startswith("MarginalNote") and "bottom" in attributes.get("placement", ""):
        return "footnote"
    return find_type(name)
