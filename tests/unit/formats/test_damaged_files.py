"""Damaged files: whatever bytes are changed, a reader returns pages or raises an error of one line."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from pagemeter.errors import InputError
from pagemeter.formats import abbyy, hocr, markdown, tei
from pagemeter.formats.base import ReadOptions

if TYPE_CHECKING:
    from pagemeter.formats.base import ReadFunction
    from pagemeter.page import Page

HOCR = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>
<div class='ocr_page' id='page_1' title='image "a.tif"; bbox 0 0 800 1000; ppageno 0'>
 <div class='ocr_carea' id='b1' title="bbox 1 2 3 4"><p class='ocr_par'>
  <span class='ocr_line' id='l1' title="bbox 10 10 700 40; baseline 0.01 -8">
  <span class='ocrx_word'>Straße</span>
  <span class='ocrx_word'>&amp;c&shy;</span></span>
  <span class='ocr_header' title='textangle 90; bbox 1 2 3 4'>H</span>
  stray<br/></p></div></div></body></html>"""
SOUP = HOCR.replace("<br/>", "<br>").replace('<?xml version="1.0" encoding="UTF-8"?>\n', "")
MARKDOWN = """---
title: x
---
# Title *em* `code` ![i](u) [l](u) <br> $x^{2}$ &amp;

| a | b |
|---|---|
| 1 \\| 2 | **c** | d |

<table><tr><td>a</td>

<td>b<br>c</td></tr></table>

1. one
   - two
3) three[^1]

[^1]: note

$$
\\frac{1}{2}
$$

```md
> *quoted*
```
<!-- c --><u>ü</u>\f# next page
"""
ABBYY = """<?xml version="1.0" encoding="UTF-8"?>
<document xmlns="http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml">
<page width="600" height="800"><block blockType="Text"><text orientation="RotatedClockwise"><par>
<line baseline="44" l="10" t="20" r="210" b="50"><formatting><charParams wordStart="1">ü</charParams>
<charParams> </charParams></formatting></line></par></text></block>
<block blockType="Table"><row><cell><text><par>
<line l="1" t="2" r="3" b="4"><formatting>a b</formatting></line></par></text></cell></row></block>
<block blockType="Barcode"/></page></document>"""
TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><facsimile><surface xml:id="s" lrx="9" lry="9">
<zone xml:id="z" points="1,2 3,4 5,6"><zone type="baseline" points="1,2 3,4"/></zone></surface></facsimile>
<text><body><pb facs="#s"/><head>Tïtel</head><p facs="#z"><lb facs="#z" n="1"/>a
<choice><sic>b</sic><corr>c</corr></choice>
<note>n<lb/>o</note><gap/><lb break="no"/>d</p><lg><l>v</l></lg>
<table><row><cell>1</cell></row></table></body></text></TEI>"""
CASES = {
    "hocr": (hocr.read_hocr, HOCR),
    "hocr soup": (hocr.read_hocr, SOUP),
    "markdown": (markdown.read_markdown, MARKDOWN),
    "abbyy": (abbyy.read_abbyy, ABBYY),
    "tei": (tei.read_tei, TEI),
}
ROUNDS = 150


FRAGMENTS = (b"<", b">", b"&", b'"', b"\0", b"\xff", b"]]>", b"<!--", b"nan", b"$")
ODD_VALUES = ("", "nan", "-1", "1e999", "#z #s", "ocr_line ocr_page", "bbox 0 0; baseline", "9" * 30, "1,2 3")
LEVELS = (None, None, "line", "region", "word")


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the data after one to six random changes."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(found) + 1)
        end = min(len(found), start + chance.choice((1, 1, 2, 5, 20, 200)))
        other = chance.randrange(len(found) + 1)
        match chance.randrange(5):
            case 0:
                found[start:end] = chance.randbytes(end - start)
            case 1:
                del found[start:end]
            case 2:
                found[start:start] = found[start:end] * chance.choice((1, 2, 50))
            case 3:
                found[start:start] = chance.choice(FRAGMENTS)
            case _:
                found[start:end] = found[other : other + end - start]
    return bytes(found)


def rearranged(text: str, chance: random.Random) -> bytes:
    """Return well-formed XML with elements moved, repeated or removed and values exchanged."""
    root = etree.fromstring(text.encode().replace(b"&shy;", b"&#173;"))
    for _ in range(chance.randint(1, 8)):
        element, other = (chance.choice(list(root.iter())) for _ in range(2))
        match chance.randrange(4):
            case 0 if element.getparent() is not None:
                element.getparent().remove(element)
            case 1 if element not in other.iterancestors() and element is not other:
                other.append(element)
            case 2 if element.attrib:
                element.set(chance.choice(element.keys()), chance.choice(ODD_VALUES))
            case _:
                other.append(copy.deepcopy(element))
    return etree.tostring(root)


def attempt(read: ReadFunction, data: bytes, options: ReadOptions) -> tuple[list[Page], str]:
    """Return the pages of the data, and the message of the error."""
    try:
        return read(data, "a.file", options), ""
    except InputError as error:
        return [], str(error)


@pytest.mark.parametrize("name", CASES)
def test_damaged_files(name):
    """Damaged files raise only errors of pagemeter, each with one line that names the file."""
    read, text = CASES[name]
    chance = random.Random(f"damage {name}")
    refused = 0
    for _ in range(ROUNDS):
        data = damaged(text.encode(), chance)
        options = ReadOptions(level=chance.choice(LEVELS), order=chance.choice(("file", "top-down")))
        pages, error = attempt(read, data, options)
        refused += bool(error)
        assert not error or error.startswith("a.file: ")
        assert "\n" not in error
        assert not any("\n" in line.text for page in pages for line in page.lines)
    assert refused < ROUNDS


@pytest.mark.parametrize("name", ["hocr", "abbyy", "tei"])
def test_rearranged_files(name):
    """Well-formed XML with wrong elements and values gives pages or an error."""
    read, text = CASES[name]
    chance = random.Random(f"rearranged {name}")
    for _ in range(ROUNDS):
        options = ReadOptions(level=chance.choice(LEVELS), order=chance.choice(("file", "top-down")))
        pages, error = attempt(read, rearranged(text, chance), options)
        assert bool(pages) != bool(error)
        assert not error or error.startswith("a.file: ")


@pytest.mark.parametrize("name", CASES)
def test_cut_files(name):
    """A file that is cut off anywhere gives pages or an error."""
    read, text = CASES[name]
    data = text.encode()
    for end in range(0, len(data), 7):
        pages, error = attempt(read, data[:end], ReadOptions())
        assert bool(pages) != bool(error)
        assert not error or error.startswith("a.file: ")


@pytest.mark.parametrize("name", CASES)
def test_whole_files(name):
    """The undamaged files are read without an error."""
    read, text = CASES[name]
    pages, error = attempt(read, text.encode(), ReadOptions())
    assert error == ""
    assert any(page.lines for page in pages)
