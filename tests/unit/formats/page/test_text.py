"""PAGE XML: the text of lines."""

from __future__ import annotations

import pytest

from pagemeter.formats import read_pages

EMPTY = "<TextEquiv><Unicode/></TextEquiv>"


def equiv(text, attributes=""):
    return f"<TextEquiv {attributes}><Unicode>{text}</Unicode></TextEquiv>"


def word(text):
    return f"<Word>{equiv(text)}</Word>"


def line(inside, ident="l1"):
    return f'<TextLine id="{ident}">{inside}</TextLine>'


def region(inside, ident="r1"):
    return f'<TextRegion id="{ident}">{inside}</TextRegion>'


def read(body, **options):
    (page,) = read_pages(f"<PcGts><Page>{body}</Page></PcGts>".encode(), "p.xml", **options)
    return [found.text for found in page.lines], [warn.reason for warn in page.warnings], page


@pytest.mark.parametrize(
    ("equivs", "expected"),
    [
        (equiv("gt", 'index="0"') + equiv("ocr", 'index="1"'), "gt"),
        (equiv("ocr", 'index="1"') + equiv("gt", 'index="0"'), "gt"),
        (equiv("only", 'index="1"'), "only"),
        (equiv("third", 'index="3"') + equiv("second", 'index="2"'), "second"),
        (EMPTY + equiv("ocr", 'index="1"') + equiv("gt", 'index="0"'), "gt"),
        (equiv("none") + equiv("one", 'index="1"'), "one"),
        (equiv("odd", 'index="x"') + equiv("one", 'index="1"'), "one"),
        (equiv("ten", 'index="10"') + equiv("nine", 'index="9"'), "nine"),
    ],
)
def test_the_text_equiv_with_the_lowest_index_is_used(equivs, expected):
    """The lowest index need not be 0 or come first; a TextEquiv without an index comes last."""
    texts, warned, _ = read(region(line(equivs)))
    assert texts == [expected]
    assert not warned


def test_two_with_the_lowest_index_give_a_warning():
    texts, warned, _ = read(region(line(equiv("first") + equiv("second"))))
    assert texts == ["first"]
    assert warned == ["several TextEquiv have the lowest index, so the first is used"]


@pytest.mark.parametrize(
    "text", [" a  b ", "\ta", "a\u00a0b", "  ", "a\u2028b", "e\u0301", "&lt;re>", "𐬀", "\ue000"]
)
def test_white_space_and_unusual_characters_are_kept(text):
    texts, warned, _ = read(region(line(equiv(text))))
    assert texts == [text.replace("&lt;", "<")]
    assert not warned


@pytest.mark.parametrize("ending", ["\n", "\n\n", "&#13;&#10;"])
def test_a_line_break_at_the_end_is_dropped_without_a_warning(ending):
    """Tesseract ends the last line of each region with one."""
    assert read(region(line(equiv("one" + ending))))[:2] == (["one"], [])


def test_a_line_break_inside_becomes_a_space_with_a_warning():
    texts, warned, page = read(region(line(equiv("one\ntwo\n"))))
    assert texts == ["one two"]
    assert warned == ["line break inside the text of a line was replaced by a space"]
    assert page.warnings[0].element == "TextLine l1"


@pytest.mark.parametrize("inside", ["", EMPTY, "<TextEquiv/>", "<TextEquiv><Unicode></Unicode></TextEquiv>"])
def test_a_line_without_text_is_a_line(inside):
    assert read(region(line(inside)))[:2] == ([""], [])


def test_plain_text_is_used_only_if_unicode_is_empty():
    both = "<TextEquiv><PlainText>plain</PlainText><Unicode>unicode</Unicode></TextEquiv>"
    alone = "<TextEquiv><PlainText>plain</PlainText></TextEquiv>"
    texts, warned, _ = read(region(line(both) + line(alone)))
    assert texts == ["unicode", "plain"]
    assert warned == ["Unicode is empty or missing, so PlainText is used"]


def test_words_are_used_for_a_line_without_text():
    texts, warned, page = read(region(line(word("two") + word(" words ")) + line(EMPTY + word("one"), "l2")))
    assert texts == ["two words", "one"]
    assert warned == ["has no text of its own, so the text of its words is used"]
    assert page.warnings[0].element == "TextLine l1 and 1 more"


def test_line_text_precedes_words():
    """OCR-D makes punctuation a word of its own."""
    assert read(region(line(word("worden") + word(";") + equiv("worden;"))))[:2] == (["worden;"], [])


def test_glyphs_are_used_for_a_word_without_text():
    glyphs = f"<Word><Glyph>{equiv('a')}</Glyph><Glyph>{equiv('b')}</Glyph></Word>"
    assert read(region(line(glyphs)))[0] == ["ab"]


def test_comments_are_dropped_and_cdata_is_text():
    assert read(region(line(equiv("a<!-- no -->b<![CDATA[<c>]]>"))))[:2] == (["ab<c>"], [])


def test_markup_inside_unicode_loses_only_its_tags():
    texts, warned, _ = read(region(line(equiv("a<b>c</b>d"))))
    assert texts == ["acd"]
    assert warned == ["markup inside Unicode was removed, its text is kept"]


def test_region_text_without_lines_is_split_at_line_breaks():
    texts, warned, page = read(region(equiv("one\ntwo\n\nthree\n")))
    assert texts == ["one", "two", "three"]
    assert {found.region for found in page.lines} == {"r1"}
    assert warned == ["no line has text, so the lines of the region's own text are used"]


def test_region_text_of_one_line_has_the_position_of_the_region():
    coords = '<Coords points="1,2 3,4 5,6"/>'
    _, _, page = read(region(coords + equiv("one")) + region(coords + equiv("one\ntwo")))
    assert [found.polygon for found in page.lines] == [((1, 2), (3, 4), (5, 6)), None, None]


def test_region_text_has_the_positions_of_as_many_lines_without_text():
    places = [f'<Baseline points="0,{y} 9,{y}"/>' for y in (10, 20)]
    body = line(places[0], "l1") + line(places[1], "l2") + equiv("one\ntwo")
    texts, _, page = read(region(body))
    assert texts == ["one", "two"]
    assert [(found.id, found.baseline[0][1]) for found in page.lines] == [("l1", 10), ("l2", 20)]


def test_region_text_is_not_read_if_lines_have_text():
    """The two may differ; the lines are used."""
    assert read(region(line(equiv("line")) + equiv("region")))[:2] == (["line"], [])
    assert read(region(line(equiv("line")) + EMPTY))[:2] == (["line"], [])


def test_region_text_is_not_read_if_an_inner_region_has_text():
    inner = region(line(equiv("line")), "r2")
    assert read(region(inner + equiv("line")))[:2] == (["line"], [])


def test_segmentation_without_text_gives_empty_lines():
    assert read(region(line("") + line("")) + region(EMPTY))[:2] == (["", ""], [])


def test_level_word_reads_words_even_if_lines_have_text():
    body = region(line(word("worden") + word(";") + equiv("worden;")) + line(equiv("no words"), "l2"))
    texts, warned, _ = read(body, level="word")
    assert texts == ["worden ;", ""]
    assert warned == ["has text but no word with text, and was skipped as requested"]


def test_level_line_reads_only_lines():
    body = region(line(word("word"))) + region(equiv("region"), "r2")
    texts, warned, _ = read(body, level="line")
    assert texts == [""]
    assert warned == [
        "has words with text but no text of its own: words are not read, as requested",
        "has text but no line with text, and was skipped as requested",
    ]


def test_level_region_reads_region_text_even_if_lines_have_text():
    body = region(line(equiv("line")) + equiv("region\ntext")) + region(line(equiv("lost")), "r2")
    texts, warned, _ = read(body, level="region")
    assert texts == ["region", "text"]
    assert warned == ["has lines but no text of its own: lines are not read, as requested"]
