"""Trees of blocks: Docling, Marker and CHURRO; and the lines of Surya, by file name."""

from __future__ import annotations

import re
from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions, check_page_count, split_names
from pagemeter.formats.coordinates import Rectangle, range_error
from pagemeter.formats.html_text import LineBuilder, unescape_html
from pagemeter.formats.json_document import JsonNode, read_document
from pagemeter.formats.lines import find_type, line_type, share, words_of_text
from pagemeter.formats.models import Block, BlockPage, Markup, finish_pages
from pagemeter.formats.plain import decode_text, without_controls
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.formats.base import Tables
    from pagemeter.page import Line, LineType, Points

# Docling: references to texts, tables, pictures and groups, with the page and box of each

_LISTS = ("texts", "tables", "pictures", "groups", "key_value_items", "form_items")


def read_docling(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a DoclingDocument.

    >>> body = b'{"children": [{"$ref": "#/texts/0"}]}'
    >>> data = b'{"body": ' + body + b', "texts": [{"text": "One", "label": "title"}]}'
    >>> read_docling(data, "p.json", ReadOptions())[0].lines[0].type
    'heading'
    """
    document = read_document(data, source, options.encoding)
    pages = _Pages(document)
    for item in _reading_order(document):
        pages.add(item)
    return finish_pages(pages.in_order(), len(data), source, options)


def _reading_order(document: JsonNode) -> Iterator[JsonNode]:
    """Yield the headers outside the body, the items of the body, each before its children, and the others."""
    items = {
        f"#/{name}/{index}": item for name in _LISTS for index, item in enumerate(document[name].items())
    }
    outside = dict(items)
    body = []
    stack = [*reversed(document["body"]["children"].items())]
    while stack:
        reference = stack.pop()["$ref"].text()
        if (item := outside.pop(reference, None)) is not None:
            body.append(item)
            stack += reversed(
                [*item["captions"].items(), *item["children"].items(), *item["footnotes"].items()]
            )
    is_header = {name: line_type(_label(item)) == "header" for name, item in outside.items()}
    yield from (item for name, item in outside.items() if is_header[name])
    yield from body
    yield from (item for name, item in outside.items() if not is_header[name])


def _label(item: JsonNode) -> str:
    return item["label"].text()


class _Pages:
    """The pages of a document by their number."""

    def __init__(self, document: JsonNode) -> None:
        self._source = document.source
        self._sizes = document["pages"]
        self._pages: dict[int, BlockPage] = {}
        for name in self._sizes.keys():  # noqa: SIM118  (not a dictionary)
            self._page(self._sizes[name]["page_no"].integer() or _page_number(self._sizes[name], name))

    def in_order(self) -> list[BlockPage]:
        """Return the pages by their numbers."""
        return [self._pages[number] for number in sorted(self._pages)] or [BlockPage(Notes(self._source))]

    def add(self, item: JsonNode) -> None:
        """Add an item to its page; a text that continues on another page is divided."""
        provenances = item["prov"].items()
        text = _text(item)
        if not text and not item["data"]:
            return
        first = provenances[0] if provenances else JsonNode(None, self._source)
        for provenance, part in _divide(text, provenances) or [(first, text)]:
            page = self._page(provenance["page_no"].integer() or 1)
            polygon = _polygon(provenance["bbox"], page, item.path)
            page.blocks += _blocks(item, part, polygon)

    def _page(self, number: int) -> BlockPage:
        if number not in self._pages:
            check_page_count(len(self._pages) + 1, self._source)
            stated = self._sizes[str(number)] if self._sizes else self._sizes
            size, image = stated["size"], stated["image"]["uri"].value
            page = BlockPage(Notes(self._source), size["width"].size(), size["height"].size())
            is_name = isinstance(image, str) and not image.startswith("data:")
            page.image = image if is_name else None
            self._pages[number] = page
        return self._pages[number]


def _page_number(page: JsonNode, name: str) -> int:
    return int(name) if name.isascii() and name.isdigit() and len(name) < 9 else page.refuse("has no number")  # noqa: PLR2004


def _text(item: JsonNode) -> str:
    """Return the text of an item, with the number of a list item but without its bullet."""
    text = item["text"].text() or item["orig"].text()
    marker = item["marker"].text()
    return f"{marker} {text}" if marker and item["enumerated"].value is True else text


def _divide(text: str, provenances: list[JsonNode]) -> list[tuple[JsonNode, str]]:
    """Return the part of a text in each place; nothing if the places do not divide it."""
    spans = [provenance["charspan"].value for provenance in provenances]
    if len(spans) <= 1 or not all(
        isinstance(span, list) and len(span) == 2 and all(type(edge) is int for edge in span)  # noqa: PLR2004
        for span in spans
    ):
        return []
    edges = [edge for span in spans for edge in span]
    if edges != sorted(edges) or edges[0] < 0 or edges[-1] > len(text):
        return []
    # White space between the parts is in neither of them.
    starts = [0, *edges[2::2], len(text)]
    return [
        (provenance, text[begin:end].strip())
        for provenance, begin, end in zip(provenances, starts, starts[1:], strict=False)
    ]


def _blocks(item: JsonNode, text: str, polygon: Points | None) -> Iterator[Block]:
    label = _label(item)
    if item["data"]["table_cells"] or item["data"]["grid"]:
        html = f"<table>{_table(item['data'])}</table>"
        yield Block(html, label or "table", "html", polygon, item["self_ref"].text() or None)
    elif text:
        markup: Markup = "latex" if line_type(label) == "formula" else "plain"
        yield Block(text, label, markup, polygon, item["self_ref"].text() or None)


def _table(data: JsonNode) -> str:
    """Return a table as HTML; a cell that spans several rows or columns is in the first one."""
    rows: dict[int, list[tuple[int, str]]] = defaultdict(list)
    cells = data["table_cells"].items() or [cell for row in data["grid"].items() for cell in row.items()]
    seen: set[tuple[int, int]] = set()
    for cell in cells:
        place = cell["start_row_offset_idx"].integer() or 0, cell["start_col_offset_idx"].integer() or 0
        if place not in seen:
            seen.add(place)
            rows[place[0]].append((place[1], escape(cell["text"].text())))
    return "".join(
        f"<tr>{''.join(f'<td>{text}</td>' for _, text in sorted(rows[row]))}</tr>" for row in sorted(rows)
    )


def _polygon(box: JsonNode, page: BlockPage, label: str) -> Points | None:
    """Return the corners of a box, whose origin may be the lower left corner of the page."""
    if not box:
        return None
    edges = [box[name].number() for name in ("l", "t", "r", "b")]
    if None in edges:
        page.notes.add(label, "the position was ignored: an edge is missing")
        return None
    left, top, right, bottom = (edge or 0 for edge in edges)
    if box["coord_origin"].text().upper() == "BOTTOMLEFT":
        if page.height is None:
            page.notes.add(label, "the position was ignored: the height of the page is unknown")
            return None
        top, bottom = page.height - top, page.height - bottom
    polygon = Rectangle(min(left, right), min(top, bottom), max(left, right), max(top, bottom)).corners
    if reason := range_error(polygon):
        page.notes.add(label, f"the position was ignored: {reason}")
        return None
    return polygon


# Marker: blocks in HTML; Surya: lines with polygons

_REFERENCE = re.compile(r"<content-ref\b[^<>]*+>(?:\s*</content-ref>)?")
_TAG = re.compile(r"<[^<>]*>")
_PAGE_OF_ID = re.compile(r"/page/(\d{1,6})/")


def read_marker(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a Marker file, of its output `json` or `chunks`.

    >>> block = b'{"block_type": "SectionHeader", "html": "<h1>One</h1>"}'
    >>> data = b'{"children": [{"block_type": "Page", "children": [' + block + b']}]}'
    >>> read_marker(data, "p.json", ReadOptions())[0].lines[0].type
    'heading'
    """
    document = read_document(data, source, options.encoding)
    pages = _chunk_pages(document) if document["blocks"] else _tree_pages(document)
    return finish_pages(pages, len(data), source, options)


def _tree_pages(document: JsonNode) -> list[BlockPage]:
    pages = document["children"].items()
    check_page_count(len(pages), document.source)
    return [_tree_page(page) for page in pages]


def _tree_page(node: JsonNode) -> BlockPage:
    page = _empty_page(node)
    for block in _leaves(node):
        _add_block(block, page)
    return page


def _leaves(node: JsonNode) -> Iterator[JsonNode]:
    """Yield the blocks inside a block that contain no other blocks, in reading order."""
    stack = [*reversed(node["children"].items())]
    while stack:
        block = stack.pop()
        children = block["children"].items()
        stack += reversed(children)
        if not children:
            yield block


def _chunk_pages(document: JsonNode) -> list[BlockPage]:
    """Return the pages of a list of blocks, which state their page."""
    pages: list[BlockPage] = []
    sizes = document["page_info"]
    for block in document["blocks"].items():
        match = _PAGE_OF_ID.match(block["id"].text())
        number = block["page"].integer()
        index = int(match[1]) if match and number is None else number or 0
        if index < 0:
            block["page"].refuse("must be the number of a page")
        check_page_count(index + 1, document.source)
        while len(pages) <= index:
            pages.append(_empty_page(sizes[str(len(pages))]))
        _add_block(block, pages[index])
    return pages


def _empty_page(node: JsonNode) -> BlockPage:
    notes = Notes(node.source)
    polygon = node.first("polygon", "bbox").points("page", notes) or ()
    width, height = (round(max((point[axis] for point in polygon), default=0)) or None for axis in (0, 1))
    return BlockPage(notes, width, height)


def _add_block(block: JsonNode, page: BlockPage) -> None:
    html, label = _REFERENCE.sub("", block["html"].text()), block["block_type"].text()
    block_id = block["id"].text() or None
    polygon = block.first("polygon", "bbox").points(block_id, page.notes)
    if line_type(label) == "formula":
        page.blocks.append(Block(_TAG.sub(" ", html), label, "latex", polygon, block_id))
    else:
        page.blocks.append(Block(html, label, "html", polygon, block_id))


def read_surya(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of the results of Surya: of all images and PDF files in the file.

    >>> data = b'{"scan": [{"image_bbox": [0, 0, 90, 50], "text_lines": [{"text": "One"}]}]}'
    >>> page = read_surya(data, "results.json", ReadOptions())[0]
    >>> page.lines[0].text, page.image, page.width
    ('One', 'scan', 90)
    """
    document = read_document(data, source, options.encoding)
    if "text_lines" in document.keys():  # noqa: SIM118  (not a dictionary)
        drafts = [_surya_page(document, None)]
    else:
        names = document.keys()
        drafts = [_surya_page(page, name) for name in names for page in document[name].items()]
    check_page_count(len(drafts), source)
    return finish_pages(drafts, len(data), source, options)


def _surya_page(node: JsonNode, image: str | None) -> BlockPage:
    notes = Notes(node.source)
    corners = node["image_bbox"].points("image_bbox", notes)
    box = Rectangle(*corners[0], *corners[2]) if corners and len(corners) > 2 else Rectangle(0, 0, 0, 0)  # noqa: PLR2004
    page = BlockPage(notes, round(box.right) or None, round(box.bottom) or None, image)
    for number, line in enumerate(node["text_lines"].items(), 1):
        name = f"line {number}"
        polygon = line.first("polygon", "bbox").points(name, notes)
        text = line["text"].text()
        words = words_of_text(_TAG.sub("", text), share(line["confidence"].value))
        page.blocks.append(Block(text, "", "html", polygon, name, "page", words=words))
    return page


# CHURRO: the XML `HistoricalDocument`, as the model wrote it. The model may leave characters unescaped, add a
# code fence, or reach its limit of tokens. The tags are therefore read one after the other, and everything
# else is text.

_CHURRO_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z]*+)(?P<attributes>[^<>]*+)>")
_ATTRIBUTE = re.compile(r"""\b(type|placement)\s*+=\s*+["']([^"'<>]{0,40}+)""")
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL)
_CHURRO_BLOCKS = split_names(
    "BlockQuotation Body Caption CatchWord DateLine DatedEntry Figure FolioNumber Footer Formula Header "
    "Heading Item Line List MarginalNote MarginalNotes Page PageNumber Paragraph RecordEntry SignatureMark "
    "Table br lb"
)
_CHURRO_ROWS = split_names("Row TableRow")
_CHURRO_CELLS = split_names("Cell TableCell")
_CHURRO_INLINE = split_names(
    "Above Abbreviation Addition Below Deletion Emphasis Expansion Foreign Gap HistoricalDocument Illegible "
    "Initial InterlinearNote Name Symbol"
)
# What the model says about the page, and not text on it.
_CHURRO_DESCRIPTIONS = split_names(
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
    reader = _ChurroReader(notes, options.tables)
    reader.read(without_controls(document, "text", notes))
    check_page_count(len(reader.pages), source)
    warnings = notes.warnings()
    return [
        Page(tuple(lines), source, warnings=() if number else warnings)
        for number, lines in enumerate(reader.pages or [[]])
    ]


class _ChurroReader:
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
        for tag in _CHURRO_TAG.finditer(text):
            self._text(text[position : tag.start()])
            self._tag(tag["name"], tag["attributes"], is_end=bool(tag["end"]))
            position = tag.end()
        self._text(text[position:])
        self._end_page()

    def _text(self, text: str) -> None:
        """Add text; a line break outside a line element ends the line."""
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
        if name in _CHURRO_DESCRIPTIONS:
            self._hidden = "" if is_end and name == self._hidden else self._hidden
            self._hidden = self._hidden or ("" if is_end or is_empty else name)
            return
        if name in _CHURRO_BLOCKS:
            self._hidden = ""
            self._block(name, attributes, is_end=is_end or is_empty)
        elif name in _CHURRO_ROWS:
            (self._builder.end_row if is_end else self._builder.begin_row)()
        elif name in _CHURRO_CELLS:
            if not is_end:
                self._builder.begin_cell()
        elif name not in _CHURRO_INLINE and not is_end:
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
