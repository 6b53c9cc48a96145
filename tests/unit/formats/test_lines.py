"""The types of lines in all formats, and the names that stand for them."""

from __future__ import annotations

import pickle

import pytest

from documents import alto, hocr, markdown
from pagemeter.errors import UsageError
from pagemeter.formats import load, read_pages, save
from pagemeter.formats.lines import find_type, line_type
from pagemeter.page import LINE_TYPES, Line, Page


def types(page: Page) -> dict[str, str]:
    """Return the type of each line by its text."""
    return {line.text: line.type for line in page.lines}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            "heading Title title Section-header section_header paragraph_title doc_title HeadingLine",
            "heading",
        ),
        ("header Page-header page_header RunningTitleZone RunningTitleZone#1 TopMargin", "header"),
        ("footer Page-footer page_footer", "footer"),
        ("page-number pageNum page_number NumberingZone Page_Number", "page-number"),
        (
            "footnote footnote-continued endnote page_footnote table_footnote MarginTextZone:footnote",
            "footnote",
        ),
        ("marginalia MarginTextZone MarginTextZone:note MarginTextZone-Notes#2 aside_text", "marginalia"),
        ("caption Caption figure_caption table_caption figure_title FigureZone-FigDesc", "caption"),
        ("table Table TableZone TableRegion", "table"),
        ("formula Formula equation_isolated display_formula interline_equation MathsRegion", "formula"),
        ("Picture figure image chart GraphicZone GraphicZone:decoration", "figure"),
        ("catch-word QuireMarksZone QuireMarksZone:signature signature-mark", "catchword"),
        ("other StampZone abandon watermark NoiseRegion CustomZone", "other"),
        ("paragraph Text MainZone MainZone:column#1 DefaultLine TOC-entry drop-capital anything :", None),
    ],
)
def test_names_of_types(names, expected):
    assert {name: find_type(name) for name in names.split()} == dict.fromkeys(names.split(), expected)


def test_every_type_is_its_own_name():
    assert {name: line_type(name) for name in LINE_TYPES} == {name: name for name in LINE_TYPES}


def test_a_name_of_running_text_keeps_the_type_around_it():
    assert (
        line_type("paragraph", "table")
        == line_type(None, "table")
        == line_type("a" * 9999, "table")
        == "table"
    )


def test_a_line_has_only_known_types():
    assert Line("a").type == "text"
    with pytest.raises(UsageError, match=r"type='headin' is unknown \(did you mean heading\?\)"):
        Line("a", type="headin")


def page_xml(body: str) -> dict[str, str]:
    return types(read_pages(f"<PcGts><Page>{body}</Page></PcGts>".encode(), "p.xml")[0])


def text_line(text: str, attributes: str = "") -> str:
    return f"<TextLine {attributes}><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>"


class TestPage:
    def test_type_and_custom_of_a_region(self):
        body = "".join(
            f"<TextRegion {attributes}>{text_line(attributes.replace(chr(34), ''))}</TextRegion>"
            for attributes in (
                'type="page-number"',
                'type="paragraph"',
                'type="unheard-of"',
                'custom="other {index:1;} structure {type:catch-word;}"',
                'custom="structure {score:1; type:MarginTextZone;}"',
                'custom="structure {type:Page\\u0020number;}"',
                'type="other" custom="structure {type:footnote;}"',
                'type="header" custom="structure {type:MainZone;}"',
                'custom="type:header"',
            )
        )
        assert [*page_xml(body).values()] == [
            "page-number", "text", "text", "catchword", "marginalia",
            "page-number", "footnote", "header", "text",
        ]  # fmt: skip

    def test_a_line_overrides_its_region(self):
        heading = text_line("a", 'custom="structure {type:heading;}"')
        default = text_line("b", 'custom="structure {type:DefaultLine;}"')
        assert page_xml(f'<TextRegion type="footer">{heading}{default}</TextRegion>') == {
            "a": "heading",
            "b": "footer",
        }

    def test_the_kind_of_a_region_and_regions_inside_it(self):
        cell = f'<TextRegion type="paragraph">{text_line("a")}</TextRegion>'
        caption = f'<TextRegion type="caption">{text_line("b")}</TextRegion>'
        body = f"<TableRegion>{cell}</TableRegion><ImageRegion>{caption}{text_line('c')}</ImageRegion>"
        assert page_xml(body) == {"a": "table", "b": "caption", "c": "figure"}

    def test_text_of_a_region(self):
        equiv = "<TextEquiv><Unicode>a\nb</Unicode></TextEquiv>"
        assert page_xml(f'<TextRegion type="heading">{equiv}</TextRegion>') == {
            "a": "heading",
            "b": "heading",
        }


class TestAlto:
    TAGS = (
        '<Tags><OtherTag ID="b1" LABEL="NumberingZone"/><LayoutTag ID="b2" LABEL="MainZone"/>'
        '<StructureTag ID="l1" LABEL="HeadingLine"/><NamedEntityTag ID="n" LABEL="footer"/></Tags>'
    )

    def test_tags_of_blocks_and_lines(self):
        body = alto.block("r", alto.line("a"), alto.line("b", 'TAGREFS="l1 n"'), attributes='TAGREFS="x b1"')
        body += alto.block("s", alto.line("c", 'TAGREFS="n"'), attributes='TAGREFS="b2"')
        page = alto.read(f"<PrintSpace>{body}</PrintSpace>", head=alto.UNIT + self.TAGS)
        assert types(page) == {"a": "page-number", "b": "heading", "c": "text"}
        assert not page.warnings

    def test_margins_and_composed_blocks(self):
        body = "".join(
            f"<{name}>{alto.block(name, alto.line(name))}</{name}>"
            for name in ("TopMargin", "BottomMargin", "LeftMargin", "PrintSpace")
        )
        body += f'<ComposedBlock TYPE="table">{alto.block("t", alto.line("cell"))}</ComposedBlock>'
        assert [*types(alto.read(body)).values()] == ["header", "footer", "marginalia", "text", "table"]


class TestHocr:
    def test_classes_of_lines(self):
        classes = (
            "ocr_header",
            "ocr_footer",
            "ocr_pageno",
            "ocr_caption",
            "ocr_footnote",
            "ocr_textfloat",
            "ocr_line",
        )
        body = "".join(f"<span class='{name}'>{name}</span>" for name in classes)
        assert [*types(hocr.page(body)).values()] == [
            "header", "footer", "page-number", "caption", "footnote", "text", "text",
        ]  # fmt: skip

    def test_a_line_inherits_the_type_around_it(self):
        line = "<span class='ocr_line'>{}</span>"
        body = f"<div class='ocr_header'><p class='ocr_par'>{line.format('a')}</p></div>"
        body += (
            f"<h2>{line.format('b')}</h2><div class='ocr_table'>{line.format('c')}</div>{line.format('d')}"
        )
        assert types(hocr.page(body)) == {"a": "header", "b": "heading", "c": "table", "d": "text"}

    def test_text_outside_lines(self):
        body = "<table class='ocr_table'><tr><td>a</td></tr></table><p class='ocr_par'>b</p>"
        assert types(hocr.page(body)) == {"a": "table", "b": "text"}

    def test_a_turned_line_has_its_type(self):
        line = "<span class='ocr_line' title='bbox 0 0 9 90'>a</span>"
        body = f"<div class='ocr_caption' title='textangle 90'>{line}</div>"
        (line,) = hocr.page(body).lines
        assert (line.type, line.baseline) == ("caption", ((9.0, 90.0), (9.0, 0.0)))


class TestTei:
    @pytest.mark.parametrize(
        ("element", "expected"),
        [
            ("<fw>a</fw>", "header"),
            ('<fw place="bottom">a</fw>', "footer"),
            ('<fw type="head">a</fw>', "header"),
            ('<fw type="pageNum">a</fw>', "page-number"),
            ('<fw type="catch" place="bottom">a</fw>', "catchword"),
            ('<fw type="sig">a</fw>', "catchword"),
            ('<fw type="NumberingZone">a</fw>', "page-number"),
            ("<note>a</note>", "footnote"),
            ('<note place="foot">a</note>', "footnote"),
            ('<note place="margin-left">a</note>', "marginalia"),
            ('<note type="MarginTextZone">a</note>', "marginalia"),
            ('<note place="inline">a</note>', "text"),
            ("<head>a</head>", "heading"),
            ("<figure><head>a</head></figure>", "caption"),
            ("<table><row><cell>a</cell></row></table>", "table"),
            ('<ab type="heading">a</ab>', "heading"),
            ('<p type="unheard-of">a</p>', "text"),
            ('<div type="header"><p>a</p></div>', "text"),
        ],
    )
    def test_elements(self, element, expected):
        data = f"<TEI><text><body><div>{element}</div></body></text></TEI>".encode()
        assert types(read_pages(data, "a.xml")[0]) == {"a": expected}

    def test_a_line_continues_as_text_after_a_note(self):
        data = (
            b"<TEI><text><body><p><lb/>one <note place='right'><lb/>two</note> three</p></body></text></TEI>"
        )
        assert types(read_pages(data, "a.xml")[0]) == {"one three": "text", "two": "marginalia"}


class TestAbbyy:
    def test_blocks_and_styles(self):
        style = '<documentData><paragraphStyle id="s" role="rt"/></documentData>'
        line = "<line><formatting>{}</formatting></line>"
        text = f"<par>{line.format('a')}</par><par style='s'>{line.format('b')}</par>"
        table = f"<row><cell><text><par>{line.format('c')}</par></text></cell></row>"
        blocks = (
            f"<block blockType='Text'><text>{text}</text></block><block blockType='Table'>{table}</block>"
        )
        data = f'<document producer="ABBYY FineReader">{style}<page>{blocks}</page></document>'.encode()
        assert types(read_pages(data, "a.xml")[0]) == {"a": "text", "b": "header", "c": "table"}


class TestMarkdown:
    def test_blocks(self):
        text = "# a\n\nb\n\n|c|d|\n|-|-|\n\n$$x_1$$\n\ne\n===\n\n[^1]: f\ng\n\nh[^1]\n\n- i\n"
        assert types(markdown.read(text)[0]) == {
            "a": "heading",
            "b": "text",
            "c d": "table",
            "x1": "formula",
            "e": "heading",
            "1 f": "footnote",
            "g": "footnote",
            "h1": "text",
            "i": "text",
        }

    def test_html(self):
        text = (
            "<table><caption>a</caption><tr><td>b</td></tr></table>\n\n<h2>c</h2>\n\n<header>d</header>\n\ne"
        )
        assert types(markdown.read(text)[0]) == {
            "a": "caption",
            "b": "table",
            "c": "heading",
            "d": "header",
            "e": "text",
        }

    def test_tags_of_models(self):
        text = "<page_number>a</page_number>\nb\n<watermark>c</watermark> d\n"
        assert types(markdown.read(text)[0]) == {"a": "page-number", "b": "text", "c d": "other"}

    def test_an_element_that_is_not_closed_affects_one_block(self):
        text = "<div><header>a\n<footer>b</header>c\n\nd"
        assert types(markdown.read(text)[0]) == {"a": "header", "b": "footer", "c": "text", "d": "text"}


class TestJson:
    def test_types_are_saved(self, tmp_path):
        page = Page(tuple(Line(name, type=name) for name in LINE_TYPES), "p")
        save(page, tmp_path / "p.json")
        assert load(tmp_path / "p.json") == page
        assert (tmp_path / "p.json").read_text().count('"type"') == len(LINE_TYPES) - 1

    def test_names_of_other_formats_and_unknown_names(self):
        lines = ",".join(f'{{"text": "{name}", "type": "{name}"}}' for name in ("Page-header", "foo", "bar"))
        page = read_pages(f'{{"lines": [{lines}]}}'.encode(), "p.json")[0]
        assert types(page) == {"Page-header": "header", "foo": "text", "bar": "text"}
        assert [str(warning).partition(". Use")[0] for warning in page.warnings] == [
            "p.json: page.lines[1].type and 1 more: unknown type is read as text"
        ]


def test_a_line_of_a_reader_keeps_its_type_when_it_is_pickled_and_compared():
    (line,) = alto.read(f"<TopMargin>{alto.block('b', alto.line('a'))}</TopMargin>").lines
    assert pickle.loads(pickle.dumps(line)) == line  # noqa: S301
    assert line == Line("a", None, line.polygon, "a", "b", "header")
    assert line != Line("a", None, line.polygon, "a", "b")
    assert "type='header'" in repr(line)
