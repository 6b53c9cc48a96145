"""Extreme values in files: giant numbers, deep nesting, odd encodings and control characters."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from pagemeter._kernel import count_bytes
from pagemeter.errors import FormatError, PagemeterError, Problem, UsageError
from pagemeter.formats import markdown, read_pages
from pagemeter.formats import page as page_reader
from pagemeter.formats.base import Notes, ReadOptions
from pagemeter.formats.hocr import elements
from pagemeter.formats.html_text import LineBuilder
from pagemeter.formats.latex import latex_to_text
from pagemeter.formats.markdown.parser import Limits
from pagemeter.formats.page.text import PAGE_NAMES
from pagemeter.formats.xml import LOCAL_NAMES
from pagemeter.inputs.lists import read_records
from pagemeter.text import tokenisers
from pagemeter.text.tokenisers import words_of

DIGITS = ("9" * 30, "9" * 400, "9" * 4300, "9" * 5000, "1e999", "-" + "9" * 400, "nan", "inf", "1e308")

LINE = "<PcGts><Page><TextRegion><TextLine>{}</TextLine></TextRegion></Page></PcGts>"
ALTO_LINE = "<TextLine HPOS='{0}' VPOS='1' WIDTH='{0}' HEIGHT='1' BASELINE='{0}'/>"
ZONE = "<surface lrx='{0}'><zone xml:id='z' ulx='1' uly='1' lrx='{0}' lry='9'/></surface>"
TITLE = "bbox 0 0 {0} 9; baseline {0} 1; textangle {0}"
REFERENCE = "<OrderedGroup><RegionRefIndexed index='{}' regionRef='r'/></OrderedGroup>"
NUMBERS = [
    "<PcGts><Page imageWidth='{}'><TextRegion/></Page></PcGts>",
    "<PcGts><Page><TextRegion custom='readingOrder {{index:{};}}'/></Page></PcGts>",
    LINE.format("<Coords points='1,{}'/>"),
    LINE.format("<TextEquiv index='{}'/><TextEquiv/>"),
    "<PcGts><Page><TableRegion><TableCell row='{}' col='1'/></TableRegion></Page></PcGts>",
    f"<PcGts><Page><ReadingOrder>{REFERENCE}</ReadingOrder></Page></PcGts>",
    f"<alto><Layout><Page WIDTH='{{0}}'>{ALTO_LINE}</Page></Layout></alto>",
    "<document xmlns='abbyy'><page width='{0}'><line l='1' t='1' r='{0}' b='9'/></page></document>",
    "<document xmlns='abbyy'><page><line l='1' t='1' r='9' b='9' baseline='{0}'/></page></document>",
    f"<TEI><facsimile>{ZONE}</facsimile><text><lb facs='#z'/>a</text></TEI>",
    f"<div class='ocr_page' title='bbox 0 0 {{0}} {{0}}'><p class='ocr_line' title='{TITLE}'>a</p></div>",
    '{{"lines": [{{"text": "", "polygon": [[1, {}]]}}]}}',
    '{{"lines": [], "width": {}}}',
    '{{"format": "pagemeter-page", "version": {}, "pages": []}}',
    '[{{"type": "text", "text": "a", "page_idx": {}}}]',
    '[{{"bbox": [1, 2, 3, {}], "category": "Text", "text": "a"}}]',
    '{{"blocks": [{{"block_type": "Text", "html": "a", "page": {}}}]}}',
    '{{"schema_name": "DoclingDocument", "texts": [{{"text": "a", "prov": [{{"page_no": {}}}]}}]}}',
    '{{"texts": [], "body": {{}}, "tables": [{{"data": {{"grid": [[{{"start_col_offset_idx": {}}}]]}}}}]}}',
    '{{"DocumentMetadata": {{"Pages": {0}}}, "Blocks": [{{"BlockType": "LINE", "Page": {0}}}]}}',
    '{{"analyzeResult": {{"pages": [{{"lines": [{{"content": "a", "spans": [{{"offset": {}}}]}}]}}]}}}}',
    '[{{"layout_dets": [{{"category_type": "title", "order": {0}, "anno_id": {0}, "text": "a"}}]}}]',
    '{{"text": "a", "attributes": {{"pdf_page_numbers": [[0, {0}, {0}]]}}, "metadata": {{}}, "id": "a"}}',
]


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("template", NUMBERS)
def test_giant_numbers_give_pages_or_own_errors(template, digits):
    name = "a.json" if template.startswith("{") else "a.xml"
    try:
        pages = read_pages(template.format(digits).encode(), name)
    except PagemeterError:
        return
    for line in pages[0].lines:
        for points in (line.baseline, line.polygon):
            assert all(abs(x) < 1e9 and abs(y) < 1e9 for x, y in points or ())


def test_giant_character_reference():
    lines = read_pages(b"<div>&#" + b"9" * 5000 + b";</div>", "a.md")[0].lines
    assert [line.text for line in lines] == ["\ufffd"]


@pytest.mark.parametrize(
    "name", ["punycode", "idna", "zlib", "unicode_escape", "rot13", "base64", "hex", "utf-7"]
)
def test_codecs_that_are_no_encodings_of_pages(name):
    with pytest.raises(UsageError, match="unknown encoding"):
        read_pages(b"a", "a.txt", encoding=name)
    xml = f"<?xml version='1.0' encoding='{name}'?><PcGts><Page/></PcGts>".encode()
    with pytest.raises(FormatError, match="declares the encoding"):
        read_pages(xml, "a.xml")
    html = f"<html><meta charset={name}><p class=ocr_line>a</html>".encode()
    assert "so the file is read as UTF-8" in str(read_pages(html, "a.html")[0].warnings)


@pytest.mark.parametrize(
    "name", ["latin-1", "windows-1252", "koi8-r", "shift_jis", "gb18030", "utf-16", "cp437"]
)
def test_known_encodings(name):
    assert read_pages("abc".encode(name), "a.txt", encoding=name)[0].lines[0].text == "abc"


def test_messages_have_no_control_characters():
    assert str(Problem("a\x7fb\n", "c\x1b")) == r"c\x1b: a\x7fb\n"


def test_deep_json_record_is_a_problem_of_its_line(tmp_path):
    path = tmp_path / "model.jsonl"
    deep = '{"id": "1", "text": ' + "[" * 100_000 + "]" * 100_000 + "}"
    giant = '{"id": 1' + "0" * 5000 + ', "text": "a"}'
    path.write_text(deep + "\n" + giant + '\n{"id": "2", "text": "a"}\n')
    files = read_records(path)
    assert [file.name for file in files.candidates] == ["2"]
    assert [problem.element for problem in files.problems] == ["line 1", "line 2"]


def test_too_many_pages_are_refused():
    with pytest.raises(FormatError, match="has 30,000 pages"):
        read_pages(b"a\f" * 30_000, "a.txt")


def test_markdown_beyond_its_limits_is_plain_text():
    page = read_pages(b"# a\n" * 60_000, "a.md")[0]
    assert len(page.lines) == 60_000
    assert (page.lines[0].text, page.lines[-1].text) == ("a", "# a")
    assert "marks, and the rest of the page is read as plain text" in str(page.warnings[0])


def test_tokens_are_freed_before_the_rest_is_read(monkeypatch):
    """Tokens take several times the memory of the lines, so both must not exist at the same time."""
    alive = []
    verbatim = LineBuilder.verbatim

    def counting(self, text):
        alive.append(sum(isinstance(thing, Token) for thing in gc.get_objects()))
        verbatim(self, text)

    monkeypatch.setattr(LineBuilder, "verbatim", counting)
    lines = read_pages(b"# a\n" * 60_000, "a.md")[0].lines
    assert len(lines) == 60_000
    assert len(alive) == 1
    assert alive[0] < 100


def test_markdown_block_beyond_its_limit_is_plain_text():
    page = read_pages(b"*a* " * 12_000, "a.md")[0]
    assert page.lines[0].text.startswith("*a* *a*")
    assert "a block with more than 20,000 marks" in str(page.warnings[0])


@pytest.mark.parametrize("prefix", [">", "> ", "> - ", "1. > "])
def test_deep_quotations_use_more_of_the_limit(prefix):
    """The parser scans a line once per quotation around it; a quotation ends at a blank line."""
    lines = "a\n" * 10_000
    assert Limits(0).split(prefix * 2 + lines)[1] == ""
    assert Limits(0).split(prefix * 12 + "a\n\n" + lines)[1] == ""
    parsed, rest = Limits(0).split(prefix * 12 + lines)
    assert parsed.count("\n") < 5000
    assert parsed + rest == prefix * 12 + lines


def test_a_long_text_is_cut_at_the_first_line_beyond_the_limit():
    text = "a\n" * 20_000
    parsed, rest = Limits(0).split(text)
    assert parsed + rest == text
    assert parsed.endswith("\n")
    assert Limits(0).split(parsed)[1] == ""
    assert Limits(0).split(parsed + "a\n" * 4)[1] != ""


def test_rules_are_no_quotations():
    limits = Limits(0)
    text = "-" * 60 + "\n" + "a\n" * 1000
    assert limits.split(text) == (text, "")


@pytest.mark.parametrize("text", ["a", "12", "two words", "É ü 1a", "ſ ⁊ ½ 字", "a\u0301"])
def test_words_are_read_alike_with_and_without_the_parser(text):
    reader = markdown._TokenReader(Notes("a.md"), Limits(len(text)), ReadOptions())
    reader.read(text, 3)
    assert markdown.read_lines(text, Notes("a.md"), 3) == reader.builder.lines


def test_markdown_with_too_many_brackets_is_plain_text():
    page = read_pages(b"[a][b " * 2000, "a.md")[0]
    assert page.lines[0].text.startswith("[a][b [a][b")
    assert "too many brackets" in str(page.warnings[0])


@pytest.mark.parametrize("latex", [r"\text{" * 50 + "a" + "}" * 50, "^" * 50 + "a", "a" * 20_000])
def test_latex_beyond_its_limits_is_kept(latex):
    assert latex_to_text(latex) is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.hocr", "<html><body><div class='ocr_page'>{}</div></body></html>"),
        ("b.hocr", "<html><body><div>{}</div></body></html>"),
    ],
)
def test_the_number_of_pages_is_limited_inside_pages_too(name, content):
    data = content.format("<b class='ocr_page'>a</b>" * 20_001).encode()
    with pytest.raises(FormatError, match="pages, but a file may have at most 20,000"):
        read_pages(data, name)


def test_formulas_share_the_limits_of_their_file():
    """The parser takes quadratic time for the brackets of one formula, and has a limit per file."""
    block = '{"category": "Formula", "text": "$' + "[a" * 400 + '"}'
    pages = read_pages(f"[{', '.join([block] * 50)}]".encode(), "a.json", format="dots")
    assert "too many brackets for links" in str(pages[0].warnings)


def test_lines_that_repeat_the_text_of_a_document():
    line = '{"layout": {"textAnchor": {"textSegments": [{"startIndex": 1, "endIndex": 9}]}}}'
    data = '{"text": "a line of text", "pages": [{"lines": [%s]}]}'
    assert len(read_pages((data % line).encode(), "a.json", format="google")[0].lines) == 1
    with pytest.raises(FormatError, match="repeats the text of the document"):
        read_pages((data % ", ".join([line] * 9)).encode(), "a.json", format="google")


def test_tables_in_cells_are_joined_once(monkeypatch):
    """The lines of a cell include those of the tables in it."""
    calls = []
    joined = page_reader._joined
    monkeypatch.setattr(page_reader, "_joined", lambda *given: calls.append(given) or joined(*given))
    begin, end = "<TableRegion><TableCell row='1' col='1'>", "</TableCell></TableRegion>"
    line = "<TextLine><TextEquiv><Unicode>a</Unicode></TextEquiv></TextLine>"
    data = f"<PcGts><Page>{begin * 50}{line * 3}{end * 50}</Page></PcGts>"
    pages = read_pages(data.encode(), "a.xml", tables="text")
    assert [one.text for one in pages[0].lines] == ["a a a"]
    assert len(calls) == 1


def test_names_and_classes_of_many_files_do_not_fill_the_memory():
    caches = LOCAL_NAMES, PAGE_NAMES, elements._OF_CLASS, elements._OF_TAG, elements._TYPE_OF_CLASS
    for number in range(3):
        inner = "".join(f"<b{number}x{i} class='ocr_line a{number}x{i}'/>" for i in range(6000))
        read_pages(f"<PcGts><Page>{inner}</Page></PcGts>".encode(), "a.xml", format="page")
        long = f"<b class='ocr_line {number}{'a' * 100_000}'/>"
        read_pages(f"<div class='ocr_page'>{inner}{long}</div>".encode(), "a.hocr", format="hocr")
    for cache in caches:
        assert len(cache) <= 10_000
        assert max(len(key or "") for key in cache) <= 1_000


@pytest.mark.parametrize("tokeniser", ["uax29", "punctuation"])
def test_tokens_of_giant_words_are_not_kept(tokeniser):
    word = "a1," * 1000
    assert len(words_of(word, tokeniser)[0]) >= 1000
    hits = tokenisers._tokens_of_word.cache_info().currsize
    assert words_of(f"{word}b", tokeniser)
    assert tokenisers._tokens_of_word.cache_info().currsize == hits


@pytest.mark.parametrize(
    "document",
    [
        "<PcGts xmlns='{}'><Page/></PcGts>",
        "<PcGts xmlns='a'><Page xmlns='{}'/></PcGts>",
        "<PcGts><Page/><a:a xmlns:a='{}'/></PcGts>",
        "<!DOCTYPE a [<!ATTLIST a xmlns CDATA '{}'>]><a/>",
        "<!DOCTYPE a [<!ATTLIST b xmlns CDATA '{}'>]><a><b/></a>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_long_namespace_is_refused_before_tags_repeat_it(document, encoding):
    data = document.format("n" * 1001).encode(encoding)
    with pytest.raises(FormatError, match="a namespace with more than 1,000 characters"):
        read_pages(data, "p.xml", format="page")


@pytest.mark.parametrize("encoding", ["iso-2022-jp", "iso-8859-1"])
def test_a_long_namespace_is_refused_in_any_encoding(encoding):
    document = f"<?xml version='1.0' encoding='{encoding}'?><PcGts><Page xmlns='{'n' * 1001}'/></PcGts>"
    with pytest.raises(FormatError, match="a namespace with more than 1,000 characters"):
        read_pages(document.encode(encoding), "p.xml", format="page")


@given(st.text("xmlns", max_size=60), st.text("xmlns", min_size=1, max_size=5))
def test_bytes_are_counted_as_by_python(data, part):
    assert count_bytes(data.encode(), part.encode()) == data.count(part)
    with pytest.raises(ValueError, match="empty"):
        count_bytes(data.encode(), b"")


def test_lines_of_a_block_do_not_repeat_a_long_id():
    data = '{"Blocks":[{"BlockType":"LINE","Id":"' + "i" * 5000 + '","Text":"one\\ntwo"}]}'
    lines = read_pages(data.encode(), "p.json", format="textract")[0].lines
    assert [line.id[300:] for line in lines] == [" line 1", " line 2"]


@pytest.mark.parametrize(("length", "expected"), [(10, 63), (100_000, 15)])
def test_a_long_line_has_fewer_readings(length, expected):
    choices = "<choice><sic>a</sic><corr>b</corr></choice>" * 6
    data = f"<TEI><text><p>{choices}{'c' * length}</p></text></TEI>".encode()
    page = read_pages(data, "a.xml", readings="all")[0]
    assert len(page.lines[0].readings) == expected
    assert any("only some of them" in str(warning) for warning in page.warnings) == (expected < 63)
