"""Families of files in the formats of models and OCR services, for the test of how the time of loaders grows."""

from __future__ import annotations

from fuzz.growth import Family, halves, ladder, numbered, wide


def _block_lists() -> dict[str, Family]:
    table = "<table>" + "<tr><td>a</td></tr>" * 3 + "</table>"
    return {
        "dots: blocks": wide("[", '{"bbox":[1,2,3,4],"category":"Text","text":"a"},', '{"text":"a"}]'),
        "dots: cut off": wide("[", '{"text":"a"},', '{"text":"a'),
        "dots: brackets": wide("[", '{"text":"!"},', "{}]"),
        "dots: tables": wide("[", f'{{"category":"Table","text":"{table}"}},', "{}]"),
        "dots: formulas": wide("[", '{"category":"Formula","text":"$x^{2}$"},', "{}]"),
        "dots: long formula": wide('[{"category":"Formula","text":"', "$x$ ", '"}]'),
        "dots: points of many lines": halves('[{"bbox":[', "1,2,", "a\\n", '"}]', '1,2],"text":"'),
        "dots: many lines": wide('[{"bbox":[1,2,3,4],"text":"', "a\\n", '"}]'),
        "dots: one text": wide('[{"text":"', "*a ", '"}]'),
        "dots: box": wide('[{"bbox":[', "1,", '1],"text":"a"}]'),
        "dots: fence": wide("```json\n[", "[],", "[]]\n```"),
        "dots: open lists": wide("", "["),
        "mineru: items": wide("[", '{"type":"text","text":"a","page_idx":0},', "{}]"),
        "mineru: pages": numbered("[", '{"type":"text","text":"a","page_idx":@},', "{}]"),
        "mineru: list": wide('[{"type":"list","list_items":[', '"a *b*",', '"a"]}]'),
        "mineru: marks": wide('[{"type":"list","list_items":[', '"_",', '"a"]}]'),
        "mineru: captions": wide('[{"table_caption":[', '"a",', '"a"]}]'),
        "paddleocr: blocks": wide('{"parsing_res_list":[', '{"block_content":"a"},', "{}]}"),
        "paddleocr: results": wide('{"layoutParsingResults":[', "{},", "{}]}"),
        "paddleocr: lines": wide('{"rec_texts":[', '"a",', '"a"]}'),
    }


def _trees() -> dict[str, Family]:
    tree = '{"children":['
    return {
        "docling: texts": wide('{"texts":[', '{"text":"a"},', "{}]}"),
        "docling: references": wide('{"texts":[{"text":"a"}],"body":{"children":[', '{"$ref":"#/texts/0"},', "{}]}}"),
        "docling: children": wide('{"texts":[{"text":"a","children":[', '{"$ref":"#/texts/0"},', '{}]}],"body":{"children":[{"$ref":"#/texts/0"}]}}'),
        "docling: chain": lambda size: (
            '{"body":{"children":[{"$ref":"#/groups/0"}]},"groups":['
            + ",".join(f'{{"children":[{{"$ref":"#/groups/{i + 1}"}}]}}' for i in range(size // 40))
            + "]}"
        ).encode(),
        "docling: cells": numbered('{"tables":[{"data":{"table_cells":[', '{"text":"a","start_row_offset_idx":@},', "{}]}}]}"),
        "docling: spans": wide('{"texts":[{"text":"a","prov":[', '{"charspan":[0,1]},', "{}]}]}"),
        "docling: pages": numbered('{"pages":{', '"@":{},', '"1":{}}}'),
        "marker: blocks": wide(tree + tree, '{"html":"<p>a</p>"},', "{}]}]}"),
        "marker: nested": ladder("", tree, "]}"),
        "marker: references": wide(tree + tree + '{"html":"', "<content-ref ", '"}]}]}'),
        "marker: chunks": numbered('{"blocks":[', '{"html":"a","page":@},', "{}]}"),
        "marker: tags": wide(tree + tree + '{"block_type":"Equation","html":"', "<", '"}]}]}'),
        "surya: points of many lines": halves('{"text_lines":[{"polygon":[', "[1,2],", "a\\n", '"}]}', '[1,2]],"text":"'),
        "marker: points of many lines": halves(tree + tree + '{"polygon":[', "[1,2],", "<p>a</p>", '"}]}]}', '[1,2]],"html":"'),
        "surya: lines": wide('{"text_lines":[', '{"text":"a"},', "{}]}"),
        "surya: files": numbered("{", '"@":[{}],', '"a":[]}'),
        "omnidocbench: blocks": numbered('[{"layout_dets":[', '{"anno_id":@,"order":@,"text":"a"},', "{}]}]"),
        "omnidocbench: same ids": wide('[{"layout_dets":[', '{"anno_id":1,"text":"a"},', '{}],"extra":{"relation":[{"relation_type":"truncated","source_anno_id":1,"target_anno_id":1}]}}]'),
        "omnidocbench: chain": lambda size: (
            '[{"layout_dets":['
            + ",".join(f'{{"anno_id":{i},"text":"a"}}' for i in range(size // 100))
            + '],"extra":{"relation":['
            + ",".join(
                f'{{"relation_type":"truncated","source_anno_id":{i},"target_anno_id":{i + 1}}}'
                for i in range(size // 100)
            )
            + "]}}]"
        ).encode(),
        "omnidocbench: spans": wide('[{"layout_dets":[{"text":"a","line_with_spans":[', '{"text":"a","poly":[1,2,3,4]},', "{}]}]}]"),
    }  # fmt: skip


def _markup() -> dict[str, Family]:
    reference = "<|ref|>text<|/ref|><|det|>[[1,2,3,4]]<|/det|>\na\n"
    begin = "<HistoricalDocument>"
    return {
        "deepseek: blocks": wide("", reference),
        "deepseek: open references": wide("", "<|ref|>"),
        "deepseek: labels": wide("<|ref|>", "a", "<|/ref|>"),
        "deepseek: numbers": wide("<|ref|>a<|/ref|><|det|>", "1,", "<|/det|>"),
        "deepseek: pages": wide("", "<--- Page Split --->"),
        "deepseek: spaces": wide("<|ref|>a<|/ref|>", " ", "<|det|"),
        **{
            f"churro: {unit!r}": wide(begin, unit)
            for unit in ("<Line>", "<Line>a</Line>", "<Page>", "<Page>a", "<", "<a", "<Line ", "<!--", "&", "a\n", "<Row>", "<Cell>a", "<Metadata>", "<X>", "<Heading type='a'>", "<Heading type=")
        },
        "churro: closed headings": halves(begin, "<Heading>", "</Header>"),
        "churro: comments": wide(begin, "<!-- -->", "</HistoricalDocument>"),
        "olmocr: documents": wide("", '{"text":"a"}\n'),
        "olmocr: pages": lambda size: (
            '{"text":"' + "a" * (size // 20) + '","attributes":{"pdf_page_numbers":['
            + ",".join(f"[{i},{i + 1},1]" for i in range(size // 20))
            + "]}}"
        ).encode(),
        "olmocr: overlapping pages": lambda size: (
            '{"text":"' + "a" * (size // 2) + '","attributes":{"pdf_page_numbers":['
            + ",".join(f"[0,{size // 2},1]" for i in range(size // 30))
            + "]}}"
        ).encode(),
    }  # fmt: skip


def _services() -> dict[str, Family]:
    vision = '{"fullTextAnnotation":{"pages":[{"blocks":[{"paragraphs":[{"words":['
    end = "{}]}]}]}]}}"
    anchor = '{"layout":{"textAnchor":{"textSegments":[{"startIndex":1,"endIndex":"1000000"}]}}},'
    return {
        "azure: lines": wide('{"analyzeResult":{"pages":[{"lines":[', '{"content":"a","spans":[{"offset":1}]},', "{}]}]}}"),
        "azure: roles": numbered('{"analyzeResult":{"paragraphs":[', '{"role":"title","spans":[{"offset":@}]},', '{}],"pages":[{}]}}'),
        "azure: pages": wide('{"analyzeResult":{"pages":[', "{},", "{}]}}"),
        "google: words": wide(vision, '{"symbols":[{"text":"a"}]},', end),
        "google: symbols": wide(vision + '{"symbols":[', '{"text":"a"},', "{}]}," + end),
        "google: responses": wide('{"responses":[', '{"textAnnotations":[]},', "{}]}"),
        "google: lines": wide('{"text":"aaaa","pages":[{"lines":[', anchor, "{}]}]}"),
        "google: lines with the whole text": lambda size: (
            '{"text":"' + "a" * size + '","pages":[{"lines":[' + anchor * (size // 80) + "{}]}]}"
        ).encode(),
        "google: segments": wide('{"text":"aaaa","pages":[{"lines":[{"layout":{"textAnchor":{"textSegments":[', '{"endIndex":4},', "{}]}}}]}]}"),
        "textract: lines": numbered('{"Blocks":[', '{"BlockType":"LINE","Id":"@","Text":"a"},', "{}]}"),
        "textract: children": numbered('{"Blocks":[{"BlockType":"LAYOUT_TEXT","Relationships":[{"Ids":[', '"@",', '"a"]}]}]}'),
        "textract: pages": numbered('{"Blocks":[', '{"BlockType":"LINE","Page":@},', "{}]}"),
    }  # fmt: skip


MODEL_FAMILIES: dict[str, Family] = {**_block_lists(), **_trees(), **_markup(), **_services()}
