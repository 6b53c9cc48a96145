"""The JSON of OCR services: Azure, Google and Amazon Textract."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.formats.coordinates import Rectangle, bounding_rectangle
from pagemeter.formats.json_document import read_document
from pagemeter.formats.lines import line_type, mean, share, word
from pagemeter.formats.models import Block, BlockPage, finish_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.formats.json_document import JsonNode
    from pagemeter.page import LineType, Page, Points, Word

# Azure: Read (3.x), Document Intelligence, and Image Analysis (4.0)


def read_azure(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of an answer of Azure.

    >>> data = b'{"analyzeResult": {"pages": [{"pageNumber": 1, "lines": [{"content": "One"}]}]}}'
    >>> read_azure(data, "p.json", ReadOptions())[0].lines[0].text
    'One'
    """
    document = read_document(data, source, options.encoding)
    result = document.first("analyzeResult", "analyze_result") or document
    image_result = document.first("readResult", "read_result")
    if image_result:
        pages = [_image_page(document, image_result, options)]
    else:
        nodes = result.first("readResults", "read_results", "pages").items()
        check_page_count(len(nodes), source)
        roles = _Roles(result)
        pages = [_page(node, index, roles, options) for index, node in enumerate(nodes)]
        if options.level == "region":
            _use_paragraphs(result["paragraphs"], pages)
    return finish_pages(pages, len(data), source, options)


class _Span(NamedTuple):
    """A range of the text of a document, and the type of the lines in it."""

    begin: int
    end: int
    type: LineType


class _Roles:
    """The types of lines, from the roles of paragraphs and from tables, by the position in the text."""

    def __init__(self, result: JsonNode) -> None:
        spans = []
        for paragraph in result["paragraphs"].items():
            kind = line_type(paragraph["role"].text())
            spans += [_span(span, kind) for span in paragraph["spans"].items() if kind != "text"]
        for table in result["tables"].items():
            spans += [
                _span(span, "table") for cell in table["cells"].items() for span in cell["spans"].items()
            ]
            spans += [_span(span, "caption") for span in table["caption"]["spans"].items()]
        self._spans = sorted(spans)

    def type_at(self, offset: int | None) -> LineType:
        """Return the type of a line that begins at a position of the text."""
        index = -1 if offset is None else bisect_right(self._spans, offset, key=lambda span: span.begin) - 1
        found = self._spans[index] if index >= 0 else None
        return found.type if found and offset is not None and offset < found.end else "text"


def _span(node: JsonNode, kind: LineType) -> _Span:
    begin = node["offset"].integer() or 0
    return _Span(begin, begin + (node["length"].integer() or 0), kind)


def _page(node: JsonNode, index: int, roles: _Roles, options: ReadOptions) -> BlockPage:
    notes = Notes(node.source)
    factor = _pixels_per_unit(node["unit"].text(), options, notes)
    width, height = (node[name].size(factor) for name in ("width", "height"))
    page = BlockPage(notes, width, height)
    words = _Words(node["words"].items(), factor, notes) if options.words else None
    for number, line in enumerate(node["lines"].items(), 1):
        name = f"page {index + 1} line {number}"
        polygon = _scaled(line.first("polygon", "boundingBox", "bounding_box").points(name, notes), factor)
        offsets = [span["offset"].integer() for span in line["spans"].items()]
        kind = roles.type_at(offsets[0] if offsets else None)
        text = line.first("content", "text").text()
        kept = words.of_line(line) if words else ()
        page.blocks.append(Block(text, "", "plain", polygon, name, "page", kind, kept))
    return page


class _Words:
    """The words of a page of Azure: those of a line itself, or those of the page at the line's spans."""

    def __init__(self, nodes: Sequence[JsonNode], factor: float | None, notes: Notes) -> None:
        self._factor, self._notes = factor, notes
        self._nodes = sorted(((_span(node["span"], "text").begin, node) for node in nodes), key=_first)
        self._begins = [begin for begin, _ in self._nodes]
        self._left = 2 * len(nodes)  # a word belongs to one line, whatever the spans say

    def of_line(self, line: JsonNode) -> tuple[Word, ...]:
        """Return the words of a line."""
        own = line["words"].items()
        if own:
            return tuple(map(self._word, own))
        spans = [_span(span, "text") for span in line["spans"].items()]
        ranges = [(bisect_left(self._begins, one.begin), bisect_left(self._begins, one.end)) for one in spans]
        self._left -= sum(max(0, end - begin) for begin, end in ranges)
        if self._left < 0:
            return ()
        return tuple(self._word(node) for begin, end in ranges for _, node in self._nodes[begin:end])

    def _word(self, node: JsonNode) -> Word:
        box = node.first("polygon", "boundingPolygon", "bounding_polygon", "boundingBox", "bounding_box")
        polygon = _scaled(box.points("word", self._notes), self._factor)
        return word(node.first("content", "text").text(), share(node["confidence"].value), polygon)


def _first(pair: tuple[int, JsonNode]) -> int:
    return pair[0]


def _pixels_per_unit(unit: str, options: ReadOptions, notes: Notes) -> float | None:
    """Return the factor from the unit of a page to pixels, or None, with a warning."""
    if unit in ("", "pixel"):
        return 1
    if unit == "inch" and options.dpi:
        return options.dpi
    detail = f"positions were ignored, because {unit} cannot be converted to pixels"
    remedy = "give the resolution of the image with {}" if unit == "inch" else ""
    notes.add(f"unit {unit}", detail, remedy, (("dpi", ""),) if unit == "inch" else ())
    return None


def _scaled(points: Points | None, factor: float | None) -> Points | None:
    if points is None or factor is None:
        return None
    return points if factor == 1 else tuple((x * factor, y * factor) for x, y in points)


def _use_paragraphs(paragraphs: JsonNode, pages: list[BlockPage]) -> None:
    """Replace the lines of pages by the paragraphs of the document, if it has any."""
    if not paragraphs.items():
        return
    for page in pages:
        page.blocks.clear()
    for number, paragraph in enumerate(paragraphs.items(), 1):
        regions = paragraph["boundingRegions"].items()
        index = (regions[0]["pageNumber"].integer() if regions else None) or 1
        if not 1 <= index <= len(pages):
            paragraph["boundingRegions"].refuse("must name a page of the document")
        page = pages[index - 1]
        polygon = regions[0]["polygon"].points(f"paragraph {number}", page.notes) if regions else None
        block = Block(paragraph["content"].text(), paragraph["role"].text(), "plain", polygon)
        page.blocks.append(block)


def _image_page(document: JsonNode, result: JsonNode, options: ReadOptions) -> BlockPage:
    """Return the page of Image Analysis, which has blocks of lines."""
    size = document["metadata"]
    page = BlockPage(Notes(document.source), size["width"].size(), size["height"].size())
    words = _Words((), 1, page.notes)
    for number, block in enumerate(result["blocks"].items(), 1):
        for line in block["lines"].items():
            kept = words.of_line(line) if options.words else ()
            polygon = line.first("boundingPolygon", "bounding_polygon").points(f"block {number}", page.notes)
            region = f"block {number}"
            page.blocks.append(Block(line["text"].text(), "", "plain", polygon, None, region, words=kept))
    return page


# Google: Cloud Vision (`fullTextAnnotation`) and Document AI

# What follows a character, by name or by number: a space, or the end of a line.
_SPACES = ("SPACE", "SURE_SPACE", 1, 2)
_LINE_ENDS = ("EOL_SURE_SPACE", "LINE_BREAK", 3, 5)
_HYPHENS = ("HYPHEN", 4)  # at the end of a line, and not among the characters
_MAX_REPETITIONS = 2  # of the text of a document in its lines; few texts are in several lines


def read_google(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of an answer of Cloud Vision or Document AI.

    >>> symbol = b'{"text": "A", "property": {"detectedBreak": {"type": "LINE_BREAK"}}}'
    >>> data = b'{"fullTextAnnotation": {"pages": [{"blocks": [{"paragraphs": [{"words": [{"symbols": ['
    >>> read_google(data + symbol + b']}]}]}]}]}}', "p.json", ReadOptions())[0].lines[0].text
    'A'
    """
    document = read_document(data, source, options.encoding)
    pages: list[BlockPage] = []
    answers = document.items() if isinstance(document.value, list) else [document]
    for answer in (inner for one in answers for inner in (one["responses"].items() or [one])):
        vision = answer.first("fullTextAnnotation", "full_text_annotation")
        if vision:
            pages += [_vision_page(page, options) for page in vision["pages"].items()]
        elif not answer.first("textAnnotations", "text_annotations"):
            pages += _document_ai_pages(answer["document"] or answer, options)
        else:
            pages.append(_text_page(answer))
        check_page_count(len(pages), source)
    return finish_pages(pages, len(data), source, options)


def _text_page(answer: JsonNode) -> BlockPage:
    """Return the page of an answer that has only `textAnnotations`, the first of which is the whole text."""
    page = BlockPage(Notes(answer.source))
    for annotation in answer.first("textAnnotations", "text_annotations").items()[:1]:
        page.blocks.append(Block(annotation["description"].text(), "", "plain", id="text"))
    page.notes.add("page", "has no fullTextAnnotation, so lines have no positions")
    return page


def _vision_page(node: JsonNode, options: ReadOptions) -> BlockPage:
    page = BlockPage(Notes(node.source), node["width"].size(), node["height"].size())
    if _is_relative(node):
        page.scale = 1
    for number, block in enumerate(node["blocks"].items(), 1):
        region = f"block {number}"
        # "TEXT" and "UNKNOWN" are names of running text.
        label = block.first("blockType", "block_type").value
        name = label if isinstance(label, str) else ""
        for text, polygon, words in _vision_lines(block, region, page.notes, keep=options.words):
            page.blocks.append(Block(text, name, "plain", polygon, None, region, words=words))
    return page


def _is_relative(page: JsonNode) -> bool:
    """Return True if the first position of a page is relative to its size, as for PDF files."""
    block = next(iter(page["blocks"].items()), None)
    box = block.first("boundingBox", "bounding_box") if block is not None else None
    return bool(box and box.first("normalizedVertices", "normalized_vertices").items())


def _vision_lines(
    block: JsonNode, label: str, notes: Notes, *, keep: bool
) -> Iterator[tuple[str, Points | None, tuple[Word, ...]]]:
    """Yield the lines of a block: the text up to each line break, the box around its words, and these."""
    parts: list[str] = []
    boxes: list[Rectangle] = []
    words: list[Word] = []
    for paragraph in block["paragraphs"].items():
        for node in paragraph["words"].items():
            points = _vertices(node.first("boundingBox", "bounding_box"), label, notes)
            boxes += [_rectangle(points)] if points else []
            symbols = node["symbols"].items()
            if keep:
                text = "".join(symbol["text"].text() for symbol in symbols)
                words.append(word(text, _confidence(node, symbols), points))
            for symbol in symbols:
                parts.append(symbol["text"].text())
                following = symbol["property"].first("detectedBreak", "detected_break")["type"].value
                parts += [" "] if following in _SPACES else ["-"] if following in _HYPHENS else []
                if following in _LINE_ENDS or following in _HYPHENS:
                    yield _line(parts, boxes, words)
                    parts, boxes, words = [], [], []
        if parts:
            yield _line(parts, boxes, words)
            parts, boxes, words = [], [], []


def _line(
    parts: list[str], boxes: list[Rectangle], words: list[Word]
) -> tuple[str, Points | None, tuple[Word, ...]]:
    box = bounding_rectangle(boxes)
    return "".join(parts).strip(), None if box is None else box.corners, tuple(words)


def _confidence(node: JsonNode, symbols: Sequence[JsonNode]) -> float | None:
    """Return the confidence of a word, or else the mean of its symbols."""
    own = share(node["confidence"].value)
    return mean(share(symbol["confidence"].value) for symbol in symbols) if own is None else own


def _rectangle(points: Points) -> Rectangle:
    xs, ys = zip(*points, strict=True)
    return Rectangle(min(xs), min(ys), max(xs), max(ys))


def _vertices(box: JsonNode, label: str, notes: Notes) -> Points | None:
    relative = box.first("normalizedVertices", "normalized_vertices")
    return (relative if relative.value else box["vertices"]).points(label, notes) if box else None


# Document AI


def _document_ai_pages(document: JsonNode, options: ReadOptions) -> list[BlockPage]:
    text = _AnchoredText(document["text"].text())
    words = _AnchoredText(document["text"].text()) if options.words else None
    return [_document_ai_page(node, text, words, options) for node in document["pages"].items()]


def _document_ai_page(
    node: JsonNode, text: _AnchoredText, words_text: _AnchoredText | None, options: ReadOptions
) -> BlockPage:
    size = node["dimension"]
    page = BlockPage(Notes(node.source), size["width"].size(), size["height"].size(), scale=1)
    key = "paragraphs" if options.level == "region" else "lines"
    tokens = _tokens(node, words_text, page.notes) if words_text else {}
    starts = sorted(tokens)
    tokens_left = 2 * len(starts)  # a word belongs to one line, whatever the text anchors say
    for number, line in enumerate(node[key].items(), 1):
        name = f"line {number}"
        layout = line["layout"]
        box = layout.first("boundingPoly", "bounding_poly")
        content = text.at(layout.first("textAnchor", "text_anchor")).strip()
        polygon = box.first("normalizedVertices", "normalized_vertices").points(name, page.notes)
        words: list[Word] = []
        for begin, end in _segments(layout.first("textAnchor", "text_anchor")) if tokens else ():
            inside = starts[bisect_left(starts, begin) : bisect_left(starts, end)]
            tokens_left -= len(inside)
            words += [tokens[start] for start in inside] if tokens_left >= 0 else []
        page.blocks.append(Block(content, "", "plain", polygon, name, "page", words=tuple(words)))
    return page


class _AnchoredText:
    """The text of a document; lines refer to parts of it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._characters_left = _MAX_REPETITIONS * len(text)

    def at(self, anchor: JsonNode) -> str:
        """Return the text of a layout; all together may not have the text of the document many times."""
        parts = []
        for begin, end in _segments(anchor):
            parts.append(self._text[begin:end])
            self._characters_left -= len(parts[-1])
            if self._characters_left < 0:
                anchor.refuse(f"repeats the text of the document more than {_MAX_REPETITIONS} times")
        return "".join(parts)


def _tokens(page: JsonNode, text: _AnchoredText, notes: Notes) -> dict[int, Word]:
    """Return the words of a page by their positions in the text of the document."""
    tokens = {}
    for node in page["tokens"].items():
        layout = node["layout"]
        anchor, box = layout.first("textAnchor", "text_anchor"), layout.first("boundingPoly", "bounding_poly")
        polygon = box.first("normalizedVertices", "normalized_vertices").points("token", notes)
        found, content = _segments(anchor), text.at(anchor).strip()
        if found and content:
            tokens[found[0][0]] = word(content, share(layout["confidence"].value), polygon)
    return tokens


def _segments(anchor: JsonNode) -> list[tuple[int, int]]:
    """Return the ranges of the document's text that an anchor refers to."""
    segments = anchor.first("textSegments", "text_segments").items()
    ranges = []
    for segment in segments:
        begin = segment.first("startIndex", "start_index").integer() or 0
        end = segment.first("endIndex", "end_index").integer() or 0
        ranges.append((max(0, begin), max(0, end)))
    return ranges


# Amazon Textract: blocks of pages, layout, lines and words, with positions relative to the page

_LAYOUT = "LAYOUT_"


def read_textract(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of one or several answers of Textract.

    >>> data = b'{"DocumentMetadata": {"Pages": 1}, "Blocks": [{"BlockType": "LINE", "Text": "One"}]}'
    >>> read_textract(data, "p.json", ReadOptions())[0].lines[0].text
    'One'
    """
    document = read_document(data, source, options.encoding)
    answers = document.items() if isinstance(document.value, list) else [document]
    blocks = [block for answer in answers for block in answer["Blocks"].items()]
    count = max((answer["DocumentMetadata"]["Pages"].integer() or 0 for answer in answers), default=0)
    pages = _Pages(source)
    pages.page(max(count, 1))
    regions = _regions(blocks)
    words = _WordsById(blocks if options.words else ())
    for block in _in_order(blocks, regions):
        name = block["Id"].text() or block.path
        page = pages.page(block["Page"].integer() or 1)
        polygon = block["Geometry"]["Polygon"].points(name, page.notes)
        region, kind = regions.get(name, ("page", "text"))
        text = block["Text"].text()
        page.blocks.append(Block(text, "", "plain", polygon, name, region, kind, words.of_line(block)))
    return finish_pages(pages.pages, len(data), source, options)


class _WordsById:
    """The words of a document by their ids; each is read once, however often lines name it."""

    def __init__(self, blocks: Iterable[JsonNode]) -> None:
        words = (block for block in blocks if block["BlockType"].text() == "WORD")
        self._words = {node["Id"].text(): _textract_word(node) for node in words}

    def of_line(self, line: JsonNode) -> tuple[Word, ...]:
        """Return the words that a line names as its children."""
        if not self._words:
            return ()
        relations = [one for one in line["Relationships"].items() if one["Type"].text() == "CHILD"]
        names = [child.text() for relation in relations for child in relation["Ids"].items()]
        return tuple(self._words[name] for name in names if name in self._words)


def _textract_word(node: JsonNode) -> Word:
    polygon = node["Geometry"]["Polygon"].points("word", Notes(node.source))
    return word(node["Text"].text(), share(node["Confidence"].value, 100), polygon)


class _Pages:
    """The pages of a document, which grow as needed."""

    def __init__(self, source: str) -> None:
        self.pages: list[BlockPage] = []
        self._source = source

    def page(self, number: int) -> BlockPage:
        """Return a page by its number, from 1."""
        check_page_count(number, self._source)
        while len(self.pages) < number:
            self.pages.append(BlockPage(Notes(self._source), scale=1))
        return self.pages[max(number, 1) - 1]


def _regions(blocks: Iterable[JsonNode]) -> dict[str, tuple[str, LineType]]:
    """Return the layout block of each line, and its type, such as heading for LAYOUT_TITLE."""
    regions: dict[str, tuple[str, LineType]] = {}
    for block in blocks:
        kind = block["BlockType"].text()
        if kind.startswith(_LAYOUT):
            for relation in block["Relationships"].items():
                for child in relation["Ids"].items():
                    regions.setdefault(
                        child.text(), (block["Id"].text(), line_type(kind.removeprefix(_LAYOUT)))
                    )
    return regions


def _in_order(blocks: list[JsonNode], regions: dict[str, tuple[str, LineType]]) -> list[JsonNode]:
    """Return the lines in the order of the layout blocks, and the other lines after them."""
    lines = [block for block in blocks if block["BlockType"].text() == "LINE"]
    order = {name: position for position, name in enumerate(regions)}
    return sorted(lines, key=lambda line: order.get(line["Id"].text(), len(order)))
