"""Families of files whose time or memory depends on options of reading, or on one long value that many elements use.

`OPTION_FAMILIES` has a family and the options of `read_pages` by name.
"""

from __future__ import annotations

from typing import Any

from fuzz.growth import Family, halves, nested, numbered, wide

OptionFamily = tuple[Family, dict[str, Any]]


def long_value(before: str, middle: str, unit: str, after: str = "") -> Family:
    """Return a file with one value of half of the size, and a unit that is repeated for the other half."""

    def family(size: int) -> bytes:
        units = unit * (size // 2 // len(unit))
        return f"{before}{'a' * (size // 2)}{middle}{units}{after}".encode()

    return family


def _with_readings(families: dict[str, Family]) -> dict[str, OptionFamily]:
    """Return each family without options, and with all readings and with the edited ones."""
    edited = {"choice": "expan,reg,corr"}
    choices: tuple[dict[str, Any], ...] = ({}, {"readings": "all"}, edited, {"readings": "all", **edited})
    return {
        f"{name} {', '.join(options)}".strip(): (family, options)
        for name, family in families.items()
        for options in choices
    }


def _page() -> dict[str, OptionFamily]:
    begin, end = "<PcGts><Page>", "</Page></PcGts>"
    line = begin + "<TextRegion><TextLine"
    line_end = "</TextLine></TextRegion>" + end
    text, text_end = "><TextEquiv><Unicode>", "</Unicode></TextEquiv>" + line_end
    abbreviation = "abbrev {offset:@; length:1; expansion:xyz;} "

    def tags(unit: str) -> Family:
        def family(size: int) -> bytes:
            count = size // (len(unit) + 12)
            custom = "".join(unit.replace("@", str(2 * number)) for number in range(count))
            return f"{line} custom='{custom}'{text}{'ab' * count}{text_end}".encode()

        return family

    six = "".join(abbreviation.replace("@", str(2 * number)) for number in range(6))
    readings = {
        "page: tags": tags("unclear {offset:@; length:1;} "),
        "page: abbreviations": tags(abbreviation),
        "page: abbreviations and remarks": tags(abbreviation + "unclear {offset:@; length:1;} "),
        "page: six abbreviations in a long text": wide(line + f" custom='{six}'" + text, "ab ", text_end),
        "page: six abbreviations and remarks": wide(line + f" custom='{six}", "unclear {offset:9; length:1;} ", "'" + text + "ab " * 20 + text_end),
        "page: readings": wide(line + ">", "<TextEquiv index='1'><Unicode>a<b/></Unicode></TextEquiv>", line_end),
        "page: readings of a line with a long id": long_value(line + " id='", "'>", "<TextEquiv index='1'><Unicode>a<b/></Unicode></TextEquiv>", line_end),
    }  # fmt: skip
    return _with_readings(readings) | {
        "page: long word in custom": (wide(line + " custom='offset", "a", f"'/></TextRegion>{end}"), {}),
        "page: words in custom": (wide(line + " custom='offset ", "a-", f"'/></TextRegion>{end}"), {}),
        "page: open tags in custom": (wide(line + " custom='offset ", "a {b ", f"'/></TextRegion>{end}"), {}),
        "page: long namespace": (long_value("<PcGts xmlns='", "'><Page>", "<a/>", end), {}),
        "page: long inner namespace": (long_value(begin + "<b xmlns='", "'>", "<a/>", "</b>" + end), {}),
        "page: namespace of the document type": (long_value('<!DOCTYPE PcGts [<!ATTLIST a xmlns CDATA "', '">]>' + begin, "<a/>", end), {}),
        "page: default attributes": (lambda size: ("<!DOCTYPE PcGts [<!ATTLIST a " + "".join(f'b{i} CDATA "x" ' for i in range(size // 30)) + ">]>" + begin + "<a/>" * (size // 8) + end).encode(), {}),
        "page: long region type": (long_value(begin + "<TextRegion type='", "'>", "<TextLine/>", "</TextRegion>" + end), {}),
        "page: words": (wide(line + ">", "<Word><Coords points='1,2'/><TextEquiv conf='0.5'><Unicode>a</Unicode></TextEquiv></Word>", line_end), {"words": True}),
        "page: cells": (wide(begin + "<TableRegion>", "<TableCell row='1' col='1'><TextLine><Coords points='1,2 3,4'/></TextLine></TableCell>", "</TableRegion>" + end), {"tables": "text"}),
        "page: digits of floats": (wide(line + "><Coords points='1.", "9", ",2'/>" + line_end), {}),
    }  # fmt: skip


def _alto() -> dict[str, OptionFamily]:
    begin, end = "<alto><Layout><Page>", "</Page></Layout></alto>"
    scaled = "<alto><Description><MeasurementUnit>mm10</MeasurementUnit></Description><Layout><Page>"
    return {
        "alto: hyphens of a line with a long id": (long_value(begin + "<TextLine ID='", "'>", "<HYP/>", "</TextLine>" + end), {}),
        "alto: long label of a tag": (long_value("<alto><Tags><OtherTag ID='t' LABEL='", "'/></Tags>" + begin[6:], "<TextLine TAGREFS='t'/>", end), {}),
        "alto: long namespace": (long_value("<alto xmlns='", "'>" + begin[6:], "<TextLine/>", end), {}),
        "alto: words": (wide(begin + "<TextLine>", "<String CONTENT='a' WC='0.5' HPOS='1' VPOS='1' WIDTH='1' HEIGHT='1'/>", "</TextLine>" + end), {"words": True}),
        "alto: confidences": (wide(begin + "<TextLine><String CONTENT='a' CC='", "9 ", "'/></TextLine>" + end), {"words": True}),
        "alto: scaled lines": (wide(scaled, "<TextLine HPOS='1' VPOS='1' WIDTH='1' HEIGHT='1' BASELINE='5'/>", end), {"dpi": 300}),
    }  # fmt: skip


def _tei() -> dict[str, OptionFamily]:
    begin, end = "<TEI><text><body><p>", "</p></body></text></TEI>"
    choice = "<choice><sic>a</sic><corr>b</corr></choice>"
    readings = {
        "tei: choices in a line": wide(begin, choice, end),
        "tei: six choices in a long line": wide(begin + choice * 6, "ab ", end),
        "tei: six choices and remarks": wide(begin + choice * 6, "a<unclear>b</unclear>", end),
        "tei: lines with six choices": wide(begin, "<lb/>" + choice * 6, end),
        "tei: readings of an apparatus": wide(begin + "<app>", "<rdg>a</rdg>", "</app>" + end),
        "tei: nested choices with text": nested(begin, "<choice><orig>", "a", "</orig><reg>b</reg></choice>", end, depth=80),
        "tei: lines in unclear text": nested(begin, "<unclear>", "a<lb/>", "</unclear>", end, depth=200),
        "tei: lines in supplied text": nested(begin, "<supplied>", "<lb/>", "</supplied>", end, depth=200),
        "tei: gaps": wide(begin, "<gap/>", end),
        "tei: lines in a choice": wide(begin + "<choice><sic>a</sic><corr>", "a<lb/>", "</corr></choice>" + end),
    }  # fmt: skip
    return _with_readings(readings) | {
        "tei: gaps of lines with a long name": (long_value(begin[:-3] + "<ab n='", "'>", "<gap/>a<l/>", "</ab>" + end[4:]), {}),
        "tei: long namespace": (long_value("<TEI xmlns='", "'><text>", "<p/>", "</text></TEI>"), {}),
        "tei: long type": (long_value(begin[:-3] + "<ab type='", "'>", "a<l/>", "</ab>" + end[4:]), {}),
        "tei: regions": (wide(begin, "a<lb/>", end), {"level": "region"}),
        "tei: shared links": (halves(begin[:-3] + "<ab facs='", "#a ", "a<pb/>", "</ab>" + end[4:], "'>"), {}),
    }  # fmt: skip


def _hocr_and_abbyy() -> dict[str, OptionFamily]:
    begin, end = "<html><body><div class='ocr_page'>", "</div></body></html>"
    page = "<document><page><block"
    page_end = "</par></text></block></page></document>"
    characters = page + "><text><par><line><formatting>"
    characters_end = "</formatting></line>" + page_end
    title = "<html><body><div class='ocr_page' title='textangle "
    angles = halves(title, "9", "<i class='ocr_line'>a</i>", end, "'>")
    return {
        "hocr: long angle": (angles, {}),
        "hocr: attributes of html": (numbered("<p class=ocr_line>a", "<html a@=1>", "</html>"), {}),
        "hocr: attributes of body": (numbered("<html><p class=ocr_line>a", "<body a@=1>", "</html>"), {}),
        "hocr: words": (wide(begin + "<p class='ocr_line'>", "<i class='ocrx_word' title='bbox 0 0 9 9; x_wconf 9'>a</i> ", "</p>" + end), {"words": True}),
        "hocr: nested words": (nested(begin + "<p class='ocr_line'>", "<i class='ocr_word'>", "<b/>a", "</i>", "</p>" + end), {"words": True}),
        "hocr: characters of a word": (wide(begin + "<p class='ocr_line'><i class='ocrx_word'>", "<i class='ocrx_cinfo' title='x_conf 9'>a</i>", "</i></p>" + end), {"words": True}),
        "hocr: nested paragraphs as regions": (nested(begin, "<i class='ocr_par'>", "<b class='ocr_line'>a</b>", "</i>", end), {"level": "region"}),
        "abbyy: long orientation": (long_value(page + " orientation='", "'><text><par>", "<line l='1' t='1' r='9' b='9' baseline='5'/>", page_end), {}),
        "abbyy: long block type": (long_value(page + " blockType='", "'><text><par>", "<line/>", page_end), {}),
        "abbyy: one long word": (wide(characters, "<charParams>a</charParams>", characters_end), {"words": True}),
        "abbyy: short words": (wide(characters, "a ", characters_end), {"words": True}),
    }  # fmt: skip


def _blocks() -> dict[str, OptionFamily]:
    anchor = '{"layout":{"textAnchor":{"textSegments":[{"startIndex":@000000},{"endIndex":1}]}}},'
    after_text = (
        '{"layout":{"textAnchor":{"textSegments":[{"startIndex":900000,"endIndex":"900000000000"}]}}},'
    )

    def tokens(size: int) -> bytes:
        first = "".join(anchor.replace("@", str(1 + number)) for number in range(size // 2 // len(anchor)))
        lines = after_text * (size // 2 // len(after_text))
        return f'{{"text":"{"a" * (size // 40)}","pages":[{{"tokens":[{first}{{}}],"lines":[{lines}{{}}]}}]}}'.encode()

    word = '{"BlockType":"LINE","Id":"l","Relationships":[{"Type":"CHILD","Ids":['
    polygon = ']}]},{"BlockType":"WORD","Id":"w","Text":"a","Geometry":{"Polygon":['
    return {
        "docling: lines of a text with a long name": (long_value('{"texts":[{"self_ref":"', '","text":"', "a\\n", '"}]}'), {}),
        "marker: lines of a block with a long id": (long_value('{"children":[{"children":[{"id":"', '","html":"', "a<br>", '"}]}]}'), {}),
        "marker: warnings of a block with a long id": (long_value('{"children":[{"children":[{"id":"', '","html":"', "<svg></svg>", '"}]}]}'), {}),
        "marker: deep blocks": (lambda size: ('{"children":[{"children":[' + '{"children":[' * 200 + '{"html":"a"},' * (size // 13) + "{}" + "]}" * 200 + "]}]}").encode(), {}),
        "textract: lines of a block with a long id": (long_value('{"Blocks":[{"BlockType":"LINE","Id":"', '","Text":"', "a\\n", '"}]}'), {}),
        "textract: word with many points": (halves('{"Blocks":[' + word, '"w",', '{"X":0.1,"Y":0.2},', "{}]}}]}", '"w"' + polygon), {"words": True}),
        "omnidocbench: lines of a block with a long id": (long_value('[{"layout_dets":[{"anno_id":"', '","text":"', "a\\n", '"}]}]'), {}),
        "omnidocbench: spans of a block with a long id": (long_value('[{"layout_dets":[{"anno_id":"', '","text":"a","line_with_spans":[', '{"text":"a"},', "{}]}]}]"), {"level": "line"}),
        "google: words after the text": (tokens, {"words": True}),
        "json: page with notes": (wide('{"lines": [', '{"text":"東","notes":[{"kind":"gap","begin":0}]},', '""]}'), {"level": "page"}),
        "text: page": (wide("", "東\n"), {"level": "page"}),
        "text: page with punctuation": (wide("東", "，", "\n東"), {"level": "page"}),
        "markdown: canonical formulas": (wide("", "$\\frac{a}{b}$ "), {"math": "canonical"}),
        "markdown: cells": (wide("a|b\n-|-\n", "a|b\n"), {"tables": "cells"}),
        "churro: cells": (wide("<HistoricalDocument><Page>", "<Table><Row><Cell>a"), {"tables": "cells"}),
    }  # fmt: skip


OPTION_FAMILIES: dict[str, OptionFamily] = {
    **_page(),
    **_alto(),
    **_tei(),
    **_hocr_and_abbyy(),
    **_blocks(),
}
