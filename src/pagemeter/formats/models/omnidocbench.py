"""OmniDocBench: the ground truth of pages as blocks with categories, a reading order and, partly, lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.formats.blocks import Block, BlockPage, Markup, finish_pages
from pagemeter.formats.coordinates import Rectangle, bounding_rectangle
from pagemeter.formats.json_document import read_document
from pagemeter.formats.line_types import line_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.formats.json_document import JsonNode
    from pagemeter.page import Page, Points


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
    return finish_pages([_page(sample, options) for sample in samples], len(data), source, options)


def _page(sample: JsonNode, options: ReadOptions) -> BlockPage:
    info = sample["page_info"]
    page = BlockPage(
        Notes(sample.source), info["width"].size(), info["height"].size(), info["image_path"].text() or None
    )
    for group in _merged(_in_order(sample["layout_dets"].items()), sample["extra"]["relation"].items()):
        if options.level == "line" and (lines := [block for item in group for block in _lines(item, page)]):
            page.blocks += lines
        elif (block := _block(group, page)) is not None:
            page.blocks.append(block)
    return page


def _in_order(items: list[JsonNode]) -> list[JsonNode]:
    """Return blocks by their reading order; headers without an order come first, and others last."""
    return sorted(items, key=_order)


def _order(item: JsonNode) -> float:
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


def _block(group: Sequence[JsonNode], page: BlockPage) -> Block | None:
    """Return the block of a group, with the text of all its parts."""
    first = group[0]
    label = first["category_type"].text()
    text, markup = _content(first, label)
    for part in group[1:]:
        text = _joined(text, _content(part, label)[0])
    if not text.strip():
        return None
    boxes = [_rectangle(points) for part in group if (points := _polygon(part, page))]
    polygon = _polygon(first, page) if len(group) == 1 else None
    box = bounding_rectangle(boxes)
    polygon = box.corners if polygon is None and box is not None else polygon
    return Block(text, _label(first), markup, polygon, f"anno {_id(first)}")


def _label(item: JsonNode) -> str:
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


def _polygon(item: JsonNode, page: BlockPage) -> Points | None:
    return item["poly"].points(f"anno {_id(item)}", page.notes)


def _rectangle(points: Points) -> Rectangle:
    xs, ys = zip(*points, strict=True)
    return Rectangle(min(xs), min(ys), max(xs), max(ys))


def _lines(item: JsonNode, page: BlockPage) -> Iterator[Block]:
    """Yield the lines of a block; spans beside each other, such as a formula in a line, are one line."""
    texts: list[str] = []
    boxes: list[Rectangle] = []
    number = 0
    name = f"anno {_id(item)}"
    for span in item["line_with_spans"].items():
        points = span["poly"].points(f"{name} span", page.notes)
        box = _rectangle(points) if points else None
        if texts and not (box and boxes and _are_beside(boxes[-1], box)):
            number += 1
            yield _line(texts, boxes, item, f"{name} line {number}")
            texts, boxes = [], []
        latex = span["latex"].text()
        texts.append(f"${latex.strip('$ ')}$" if latex else span["text"].text())
        boxes += [box] if box else []
    if texts:
        yield _line(texts, boxes, item, f"{name} line {number + 1}")


def _line(texts: list[str], boxes: list[Rectangle], item: JsonNode, name: str) -> Block:
    box = bounding_rectangle(boxes)
    polygon = None if box is None else box.corners
    return Block(" ".join(texts), _label(item), "markdown", polygon, name, f"anno {_id(item)}")


def _are_beside(left: Rectangle, right: Rectangle) -> bool:
    """Return True if a box continues the line of another one."""
    overlap = min(left.bottom, right.bottom) - max(left.top, right.top)
    smaller = min(left.bottom - left.top, right.bottom - right.top)
    return overlap > smaller / 2 and (right.left + right.right) > (left.left + left.right)
