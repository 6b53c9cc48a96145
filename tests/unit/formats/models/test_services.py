"""Details of the JSON of OCR services; test_samples has the page that all formats share."""

from __future__ import annotations

import pytest

from documents.models import AZURE, GOOGLE, TEXTRACT, encoded
from helpers import texts
from pagemeter.errors import FormatError
from pagemeter.formats import read_pages


def read(document, **options):
    return read_pages(encoded(document), "p.json", **options)


class TestAzure:
    def test_read_3(self):
        line = {"text": "One", "boundingBox": [1, 2, 9, 2, 9, 5, 1, 5]}
        result = {"readResults": [{"page": 1, "width": 90, "height": 50, "unit": "pixel", "lines": [line]}]}
        (page,) = read({"status": "succeeded", "analyzeResult": result})
        assert (texts(page), page.width, page.lines[0].polygon) == (
            ["One"],
            90,
            ((1, 2), (9, 2), (9, 5), (1, 5)),
        )

    def test_inches_are_converted_with_the_resolution(self):
        line = {"content": "One", "polygon": [1, 2, 3, 2, 3, 2.5, 1, 2.5]}
        document = {"analyzeResult": {"pages": [{"unit": "inch", "width": 8, "height": 11, "lines": [line]}]}}
        (page,) = read(document)
        assert page.lines[0].polygon is None
        assert "inch cannot be converted" in str(page.warnings[0])
        (page,) = read(document, dpi=100)
        assert (page.width, page.lines[0].polygon[0]) == (800, (100, 200))

    def test_paragraphs_are_regions(self):
        (page,) = read(AZURE, level="region")
        assert texts(page) == ["Journal of Mills", "The old mill", "E = m c2", "12"]
        assert page.lines[1].type == "heading"

    def test_image_analysis(self):
        line = {"text": "One", "boundingPolygon": [{"x": 1, "y": 2}, {"x": 9, "y": 2}, {"x": 9, "y": 5}]}
        document = {"readResult": {"blocks": [{"lines": [line]}]}, "metadata": {"width": 90, "height": 50}}
        (page,) = read(document)
        assert (texts(page), page.height, page.lines[0].polygon[1]) == (["One"], 50, (9, 2))

    def test_a_paragraph_of_a_missing_page_is_an_error(self):
        paragraph = {"content": "a", "boundingRegions": [{"pageNumber": 7}]}
        with pytest.raises(FormatError, match="must name a page"):
            read({"analyzeResult": {"pages": [{}], "paragraphs": [paragraph]}}, level="region")


class TestGoogle:
    def vision(self, *symbols, **block):
        words = [
            {
                "symbols": [
                    {"text": text, "property": {"detectedBreak": {"type": kind}}} for text, kind in symbols
                ]
            }
        ]
        return {"fullTextAnnotation": {"pages": [{"blocks": [{"paragraphs": [{"words": words}], **block}]}]}}

    def test_breaks_by_name_and_by_number(self):
        names = ("a", "SPACE"), ("b", "EOL_SURE_SPACE"), ("c", "HYPHEN"), ("d", None)
        numbers = ("a", 1), ("b", 3), ("c", 4), ("d", 0)
        for symbols in (names, numbers):
            assert texts(read(self.vision(*symbols))[0]) == ["a b", "c-", "d"]

    def test_relative_positions_are_scaled(self):
        vertices = [{"x": 0.1}, {"x": 0.2, "y": 0.5}]
        word = {"symbols": [{"text": "a"}], "boundingBox": {"normalizedVertices": vertices}}
        block = {"paragraphs": [{"words": [word]}], "boundingBox": {"normalizedVertices": vertices}}
        (page,) = read({"fullTextAnnotation": {"pages": [{"width": 100, "height": 10, "blocks": [block]}]}})
        assert page.lines[0].polygon == ((10, 0), (20, 0), (20, 5), (10, 5))

    def test_several_answers_are_several_pages(self):
        assert len(read({"responses": GOOGLE["responses"] * 2})) == 2

    def test_only_text_annotations(self):
        (page,) = read(
            {"responses": [{"textAnnotations": [{"description": "a\nb\n"}, {"description": "a"}]}]}
        )
        assert texts(page) == ["a", "b"]
        assert "lines have no positions" in str(page.warnings[0])

    def test_document_ai(self):
        anchor = {"textSegments": [{"startIndex": "4", "endIndex": 8}]}
        poly = {"normalizedVertices": [{"x": 0, "y": 0}, {"x": 1, "y": 0.5}]}
        line = {"layout": {"textAnchor": anchor, "boundingPoly": poly}}
        page = {"dimension": {"width": 100, "height": 200}, "lines": [line]}
        (page,) = read({"document": {"text": "one two\n", "pages": [page]}})
        assert (texts(page), page.lines[0].polygon) == (["two"], ((0, 0), (100, 100)))


class TestTextract:
    def test_the_layout_gives_the_order(self):
        lines = [{"BlockType": "LINE", "Id": name, "Text": name} for name in "abc"]
        layout = {
            "BlockType": "LAYOUT_TITLE",
            "Id": "t",
            "Relationships": [{"Type": "CHILD", "Ids": ["c", "a"]}],
        }
        (page,) = read({"Blocks": [*lines, layout]})
        assert [(line.text, line.type) for line in page.lines] == [
            ("c", "heading"),
            ("a", "heading"),
            ("b", "text"),
        ]

    def test_several_answers_are_one_document(self):
        second = {"Blocks": [{"BlockType": "LINE", "Text": "two", "Page": 2}]}
        pages = read([TEXTRACT, second])
        assert [len(page.lines) for page in pages] == [7, 1]
