"""Pages that consist of blocks, as vision-language models, layout pipelines and OCR services write them.

A reader collects the `Block` objects of each page in a `BlockPage`, which turns them into lines: the text of
a block is Markdown, HTML, LaTeX or plain text, its label gives the type of its lines, and its box is the
polygon of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from pagemeter.formats.base import MAX_LABEL, Notes, ReadOptions, arrange_lines
from pagemeter.formats.coordinates import Rectangle, lazy_line
from pagemeter.formats.html_text import HtmlReader, LineBuilder
from pagemeter.formats.lines import line_type, scaled
from pagemeter.formats.markdown import is_one_plain_line, read_formula, read_lines
from pagemeter.formats.markdown.parser import Limits
from pagemeter.formats.plain import without_controls
from pagemeter.page import Line, Page, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.page import LineType, Points, Word

Markup = Literal["markdown", "html", "latex", "plain"]


_MAX_SHARED_POINTS = 100  # of a block with several lines, each of which gets the points of the block


@dataclass(slots=True)
class Block:
    """A block of a page.

    Args:
        text: Its text.
        label: The name of its kind, which gives its lines their type.
        markup: How the text is written.
        polygon: Its outline, in the unit of its page.
        id: Its id; by default its number on the page.
        region: The id of the region of its lines; by default the block itself.
        type: The type of its lines, if no label gives it.
        words: The words of the block, if it is one line.

    """

    text: str
    label: str = ""
    markup: Markup = "markdown"
    polygon: Points | None = None
    id: str | None = None
    region: str | None = None
    type: LineType = "text"
    words: tuple[Word, ...] = ()


@dataclass(slots=True)
class BlockPage:
    """A page that may still get blocks.

    Args:
        notes: The warnings of the page.
        width: The width of the page image, in pixels or in another unit of the file.
        height: Its height.
        image: The name of the image.
        scale: None if positions have the unit of the width and the height. Otherwise positions are relative
            to the page: its right and lower edges are at this number, such as 1 or 1000.
        blocks: The blocks in reading order.

    """

    notes: Notes
    width: int | None = None
    height: int | None = None
    image: str | None = None
    scale: float | None = None
    blocks: list[Block] = field(default_factory=list)

    def page(self, options: ReadOptions, limits: Limits) -> Page:
        """Return the page with the lines of its blocks in the requested order."""
        if options.level == "word":
            self.notes.add("file", "words are not read on their own, so lines are read")
        lines: list[Line] = []
        for number, block in enumerate(self.blocks, 1):
            lines += _block_lines(block, f"block {number}", options, limits, self.notes)
        regions = [list(region) for _, region in groupby(lines, key=lambda line: line.region)]
        ordered = arrange_lines(regions, options.order)
        if self.scale is not None:
            ordered = self._in_pixels(ordered, self.scale)
        return Page(ordered, self.notes.source, self.image, self.width, self.height, self.notes.warnings())

    def _in_pixels(self, lines: tuple[Line, ...], scale: float) -> tuple[Line, ...]:
        """Convert relative positions to pixels; if the size of the page is unknown, remove them and warn."""
        if self.width and self.height:
            factors = self.width / scale, self.height / scale
            return tuple(_moved(line, factors) for line in lines)
        if any(line.polygon for line in lines):
            detail = (
                f"were ignored, because they are relative to the page (0 to {scale:g}), whose size is unknown"
            )
            self.notes.add("positions", detail)
        return tuple(_moved(line, None) for line in lines)


def finish_pages(drafts: Sequence[BlockPage], size: int, source: str, options: ReadOptions) -> list[Page]:
    """Return the pages of a file, or an empty page if it has none; `size` is the length of the file.

    >>> draft = BlockPage(Notes("a.json"), blocks=[Block("# One", "text")])
    >>> finish_pages([draft], 5, "a.json", ReadOptions())[0].lines[0].text
    'One'
    """
    limits = Limits(size)
    return [draft.page(options, limits) for draft in drafts or [BlockPage(Notes(source))]]


def _moved(line: Line, factors: tuple[float, float] | None) -> Line:
    """Return a line with its positions multiplied, or without positions."""
    if not line.polygon and not line.words:
        return line
    polygon = line.polygon and factors and tuple((x * factors[0], y * factors[1]) for x, y in line.polygon)
    words = scaled(line.words, factors)
    return lazy_line(line.text, None, polygon or None, line.id, line.region, line.type, words)


class _BlockNotes(Notes):
    """Adds warnings to those of a page, with the name of a block."""

    __slots__ = ("_label", "_notes")

    def __init__(self, label: str, notes: Notes) -> None:
        super().__init__(notes.source)
        self._label = label
        self._notes = notes

    def add(
        self, element: str, detail: str, remedy: str = "", settings: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self._notes.add(f"{self._label}, {element}", detail, remedy, settings)


def _block_lines(
    block: Block, number: str, options: ReadOptions, limits: Limits, notes: Notes
) -> Iterable[Line]:
    """Yield the lines of a block; with the level "region", all of them as one line."""
    name = (block.id or number)[:MAX_LABEL]
    own_type = line_type(block.label, block.type)
    if block.markup == "markdown" and _needs_no_parser(block.text, name, limits, notes):
        words = block.words if options.words else ()
        yield lazy_line(block.text, None, block.polygon, name, block.region or name, own_type, words)
        return
    inner = _BlockNotes(name, notes)
    text = without_controls(block.text, "text", inner) if block.text else ""
    found = [line for line in _read(text, block.markup, inner, limits, options) if line.text.strip()]
    if options.level == "region" and found:
        found = [Line(" ".join(line.text for line in found), type=found[0].type)]
    region = block.region or name
    is_one_line = len(found) == 1
    words = block.words if options.words and is_one_line else ()
    polygon = block.polygon
    if not is_one_line and polygon is not None and len(polygon) > _MAX_SHARED_POINTS:
        polygon = _box(polygon)
        notes.add(name, f"has several lines and more than {_MAX_SHARED_POINTS} points, so its box is used")
    found.reverse()
    for index in range(1, len(found) + 1):
        line = found.pop()  # which frees the memory of each line before the next one is created
        line_id = name if is_one_line else f"{name} line {index}"
        kind = line.type if own_type == "text" else own_type
        yield lazy_line(line.text, None, polygon, line_id, region, kind, words)


def _needs_no_parser(text: str, name: str, limits: Limits, notes: Notes) -> bool:
    """Return True for one line without marks, and for every line when the limits of the file are spent.

    A file may have hundreds of thousands of such lines.
    """
    if is_one_plain_line(text):
        return True
    if not limits.are_spent or not text.isprintable() or not text.strip():
        return False
    notes.add(name, limits.warning)
    return True


def _box(polygon: Points) -> Points:
    """Return the corners of the box around a polygon."""
    xs, ys = zip(*polygon, strict=True)
    return Rectangle(min(xs), min(ys), max(xs), max(ys)).corners


def content_markup(text: str, label: str) -> Markup:
    """Return how models write the text of a block: formulas as LaTeX, tables as HTML, the rest as Markdown.

    >>> content_markup("<table></table>", "Table"), content_markup("| a |", "Table")
    ('html', 'markdown')
    """
    kind = line_type(label)
    if kind == "formula":
        return "latex"
    return "html" if kind == "table" and text.lstrip().startswith("<") else "markdown"


def _read(text: str, markup: Markup, notes: Notes, limits: Limits, options: ReadOptions) -> list[Line]:
    if markup == "markdown":
        return read_lines(text, notes, limits=limits, options=options)
    if markup == "latex":
        return read_formula(text, notes, limits, options)
    if markup == "html":
        builder = LineBuilder(options.tables)
        HtmlReader(builder, notes, options.math).read_block(text, 1)
        return builder.lines
    return [Line(line) for line in split_lines(text)]
