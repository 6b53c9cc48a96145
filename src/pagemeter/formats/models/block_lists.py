"""Flat lists of blocks or documents in JSON: dots.ocr, MinerU, PaddleOCR and olmOCR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.formats.blocks import Block, BlockPage, content_markup, finish_pages
from pagemeter.formats.decoding import decode_text
from pagemeter.formats.json_document import JsonNode, parse_json, read_document, read_model_list
from pagemeter.formats.words import share, words_of_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.page import Page

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
