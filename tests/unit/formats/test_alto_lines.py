"""ALTO: the text of a line from String, SP and HYP elements."""

from __future__ import annotations

import pytest

from pagemeter.formats import read_pages


def string(content, attributes=""):
    return f'<String CONTENT="{content}" {attributes}/>'


def read(*lines):
    body = "".join(f'<TextLine ID="l{at}">{line}</TextLine>' for at, line in enumerate(lines, 1))
    head = "<Description><MeasurementUnit>pixel</MeasurementUnit></Description>"
    data = f"<alto>{head}<Layout><Page><TextBlock>{body}</TextBlock></Page></Layout></alto>"
    (page,) = read_pages(data.encode(), "a.xml")
    return [found.text for found in page.lines], [str(warn)[7:] for warn in page.warnings]


A, B, SP, HYP = string("a"), string("b"), "<SP/>", '<HYP CONTENT="-"/>'


def test_a_whole_line_in_one_string():
    assert read(string("one line  of text")) == (["one line  of text"], [])


def test_white_space_in_content_is_kept():
    assert read(string(" one ")) == ([" one "], [])


def test_sp_is_a_space_between_strings():
    """Its width may be negative, and is not used."""
    assert read(f'{A}<SP WIDTH="-3"/>{B}') == (["a b"], [])


def test_strings_of_a_page_without_sp_are_separated_by_spaces():
    assert read(A + B, string("worden") + string(";")) == (["a b", "worden ;"], [])


def test_strings_without_sp_are_joined_on_a_page_with_sp():
    """Punctuation as a String of its own: Hintergrund + : + SP + der."""
    assert read(string("grund") + string(":") + SP + A, A + B) == (["grund: a", "ab"], [])


def test_a_string_of_white_space_is_a_space():
    assert read(A + string(" ") + B, string(" "), A + SP + string("  ") + SP + B) == (["a b", "", "a b"], [])


def test_sp_at_the_ends_is_dropped():
    assert read(SP + A + SP) == (["a"], [])


@pytest.mark.parametrize("inside", ["", string(""), SP])
def test_lines_without_text_are_lines(inside):
    assert read(inside) == ([""], [])


def test_an_empty_string_adds_no_space():
    assert read(A + string("") + SP + B + string("")) == (["a b"], [])


@pytest.mark.parametrize("mark", ["-", "\u00ad", "¬", "⸗", "="])
def test_hyp_is_appended(mark):
    part = string("Will", 'SUBS_TYPE="HypPart1" SUBS_CONTENT="Willkür"')
    assert read(A + SP + part + f'<HYP CONTENT="{mark}"/>') == ([f"a Will{mark}"], [])


@pytest.mark.parametrize(("content", "mark"), [("com-", "-"), ("com¬", "\u00ad"), ("com-", "\u00ad")])
def test_a_hyphen_in_both_string_and_hyp_is_read_once(content, mark):
    texts, warned = read(string(content, 'SUBS_TYPE="HypPart1"') + f'<HYP CONTENT="{mark}"/>')
    assert texts == [content]
    assert warned == ["TextLine l1: the hyphen is in both String and HYP, and was used once"]


def test_a_hyphenated_part_without_hyp_is_unchanged():
    assert read(string("preÂ¬", 'SUBS_TYPE="HypPart1"'), string("pare", 'SUBS_TYPE="HypPart2"')) == (
        ["preÂ¬", "pare"],
        [],
    )


def test_hyp_without_content_is_a_hyphen():
    assert read(A + "<HYP/>") == (["a-"], ["TextLine l1: HYP without CONTENT is read as -"])


def test_hyp_after_sp_and_alone():
    assert read(A + SP + HYP, HYP) == (["a-", "-"], [])


def test_substitutes_and_alternatives_are_not_text():
    inside = '<ALTERNATIVE>no</ALTERNATIVE><Glyph CONTENT="x"><Variant CONTENT="y"/></Glyph>'
    assert read(f'<String CONTENT="a" SUBS_CONTENT="abc">{inside}</String>') == (["a"], [])


def test_glyphs_are_used_for_a_string_without_content():
    texts, warned = read('<String ID="s"><Glyph CONTENT="a"/><Glyph CONTENT="b"/></String>')
    assert texts == ["ab"]
    assert warned == ["String s: has no CONTENT, so its glyphs are used"]


def test_strings_are_never_sorted_by_position():
    """Right-to-left scripts are stored in logical order with boxes running leftwards."""
    right, left = string("ا", 'HPOS="90"'), string("ب", 'HPOS="10"')
    assert read(right + SP + left) == (["ا ب"], [])


def test_escapes_are_read():
    assert read(string("&#39;&amp;&lt;re&gt;")) == (["'&<re>"], [])


def test_a_line_break_inside_content_becomes_a_space():
    texts, warned = read(string("a&#10;b"))
    assert texts == ["a b"]
    assert warned == ["TextLine l1: line break inside the text of a line was replaced by a space"]
