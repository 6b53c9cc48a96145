"""Small files in the formats of models and OCR services, all with the same page of seven lines.

`SAMPLES` has the name and the content of a file by the name of its format.
"""
# ruff: noqa: E501  (documents are easier to read on few lines)

from __future__ import annotations

import json

SIZE = {"width": 200, "height": 400}


def encoded(document) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def box(number: int) -> list[int]:
    """Return left, top, right and bottom of a block, from top to bottom of the page."""
    return [10, 10 + 40 * number, 190, 40 + 40 * number]


def corners(number: int) -> list[list[int]]:
    left, top, right, bottom = box(number)
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def flat(number: int) -> list[int]:
    return [coordinate for point in corners(number) for coordinate in point]


BLOCKS = (
    ("Page-header", "Journal of Mills"),
    ("Section-header", "## The old mill"),
    ("Text", "It stands *by* the river."),
    ("Table", "<table><tr><td>wheels</td><td>2</td></tr><tr><td>doors</td><td>1</td></tr></table>"),
    ("Formula", "$$E = m c^{2}$$"),
    ("Page-footer", "12"),
)
LINES = (
    ("Journal of Mills", "header"),
    ("The old mill", "heading"),
    ("It stands by the river.", "text"),
    ("wheels 2", "table"),
    ("doors 1", "table"),
    ("E = m c2", "formula"),
    ("12", "footer"),
)
"""The lines of the page, with their types."""

PLAIN = [text for text, _ in LINES]

DOTS = [{"bbox": box(number), "category": label, "text": text} for number, (label, text) in enumerate(BLOCKS)]
MINERU = [
    {"type": "header", "text": "Journal of Mills", "bbox": box(0), "page_idx": 0},
    {"type": "text", "text": "The old mill", "text_level": 2, "bbox": box(1), "page_idx": 0},
    {"type": "text", "text": "It stands *by* the river.", "bbox": box(2), "page_idx": 0},
    {
        "type": "table",
        "table_body": f"<html><body>{BLOCKS[3][1]}</body></html>",
        "bbox": box(3),
        "page_idx": 0,
    },
    {"type": "equation", "text": "$$\nE = m c^{2}\n$$", "text_format": "latex", "page_idx": 0},
    {"type": "footer", "text": "12", "bbox": box(5), "page_idx": 0},
]
PADDLEOCR = {
    "input_path": "mill.png",
    **SIZE,
    "parsing_res_list": [
        {"block_label": label, "block_content": text, "block_bbox": box(number), "block_id": number}
        for number, (label, (_, text)) in enumerate(
            zip(("header", "paragraph_title", "text", "table", "formula", "footer"), BLOCKS, strict=True)
        )
    ],
}
DEEPSEEK = "".join(
    f"<|ref|>{label}<|/ref|><|det|>[[{', '.join(map(str, box(number)))}]]<|/det|>\n{text}\n\n"
    for number, (label, (_, text)) in enumerate(
        zip(("header", "sub_title", "text", "table", "equation", "footer"), BLOCKS, strict=True)
    )
)
DOCLING = {
    "schema_name": "DoclingDocument",
    "version": "1.8.0",
    "name": "mill",
    "body": {"children": [{"$ref": "#/texts/1"}, {"$ref": "#/groups/0"}, {"$ref": "#/tables/0"}, {"$ref": "#/texts/3"}]},
    "groups": [{"self_ref": "#/groups/0", "label": "list", "children": [{"$ref": "#/texts/2"}]}],
    "texts": [
        {"self_ref": f"#/texts/{index}", "label": label, "text": text, "prov": [
            {"page_no": 1, "bbox": {"l": 10, "t": 390 - 40 * number, "r": 190, "b": 360 - 40 * number,
                                    "coord_origin": "BOTTOMLEFT"}, "charspan": [0, len(text)]}
        ]}
        for index, (number, label, text) in enumerate([
            (0, "page_header", "Journal of Mills"), (1, "section_header", "The old mill"),
            (2, "text", "It stands by the river."), (4, "formula", "E = m c^{2}"), (5, "page_footer", "12"),
        ])
    ],
    "tables": [{"self_ref": "#/tables/0", "label": "table", "data": {"table_cells": [
        {"start_row_offset_idx": row, "start_col_offset_idx": column, "text": text}
        for row, cells in enumerate((("wheels", "2"), ("doors", "1"))) for column, text in enumerate(cells)
    ]}}],
    "pages": {"1": {"page_no": 1, "size": SIZE}},
}  # fmt: skip
MARKER = {
    "block_type": "Document",
    "children": [{"id": "/page/0/Page/9", "block_type": "Page", "polygon": [[0, 0], [200, 0], [200, 400], [0, 400]],
                  "html": "<content-ref src='/page/0/Text/0'></content-ref>", "children": [
        {"id": f"/page/0/{label}/{number}", "block_type": label, "html": html, "polygon": corners(number), "children": None}
        for number, (label, html) in enumerate([
            ("PageHeader", "<p>Journal of Mills</p>"), ("SectionHeader", "<h2>The old mill</h2>"),
            ("Text", "<p>It stands <i>by</i> the river.</p>"), ("Table", BLOCKS[3][1]),
            ("Equation", "<p><math display='block'>E = m c^{2}</math></p>"), ("PageFooter", "<p>12</p>"),
        ])
    ]}],
}  # fmt: skip
OMNIDOCBENCH = [{
    "layout_dets": [
        {"category_type": label, "poly": flat(number), "order": order, "anno_id": number, "ignore": False, key: text}
        for number, (label, order, key, text) in reversed([*enumerate([
            ("header", None, "text", "Journal of Mills"), ("title", 1, "text", "The old mill"),
            ("text_block", 2, "text", "It stands *by* the river."), ("table", 3, "html", BLOCKS[3][1]),
            ("equation_isolated", 4, "latex", "$$E = m c^{2}$$"), ("footer", None, "text", "12"),
        ])])
    ],
    "page_info": {"page_no": 0, **SIZE, "image_path": "mill.jpg"},
    "extra": {"relation": []},
}]  # fmt: skip
CHURRO = (
    '<HistoricalDocument xmlns="http://example.com/historicaldocument"><Metadata><Language>eng</Language></Metadata>'
    "<Page><Header><Line>Journal of Mills</Line></Header><Body><Heading><Line>The old mill</Line></Heading><Paragraph>"
    "<Line>It stands <Emphasis type='italic'>by</Emphasis> the river.</Line></Paragraph><Table>"
    "<TableRow><TableCell>wheels</TableCell><TableCell>2</TableCell></TableRow>"
    "<TableRow><TableCell>doors</TableCell><TableCell>1</TableCell></TableRow></Table>"
    "<Formula>E = m c2</Formula></Body><Footer>12</Footer></Page></HistoricalDocument>"
)
OLMOCR = {
    "id": "mill",
    "text": "\n\n".join(text for _, text in BLOCKS[1:5]),
    "source": "olmocr",
    "metadata": {"Source-File": "mill.pdf"},
}
SURYA = {
    "mill": [{"image_bbox": [0, 0, 200, 400], "text_lines": [
        {"text": text, "polygon": corners(number), "confidence": 0.9} for number, text in enumerate(PLAIN)
    ]}]
}  # fmt: skip
_OFFSETS = [sum(len(text) + 1 for text in PLAIN[:number]) for number in range(len(PLAIN))]
AZURE = {
    "status": "succeeded",
    "analyzeResult": {
        "content": "\n".join(PLAIN),
        "pages": [{"pageNumber": 1, **SIZE, "unit": "pixel", "lines": [
            {"content": text, "polygon": flat(number), "spans": [{"offset": _OFFSETS[number], "length": len(text)}]}
            for number, text in enumerate(PLAIN)
        ]}],
        "paragraphs": [
            {"content": PLAIN[number], "role": role, "spans": [{"offset": _OFFSETS[number], "length": len(PLAIN[number])}],
             "boundingRegions": [{"pageNumber": 1, "polygon": flat(number)}]}
            for number, role in ((0, "pageHeader"), (1, "sectionHeading"), (5, "formulaBlock"), (6, "pageFooter"))
        ],
        "tables": [{"cells": [
            {"content": "wheels 2", "spans": [{"offset": _OFFSETS[3], "length": 8}]},
            {"content": "doors 1", "spans": [{"offset": _OFFSETS[4], "length": 7}]},
        ]}],
    },
}  # fmt: skip


def _symbols(text: str, end: str) -> list[dict]:
    return [{"text": letter} for letter in text[:-1]] + [
        {"text": text[-1], "property": {"detectedBreak": {"type": end}}}
    ]


GOOGLE = {
    "responses": [{
        "textAnnotations": [{"description": "\n".join(PLAIN)}],
        "fullTextAnnotation": {"text": "\n".join(PLAIN), "pages": [{**SIZE, "blocks": [
            {"blockType": "TABLE" if "wheels" in text or "doors" in text else "TEXT", "paragraphs": [{"words": [
                {"symbols": _symbols(word, "LINE_BREAK" if at == len(text.split()) - 1 else "SPACE"),
                 "boundingBox": {"vertices": [{"x": x, "y": y} for x, y in corners(number)]}}
                for at, word in enumerate(text.split())
            ]}]}
            for number, text in enumerate(PLAIN)
        ]}]},
    }]
}  # fmt: skip
TEXTRACT = {
    "DocumentMetadata": {"Pages": 1},
    "Blocks": [
        {"BlockType": "PAGE", "Id": "p", "Page": 1},
        *({"BlockType": "LINE", "Id": f"l{number}", "Text": text, "Page": 1,
           "Geometry": {"Polygon": [{"X": x / 200, "Y": y / 400} for x, y in corners(number)]}}
          for number, text in enumerate(PLAIN)),
        *({"BlockType": f"LAYOUT_{name}", "Id": f"r{number}", "Page": 1,
           "Relationships": [{"Type": "CHILD", "Ids": [f"l{line}" for line in lines]}]}
          for number, (name, lines) in enumerate([
              ("HEADER", [0]), ("SECTION_HEADER", [1]), ("TEXT", [2]), ("TABLE", [3, 4]), ("TEXT", [5]), ("FOOTER", [6]),
          ])),
    ],
}  # fmt: skip
PP_OCR = {"res": {"rec_texts": PLAIN, "rec_polys": [corners(number) for number in range(len(PLAIN))]}}

SAMPLES: dict[str, tuple[str, bytes]] = {
    "dots": ("mill.json", encoded(DOTS)),
    "mineru": ("mill_content_list.json", encoded(MINERU)),
    "paddleocr": ("mill_res.json", encoded(PADDLEOCR)),
    "deepseek": ("mill.mmd", DEEPSEEK.encode()),
    "docling": ("mill.json", encoded(DOCLING)),
    "marker": ("mill.json", encoded(MARKER)),
    "omnidocbench": ("OmniDocBench.json", encoded(OMNIDOCBENCH)),
    "churro": ("mill.xml", CHURRO.encode()),
    "olmocr": ("output_1.jsonl", encoded(OLMOCR) + b"\n"),
    "surya": ("results.json", encoded(SURYA)),
    "azure": ("mill.json", encoded(AZURE)),
    "google": ("mill.json", encoded(GOOGLE)),
    "textract": ("mill.json", encoded(TEXTRACT)),
}
