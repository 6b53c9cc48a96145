"""hOCR that is no XML: what recognisers and scripts leave unescaped and unclosed."""

from __future__ import annotations

import pytest

from pagemeter.errors import FormatError
from pagemeter.formats import hocr
from pagemeter.formats.base import Notes, ReadOptions
from pagemeter.formats.hocr_soup import mended, parse_soup

READ_AS_HTML = "not well-formed XML: all of it is read as HTML"


def read(body: str | bytes, **options):
    data = body if isinstance(body, bytes) else body.encode()
    (page,) = hocr.read(data, "a.html", ReadOptions(**options))
    return page


def soup(line: str) -> list[str]:
    page = read(f"<div class=ocr_page><span class='ocr_line'>{line}<br></span></div>")
    assert READ_AS_HTML in [warn.reason for warn in page.warnings]
    return [found.text for found in page.lines]


def test_unclosed_br():
    """An unclosed <br> makes a file HTML, and a warning says where XML ended."""
    page = read("<div class='ocr_page'>\n<span class='ocr_line' title='bbox 0 0 9 9'>a<br></span></div>")
    assert [line.text for line in page.lines] == ["a"]
    assert page.warnings[0].element.startswith("line 2, column ")


@pytest.mark.parametrize(
    "text",
    ["i<5t", "<?«»«?>i", "!'<!--,,,>", "s<5<a</<e", "6eöi>A»kan<kcka/ze»).", "F»<r ?a«e»«.", "a < b", "<"],
)
def test_unescaped_text(text):
    """Signs of markup in recognised text are read as the characters they are."""
    assert soup(f"<span class='ocrx_word'>{text}</span>") == [text]


def test_bare_ampersand():
    """An ampersand that begins no entity is one."""
    assert soup("dt&HiFi-i 3&72 &amp; &shy;x") == ["dt&HiFi-i 3&72 & \u00adx"]


def test_unescaped_comment_keeps_later_lines():
    """A comment that never ends does not swallow the rest of the page."""
    page = read("<div class=ocr_page><p class=ocr_line>!<!--,></p><p class=ocr_line>b</p><!-- real --></div>")
    assert [line.text for line in page.lines] == ["!<!--,>", "b"]


def test_missing_end_tags():
    """Lines that are never closed are still lines of their own."""
    page = read("<div class=ocr_page><span class=ocr_line>a<span class=ocr_line>b<span class=ocr_line>c")
    assert [line.text for line in page.lines] == ["a", "b", "c"]
    assert "text outside any line: taken as a line" in [warn.reason for warn in page.warnings]


def test_self_closed_elements():
    """An empty element written the XML way does not swallow what follows."""
    page = read("<div class=ocr_page><p class='ocr_line' title='bbox 0 0 1 1' /><p class=ocr_line>b</div>")
    assert [line.text for line in page.lines] == ["", "b"]


def test_unquoted_and_upper_case():
    """Upper-case tags and attributes without quotes are HTML."""
    page = read("<DIV CLASS=ocr_page><SPAN CLASS=ocr_line>a<BR></SPAN></DIV>")
    assert [line.text for line in page.lines] == ["a"]


def test_declared_encoding():
    """The encoding that a meta element declares is used."""
    head = "<html><head><meta charset='iso-8859-1'></head><body>"
    page = read(f"{head}<p class=ocr_line>café</body></html>".encode("latin-1"))
    assert [line.text for line in page.lines] == ["café"]


def test_unknown_declared_encoding():
    """A declared encoding that nobody knows is read as UTF-8, with a warning."""
    page = read("<html><head><meta charset=klingon></head><body><p class=ocr_line>é</body></html>")
    assert [line.text for line in page.lines] == ["é"]
    assert "unknown encoding 'klingon': read as UTF-8" in [warn.reason for warn in page.warnings]


def test_utf_16_with_mark():
    """UTF-16 with a byte order mark is read."""
    page = read("<div class=ocr_page><p class=ocr_line>ä<br></div>".encode("utf-16"))
    assert [line.text for line in page.lines] == ["ä"]


def test_control_characters():
    """Control characters make a file no XML; they are removed with a warning each."""
    page = read("<div class='ocr_page'><p class='ocr_line'>a\x01b\x0bc</p></div>")
    assert [line.text for line in page.lines] == ["ab c"]
    said = [warn.reason for warn in page.warnings]
    assert "control character U+0001: removed" in said
    assert "control character U+000B: read as a blank" in said


def test_too_deep():
    """Nesting that the parser would cut off is refused, for it would lose text silently."""
    with pytest.raises(FormatError, match="nested too deeply"):
        read("<div class=ocr_page>" + "<div>x" * 3000)


def test_real_comment_is_no_text():
    """A comment that ends is none of the page's text."""
    assert mended("a<!-- b -->c", Notes("a.html")) == "a<!-- b -->c"
    assert soup("a<!-- <b> -->c") == ["ac"]


def test_nothing_left():
    """HTML without any element is refused in one line."""
    with pytest.raises(FormatError, match=r"a\.html: it holds no element"):
        parse_soup(b"<!-- only a comment -->", "a.html", None, Notes("a.html"))
