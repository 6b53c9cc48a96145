"""hOCR that is not well-formed XML: unescaped text and missing end tags."""

from __future__ import annotations

import pytest

from pagemeter.errors import FormatError
from pagemeter.formats import hocr
from pagemeter.formats.base import Notes, ReadOptions
from pagemeter.formats.hocr import escape_text, parse_html

READ_AS_HTML = "not well-formed XML, so the whole file is read as HTML"


def read(body: str | bytes, **options):
    data = body if isinstance(body, bytes) else body.encode()
    (page,) = hocr.read_hocr(data, "a.html", ReadOptions(**options))
    return page


def soup(line: str) -> list[str]:
    page = read(f"<div class=ocr_page><span class='ocr_line'>{line}<br></span></div>")
    assert READ_AS_HTML in [warn.reason for warn in page.warnings]
    return [found.text for found in page.lines]


def test_unclosed_br():
    """A file with an unclosed <br> is read as HTML, with a warning that has the position."""
    page = read("<div class='ocr_page'>\n<span class='ocr_line' title='bbox 0 0 9 9'>a<br></span></div>")
    assert [line.text for line in page.lines] == ["a"]
    assert page.warnings[0].element.startswith("line 2, column ")


@pytest.mark.parametrize(
    "text",
    ["i<5t", "<?«»«?>i", "!'<!--,,,>", "s<5<a</<e", "6eöi>A»kan<kcka/ze»).", "F»<r ?a«e»«.", "a < b", "<"],
)
def test_unescaped_text(text):
    """Markup characters in recognised text are read as text."""
    assert soup(f"<span class='ocrx_word'>{text}</span>") == [text]


def test_bare_ampersand():
    """An ampersand that does not begin an entity is a character."""
    assert soup("dt&HiFi-i 3&72 &amp; &shy;x") == ["dt&HiFi-i 3&72 & \u00adx"]


def test_unescaped_comment_keeps_later_lines():
    """A comment without an end does not hide the rest of the page."""
    page = read("<div class=ocr_page><p class=ocr_line>!<!--,></p><p class=ocr_line>b</p><!-- real --></div>")
    assert [line.text for line in page.lines] == ["!<!--,>", "b"]


def test_missing_end_tags():
    """Lines without an end tag are separate lines."""
    page = read("<div class=ocr_page><span class=ocr_line>a<span class=ocr_line>b<span class=ocr_line>c")
    assert [line.text for line in page.lines] == ["a", "b", "c"]
    assert "text outside any line is read as a line" in [warn.reason for warn in page.warnings]


def test_self_closed_elements():
    """A self-closing element does not contain the elements after it."""
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
    """A file with an unknown declared encoding is read as UTF-8, with a warning."""
    page = read("<html><head><meta charset=klingon></head><body><p class=ocr_line>é</body></html>")
    assert [line.text for line in page.lines] == ["é"]
    assert "unknown encoding 'klingon', so the file is read as UTF-8" in [
        warn.reason for warn in page.warnings
    ]


def test_utf_16_with_mark():
    """UTF-16 with a byte order mark is read."""
    page = read("<div class=ocr_page><p class=ocr_line>ä<br></div>".encode("utf-16"))
    assert [line.text for line in page.lines] == ["ä"]


def test_control_characters():
    """Control characters are removed, each with a warning."""
    page = read("<div class='ocr_page'><p class='ocr_line'>a\x01b\x0bc</p></div>")
    assert [line.text for line in page.lines] == ["ab c"]
    reasons = [warn.reason for warn in page.warnings]
    assert "control character U+0001 was removed" in reasons
    assert "control character U+000B was replaced by a space" in reasons


def test_too_deep():
    """Nesting that the parser would cut off is refused."""
    with pytest.raises(FormatError, match="nested too deeply"):
        read("<div class=ocr_page>" + "<div>x" * 3000)


def test_real_comment_is_no_text():
    """A comment with an end is not text."""
    assert escape_text("a<!-- b -->c", Notes("a.html")) == "a<!-- b -->c"
    assert soup("a<!-- <b> -->c") == ["ac"]


def test_nothing_left():
    """HTML without any element is refused."""
    with pytest.raises(FormatError, match=r"a\.html: contains no element"):
        parse_html(b"<!-- only a comment -->", "a.html", None, Notes("a.html"))
