"""TEI: lines from milestones and blocks, pages from page beginnings, positions from the facsimile."""

from __future__ import annotations

import pytest

from helpers import assert_one_line, reasons, texts
from pagemeter.errors import FormatError
from pagemeter.formats import tei
from pagemeter.formats.base import Head, ReadOptions
from pagemeter.formats.registry import find_format

draft = tei._PageDraft
NAMESPACE = "http://www.tei-c.org/ns/1.0"
FACSIMILE = """<facsimile>
 <surface xml:id="s1" ulx="0" uly="0" lrx="1000" lry="2000"><graphic xml:id="g1" url="scan_1.png"/>
  <zone xml:id="r1" rendition="TextRegion" points="0,0 500,0 500,90">
   <zone xml:id="z1" points="10,10 90,10 90,30 10,30"><zone rendition="Baseline" points="10,28 90,27"/></zone>
   <zone xml:id="z2" ulx="10" uly="40" lrx="90" lry="60"/>
   <zone xml:id="z3" points="10,70 90,70 90,90"><path type="baseline" points="10,88 90,88"/></zone>
   <zone xml:id="z4" type="baseline" points="1,2 3,4"/>
   <zone start="#started" points="5,5 6,5 6,6"/>
  </zone>
 </surface>
 <surface xml:id="s2"><graphic url="scan_2.png" width="640px" height="480px"/></surface>
</facsimile>"""


def document(body: str, before: str = "") -> str:
    header = "<teiHeader><p>not read</p></teiHeader>"
    text = f"<text><body>{body}</body></text>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="{NAMESPACE}">{header}{before}{text}</TEI>'


def read(xml: str | bytes, **options):
    return tei.read_tei(xml if isinstance(xml, bytes) else xml.encode(), "a.xml", ReadOptions(**options))


def one(body: str, before: str = "", **options):
    (page,) = read(document(body, before), **options)
    return page


class TestLines:
    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ("<p><lb/>one<lb/>two</p>", ["one", "two"]),
            ("<p>one<lb/>\n  two<lb/>\n</p>", ["one", "two"]),
            ("<ab>one</ab><ab>two</ab>", ["one", "two"]),
            ("<lg><l>one</l>\n<l>two</l></lg>", ["one", "two"]),
            ("<p>\n  one\n   <hi rend='bold'>two</hi>\n</p>", ["one two"]),
            ("<head>Title</head><p>text</p>", ["Title", "text"]),
            ("<list><item>a</item><item>b</item></list>", ["a", "b"]),
            (
                "<table><row><cell>a</cell>\n<cell>b</cell></row><row><cell>c</cell></row></table>",
                ["a b", "c"],
            ),
            ("<sp><speaker>A.</speaker><p>words</p></sp>", ["A.", "words"]),
            ("<p>in<hi>ter</hi>est</p>", ["interest"]),
            ("<p>a<lb/>b<cb/>c</p>", ["a", "b", "c"]),
            ("<p>ver-<lb break='no'/>bunden</p>", ["ver-", "bunden"]),
            ("<w>ver<lb break='no'/>bunden</w>", ["ver", "bunden"]),
            ("<p>a<space/>b &#160; c</p>", ["a b \u00a0 c"]),
            ("<l>one<lb/>two</l>", ["one", "two"]),
            ("loose<p>text</p>loose", ["loose", "text", "loose"]),
            ("<opener><salute>Dear</salute><dateline>May</dateline></opener>", ["Dear", "May"]),
        ],
    )
    def test_where_lines_begin(self, body, expected):
        """Milestones and blocks begin lines; indentation is not text; lb always begins a line."""
        page = one(body)
        assert texts(page) == expected
        assert page.warnings == ()

    def test_front_and_back(self):
        """Front and back matter are text too, the header is not."""
        xml = (
            f'<TEI xmlns="{NAMESPACE}"><text><front><titlePage><docTitle><titlePart>T</titlePart></docTitle>'
        )
        xml += "</titlePage></front><body><p>b</p></body><back><p>z</p></back></text></TEI>"
        assert texts(read(xml)[0]) == ["T", "b", "z"]

    def test_notes_interrupt_their_line(self):
        """A note or running head has its own lines; the line around it continues."""
        page = one("<p><lb/>one <note place='margin'>mar<lb/>gin</note>line<lb/>two</p><fw>Head</fw>")
        assert texts(page) == ["one line", "mar", "gin", "two", "Head"]

    def test_ids_and_regions(self):
        """A line has the id or the number of its milestone or element, and the block around it as region."""
        page = one('<div xml:id="d"><p xml:id="p"><lb xml:id="a"/>x<lb n="7"/>y</p><p xml:id="q">z</p></div>')
        assert [line.id for line in page.lines] == ["a", "7", "q"]
        assert [line.region for line in page.lines] == ["p", "p", "d"]

    def test_unicode_is_kept(self):
        """Text is not normalised."""
        odd = "Boͤten \uf502 \U00010b00 a\u200cb\u00ad"
        assert texts(one(f"<p>{odd}</p>")) == [odd]

    def test_region_level(self):
        """With level region a block is one line; lb is a space unless its break is no."""
        assert texts(one("<p>ver<lb break='no'/>bun<lb/>den</p><p>x</p>", level="region")) == [
            "verbun den",
            "x",
        ]

    def test_word_level(self):
        """Level word reads lines, with a warning."""
        page = one("<p><w>a</w> b</p>", level="word")
        assert texts(page) == ["a b"]
        assert reasons(page) == ["TEI words are not read on their own, so lines are read"]


class TestReadings:
    @pytest.mark.parametrize(
        ("offered", "expected"),
        [
            ("<choice><orig>vnd</orig><reg>und</reg></choice>", "vnd"),
            ("<choice><reg>und</reg><orig>vnd</orig></choice>", "vnd"),
            ("<choice><sic>teh</sic><corr>the</corr></choice>", "teh"),
            ("<choice>\n <abbr>dñs</abbr>\n <expan>dominus</expan>\n</choice>", "dñs"),
            ("<choice><orig>a<lb/>b</orig><reg>ab</reg></choice>", "a|b"),
            ("<del>gone</del><add>new</add>", "gonenew"),
            ("<unclear>dim</unclear>", "dim"),
            ("<subst>\n<del>a</del>\n<add>b</add>\n</subst>", "ab"),
        ],
    )
    def test_what_the_page_shows(self, offered, expected):
        """Of several readings, the one on the page is read without a warning."""
        page = one(f"<p>{offered}</p>")
        assert "|".join(texts(page)) == expected
        assert page.warnings == ()

    @pytest.mark.parametrize(
        ("offered", "expected", "reason"),
        [
            ("<supplied>x</supplied>", "ab", "supplied text is not on the page, and was skipped"),
            (
                "<expan>d<ex>omi</ex>n</expan>",
                "adnb",
                "letters of an abbreviation that the editor expanded were skipped",
            ),
            ("<gap reason='damage'/>", "ab", "a gap has no text, and was skipped"),
            ("<figure><figDesc>cat</figDesc></figure>", "a|b", "the description of a figure was skipped"),
            ("<g ref='#x'/>", "ab", "g has no text, and was skipped"),
            ("<app><lem>l</lem><rdg>r</rdg></app>", "alb", "other readings of an apparatus were skipped"),
            ("<app><rdg>r</rdg></app>", "arb", "the apparatus has no lem, so its first reading is used"),
            (
                "<choice><unclear>u</unclear><unclear>v</unclear></choice>",
                "aub",
                "choice has no orig, sic or abbr, so its first reading is used",
            ),
            ("<reg>und</reg>", "aundb", "only the edited reading (reg) is in the file, and is used"),
        ],
    )
    def test_with_a_warning(self, offered, expected, reason):
        """Skipped text and guessed readings give a warning."""
        page = one(f"<p>a{offered}b</p>")
        assert "|".join(texts(page)) == expected
        assert reason in reasons(page)

    def test_gaps_are_counted(self):
        """The warning has the number of gaps."""
        page = one("<p>a<gap/>b<gap/>c<gap/></p>")
        assert [warn.element for warn in page.warnings] == ["p and 2 more"]

    def test_milestones_in_supplied_text(self):
        """A line beginning inside supplied text begins a line."""
        assert texts(one("<p>a<supplied>x<lb/>y</supplied>b</p>")) == ["a", "b"]


class TestPages:
    def test_page_beginnings(self):
        """Each pb begins a page with its image, also inside a paragraph; pages may be empty."""
        pages = read(document("<pb facs='a.jpg'/><p>one <pb facs='http://x/b.jpg'/>two</p><pb/>"))
        assert [texts(page) for page in pages] == [["one"], ["two"], []]
        assert [page.image for page in pages] == ["a.jpg", "http://x/b.jpg", None]

    def test_text_before_the_first(self):
        """Text before the first pb belongs to the first page, with a warning."""
        (page,) = read(document("<p>before</p><pb/><p>after</p>"))
        assert texts(page) == ["before", "after"]
        assert reasons(page) == ["text before the first page beginning was added to the first page"]

    def test_too_many_pages_are_refused_before_the_others_are_read(self, monkeypatch):
        created = []
        monkeypatch.setattr(tei, "_PageDraft", lambda *args: created.append(1) or draft(*args))
        data = b"<TEI><text>" + b"<pb/>" * 60_000 + b"</text></TEI>"
        with pytest.raises(FormatError, match="has 20,001 pages"):
            tei.read_tei(data, "a.xml", ReadOptions())
        assert len(created) == 20_001

    def test_no_page_beginning(self):
        """A text without pb is one page."""
        assert texts(one("<p>a</p>")) == ["a"]

    def test_page_beginning_inside_a_note(self):
        """After a page beginning inside a note, the line around it continues on the new page."""
        pages = read(document("<pb/><p>one <note>n<pb/>m</note>two</p>"))
        assert [texts(page) for page in pages] == [["one", "n"], ["m", "two"]]

    def test_corpus(self):
        """Each text of a corpus begins a page."""
        texts_of = "".join(f"<TEI><text><body><p>{sign}</p></body></text></TEI>" for sign in "ab")
        pages = read(f"<teiCorpus><teiHeader/>{texts_of}</teiCorpus>")
        assert [texts(page) for page in pages] == [["a"], ["b"]]

    def test_empty_text(self):
        """A text without content is a blank page."""
        (page,) = read("<TEI><text><body/></text></TEI>")
        assert page.lines == ()

    def test_top_down(self):
        """With order top-down, paragraphs are sorted by their position."""
        page = one("<p facs='#z2'>low</p><p facs='#z1'>high</p>", FACSIMILE, order="top-down")
        assert texts(page) == ["high", "low"]


class TestPosition:
    def position(self, link: str):
        (line,) = one(f"<p><lb {link}/>a</p>", FACSIMILE).lines
        return line.baseline, line.polygon

    def test_zone_with_points(self):
        """A zone's points are the polygon, and a baseline zone inside it the baseline."""
        assert self.position('facs="#z1"') == (((10, 28), (90, 27)), ((10, 10), (90, 10), (90, 30), (10, 30)))

    def test_zone_with_corners(self):
        """A zone's corners are its box."""
        assert self.position('facs="#z2"') == (None, ((10, 40), (90, 40), (90, 60), (10, 60)))

    def test_path(self):
        """A path inside a zone is a baseline."""
        assert self.position('facs="#z3"')[0] == ((10, 88), (90, 88))

    def test_baseline_zone(self):
        """A zone of type baseline is a baseline without a polygon."""
        assert self.position('facs="#z4"') == (((1, 2), (3, 4)), None)

    def test_link_from_the_zone(self):
        """A zone may point at the text instead."""
        assert self.position('xml:id="started"') == (None, ((5, 5), (6, 5), (6, 6)))

    @pytest.mark.parametrize("name", ["l", "ab", "p"])
    def test_blocks(self, name):
        """A block that is one line has the position of its zone."""
        (line,) = one(f'<{name} facs="#z2">a</{name}>', FACSIMILE).lines
        assert line.polygon is not None

    def test_block_of_several_lines(self):
        """The zone of a paragraph of several lines is not used."""
        page = one('<p facs="#r1">a<lb facs="#z1"/>b<lb/>c</p>', FACSIMILE)
        assert [line.polygon is None for line in page.lines] == [True, False, True]

    def test_empty_line_with_a_position(self):
        """A linked line without text is read."""
        assert texts(one('<p><lb facs="#z1"/><lb facs="#z2"/>a</p>', FACSIMILE)) == ["", "a"]

    def test_page_image(self):
        """A page has the image and size of its surface or graphic."""
        for link, image, size in (
            ("#s1", "scan_1.png", (1000, 2000)),
            ("#g1", "scan_1.png", (1000, 2000)),
            ("#s2", "scan_2.png", (640, 480)),
        ):
            page = one(f'<pb facs="{link}"/><p>a</p>', FACSIMILE)
            assert (page.image, (page.width, page.height)) == (image, size)

    def test_dead_link(self):
        """A link to a missing zone gives a warning."""
        page = one('<p><lb facs="#nowhere"/>a</p>', FACSIMILE)
        assert page.lines[0].polygon is None
        assert reasons(page) == ["facs refers to no zone of this file, so there is no position"]

    @pytest.mark.parametrize("points", ["1,2 nan,4", "1,2 3", "1,2 x,y", "1,2 99999999,4"])
    def test_unusable_points(self, points):
        """Unusable points are ignored with a warning, and the text is read."""
        page = one(
            '<p><lb facs="#z"/>a</p>',
            f'<facsimile><surface><zone xml:id="z" points="{points}"/></surface></facsimile>',
        )
        assert texts(page) == ["a"]
        assert page.lines[0].polygon is None
        assert reasons(page)[0].startswith("the position was ignored: ")


class TestEmbedded:
    def test_lines_in_zones(self):
        """A line in a sourceDoc has its own position, or that of its zone if it is the only line."""
        xml = """<TEI><sourceDoc><surface lrx="100" lry="200"><graphic url="q.jpg"/><zone xml:id="Z">
          <zone type="line" points="5,5 6,6 7,7"><path points="5,6 7,6"/><line xml:id="l1">one</line></zone>
          <line>two</line><line points="1,2 3,4">three</line></zone></surface><surface/></sourceDoc></TEI>"""
        first, second = read(xml)
        assert texts(first) == ["one", "two", "three"]
        assert first.lines[0].baseline == ((5, 6), (7, 6))
        assert first.lines[0].polygon == ((5, 5), (6, 6), (7, 7))
        assert [line.polygon for line in first.lines[1:]] == [None, ((1, 2), (3, 4))]
        assert [line.region for line in first.lines] == ["Z", "Z", "Z"]
        assert (first.image, first.width, first.height) == ("q.jpg", 100, 200)
        assert second.lines == ()

    def test_text_wins(self):
        """If a file has both, the text is read and the sourceDoc is skipped with a warning."""
        page = one("<p>a</p>", "<sourceDoc><surface><line>a</line></surface></sourceDoc>")
        assert texts(page) == ["a"]
        assert reasons(page) == ["was skipped, because the text element is read"]

    def test_empty_text_yields(self):
        """The sourceDoc is read if the text is empty."""
        page = one("", "<sourceDoc><surface><line>a</line></surface></sourceDoc>")
        assert texts(page) == ["a"]


class TestFile:
    @pytest.mark.parametrize(
        ("root", "expected"),
        [("TEI", True), ("teiCorpus", True), ("TEI.2", True), ("tei", False), (None, False)],
    )
    def test_matches(self, root, expected):
        """TEI is detected by its root."""
        assert find_format("tei").matches(Head(".xml", root, NAMESPACE, "<")) is expected

    def test_old_version(self):
        """TEI P4 has no namespace, another root and plain ids."""
        page = read('<TEI.2><text><body><p id="p1">a</p></body></text></TEI.2>')[0]
        assert [(line.text, line.id) for line in page.lines] == [("a", "p1")]

    def test_duplicate_ids(self):
        """Elements with the same xml:id are read with a warning; links refer to the first."""
        zones = '<zone xml:id="z" points="1,1 2,2 3,3"/><zone xml:id="z" points="4,4 5,5 6,6"/>'
        page = one('<p facs="#z">a</p>', f"<facsimile><surface>{zones}</surface></facsimile>")
        assert page.lines[0].polygon == ((1, 1), (2, 2), (3, 3))
        assert reasons(page) == ["several elements have the same id, and links refer to the first"]

    def test_external_document_type(self):
        """A document type is never fetched; named characters are those of HTML."""
        xml = '<!DOCTYPE TEI.2 SYSTEM "http://no.such.host/tei2.dtd"><TEI.2><text><p>a&mdash;b</p></text></TEI.2>'
        assert texts(read(xml)[0]) == ["a—b"]

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "Get a complete copy"),
            (document("<p>a</p>").encode()[:-20], "a.xml: line"),
            (b"<TEI/>", "has no text element"),
            (b"<other/>", "has no text element"),
            (document("<p>caf\xe9</p>").encode("latin-1"), "encoding='latin-1'"),
            (document("<p>\x01</p>").encode(), "control character"),
            (
                b"<!DOCTYPE TEI [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><TEI><text>&b;</text></TEI>",
                "never expanded",
            ),
            (b"<!DOCTYPE TEI SYSTEM 'x.dtd'><TEI><text><p>&own;</p></text></TEI>", "entity 'own'"),
            (b"<TEI>" + b"<text>" * 5000, "a.xml: "),
        ],
    )
    def test_bad_input(self, data, message):
        """The error is one line that names the file and a remedy."""
        assert_one_line(lambda: read(data), "a.xml", message)
