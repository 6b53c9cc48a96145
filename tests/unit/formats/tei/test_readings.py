"""Remarks of editors and accepted readings, as the formats have them."""

from __future__ import annotations

import pytest

import pagemeter as pm
from pagemeter.errors import FormatError, UsageError
from pagemeter.formats import load, read_pages, save
from pagemeter.formats.lines import joined_page
from pagemeter.page import Line, Note, Page, Reading

TEI = "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body><p>{}</p></body></text></TEI>"
PAGE = "<PcGts><Page imageWidth='9' imageHeight='9'><TextRegion id='r'>{}</TextRegion></Page></PcGts>"


def tei(content: str, **options) -> Page:
    return read_pages(TEI.format(content).encode(), "a.xml", **options)[0]


def page_xml(text: str, custom: str = "", more: str = "", **options) -> Page:
    line = f"<TextLine id='l' custom='{custom}'><TextEquiv index='0'><Unicode>{text}</Unicode></TextEquiv>"
    return read_pages(PAGE.format(line + more + "</TextLine>").encode(), "a.xml", **options)[0]


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        ("the h<unclear>ou</unclear>se", "the house", [("unclear", 5, 7, None, "")]),
        ("<unclear> a b </unclear> c", "a b c", [("unclear", 0, 3, None, "")]),
        ("a <gap/> b", "a b", [("gap", 1, 1, None, " …")]),
        ("a<gap/>b", "ab", [("gap", 1, 1, None, "")]),
        ("a <gap/>b", "a b", [("gap", 2, 2, None, "")]),
        ("a<gap/> b", "a b", [("gap", 1, 1, None, "")]),
        ("<gap/> b", "b", [("gap", 0, 0, None, "… ")]),
        ("a <gap/>", "a", [("gap", 1, 1, None, " …")]),
        ("a<gap quantity='2' unit='chars'/>", "a", [("gap", 1, 1, 2, "")]),
        ("a<gap extent='2 letters'/>", "a", [("gap", 1, 1, 2, "")]),
        ("a<gap extent='2' unit='lines'/>", "a", [("gap", 1, 1, None, "")]),
        ("a <supplied>lost</supplied> b", "a b", [("supplied", 1, 1, None, " lost")]),
        ("a<supplied>xy</supplied>b", "ab", [("supplied", 1, 1, None, "xy")]),
        ("plain", "plain", []),
    ],
)
def test_notes_of_tei(content, text, notes):
    (line,) = tei(content).lines
    assert line.text == text
    assert [(n.kind, n.begin, n.end, n.characters, n.text) for n in line.notes] == notes


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (None, "dno vnd teh wh"),
        ("expan", "domino vnd teh which"),
        ("reg", "dno und teh wh"),
        ("corr", "dno vnd the wh"),
        ("expan,reg,corr", "domino und the which"),
        ("abbr,orig,sic", "dno vnd teh wh"),
    ],
)
def test_the_choice_between_readings(choice, text):
    content = (
        "<choice><abbr>dno</abbr><expan>domino</expan></choice> "
        "<choice><reg>und</reg><orig>vnd</orig></choice> "
        "<choice><sic>teh</sic><corr>the</corr></choice> wh<ex>ich</ex>"
    )
    assert tei(content, choice=choice).lines[0].text == text


def test_an_unknown_choice_is_an_error():
    with pytest.raises(UsageError, match="expan"):
        tei("a", choice="expand")


def test_all_readings_of_tei_are_accepted():
    content = "<choice><abbr>dno</abbr><expan>domino</expan></choice> "
    content += "<app><lem>a</lem><rdg>b</rdg><rdg>c</rdg></app>"
    (line,) = tei(content, readings="all").lines
    texts = [line.text, *(reading.text for reading in line.readings)]
    assert texts == ["dno a", "dno b", "dno c", "domino a", "domino b", "domino c"]
    assert not tei(content).lines[0].readings
    assert pm.cer(Page((line,)), ["domino c"]) == 0


def test_tags_of_transkribus():
    custom = (
        "readingOrder {index:0;} unclear {offset:4; length:2;} gap {offset:6; length:0;} "
        "abbrev {offset:0; length:3; expansion:domi\\u0020no;} supplied {offset:7; length:1; continued:true;}"
    )
    line = page_xml("dno abc d", custom).lines[0]
    assert line.text == "dno abc d"
    assert [(n.kind, n.begin, n.end) for n in line.notes] == [
        ("unclear", 4, 6),
        ("gap", 6, 6),
        ("supplied", 7, 8),
    ]
    expanded = page_xml("dno abc d", custom, choice="expan").lines[0]
    assert (expanded.text, expanded.notes[0].begin) == ("domi no abc d", 8)
    both = page_xml("dno abc d", custom, readings="all").lines[0]
    assert [reading.text for reading in both.readings] == ["domi no abc d"]


def test_offsets_of_transkribus_count_utf16_units_and_wrong_ones_are_a_warning():
    line = page_xml("😀 ab", "unclear {offset:3; length:2;}").lines[0]
    assert [(n.begin, n.end) for n in line.notes] == [(2, 4)]
    page = page_xml("ab", "unclear {offset:1; length:9;} gap {offset:x;}")
    assert not page.lines[0].notes
    assert "not within the text" in str(page.warnings)


def test_further_text_equivs_are_readings():
    more = "<TextEquiv index='2'><Unicode>c</Unicode></TextEquiv>"
    more += "<TextEquiv index='1'><Unicode>b</Unicode></TextEquiv>"
    line = page_xml("a", more=more, readings="all").lines[0]
    assert (line.text, [reading.text for reading in line.readings]) == ("a", ["b", "c"])
    assert not page_xml("a", more=more).lines[0].readings


def test_notes_and_readings_are_saved(tmp_path):
    notes = (Note("gap", 1, 1, 2), Note("supplied", 2, 2, text="x"))
    page = Page((Line("ab", notes=notes, readings=("c", Reading("de", (Note("unclear", 0, 1),)))),))
    save(page, tmp_path / "a.json")
    assert load(tmp_path / "a.json").lines == page.lines


@pytest.mark.parametrize("note", ['{"kind": "x"}', '{"kind": "gap", "begin": 5}', '{"begin": 0}', "1"])
def test_wrong_notes_in_json_are_named(note):
    data = f'{{"lines": [{{"text": "ab", "notes": [{note}]}}]}}'
    with pytest.raises(FormatError, match=r"lines\[0\]\.notes\[0\]"):
        read_pages(data.encode(), "a.json")


def test_a_page_as_one_line_keeps_its_notes():
    lines = (Line("one"), Line("", type="figure"), Line("東", notes=(Note("unclear", 0, 1),)), Line("京"))
    (line,) = joined_page(Page(lines)).lines
    assert (line.text, line.notes) == ("one 東京", (Note("unclear", 4, 5),))
    assert read_pages(b"a\nb", "a.txt", level="page")[0].text == "a b"
    assert len(joined_page(Page())) == 0


def test_a_line_of_nothing_but_supplied_text_can_count():
    page = tei("<lb/><supplied>lost</supplied><lb/>here")
    assert pm.cer(page, ["here"]) == 0
    assert pm.evaluate(page, ["lost", "here"], ["CER:R"], supplied="text")["CER:R"].errors == 0
    assert pm.evaluate(page, ["here"], ["CER:R"], supplied="text")["CER:R"].errors == 4
    assert pm.evaluate(page, ["lots", "here"], ["CER:R"], supplied="wildcard")["CER:R"].errors == 0
    assert pm.evaluate(page, ["lots", "here"], ["CER:R"], supplied="gap", gap=3)["CER:R"].errors == 1
