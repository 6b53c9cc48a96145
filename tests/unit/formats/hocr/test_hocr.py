"""hOCR: pages, lines and their text."""

from __future__ import annotations

import pytest

from documents.hocr import line, page, read
from helpers import assert_one_line, reasons, texts
from pagemeter.errors import FormatError, UsageError
from pagemeter.formats.base import Head
from pagemeter.formats.registry import find_format
from pagemeter.formats.xml import replace_html_entities

DOCTYPE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
)
FULL = (
    DOCTYPE
    + """<html xmlns="http://www.w3.org/1999/xhtml">
 <head><title>not read</title><meta name='ocr-system' content='x'/></head>
 <body>
  <div class='ocr_page' id='page_1' title='image "scans/a; b.tif"; bbox 0 0 800 1000; ppageno 0'>
   <div class='ocr_carea' id='block_1' title="bbox 10 10 700 90">
    <p class='ocr_par' id='par_1' title="bbox 10 10 700 90">
     <span class='ocr_line' id='line_1' title="bbox 10 10 700 40; baseline 0.01 -8; x_size 30">
      <span class='ocrx_word' id='w1' title='bbox 10 10 90 40; x_wconf 96'>Erste</span>
      <span class='ocrx_word' id='w2' title='bbox 99 10 190 40; x_wconf 3'><strong>Zeile</strong></span>
     </span>
     <span class='ocr_header' id='line_2' title="bbox 10 50 700 90; baseline 0 0">
      <span class='ocrx_word' id='w3' title='bbox 10 50 90 90'>Titel</span>
     </span>
    </p>
   </div>
   <div class='ocr_photo' id='photo_1' title='bbox 0 500 800 900'></div>
  </div>
 </body>
</html>
"""
)


class TestPage:
    def test_whole_file(self):
        """A file of Tesseract gives text, positions, ids, regions, image and size without warnings."""
        (found,) = read(FULL)
        assert texts(found) == ["Erste Zeile", "Titel"]
        assert [one.id for one in found.lines] == ["line_1", "line_2"]
        assert [one.region for one in found.lines] == ["block_1", "block_1"]
        assert found.lines[0].baseline == ((10, 32), (700, pytest.approx(38.9)))
        assert found.lines[0].polygon == ((10, 10), (700, 10), (700, 40), (10, 40))
        assert (found.image, found.width, found.height) == ("scans/a; b.tif", 800, 1000)
        assert found.source == "a.hocr"
        assert found.warnings == ()

    def test_several_pages(self):
        """Each ocr_page is a page with its own warnings, even if it is empty."""
        bodies = [line("bbox 0 0 9 9"), "", line("bbox 0 0 x 9")]
        pages = read("".join(f"<div class='ocr_page'>{body}</div>" for body in bodies).join(("<b>", "</b>")))
        assert [len(found.lines) for found in pages] == [1, 0, 1]
        assert [len(found.warnings) for found in pages] == [0, 0, 1]

    def test_image_from_x_source(self):
        """x_source is the image if `image` is missing."""
        found = read("<div class='ocr_page' title='x_source bsb_0001; ppageno 1'/>")[0]
        assert found.image == "bsb_0001"

    def test_lines_without_page(self):
        """Lines without an ocr_page are one page, with a warning."""
        found = read(f"<html><body>{line('bbox 0 0 9 9')}</body></html>")[0]
        assert texts(found) == ["a"]
        assert reasons(found) == ["there is no ocr_page, so the whole file is read as one page"]

    def test_text_outside_pages(self):
        """Text outside pages is skipped with a warning; the head is not text."""
        found = read("<html><head><title>t</title></head><body>stray<p class='ocr_page'>x</p></body></html>")[
            0
        ]
        assert "text outside any ocr_page was skipped" in reasons(found)

    def test_page_of_size_zero(self):
        """A page box of size zero gives no size."""
        found = read("<div class='ocr_page' title='bbox 0 0 0 0'/>")[0]
        assert (found.width, found.height) == (None, None)


class TestLines:
    @pytest.mark.parametrize(
        "kind",
        ["ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat", "ocr_pageno"],
    )
    def test_line_classes(self, kind):
        """Every class for text lines makes a line, also with other classes."""
        found = page(f"<p class='ocr_par'><span class='big {kind}' title='bbox 0 0 9 9'>a b</span></p>")
        assert texts(found) == ["a b"]
        assert found.warnings == ()

    def test_header_around_lines(self):
        """An ocr_header that contains lines is a block, not a line."""
        found = page(f"<div class='ocr_header'>{line('bbox 0 0 9 9')}{line('bbox 0 9 9 19', 'b')}</div>")
        assert texts(found) == ["a", "b"]
        assert found.warnings == ()

    def test_empty_lines_stay(self):
        """A line without text is read."""
        found = page("<span class='ocr_line'><span class='ocrx_word'> </span></span>" + line("bbox 0 0 1 1"))
        assert texts(found) == ["", "a"]

    def test_document_order_is_kept(self):
        """Words are in document order; right-to-left text is not sorted by position."""
        words = "".join(
            f"<span class='ocrx_word' title='bbox {left} 0 {left + 9} 9'>{word}</span> "
            for left, word in ((90, "שלום"), (50, "עולם"))
        )
        assert texts(page(f"<span class='ocr_line' dir='rtl'>{words}</span>")) == ["שלום עולם"]

    def test_top_down(self):
        """With order top-down, regions and lines are sorted by position."""
        blocks = "".join(
            f"<div class='ocr_carea'>{line(f'bbox 0 {top} 9 {top + 9}', str(top))}</div>" for top in (90, 10)
        )
        assert texts(page(blocks, order="top-down")) == ["10", "90"]
        assert texts(page(blocks)) == ["90", "10"]

    @pytest.mark.parametrize("kind", ["ocr_carea", "ocrx_block", "ocr_block"])
    def test_region_is_the_block(self, kind):
        """The region of a line is its block, of any class."""
        found = page(f"<div class='{kind}' id='b'><p class='ocr_par' id='p'>{line('')}</p></div>")
        assert found.lines[0].region == "b"

    def test_region_is_the_paragraph(self):
        """Without a block with an id, the region is the paragraph."""
        found = page(f"<div class='ocrx_block'><p class='ocr_par' id='p'>{line('')}</p></div>")
        assert found.lines[0].region == "p"
        assert page(line("")).lines[0].region is None

    def test_duplicate_ids(self):
        """Lines with the same id are all read."""
        assert texts(page(line("") + line("", "b"))) == ["a", "b"]


class TestText:
    def test_white_space_as_html_shows_it(self):
        """White space between words is one space, and is dropped at the ends of a line."""
        found = page("<span class='ocr_line'>\n  <b>a</b>\n\t b\r\n <br/></span>")
        assert texts(found) == ["a b"]

    def test_no_break_space_stays(self):
        """Only the white space of HTML collapses; other spaces are characters."""
        assert texts(page("<span class='ocr_line'>a&#160; \u2003b</span>")) == ["a\u00a0 \u2003b"]

    def test_words_without_space_between(self):
        """Words are separated by a space even if the file has none."""
        found = page("<i class='ocr_line'><b class='ocr_word'>a</b><b class='ocr_word'>b</b></i>")
        assert texts(found) == ["a b"]

    def test_hyphen_outside_word(self):
        """A soft hyphen after the last word is joined to it."""
        found = page("<i class='ocr_line'><b class='ocrx_word'>Still</b>&#173;<br/></i>")
        assert texts(found) == ["Still\u00ad"]

    def test_named_soft_hyphen(self):
        """`&shy;` is a character, with or without a document type, in XML and in HTML."""
        body = "<div class='ocr_page'><p class='ocr_line'>Still&shy;{}</p></div>"
        for text in (body.format(""), DOCTYPE + body.format(""), body.format("<br>")):
            assert texts(read(text)[0]) == ["Still\u00ad"]

    def test_unicode_is_kept(self):
        """Text is not normalised."""
        odd = "Boͤten \uf502 \U00010b00 a\u200cb \ufeffx"
        assert texts(page(f"<p class='ocr_line'>{odd}</p>")) == [odd]

    def test_characters_of_a_word(self):
        """Indentation between the ocrx_cinfo elements of one word is dropped."""
        word = "".join(f"\n   <span class='ocrx_cinfo' title='x_conf 9'>{sign}</span>" for sign in "Wort")
        found = page(f"<p class='ocr_line'><span class='ocrx_word'>{word}\n  </span> <b>x</b></p>")
        assert texts(found) == ["Wort x"]

    def test_other_readings_of_characters(self):
        """Tesseract's alternative characters are skipped with a warning."""
        choice = "<span class='ocrx_cinfo' title='x_confs 9'>Q</span>"
        listed = f"<span class='ocr_symbol'><span class='ocrx_cinfo'>{choice}</span></span>"
        flat = f"<span class='ocrx_cinfo' id='lstm_choices_1'>{choice}{choice}</span>"
        found = page(f"<p class='ocr_line'><b class='ocrx_word'>O{listed}{flat}</b></p>")
        assert texts(found) == ["O"]
        assert reasons(found) == ["alternative readings of a character or word were skipped"]

    def test_alternatives(self):
        """The inserted alternative is read, not the deleted one."""
        found = page("<p class='ocr_line'><i><ins class='alt'>a</ins><del class='alt'>b</del></i></p>")
        assert texts(found) == ["a"]


class TestLevels:
    def test_paragraph_without_lines(self):
        """A paragraph without lines is one line with its box, with a warning."""
        found = page("<p class='ocr_par' id='p1' title='bbox 0 0 90 20'>one\n two</p>")
        assert texts(found) == ["one two"]
        assert found.lines[0].region == "p1"
        assert found.lines[0].polygon == ((0, 0), (90, 0), (90, 20), (0, 20))
        assert found.warnings[0].element == "paragraph p1"
        assert reasons(found) == ["there are no lines, so the text is read as one line"]

    def test_paragraph_with_breaks(self):
        """<br> ends a line in a paragraph without lines, and the box of the paragraph is not used."""
        found = page("<p class='ocr_par' id='p1' title='bbox 0 0 90 20'>one<br/>two</p>")
        assert texts(found) == ["one", "two"]
        assert [one.polygon for one in found.lines] == [None, None]
        assert found.warnings[0].element == "paragraph p1 and 1 more"

    def test_words_without_lines(self):
        """Words outside lines are joined, with the box around all of them."""
        found = page(
            "<b class='ocrx_word' title='bbox 0 0 9 9'>a</b><b class='ocr_word' title='bbox 20 1 40 12'>b</b>"
        )
        assert texts(found) == ["a b"]
        assert found.lines[0].polygon == ((0, 0), (40, 0), (40, 12), (0, 12))

    def test_text_beside_lines(self):
        """Text between lines is read as a line, with a warning."""
        found = page(f"<p class='ocr_par'>{line('')} stray {line('', 'b')}</p>")
        assert texts(found) == ["a", "stray", "b"]
        assert reasons(found) == ["text outside any line is read as a line"]

    def test_forced_line(self):
        """With level line, text outside lines is skipped."""
        found = page(f"stray{line('')}", level="line")
        assert texts(found) == ["a"]
        assert reasons(found) == ["text outside any line was skipped as requested"]

    def test_forced_word(self):
        """With level word, text outside words is skipped."""
        found = page(
            "<p class='ocr_line'><b class='ocrx_word'>Still</b>&#173; <b class='ocrx_word'>x</b></p>",
            level="word",
        )
        assert texts(found) == ["Still x"]
        assert reasons(found) == ["text outside any word was skipped as requested"]

    def test_forced_region(self):
        """With level region, each paragraph is one line with its box and no baseline."""
        title = "bbox 0 0 9 9; baseline 0 0"
        found = page(
            f"<p class='ocr_par' id='p' title='{title}'>{line(title)}{line(title, 'b')}</p>", level="region"
        )
        assert texts(found) == ["a b"]
        assert found.lines[0].id == "p"
        assert found.lines[0].baseline is None
        assert found.lines[0].polygon is not None


class TestDetection:
    @pytest.mark.parametrize(
        ("head", "expected"),
        [
            (Head(".hocr", "div", "", "<div"), True),
            (Head(".html", "html", "", "<html>"), True),
            (Head(".xml", "div", "", '<div class="ocr_page">'), True),
            (Head(".xml", None, "", "<!DOCTYPE broken <p class=ocr_line>"), True),
            (Head(".xml", "alto", "", "<alto><!-- class='ocr_line' --></alto>"), False),
            (Head(".md", None, "", "write class='ocr_line'"), False),
            (Head(".txt", None, "", "text"), False),
        ],
    )
    def test_matches(self, head, expected):
        """hOCR is detected by its suffix, its root or a class, but not by a word in the text."""
        assert find_format("hocr").matches(head) is expected


class TestBadInput:
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "a.hocr: "),
            (b"   \n", "a.hocr: "),
            (FULL[:-200].encode(), "</html> is missing, because the file is cut off. Get a complete copy"),
            (b"<html><body><p>no hOCR</p></body></html>", "no element has a class of hOCR"),
            (b"\xff\xfe\x00", "a.hocr: "),
            (b"<div class='ocr_page'>caf\xe9</div>", "encoding='latin-1'"),
            (b"<!DOCTYPE a [<!ENTITY b 'c'>]><div class='ocr_page'>&b;</div>", "entities are never expanded"),
        ],
    )
    def test_one_clear_line(self, data, message):
        """The error is one line that names the file and a remedy."""
        assert_one_line(lambda: read(data), "a.hocr", message)

    def test_entity_bomb(self):
        """Nested entities are refused, not expanded."""
        bomb = "<!DOCTYPE a [<!ENTITY a 'ha'>" + "".join(
            f"<!ENTITY a{n} '&a{n - 1 or ''};&a{n - 1 or ''};'>" for n in range(1, 30)
        )
        with pytest.raises(FormatError, match="entit"):
            read(bomb + "]><div class='ocr_page'><p class='ocr_line'>&a29;</p></div>")

    def test_encoding_option(self):
        """The requested encoding replaces the declared one."""
        data = "<?xml version='1.0' encoding='UTF-8'?><p class='ocr_line'>café</p>".encode("latin-1")
        assert texts(read(data, encoding="latin-1")[0]) == ["café"]

    def test_unknown_encoding_option(self):
        """An unknown encoding is a usage error."""
        with pytest.raises(UsageError, match="klingon"):
            read(b"<p class='ocr_line'>a</p>", encoding="klingon")

    def test_byte_order_mark_and_crlf(self):
        """A byte order mark and CR LF are not text."""
        data = b"\xef\xbb\xbf" + FULL.replace("\n", "\r\n").encode()
        assert texts(read(data)[0]) == ["Erste Zeile", "Titel"]

    def test_white_space_before_the_declaration(self):
        """White space before the XML is skipped with a warning."""
        found = read("\n" + FULL)[0]
        assert texts(found) == ["Erste Zeile", "Titel"]
        assert "white space before the XML was skipped" in reasons(found)

    def test_only_html_entities_are_replaced(self):
        """Only the named characters of HTML are replaced, except the five of XML."""
        assert replace_html_entities(b"&lt;&nbsp;&foo;&#5;& a;") == b"&lt;&#160;&foo;&#5;& a;"
