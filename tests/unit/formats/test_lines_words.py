"""Words of lines, with their confidences and positions, in all formats that have them."""

from __future__ import annotations

import copy
import json

import pytest

import pagemeter as pm
from pagemeter.formats.loading import read_pages

BOX = ((10, 20), (50, 20), (50, 40), (10, 40))
POINTS = [{"x": x, "y": y} for x, y in BOX]
FLAT = [number for point in BOX for number in point]


def page_xml(line):
    return f"<PcGts><Page><TextRegion><TextLine>{line}</TextLine></TextRegion></Page></PcGts>".encode()


def equiv(text, **attributes):
    shown = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<TextEquiv{shown}><Unicode>{text}</Unicode></TextEquiv>"


COORDS = '<Coords points="10,20 50,20 50,40 10,40"/>'
PLAIN = equiv("one")
GLYPHS = f"<Glyph>{equiv('o', conf=0.25)}</Glyph><Glyph>{equiv('ne', conf=0.75)}</Glyph>"
ALTERNATIVES = equiv("two", index=1, conf=0.9) + equiv("one", index=0, conf=0.5)
PAGE = {
    "word": f"<Word>{COORDS}{equiv('one', conf=0.5)}</Word>{PLAIN}",
    "glyphs": f"<Word>{COORDS}{GLYPHS}{PLAIN}</Word>{PLAIN}",
    "alternatives": f"<Word>{COORDS}{ALTERNATIVES}</Word>{PLAIN}",
    "per cent": f"<Word>{COORDS}{equiv('one', conf=50)}</Word>",
}


def alto(attributes):
    box = 'HPOS="10" VPOS="20" WIDTH="40" HEIGHT="20"'
    return (
        "<alto><Description><MeasurementUnit>pixel</MeasurementUnit></Description><Layout><Page><TextLine>"
        f'<String CONTENT="one" {box} {attributes}/></TextLine></Page></Layout></alto>'
    ).encode()


def hocr(title, inner="one"):
    return (
        "<div class='ocr_page'><span class='ocr_line' title='bbox 0 0 90 50'>"
        f"<span class='ocrx_word' title='bbox 10 20 50 40{title}'>{inner}</span></span></div>"
    ).encode()


def abbyy(attributes):
    characters = "".join(
        f'<charParams l="{left}" t="20" r="{left + 10}" b="40" {attribute}>{c}</charParams>'
        for c, left, attribute in zip("one", (10, 20, 40), attributes, strict=True)
    )
    return (
        '<document xmlns="http://www.abbyy.com/FineReader_xml/x"><page><block blockType="Text"><text><par>'
        f'<line l="0" t="0" r="90" b="50">{characters}</line></par></text></block></page></document>'
    ).encode()


def dumped(document):
    return json.dumps(document).encode()


CHARACTERS = "".join(
    f"<i class='ocrx_cinfo' title='x_conf {number}'>{c}</i>"
    for c, number in (("o", 25), ("n", 50), ("e", 75))
)
SYMBOLS = [{"text": c} for c in "on"] + [{"text": "e", "property": {"detectedBreak": {"type": "LINE_BREAK"}}}]
VISION = {"boundingBox": {"vertices": POINTS}, "symbols": SYMBOLS}
LAYOUT = {
    "textAnchor": {"textSegments": [{"endIndex": "3"}]},
    "boundingPoly": {"normalizedVertices": [{"x": x / 100, "y": y / 50} for x, y in BOX]},
}
SPAN = {"offset": 5, "length": 3}
CHILD = [{"Type": "CHILD", "Ids": ["w"]}]
GEOMETRY = {"Polygon": [{"X": x / 100, "Y": y / 50} for x, y in BOX]}

FILES = {
    **{f"page {name}": (page_xml(line), 0.5) for name, line in PAGE.items()},
    "alto WC": (alto('WC="0.5" CC="999"'), 0.5),
    "alto CC": (alto('CC="036"'), 2 / 3),
    "hocr x_wconf": (hocr("; x_wconf 50"), 0.5),
    "hocr x_confs": (hocr("; x_confs 20 50 80"), 0.5),
    "hocr characters": (hocr("", CHARACTERS), 0.5),
    "abbyy": (abbyy([f'charConfidence="{n}"' for n in (20, 50, 80)]), 0.5),
    "abbyy word": (abbyy(['wordConfidence="50" charConfidence="90"'] * 3), 0.5),
    "azure": (
        dumped({"analyzeResult": {"pages": [{
            "unit": "pixel", "lines": [{"content": "one", "spans": [SPAN]}],
            "words": [{"content": "one", "span": SPAN, "confidence": 0.5, "polygon": FLAT}],
        }]}}),
        0.5,
    ),
    "azure read": (
        dumped({"analyzeResult": {"readResults": [{"lines": [{
            "text": "one", "words": [{"text": "one", "confidence": 0.5, "boundingBox": FLAT}],
        }]}]}}),
        0.5,
    ),
    "azure image": (
        dumped({"readResult": {"blocks": [{"lines": [{
            "text": "one", "words": [{"text": "one", "confidence": 0.5, "boundingPolygon": POINTS}],
        }]}]}}),
        0.5,
    ),
    "vision": (
        dumped({"fullTextAnnotation": {"pages": [{"blocks": [{"paragraphs": [
            {"words": [{**VISION, "confidence": 0.5}]},
        ]}]}]}}),
        0.5,
    ),
    "document ai": (
        dumped({"text": "one\n", "pages": [{
            "dimension": {"width": 100, "height": 50},
            "lines": [{"layout": LAYOUT}], "tokens": [{"layout": {**LAYOUT, "confidence": 0.5}}],
        }]}),
        0.5,
    ),
    "pagemeter": (
        dumped({"lines": [{"text": "one", "words": [{"text": "one", "confidence": 0.5, "polygon": BOX}]}]}),
        0.5,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_words_are_read_if_they_are_asked_for(name):
    data, confidence = FILES[name]
    (page,) = read_pages(data, "file.xml" if data.startswith(b"<") else "file.json", words=True)
    (line,) = page.lines
    assert line.text == "one"
    (word,) = line.words
    assert (word.text, word.confidence) == ("one", pytest.approx(confidence))
    assert {(round(x, 6), round(y, 6)) for x, y in word.polygon} == set(BOX)
    (plain,) = read_pages(data, "file.xml" if data.startswith(b"<") else "file.json")
    assert plain.lines[0].words == ()
    assert plain.lines[0].text == "one"
    assert plain.warnings == page.warnings


def test_words_of_textract_are_scaled_with_their_page():
    blocks = [
        {"BlockType": "LINE", "Id": "l", "Text": "one", "Relationships": CHILD, "Geometry": GEOMETRY},
        {"BlockType": "WORD", "Id": "w", "Text": "one", "Confidence": 50.0, "Geometry": GEOMETRY},
    ]
    data = dumped({"DocumentMetadata": {"Pages": 1}, "Blocks": blocks})
    (line,) = read_pages(data, "file.json", words=True)[0].lines
    assert line.words == (pm.Word("one", 0.5),)  # the size of the page is unknown


@pytest.mark.parametrize(
    "data",
    [
        page_xml(equiv("one two", conf=0.5)),
        dumped({"rec_texts": ["one two"], "rec_scores": [0.5]}),
        dumped({"text_lines": [{"text": "<b>one</b> two", "confidence": 0.5}]}),
    ],
)
def test_the_confidence_of_a_line_is_that_of_its_words(data):
    (line,) = read_pages(data, "file.xml" if data.startswith(b"<") else "file.json", words=True)[0].lines
    assert line.words == (pm.Word("one", 0.5), pm.Word("two", 0.5))


@pytest.mark.parametrize("conf", ["-1", "x", "nan", "101", ""])
def test_confidences_that_are_no_shares_are_unknown(conf):
    data = page_xml(f"<Word>{equiv('one', conf=conf)}</Word>")
    (word,) = read_pages(data, "a.xml", words=True)[0].lines[0].words
    assert word == pm.Word("one")


def test_positions_that_cannot_be_used_are_left_out():
    coords = '<Coords points="1,2 x"/>'
    data = page_xml(f"<Word>{coords}{equiv('one', conf=1)}</Word>")
    (word,) = read_pages(data, "a.xml", words=True)[0].lines[0].words
    assert word == pm.Word("one", 1.0)


def test_saved_words_are_read_again(tmp_path):
    word = pm.Word("one", 0.5, BOX, ((10, 38), (50, 38)))
    page = pm.Page([pm.Line("one", words=[word])], source="a.xml")
    pm.save(page, tmp_path / "page.json")
    assert pm.load(tmp_path / "page.json", words=True) == page
    assert pm.load(tmp_path / "page.json").lines == (pm.Line("one"),)


def test_lines_with_words_can_be_copied_and_compared():
    (line,) = read_pages(FILES["alto WC"][0], "a.xml", words=True)[0].lines
    assert copy.deepcopy(line) == line
    assert copy.copy(line).words == line.words
    assert line.words
    assert line != read_pages(FILES["alto WC"][0], "a.xml")[0].lines[0]
    assert line == pm.Line(
        line.text, line.baseline, line.polygon, line.id, line.region, line.type, line.words
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pm.Word(1), "of type int"),
        (lambda: pm.Word("a", 2), "is not a share"),
        (lambda: pm.Word("a", None, 5), "Word: polygon=5"),
        (lambda: pm.Line("a", words=["a"]), "words has 'a'"),
    ],
)
def test_wrong_words_are_refused(make, message):
    with pytest.raises(pm.PagemeterError, match=message):
        make()
