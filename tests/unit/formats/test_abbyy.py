"""ABBYY FineReader XML: text from characters or runs, positions from edges and baselines."""

from __future__ import annotations

import pytest

from helpers import assert_one_line, reasons, texts
from pagemeter.formats import abbyy
from pagemeter.formats.base import Head, ReadOptions
from pagemeter.formats.registry import find_format

NAMESPACES = (
    "http://www.abbyy.com/FineReader_xml/FineReader6-schema-v1.xml",
    "http://www.abbyy.com/FineReader_xml/FineReader8-schema-v2.xml",
    "http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml",
    "http://www.abbyy.com/FineReader_xml/FineReader15-schema-v1.xml",
)
EDGES = 'l="10" t="20" r="210" b="50"'


def chars(text: str, separator: str = "\n") -> str:
    return separator.join(f'<charParams l="1" t="1" r="2" b="2">{sign}</charParams>' for sign in text)


def line(inside: str, attributes: str = f'baseline="44" {EDGES}') -> str:
    return f"<line {attributes}>{inside}</line>"


def run(text: str) -> str:
    return line(f'<formatting lang="Latin">{text}</formatting>')


def block(lines: str, kind: str = "Text", text: str = "") -> str:
    return f'<block blockType="{kind}"><region/><text {text}><par>{lines}</par></text></block>'


def document(*pages: str, namespace: str = NAMESPACES[2]) -> str:
    inside = "".join(f'<page width="600" height="800">{page}</page>' for page in pages)
    return f'<?xml version="1.0" encoding="UTF-8"?>\r\n<document xmlns="{namespace}">{inside}</document>'


def read(xml: str | bytes, **options):
    return abbyy.read_abbyy(xml if isinstance(xml, bytes) else xml.encode(), "a.xml", ReadOptions(**options))


def one(lines: str, **around):
    (page,) = read(document(block(lines, **around)))
    return page


class TestText:
    @pytest.mark.parametrize("namespace", NAMESPACES)
    def test_characters(self, namespace):
        """A line is read from its characters in every version of the schema, without line breaks."""
        (page,) = read(
            document(block(line(f"<formatting>\n{chars('Of the')}</formatting>")), namespace=namespace)
        )
        assert texts(page) == ["Of the"]
        assert page.warnings == ()

    def test_runs(self):
        """Without characters, a line is the text of its runs with its spaces."""
        page = one(line("<formatting>One </formatting><formatting bold='1'>two</formatting>"))
        assert texts(page) == ["One two"]

    def test_indented_run(self):
        """Indentation around the text of a run is dropped."""
        assert texts(one(line("\n   <formatting>\n    One\n   </formatting>\n  "))) == ["One"]

    def test_byte_order_mark_and_crlf(self):
        """A byte order mark and CR LF are not text."""
        xml = document(block(run("a") + run("b"))).replace("><", ">\r\n<")
        (page,) = read(b"\xef\xbb\xbf" + xml.encode())
        assert texts(page) == ["a", "b"]

    def test_variants(self):
        """Alternative readings of words and characters are not text."""
        other = "<charRecVariants><charRecVariant>b</charRecVariant></charRecVariants>"
        sign = f"<charParams>{other}\n a\n</charParams>"
        word = f"<wordRecVariants><variantText>{sign}</variantText></wordRecVariants>"
        assert texts(one(line(f"<formatting>{word}{sign}{chars(' c')}</formatting>"))) == ["a c"]

    @pytest.mark.parametrize("hyphen", ["¬", "\u00ad", "-"])
    def test_hyphens(self, hyphen):
        """A hyphen at the end of a line is unchanged."""
        assert texts(one(run(f"ver{hyphen}"))) == [f"ver{hyphen}"]

    def test_empty_character(self):
        """An empty character is a space, with a warning."""
        page = one(line(f"<formatting>{chars('a')}<charParams/>{chars('b')}</formatting>"))
        assert texts(page) == ["a b"]
        assert reasons(page) == ["charParams without a character is read as a space"]

    def test_word_starts(self):
        """On a page without spaces, wordStart begins words, with a warning."""
        signs = "".join(
            f'<charParams wordStart="{start}">{sign}</charParams>'
            for sign, start in (("a", "true"), ("b", "false"), ("c", "1"))
        )
        page = one(line(f"<formatting>{signs}</formatting>"))
        assert texts(page) == ["ab c"]
        assert len(page.warnings) == 1

    def test_word_starts_and_spaces(self):
        """On a page with spaces, wordStart adds none, because a word may start after a hyphen."""
        starts = '<charParams wordStart="1">{}</charParams>'
        signs = starts.format("a") + chars("-") + starts.format("b")
        page = one(line(f"<formatting>{signs}{chars(' c')}</formatting>"))
        assert texts(page) == ["a-b c"]
        assert page.warnings == ()

    def test_base64(self):
        """Text in base64 is not decoded, with a warning."""
        assert reasons(one(line('<formatting base64encoded="1">YQ==</formatting>'))) == [
            "text in base64 was not decoded"
        ]

    def test_unicode_is_kept(self):
        """Text is not normalised."""
        odd = "Boͤten \uf502 \U00010b00"
        assert texts(one(run(odd))) == [odd]

    def test_line_without_text(self):
        """A line without text is read."""
        assert texts(one(line("<formatting/>") + run("b"))) == ["", "b"]


class TestPosition:
    def test_upright(self):
        """Baseline and edges make a horizontal baseline and a box."""
        (found,) = one(run("a")).lines
        assert found.baseline == ((10, 44), (210, 44))
        assert found.polygon == ((10, 20), (210, 20), (210, 50), (10, 50))

    @pytest.mark.parametrize(
        ("orientation", "position", "expected"),
        [
            ("Normal", 44, ((10, 44), (210, 44))),
            ("RotatedUpsidedown", 26, ((210, 26), (10, 26))),
            ("RotatedClockwise", 15, ((15, 20), (15, 50))),
            ("RotatedCounterclockwise", 200, ((200, 50), (200, 20))),
        ],
    )
    def test_turned(self, orientation, position, expected):
        """The baseline of turned text is in reading direction."""
        page = one(line("", f'baseline="{position}" {EDGES}'), text=f'orientation="{orientation}"')
        assert page.lines[0].baseline == expected

    def test_turned_without_baseline(self):
        """The baseline of turned text is by default its lower edge."""
        page = one(line("", EDGES), text='orientation="RotatedCounterclockwise"')
        assert page.lines[0].baseline == ((210, 50), (210, 20))

    def test_no_baseline(self):
        """Upright text without a baseline has only its box."""
        assert one(line("", EDGES)).lines[0].baseline is None

    @pytest.mark.parametrize(
        ("attributes", "reason"),
        [
            ('l="1" t="2" r="3"', "the position was ignored: an edge is missing"),
            ('l="1" t="2" r="x" b="4"', "the position was ignored: a coordinate that is not a number"),
            (
                'l="1" t="nan" r="3" b="4"',
                "the position was ignored: a coordinate that is not a finite number",
            ),
            (
                'l="1" t="2" r="3" b="99999999"',
                "the position was ignored: a coordinate beyond 1,000,000 pixels",
            ),
            ('l="9" t="2" r="3" b="4"', "opposite edges of the box are swapped, and were corrected"),
            (f'baseline="up" {EDGES}', "the baseline was ignored: a coordinate that is not a number"),
            (f'baseline="9000" {EDGES}', "the baseline was ignored: it is far from the line"),
        ],
    )
    def test_unusable(self, attributes, reason):
        """An unusable position is ignored with a warning, and the text is read."""
        page = one(line("<formatting>a</formatting>", attributes))
        assert texts(page) == ["a"]
        assert reasons(page) == [reason]

    def test_no_position(self):
        """A line without any edge has no position and no warning."""
        page = one(line("<formatting>a</formatting>", ""))
        assert page.lines[0].polygon is None
        assert page.warnings == ()


class TestPage:
    def test_pages(self):
        """Each page of the document is a page, with its size."""
        pages = read(document(block(run("a")), "", block(run("b"))))
        assert [texts(page) for page in pages] == [["a"], [], ["b"]]
        assert (pages[0].width, pages[0].height, pages[0].image) == (600, 800, None)

    def test_ids(self):
        """FineReader writes no ids, so the id of a line is its block and number."""
        (page,) = read(document(block(run("a") + run("b")) + block(run("c"))))
        assert [found.id for found in page.lines] == ["block 1 line 1", "block 1 line 2", "block 2 line 1"]
        assert [found.region for found in page.lines] == ["block 1", "block 1", "block 2"]

    def test_table(self):
        """The cells of a table are read row by row."""
        rows = "".join(
            "<row>" + "".join(f"<cell><text><par>{run(cell)}</par></text></cell>" for cell in row) + "</row>"
            for row in (("a", "b"), ("c", "d"))
        )
        (page,) = read(document(f'<block blockType="Table">{rows}</block>'))
        assert texts(page) == ["a", "b", "c", "d"]

    def test_pictures_are_silent(self):
        """Pictures and separators without text give no warning."""
        (page,) = read(
            document('<block blockType="Picture"><region/></block><block blockType="SeparatorsBox"/>')
        )
        assert page.lines == ()
        assert page.warnings == ()

    def test_picture_with_text(self):
        """Text inside a picture is read, with a warning."""
        page = one(run("a"), kind="Picture")
        assert texts(page) == ["a"]
        assert reasons(page) == ["Picture contains text, and its lines are read"]

    @pytest.mark.parametrize("kind", ["Barcode", "Checkmark"])
    def test_barcodes(self, kind):
        """Barcodes and check marks are skipped with a warning that names the block."""
        (page,) = read(document(block(run("a")) + block(run("4711"), kind)))
        assert texts(page) == ["a"]
        assert page.warnings[0].element == "block 2"
        assert reasons(page) == [f"{kind} was skipped, because it is not a text line"]

    def test_text_without_lines(self):
        """Text of a block outside lines is skipped with a warning."""
        (page,) = read(document('<block blockType="Text"><text><par>lost</par></text></block>'))
        assert reasons(page) == ["Text has text but no line, and was skipped"]

    def test_lines_outside_blocks(self):
        """If no block has lines, the lines outside blocks are read, with a warning."""
        (page,) = read(
            document(
                f"<pageSection><pageStream><text><par>{run('a')}</par></text></pageStream></pageSection>"
            )
        )
        assert texts(page) == ["a"]
        assert reasons(page) == ["no block has lines, so the lines outside blocks are read"]

    def test_lines_beside_blocks(self):
        """If blocks have lines, the lines outside blocks are skipped with a warning."""
        (page,) = read(
            document(block(run("a")) + f"<pageSection><text><par>{run('a')}</par></text></pageSection>")
        )
        assert texts(page) == ["a"]
        assert reasons(page) == ["skipped, because the blocks have lines"]

    def test_blocks_in_groups(self):
        """Blocks are found at any depth, and a block inside another is not read twice."""
        (page,) = read(document(f'<group><block blockType="Text">{block(run("a"))}</block></group>'))
        assert texts(page) == ["a"]

    def test_top_down(self):
        """With order top-down, blocks are sorted by their position."""
        low = line("<formatting>low</formatting>", 'l="0" t="90" r="9" b="99"')
        high = line("<formatting>high</formatting>", 'l="0" t="10" r="9" b="19"')
        (page,) = read(document(block(low) + block(high)), order="top-down")
        assert texts(page) == ["high", "low"]

    def test_region_level(self):
        """Level region reads lines with a warning, because blocks have no text of their own."""
        (page,) = read(document(block(run("a"))), level="region")
        assert texts(page) == ["a"]
        assert reasons(page) == ["FineReader blocks have no text of their own, so lines are read"]


class TestFile:
    @pytest.mark.parametrize(
        ("head", "expected"),
        [
            *((Head(".xml", "document", namespace, "<document"), True) for namespace in NAMESPACES),
            (Head(".xml", "document", "", '<document producer="FineReader 9">'), True),
            (Head(".xml", "document", "urn:other", "<document>"), False),
            (Head(".xml", "alto", "", "<alto>FineReader</alto>"), False),
        ],
    )
    def test_matches(self, head, expected):
        """FineReader is detected by both its root and its name."""
        assert find_format("abbyy").matches(head) is expected

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "Get a complete copy"),
            (document(block(run("a"))).encode()[:-30], "a.xml: line"),
            (b"<document/>", "has no page element. Export the page again"),
            (document(block(run("caf\xe9"))).encode("latin-1"), "encoding='latin-1'"),
            (document(block(run("\x01"))).encode(), "control character"),
            (
                b"<!DOCTYPE a [<!ENTITY b 'c'>]><document><page>&b;</page></document>",
                "entities are never expanded",
            ),
        ],
    )
    def test_bad_input(self, data, message):
        """The error is one line that names the file and a remedy."""
        assert_one_line(lambda: read(data), "a.xml", message)

    def test_bad_size(self):
        """An invalid page size is ignored with a warning."""
        (page,) = read('<document><page width="foo" height="0"/></document>')
        assert (page.width, page.height) == (None, None)
        assert len(page.warnings) == 2
