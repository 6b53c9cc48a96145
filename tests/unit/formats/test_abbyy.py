"""ABBYY FineReader XML: text from characters or runs, places from edges and baselines."""

from __future__ import annotations

import pytest

from pagemeter.errors import FormatError
from pagemeter.formats import abbyy
from pagemeter.formats.base import Head, ReadOptions

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
    return abbyy.read(xml if isinstance(xml, bytes) else xml.encode(), "a.xml", ReadOptions(**options))


def one(lines: str, **around):
    (page,) = read(document(block(lines, **around)))
    return page


def texts(page) -> list[str]:
    return [found.text for found in page.lines]


def reasons(page) -> list[str]:
    return [warn.reason for warn in page.warnings]


class TestText:
    @pytest.mark.parametrize("namespace", NAMESPACES)
    def test_characters(self, namespace):
        """Characters make the line, in every version of the schema; line ends between them are nothing."""
        (page,) = read(
            document(block(line(f"<formatting>\n{chars('Of the')}</formatting>")), namespace=namespace)
        )
        assert texts(page) == ["Of the"]
        assert page.warnings == ()

    def test_runs(self):
        """Without characters the text of the runs is the line, with its blanks."""
        page = one(line("<formatting>One </formatting><formatting bold='1'>two</formatting>"))
        assert texts(page) == ["One two"]

    def test_indented_run(self):
        """Indentation around the text of a run is none of it."""
        assert texts(one(line("\n   <formatting>\n    One\n   </formatting>\n  "))) == ["One"]

    def test_byte_order_mark_and_crlf(self):
        """A byte order mark and CR LF are no text."""
        xml = document(block(run("a") + run("b"))).replace("><", ">\r\n<")
        (page,) = read(b"\xef\xbb\xbf" + xml.encode())
        assert texts(page) == ["a", "b"]

    def test_variants(self):
        """Other readings of words and characters are not text."""
        other = "<charRecVariants><charRecVariant>b</charRecVariant></charRecVariants>"
        sign = f"<charParams>{other}\n a\n</charParams>"
        word = f"<wordRecVariants><variantText>{sign}</variantText></wordRecVariants>"
        assert texts(one(line(f"<formatting>{word}{sign}{chars(' c')}</formatting>"))) == ["a c"]

    @pytest.mark.parametrize("hyphen", ["¬", "\u00ad", "-"])
    def test_hyphens(self, hyphen):
        """A hyphen at the end of a line stays as it is written."""
        assert texts(one(run(f"ver{hyphen}"))) == [f"ver{hyphen}"]

    def test_empty_character(self):
        """A character that some tool has trimmed away is a blank, with a warning."""
        page = one(line(f"<formatting>{chars('a')}<charParams/>{chars('b')}</formatting>"))
        assert texts(page) == ["a b"]
        assert reasons(page) == ["charParams without a character: read as a blank"]

    def test_word_starts(self):
        """Where no blank is spelled on a page, wordStart parts the words, with a warning."""
        signs = "".join(
            f'<charParams wordStart="{start}">{sign}</charParams>'
            for sign, start in (("a", "true"), ("b", "false"), ("c", "1"))
        )
        page = one(line(f"<formatting>{signs}</formatting>"))
        assert texts(page) == ["ab c"]
        assert len(page.warnings) == 1

    def test_word_starts_beside_blanks(self):
        """Where blanks are spelled, wordStart adds none: a word may start after a hyphen."""
        starts = '<charParams wordStart="1">{}</charParams>'
        signs = starts.format("a") + chars("-") + starts.format("b")
        page = one(line(f"<formatting>{signs}{chars(' c')}</formatting>"))
        assert texts(page) == ["a-b c"]
        assert page.warnings == ()

    def test_base64(self):
        """Text in base64 is kept as written, with a warning."""
        assert reasons(one(line('<formatting base64encoded="1">YQ==</formatting>'))) == [
            "text in base64: kept as it is written"
        ]

    def test_unicode_is_kept(self):
        """Text is not normalised."""
        odd = "Boͤten \uf502 \U00010b00"
        assert texts(one(run(odd))) == [odd]

    def test_line_without_text(self):
        """A line without text stays a line."""
        assert texts(one(line("<formatting/>") + run("b"))) == ["", "b"]


class TestPlace:
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
        """The baseline of turned text runs as the text is read."""
        page = one(line("", f'baseline="{position}" {EDGES}'), text=f'orientation="{orientation}"')
        assert page.lines[0].baseline == expected

    def test_turned_without_baseline(self):
        """Turned text without a baseline has that of its lower edge."""
        page = one(line("", EDGES), text='orientation="RotatedCounterclockwise"')
        assert page.lines[0].baseline == ((210, 50), (210, 20))

    def test_no_baseline(self):
        """Upright text without a baseline has none: its box serves for it later."""
        assert one(line("", EDGES)).lines[0].baseline is None

    @pytest.mark.parametrize(
        ("attributes", "reason"),
        [
            ('l="1" t="2" r="3"', "place left out: an edge is missing"),
            ('l="1" t="2" r="x" b="4"', "place left out: a coordinate that is not a number"),
            ('l="1" t="nan" r="3" b="4"', "place left out: a coordinate that is not a finite number"),
            ('l="1" t="2" r="3" b="99999999"', "place left out: a coordinate beyond 1,000,000 pixels"),
            ('l="9" t="2" r="3" b="4"', "box with its corners exchanged: turned round"),
            (f'baseline="up" {EDGES}', "baseline left out: a coordinate that is not a number"),
            (f'baseline="9000" {EDGES}', "baseline left out: it is far from the line"),
        ],
    )
    def test_unusable(self, attributes, reason):
        """A place that cannot be used is left out with its reason; the text stays."""
        page = one(line("<formatting>a</formatting>", attributes))
        assert texts(page) == ["a"]
        assert reasons(page) == [reason]

    def test_no_place(self):
        """A line without any edge has no place, which is no mistake."""
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
        """FineReader writes no ids, so lines are known by their block and number."""
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
        """Pictures and separators hold no text: nothing is said about them."""
        (page,) = read(
            document('<block blockType="Picture"><region/></block><block blockType="SeparatorsBox"/>')
        )
        assert page.lines == ()
        assert page.warnings == ()

    def test_picture_with_text(self):
        """Text inside a picture is read, with a warning."""
        page = one(run("a"), kind="Picture")
        assert texts(page) == ["a"]
        assert reasons(page) == ["Picture with text in it: its lines are read"]

    @pytest.mark.parametrize("kind", ["Barcode", "Checkmark"])
    def test_barcodes(self, kind):
        """Barcodes and check marks are left out with a warning that names the block."""
        (page,) = read(document(block(run("a")) + block(run("4711"), kind)))
        assert texts(page) == ["a"]
        assert page.warnings[0].element == "block 2"
        assert reasons(page) == [f"{kind}: left out, for it is no text line"]

    def test_text_without_lines(self):
        """Text of a block that is in no line is left out with a warning."""
        (page,) = read(document('<block blockType="Text"><text><par>lost</par></text></block>'))
        assert reasons(page) == ["Text with text but no line: left out"]

    def test_lines_outside_blocks(self):
        """Where no block has lines, those elsewhere on the page are read, with a warning."""
        (page,) = read(
            document(
                f"<pageSection><pageStream><text><par>{run('a')}</par></text></pageStream></pageSection>"
            )
        )
        assert texts(page) == ["a"]
        assert reasons(page) == ["no block has lines: those outside any block are read"]

    def test_lines_beside_blocks(self):
        """Where blocks have lines, others on the page repeat them: left out, with a warning."""
        (page,) = read(
            document(block(run("a")) + f"<pageSection><text><par>{run('a')}</par></text></pageSection>")
        )
        assert texts(page) == ["a"]
        assert reasons(page) == ["left out, for the blocks have lines"]

    def test_blocks_in_groups(self):
        """Blocks are found at any depth, and a block inside another is not read twice."""
        (page,) = read(document(f'<group><block blockType="Text">{block(run("a"))}</block></group>'))
        assert texts(page) == ["a"]

    def test_top_down(self):
        """With order top-down blocks are sorted by their place."""
        low = line("<formatting>low</formatting>", 'l="0" t="90" r="9" b="99"')
        high = line("<formatting>high</formatting>", 'l="0" t="10" r="9" b="19"')
        (page,) = read(document(block(low) + block(high)), order="top-down")
        assert texts(page) == ["high", "low"]

    def test_region_level(self):
        """Blocks have no text of their own, which level region is told."""
        (page,) = read(document(block(run("a"))), level="region")
        assert texts(page) == ["a"]
        assert reasons(page) == ["FineReader blocks have no text of their own: lines are read"]


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
        """FineReader is told by its root and its name, not by one of them."""
        assert abbyy.FORMAT.matches(head) is expected

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "get a complete copy"),
            (document(block(run("a"))).encode()[:-30], "a.xml: line"),
            (b"<document/>", "it has no page element; export the page again"),
            (document(block(run("caf\xe9"))).encode("latin-1"), "--encoding"),
            (document(block(run("\x01"))).encode(), "control character"),
            (
                b"<!DOCTYPE a [<!ENTITY b 'c'>]><document><page>&b;</page></document>",
                "entities are never expanded",
            ),
        ],
    )
    def test_bad_input(self, data, message):
        """What cannot be read is one line that names the file and a remedy."""
        with pytest.raises(FormatError) as caught:
            read(data)
        assert message in str(caught.value)
        assert str(caught.value).startswith("a.xml: ")
        assert "\n" not in str(caught.value)

    def test_bad_size(self):
        """A page size that is none is left out with a warning."""
        (page,) = read('<document><page width="foo" height="0"/></document>')
        assert (page.width, page.height) == (None, None)
        assert len(page.warnings) == 2
