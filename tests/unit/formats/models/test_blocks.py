"""Details of the formats of models: pages, order, markup in blocks, and positions."""

from __future__ import annotations

import json

import pytest

from documents.models import DEEPSEEK, DOTS, OMNIDOCBENCH, encoded
from helpers import texts
from pagemeter.cli import main
from pagemeter.errors import FormatError
from pagemeter.formats import read_pages


def read(document, file="p.json", **options):
    data = document if isinstance(document, bytes) else encoded(document)
    return read_pages(data, file, **options)


def types(page):
    return {line.text: line.type for line in page.lines}


class TestBlocks:
    def test_lines_of_a_block_share_its_position_and_region(self):
        block = {"bbox": [1, 2, 3, 4], "category": "Text", "text": "one\ntwo"}
        (page,) = read([block])
        assert [(line.id, line.region) for line in page.lines] == [
            ("block 1 line 1", "block 1"),
            ("block 1 line 2", "block 1"),
        ]
        assert len({line.polygon for line in page.lines}) == 1

    @pytest.mark.parametrize(("text", "count"), [("one\ntwo", 4), ("one", 300)])
    def test_many_points_are_not_repeated_for_each_line(self, text, count):
        corners = [(0, 0), (90, 0), (90, 20), (0, 20)]
        points = [*corners, *([1 + i % 80, 1] for i in range(296))]
        document = {"text_lines": [{"text": text, "polygon": points}]}
        (page,) = read(document)
        assert {len(line.polygon) for line in page.lines} == {count}
        assert set(page.lines[0].polygon) >= set(corners)
        assert any("its box is used" in str(warning) for warning in page.warnings) == (count == len(corners))

    def test_a_region_is_one_line(self):
        (page,) = read([{"bbox": [1, 2, 3, 4], "category": "Text", "text": "one\ntwo"}], level="region")
        assert [(line.text, line.id) for line in page.lines] == [("one two", "block 1")]

    def test_the_label_counts_unless_it_is_running_text(self):
        items = [("Text", "# One"), ("Page-header", "# Two"), ("List-item", "- three"), ("Picture", None)]
        (page,) = read([{"bbox": [1, 2, 3, 4], "category": label, "text": text} for label, text in items])
        assert types(page) == {"One": "heading", "Two": "header", "three": "text"}

    def test_warnings_name_the_block(self):
        (page,) = read([{"bbox": [1, 2, 3], "category": "Text", "text": "a ![b](c)"}])
        assert [warning.element for warning in page.warnings] == ["block 1", "block 1, line 1"]
        assert "the position was ignored: not a list of coordinates" in str(page.warnings[0])

    def test_a_code_fence_around_the_list(self):
        assert texts(read(b"```json\n" + encoded(DOTS) + b"\n```")[0]) == texts(read(DOTS)[0])


class TestMinerU:
    def test_pages_without_text_are_kept(self):
        pages = read(
            [{"type": "text", "text": name, "page_idx": index} for name, index in (("a", 0), ("b", 2))]
        )
        assert [texts(page) for page in pages] == [["a"], [], ["b"]]

    def test_parts_of_tables_images_and_lists(self):
        table = {"type": "table", "table_body": "<table><tr><td>b</td></tr></table>", "page_idx": 0}
        items = [
            table | {"table_caption": ["a"], "table_footnote": ["c"]},
            {"type": "image", "img_path": "x.jpg", "image_caption": ["d"], "page_idx": 0},
            {"type": "list", "list_items": ["1. e", "f"], "page_idx": 0},
        ]
        assert types(read(items)[0]) == {
            "a": "caption",
            "b": "table",
            "c": "footnote",
            "d": "caption",
            "1. e": "text",
            "f": "text",
        }

    @pytest.mark.parametrize("index", [-1, 10**9])
    def test_impossible_pages_are_an_error(self, index):
        with pytest.raises(FormatError, match=r"number of a page|at most 20,000"):
            read([{"type": "text", "text": "a", "page_idx": index}])


class TestPaddle:
    def test_the_answer_of_the_service_has_pages(self):
        results = [{"prunedResult": {"parsing_res_list": [{"block_content": text}]}} for text in "ab"]
        assert [texts(page) for page in read({"result": {"layoutParsingResults": results}})] == [["a"], ["b"]]

    def test_a_number_is_a_page_number(self):
        assert types(read({"parsing_res_list": [{"block_content": "7", "block_label": "number"}]})[0]) == {
            "7": "page-number"
        }


class TestDeepSeek:
    def test_pages_and_the_end_of_the_answer(self):
        pages = read(f"{DEEPSEEK}<--- Page Split --->\n{DEEPSEEK}<｜end▁of▁sentence｜>".encode(), "p.md")
        assert texts(pages[0]) == texts(pages[1])
        assert len(pages) == 2

    def test_text_before_the_first_block_and_a_wrong_box(self):
        (page,) = read(b"zero\n<|ref|>text<|/ref|><|det|>[[1,2]]<|/det|>\none", "p.txt")
        assert texts(page) == ["zero", "one"]
        assert "not boxes of four numbers" in str(page.warnings[0])


class TestDocling:
    def document(self, *texts, **more):
        children = [{"$ref": f"#/texts/{index}"} for index in range(len(texts))]
        return {
            "schema_name": "DoclingDocument",
            "body": {"children": children},
            "texts": list(texts),
            **more,
        }

    def test_a_text_on_two_pages_is_divided(self):
        places = [{"page_no": 1, "charspan": [0, 3]}, {"page_no": 2, "charspan": [4, 7]}]
        pages = read(self.document({"text": "one two", "prov": places}))
        assert [texts(page) for page in pages] == [["one"], ["two"]]

    def test_numbers_of_lists_are_kept_and_bullets_are_not(self):
        items = [
            {"text": "a", "marker": "1.", "enumerated": True},
            {"text": "b", "marker": "•", "enumerated": False},
        ]
        assert texts(read(self.document(*items))[0]) == ["1. a", "b"]

    def test_a_cycle_of_references_ends(self):
        assert texts(read(self.document({"text": "a", "children": [{"$ref": "#/texts/0"}]}))[0]) == ["a"]

    def test_a_box_needs_the_height_of_the_page(self):
        box = {"l": 1, "t": 9, "r": 5, "b": 2, "coord_origin": "BOTTOMLEFT"}
        (page,) = read(self.document({"text": "a", "prov": [{"page_no": 1, "bbox": box}]}))
        assert page.lines[0].polygon is None
        assert "the height of the page is unknown" in str(page.warnings[0])


class TestMarker:
    def test_chunks_have_pages(self):
        blocks = [{"block_type": "Text", "html": f"<p>{page}</p>", "page": page} for page in (0, 2)]
        info = {"0": {"bbox": [0, 0, 50, 60]}}
        pages = read({"blocks": blocks, "page_info": info})
        assert [texts(page) for page in pages] == [["0"], [], ["2"]]
        assert (pages[0].width, pages[0].height) == (50, 60)

    def test_only_leaves_have_text(self):
        leaf = {"block_type": "ListItem", "html": "<li>a</li>"}
        group = {"block_type": "ListGroup", "html": "<ul>again</ul>", "children": [leaf]}
        assert texts(read({"children": [{"block_type": "Page", "html": "", "children": [group]}]})[0]) == [
            "a"
        ]


class TestOlmocr:
    def test_documents_and_their_pages(self):
        first = {
            "text": "# a\n\nb",
            "source": "olmocr",
            "attributes": {"pdf_page_numbers": [[0, 5, 1], [5, 6, 2]]},
        }
        second = {"text": "c", "source": "olmocr"}
        pages = read(encoded(first) + b"\n\n" + encoded(second), "p.jsonl")
        assert [types(page) for page in pages] == [{"a": "heading"}, {"b": "text"}, {"c": "text"}]

    def test_an_error_names_the_line(self):
        with pytest.raises(FormatError, match="line 2, column 10: the JSON is cut off"):
            read(b'{"text": "a", "source": "olmocr"}\n{"text": "', "p.jsonl")

    def test_overlapping_pages_are_an_error(self):
        document = {"text": "ab", "attributes": {"pdf_page_numbers": [[0, 2, 1], [1, 2, 2]]}}
        with pytest.raises(FormatError, match="must begin after the page before it"):
            read(document, "p.jsonl")


class TestChurro:
    def read(self, body, **options):
        return read(f"<HistoricalDocument>{body}</HistoricalDocument>".encode(), "p.xml", **options)

    def test_characters_that_are_not_escaped(self):
        (page,) = self.read(
            "<Page><Body><Line>a & b < c &amp; <Deletion>d</Deletion><Gap/></Line></Body></Page>"
        )
        assert texts(page) == ["a & b < c & d"]

    def test_an_answer_that_is_cut_off_is_read_as_far_as_it_goes(self):
        (page,) = read(b"```xml\n<HistoricalDocument><Page><Body><Line>one</Line><Line>tw", "p.xml")
        assert texts(page) == ["one", "tw"]
        assert "is cut off" in str(page.warnings[0])

    def test_descriptions_are_not_text(self):
        body = "<Metadata><Description>a</Description>b</Metadata><Page><Figure><Description>c</Description>"
        (page,) = self.read(f"{body}<Caption>d</Caption></Figure></Page>")
        assert types(page) == {"d": "caption"}

    def test_types(self):
        notes = (
            "<MarginalNote placement='left'>a</MarginalNote><MarginalNote placement='bottom'>b</MarginalNote>"
        )
        footer = "<Footer>f<CatchWord>c</CatchWord><FolioNumber>d</FolioNumber></Footer>"
        heading = "<Heading type='running_title'><Line>e</Line></Heading>"
        assert types(self.read(f"<Page>{notes}{footer}{heading}</Page>")[0]) == {
            "a": "marginalia",
            "b": "footnote",
            "f": "footer",
            "c": "catchword",
            "d": "page-number",
            "e": "header",
        }

    def test_pages_and_unknown_elements(self):
        pages = self.read("<Page>a</Page><Page><Foo>b</Foo></Page>")
        assert [texts(page) for page in pages] == [["a"], ["b"]]
        assert "<Foo> is not an element of CHURRO" in str(pages[0].warnings[0])


class TestOmniDocBench:
    def page(self, *items, relations=(), **options):
        dets = [
            {"category_type": "text_block", "anno_id": n, "order": n} | item for n, item in enumerate(items)
        ]
        return read([{"layout_dets": dets, "extra": {"relation": list(relations)}}], **options)[0]

    def relation(self, source, target):
        return {"relation_type": "truncated", "source_anno_id": source, "target_anno_id": target}

    @pytest.mark.parametrize(
        ("first", "second", "merged"),
        [("one", "two", "one two"), ("exam-", "ple", "exam-ple"), ("中文", "字", "中文字")],
    )
    def test_truncated_blocks_are_merged(self, first, second, merged):
        page = self.page(
            {"text": first}, {"text": "other"}, {"text": second}, relations=[self.relation(2, 0)]
        )
        assert texts(page) == [merged, "other"]

    def test_a_chain_of_truncated_blocks_is_one_block(self):
        relations = [self.relation(2, 3), self.relation(0, 1), self.relation(1, 2), self.relation(9, 9)]
        assert texts(self.page(*({"text": text} for text in "abcd"), relations=relations)) == ["a b c d"]

    def test_order_and_ignored_blocks(self):
        page = self.page({"text": "a", "order": 5}, {"text": "b", "order": 2, "ignore": True})
        assert [(line.text, line.type) for line in page.lines] == [("b", "other"), ("a", "text")]

    def test_lines_are_read_where_present(self):
        spans = [
            {"text": "one", "poly": [0, 0, 9, 0, 9, 9, 0, 9]},
            {"latex": "$x^2$", "poly": [10, 1, 20, 1, 20, 9, 10, 9]},
            {"text": "two", "poly": [0, 10, 9, 10, 9, 19, 0, 19]},
        ]
        items = {"text": "one $x^2$ two", "line_with_spans": spans}, {"text": "three four"}
        assert texts(self.page(*items)) == ["one x2 two", "three four"]
        lines = self.page(*items, level="line").lines
        assert [line.text for line in lines] == ["one x2", "two", "three four"]
        assert lines[0].polygon == ((0, 0), (20, 0), (20, 9), (0, 9))
        assert [line.region for line in lines] == ["anno 0", "anno 0", "anno 1"]

    def test_several_pages_keep_their_images(self):
        pages = read([OMNIDOCBENCH[0], OMNIDOCBENCH[0]])
        assert [page.image for page in pages] == ["mill.jpg", "mill.jpg"]


def test_the_option_gt_lines_reads_lines(tmp_path, capsys):
    spans = [{"text": text, "poly": [0, top, 9, top + 5]} for text, top in (("one", 0), ("two", 10))]
    block = {"category_type": "text_block", "anno_id": 1, "text": "one two", "line_with_spans": spans}
    (tmp_path / "gt.json").write_bytes(encoded([{"layout_dets": [block]}]))
    (tmp_path / "hyp.txt").write_text("two\none\n")
    files = [str(tmp_path / "gt.json"), str(tmp_path / "hyp.txt")]
    assert main(["eval", *files, "-m", "CER", "--gt-lines", "--fail-above", "CER=0"]) == 0
    assert "gt_level:line" in capsys.readouterr().out
    assert main(["eval", *files, "-m", "CER", "--fail-above", "CER=0"]) == 1


def test_the_middle_file_of_mineru_has_lines_tables_and_discarded_blocks():
    def block(kind, *spans, **more):
        return {
            "type": kind,
            "bbox": [0, 0, 9, 9],
            "lines": [{"bbox": [0, 0, 9, 2], "spans": [*spans]}],
            **more,
        }

    def text(content, kind="text"):
        return {"type": kind, "content": content}

    table = {"type": "table", "blocks": [
        block("table_caption", text("Table 1")),
        block("table_body", {"type": "table", "html": "<table><tr><td>a</td><td>b</td></tr></table>"}),
    ]}  # fmt: skip
    document = {"pdf_info": [
        {"page_idx": 0, "page_size": [10, 20], "para_blocks": [
            block("title", text("A title")),
            block("text", text("where"), text("x+1", "inline_equation"), text("is")),
            block("interline_equation", text("y=2", "interline_equation")),
            table,
        ], "discarded_blocks": [block("header", text("running head"))]},
        {"page_idx": 1, "page_size": [10, 20], "preproc_blocks": [block("text", text("next"))]},
    ]}  # fmt: skip
    first, second = read_pages(json.dumps(document).encode(), "a_middle.json")
    assert [(line.text, line.type) for line in first.lines] == [
        ("A title", "heading"),
        ("where x+1 is", "text"),
        ("y=2", "formula"),
        ("Table 1", "caption"),
        ("a b", "table"),
        ("running head", "header"),
    ]
    assert (first.width, first.height, second.text) == (10, 20, "next")
    assert first.lines[0].polygon[2] == (9, 2)
