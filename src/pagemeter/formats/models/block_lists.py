"""Flat lists of blocks: dots.ocr, MinerU, PaddleOCR, olmOCR, DeepSeek-OCR and OmniDocBench."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import MAX_LABEL, Notes, ReadOptions, check_page_count
from pagemeter.formats.coordinates import Rectangle, bounding_rectangle
from pagemeter.formats.json_document import JsonNode, parse_json, read_document, read_model_list
from pagemeter.formats.lines import line_type, share, words_of_text
from pagemeter.formats.models import Block, BlockPage, Markup, content_markup, finish_pages
from pagemeter.formats.plain import decode_text, split_pages
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.page import Page, Points

# dots.ocr, MinerU and PaddleOCR

_MINERU_SCALE = 1000
# The parts of MinerU's items besides `text`, in the order in which they are on the page, with their labels.
_MINERU_PARTS = (
    ("table_caption", "caption"),
    ("code_caption", "caption"),
    ("table_body", "table"),
    ("code_body", "text"),
    ("list_items", "text"),
    ("content", "figure"),
    ("image_caption", "caption"),
    ("img_caption", "caption"),
    ("chart_caption", "caption"),
    ("table_footnote", "footnote"),
    ("image_footnote", "footnote"),
    ("img_footnote", "footnote"),
    ("chart_footnote", "footnote"),
    ("code_footnote", "footnote"),
)
_PADDLE_LABELS = {"number": "page_number", "doc_title": "title", "header_image": "", "footer_image": ""}


def read_dots(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the page of a dots.ocr file: a list of blocks with `bbox`, `category` and `text`.

    >>> data = b'[{"bbox": [0, 0, 90, 20], "category": "Title", "text": "# One"}]'
    >>> read_dots(data, "p.json", ReadOptions())[0].lines[0].type
    'heading'
    """
    notes = Notes(source)
    page = BlockPage(notes)
    for number, item in enumerate(read_model_list(data, source, options.encoding, notes).items(), 1):
        text, label = item["text"].text(), item["category"].text()
        polygon = item["bbox"].points(f"block {number}", notes)
        page.blocks.append(Block(text, label, content_markup(text, label), polygon))
    return finish_pages([page], len(data), source, options)


def read_mineru(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of MinerU: its content list, or its `middle.json` with lines.

    The positions of the content list are relative to pages of unknown size.

    >>> data = b'[{"type": "text", "text": "One", "text_level": 1, "page_idx": 0}]'
    >>> read_mineru(data, "p.json", ReadOptions())[0].lines[0].type
    'heading'
    """
    pages: list[BlockPage] = []
    document = read_document(data, source, options.encoding)
    if isinstance(document.value, dict):
        infos = document["pdf_info"].items()
        check_page_count(len(infos), source)
        return finish_pages([_middle_page(info, Notes(source)) for info in infos], len(data), source, options)
    for item in document.items():
        index = item["page_idx"].integer() or 0
        if index < 0:
            item["page_idx"].refuse("must be the number of a page")
        check_page_count(index + 1, source)
        while len(pages) <= index:  # a page without text is missing in the list
            pages.append(BlockPage(Notes(source), scale=_MINERU_SCALE))
        pages[index].blocks += _mineru_blocks(item, pages[index].notes)
    return finish_pages(pages, len(data), source, options)


def _mineru_blocks(item: JsonNode, notes: Notes) -> Iterator[Block]:
    """Yield the blocks of one item, such as the caption, the body and the footnotes of a table."""
    polygon = item["bbox"].points(item.path, notes)
    label = item["type"].text()
    if text := item["text"].text():
        is_heading = label == "text" and (item["text_level"].number() or 0) > 0
        yield Block(text, "heading" if is_heading else label, content_markup(text, label), polygon)
    for key, part_label in _MINERU_PARTS:
        part = item[key]
        for one in part.items() if isinstance(part.value, list) else [part]:
            if text := one.text():
                yield Block(text, part_label, content_markup(text, part_label), polygon)


def _middle_page(info: JsonNode, notes: Notes) -> BlockPage:
    """Return one page of `middle.json`; discarded blocks are running heads, page numbers and the like."""
    size = [part.size() for part in info["page_size"].items()[:2]]
    page = BlockPage(notes, *(size if len(size) == 2 else ()))  # noqa: PLR2004
    blocks = info["para_blocks"] or info["preproc_blocks"]
    for number, block in enumerate([*blocks.items(), *info["discarded_blocks"].items()], 1):
        page.blocks += _middle_blocks(block, f"block {number}", notes)
    return page


def _middle_blocks(block: JsonNode, name: str, notes: Notes) -> Iterator[Block]:
    """Yield the lines of a block, and of the blocks in it, such as the caption of a table."""
    kind = block["type"].text()
    label = "formula" if "equation" in kind else kind.removesuffix("_body")
    for number, line in enumerate(block["lines"].items(), 1):
        polygon = line["bbox"].points(f"{name} line {number}", notes)
        spans = line["spans"].items()
        for table in filter(None, (span["html"].text() for span in spans)):
            yield Block(table, "table", content_markup(table, "table"), polygon, region=name)
        text = " ".join(filter(None, map(_span_text, spans))).strip()
        if text:
            text = text.strip("$") if label == "formula" else text
            yield Block(text, label, content_markup(text, label), polygon, f"{name} line {number}", name)
    for inner in block["blocks"].items():
        yield from _middle_blocks(inner, name, notes)


def _span_text(span: JsonNode) -> str:
    text = span["content"].text()
    return f"${text}$" if text and "equation" in span["type"].text() else text


def read_paddleocr(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a PaddleOCR file: of PaddleOCR-VL or PP-StructureV3, its service, or PP-OCR.

    >>> data = b'{"parsing_res_list": [{"block_label": "text", "block_content": "One"}]}'
    >>> read_paddleocr(data, "p.json", ReadOptions())[0].lines[0].text
    'One'
    """
    document = read_document(data, source, options.encoding)
    results = document.items() if isinstance(document.value, list) else [document]
    parts = [part for result in results for part in _paddle_results(result)]
    check_page_count(len(parts), source)
    return finish_pages([_paddle_page(part, Notes(source)) for part in parts], len(data), source, options)


def _paddle_results(document: JsonNode) -> list[JsonNode]:
    """Return the results of single pages inside the answer of the service, or the result itself."""
    answer = document["result"] or document
    if answer["layoutParsingResults"]:
        return [result["prunedResult"] for result in answer["layoutParsingResults"].items()]
    if answer["ocrResults"]:
        return [result["prunedResult"] for result in answer["ocrResults"].items()]
    return [document["res"] or document]


def _paddle_page(result: JsonNode, notes: Notes) -> BlockPage:
    page = BlockPage(notes, result["width"].size(), result["height"].size())
    if isinstance(result["input_path"].value, str):
        page.image = result["input_path"].value
    if not result["parsing_res_list"] and result["rec_texts"]:
        page.blocks += _paddle_lines(result, notes)
    for number, item in enumerate(result["parsing_res_list"].items(), 1):
        text, label = item["block_content"].text(), item["block_label"].text()
        label = _PADDLE_LABELS.get(label, label)
        polygon = item["block_bbox"].points(f"block {number}", notes)
        page.blocks.append(Block(text, label, content_markup(text, label), polygon))
    return page


def _paddle_lines(result: JsonNode, notes: Notes) -> Iterator[Block]:
    """Yield the lines of PP-OCR, which has lists of texts and of polygons."""
    polygons = result.first("rec_polys", "dt_polys", "rec_boxes").items()
    scores = [share(score.value) for score in result["rec_scores"].items()]
    for number, text in enumerate(result["rec_texts"].items()):
        polygon = polygons[number].points(f"line {number + 1}", notes) if number < len(polygons) else None
        words = words_of_text(text.text(), scores[number] if number < len(scores) else None)
        name = f"line {number + 1}"
        yield Block(text.text(), "", "plain", polygon, name, "page", words=words)


# olmOCR: JSON lines, one document per line, whose text is Markdown with the beginnings of its pages


def read_olmocr(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    r"""Read the pages of all documents in a file of olmOCR.

    >>> pages = b'"attributes": {"pdf_page_numbers": [[0, 5, 1], [5, 8, 2]]}'
    >>> data = b'{"id": "a", "text": "One\\n\\nTwo", ' + pages + b"}"
    >>> [page.lines[0].text for page in read_olmocr(data, "p.jsonl", ReadOptions())]
    ['One', 'Two']
    """
    drafts: list[BlockPage] = []
    for number, line in enumerate(decode_text(data, source, options.encoding).split("\n"), 1):
        if line.strip():
            drafts += _document_pages(_parse_line(line, number, source))
            check_page_count(len(drafts), source)
    return finish_pages(drafts, len(data), source, options)


def _parse_line(line: str, number: int, source: str) -> JsonNode:
    try:
        return JsonNode(parse_json(line, source, constants=True), source)
    except FormatError as error:
        column = error.problem.element.rpartition("column ")[2]
        where = f"line {number}" + (f", column {column}" if column else "")
        raise FormatError(
            error.problem.detail, source=source, element=where, remedy=error.problem.remedy
        ) from None


def _document_pages(document: JsonNode) -> list[BlockPage]:
    """Return the pages of a document; its attributes have the start and the end of each page in its text."""
    text = document["text"].text()
    image = document["metadata"]["Source-File"].value
    pages: list[BlockPage] = []
    last_end = 0
    spans = document["attributes"]["pdf_page_numbers"].items()
    for span in spans:
        edges = [edge.integer() for edge in span.items()[:2]]
        if len(edges) != 2 or None in edges:  # noqa: PLR2004
            span.refuse("must be a list of the start, the end and the number of a page")
        begin, end = (edge or 0 for edge in edges)
        if not last_end <= begin <= end:
            span.refuse("must begin after the page before it")
        last_end = end
        pages.append(_olmocr_page(text[begin:end], image, document.source))
    return pages if spans else [_olmocr_page(text, image, document.source)]


def _olmocr_page(text: str, image: object, source: str) -> BlockPage:
    page = BlockPage(Notes(source), image=image if isinstance(image, str) else None)
    page.blocks.append(Block(text, id="text"))
    return page


# DeepSeek-OCR with grounding: each Markdown block follows its label and its box, from 0 to 999:
#
#     <|ref|>title<|/ref|><|det|>[[100, 50, 900, 80]]<|/det|>
#     # A title

_DEEPSEEK_SCALE = 999
_PAGE_END = re.compile(r"<--- ?Page Split ?--->")
_LABEL_AND_BOX = re.compile(r"<\|ref\|>([^<]*+)<\|/ref\|>\s*+<\|det\|>([^<]*+)<\|/det\|>")
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
    return finish_pages([_deepseek_page(page, Notes(source)) for page in pages], len(text), source, options)


def _deepseek_page(text: str, notes: Notes) -> BlockPage:
    page = BlockPage(notes, scale=_DEEPSEEK_SCALE)
    label, polygon, begin = "", None, 0
    for match in _LABEL_AND_BOX.finditer(text):
        page.blocks.append(_deepseek_block(text[begin : match.start()], label, polygon))
        label, begin = match[1].strip(), match.end()
        polygon = _box_around(match[2], f"block {len(page.blocks) + 1}", notes)
    page.blocks.append(_deepseek_block(text[begin:], label, polygon))
    if not page.blocks[0].text:
        del page.blocks[0]
    return page


def _deepseek_block(text: str, label: str, polygon: Points | None) -> Block:
    content = _SPECIAL_TOKEN.sub("", text).strip()
    return Block(content, label, content_markup(content, label), polygon)


def _box_around(text: str, label: str, notes: Notes) -> Points | None:
    """Return the rectangle around the boxes of a block."""
    numbers = [float(number) for number in _NUMBER.findall(text[: _MAX_NUMBERS * 10])]
    box = None
    if len(numbers) % 4 == 0 and all(0 <= number <= _DEEPSEEK_SCALE + 1 for number in numbers):
        box = bounding_rectangle([Rectangle(*numbers[at : at + 4]) for at in range(0, len(numbers), 4)])
    if box is None:
        notes.add(label, f"the position was ignored: not boxes of four numbers from 0 to {_DEEPSEEK_SCALE}")
        return None
    return box.corners


# OmniDocBench: blocks with categories, a reading order and, partly, lines


def read_omnidocbench(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of an OmniDocBench file; the level "line" chooses lines where a block has them.

    >>> block = b'{"category_type": "title", "order": 1, "anno_id": 1, "text": "One"}'
    >>> page = read_omnidocbench(b'[{"layout_dets": [' + block + b']}]', "p.json", ReadOptions())[0]
    >>> page.lines[0].text, page.lines[0].type
    ('One', 'heading')
    """
    document = read_document(data, source, options.encoding)
    samples = document.items() if isinstance(document.value, list) else [document]
    check_page_count(len(samples), source)
    if not samples:
        raise FormatError("has no pages", source=source, remedy="get a complete copy")
    return finish_pages([_sample_page(sample, options) for sample in samples], len(data), source, options)


def _sample_page(sample: JsonNode, options: ReadOptions) -> BlockPage:
    info = sample["page_info"]
    page = BlockPage(
        Notes(sample.source), info["width"].size(), info["height"].size(), info["image_path"].text() or None
    )
    for group in _merged(_in_order(sample["layout_dets"].items()), sample["extra"]["relation"].items()):
        if options.level == "line" and (
            lines := [block for item in group for block in _lines_with_spans(item, page)]
        ):
            page.blocks += lines
        elif (block := _merged_block(group, page)) is not None:
            page.blocks.append(block)
    return page


def _in_order(items: list[JsonNode]) -> list[JsonNode]:
    """Return blocks by their reading order; headers without an order come first, and others last."""
    return sorted(items, key=_sort_key)


def _sort_key(item: JsonNode) -> float:
    order = item["order"].number()
    if order is None:
        return -math.inf if line_type(item["category_type"].text()) == "header" else math.inf
    return order


def _merged(items: Sequence[JsonNode], relations: Sequence[JsonNode]) -> list[list[JsonNode]]:
    """Return the blocks in groups: the parts of a paragraph that a column or figure divides are one group."""
    groups = {_id(item): [item] for item in reversed(items)}
    positions = {_id(item): position for position, item in reversed([*enumerate(items)])}
    for relation in relations:
        if relation["relation_type"].text() != "truncated":
            continue
        first, second = (
            groups.get(repr(relation[key].value)) for key in ("source_anno_id", "target_anno_id")
        )
        if first is None or second is None or first is second:
            continue
        small, large = sorted((first, second), key=len)
        large += small
        groups.update((_id(item), large) for item in small)
    result: list[list[JsonNode]] = []
    done: set[int] = set()
    for item in items:
        group = groups[_id(item)]
        if len(group) == 1:
            result.append([item])
        elif id(group) not in done:
            done.add(id(group))
            result.append(sorted(group, key=lambda part: positions[_id(part)]))
    return result


def _id(item: JsonNode) -> str:
    """Return the id of a block; a block without one has its path as its id."""
    value = item["anno_id"].value
    return item.path if value is None else repr(value)


def _merged_block(group: Sequence[JsonNode], page: BlockPage) -> Block | None:
    """Return the block of a group, with the text of all its parts."""
    first = group[0]
    label = first["category_type"].text()
    text, markup = _content(first, label)
    for part in group[1:]:
        text = _joined(text, _content(part, label)[0])
    if not text.strip():
        return None
    boxes = [_rectangle(points) for part in group if (points := _item_polygon(part, page))]
    polygon = _item_polygon(first, page) if len(group) == 1 else None
    box = bounding_rectangle(boxes)
    polygon = box.corners if polygon is None and box is not None else polygon
    return Block(text, _category(first), markup, polygon, f"anno {_id(first)}")


def _category(item: JsonNode) -> str:
    return "other" if item["ignore"].value is True else item["category_type"].text()


def _content(item: JsonNode, label: str) -> tuple[str, Markup]:
    """Return the text of a block: HTML of a table, LaTeX of a formula, otherwise Markdown; code is plain."""
    for key, markup in (("html", "html"), ("latex", "latex")):
        if text := item[key].text():
            return text, markup  # type: ignore[return-value]  # both are kinds of markup
    return item["text"].text(), "plain" if label.startswith("code") else "markdown"


def _joined(text: str, continued: str) -> str:
    """Join two parts of a paragraph, with a space unless a hyphen or a script without spaces is between them.

    >>> _joined("a line", "goes on"), _joined("con-", "tinued")
    ('a line goes on', 'con-tinued')
    """
    before, after = text.rstrip()[-1:], continued.lstrip()[:1]
    is_dense = before >= "\u2e80" and after >= "\u2e80"  # the first block of CJK characters
    return text.rstrip() + ("" if before == "-" or is_dense else " ") + continued.lstrip()


def _item_polygon(item: JsonNode, page: BlockPage) -> Points | None:
    return item["poly"].points(f"anno {_id(item)}", page.notes)


def _rectangle(points: Points) -> Rectangle:
    xs, ys = zip(*points, strict=True)
    return Rectangle(min(xs), min(ys), max(xs), max(ys))


def _lines_with_spans(item: JsonNode, page: BlockPage) -> Iterator[Block]:
    """Yield the lines of a block; spans beside each other, such as a formula in a line, are one line."""
    texts: list[str] = []
    boxes: list[Rectangle] = []
    number = 0
    name = f"anno {_id(item)[:MAX_LABEL]}"
    for span in item["line_with_spans"].items():
        points = span["poly"].points(f"{name} span", page.notes)
        box = _rectangle(points) if points else None
        if texts and not (box and boxes and _are_beside(boxes[-1], box)):
            number += 1
            yield _line_of_spans(texts, boxes, item, name, number)
            texts, boxes = [], []
        latex = span["latex"].text()
        texts.append(f"${latex.strip('$ ')}$" if latex else span["text"].text())
        boxes += [box] if box else []
    if texts:
        yield _line_of_spans(texts, boxes, item, name, number + 1)


def _line_of_spans(texts: list[str], boxes: list[Rectangle], item: JsonNode, name: str, number: int) -> Block:
    box = bounding_rectangle(boxes)
    polygon = None if box is None else box.corners
    return Block(" ".join(texts), _category(item), "markdown", polygon, f"{name} line {number}", name)


def _are_beside(left: Rectangle, right: Rectangle) -> bool:
    """Return True if a box continues the line of another one."""
    overlap = min(left.bottom, right.bottom) - max(left.top, right.top)
    smaller = min(left.bottom - left.top, right.bottom - right.top)
    return overlap > smaller / 2 and (right.left + right.right) > (left.left + left.right)
