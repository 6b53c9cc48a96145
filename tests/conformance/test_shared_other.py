"""Real hOCR and FineReader files: all lines are read, with the same text as in other exports of the page.

The counts were made with grep, not with pagemeter: pages are `class='ocr_page'`, lines the classes
ocr_line, ocr_header, ocr_caption and ocr_textfloat, words ocrx_word and ocr_word, baselines the properties
`baseline` and `textangle`.
"""

from __future__ import annotations

import re
from html import unescape

import pytest

from helpers import SHARED, needs_shared
from pagemeter.formats import load_pages

pytestmark = needs_shared

PAGES = SHARED / "pages"
# file, pages, lines, words, baselines
HOCR = [
    ("argus-brevets/hyp-tesseract-fra/10_10fe5_default.hocr", 1, 122, 584, 122),
    ("argus-brevets/hyp-tesseract-fra/15_432a0_default.hocr", 1, 132, 609, 132),
    ("argus-brevets/hyp-tesseract-fra/18_ac1da_default.hocr", 1, 122, 820, 122),
    ("austrian-newspapers/hyp-tesseract-Fraktur/ONB_ibn_18640702_004.hocr", 1, 45, 502, 45),
    ("austrian-newspapers/hyp-tesseract-Fraktur/ONB_ibn_18640702_008.hocr", 1, 37, 267, 37),
    ("austrian-newspapers/hyp-tesseract-Fraktur/ONB_ibn_19110701_012.hocr", 1, 275, 1588, 275),
    ("cremma-medieval-lat/hyp-tesseract-lat/10v-11r.hocr", 1, 46, 331, 46),
    ("cremma-medieval-lat/hyp-tesseract-lat/BIS_00_00615_0446.hocr", 1, 14, 91, 14),
    ("cremma-medieval-lat/hyp-tesseract-lat/Plut._53.08_102r.hocr", 1, 46, 370, 46),
    ("lectaurep-bronod/hyp-tesseract-fra/0015.hocr", 1, 71, 316, 71),
    ("lectaurep-bronod/hyp-tesseract-fra/0052.hocr", 1, 128, 419, 128),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/bebel_frau_1879_0146.hocr", 1, 50, 409, 50),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/bebel_frau_1879_0168.hocr", 1, 54, 550, 54),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/clauren_mimil_1815_0023.hocr", 1, 23, 142, 23),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/clauren_mimil_1815_0040.hocr", 1, 25, 183, 25),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/clauren_mimil_1815_0050.hocr", 1, 24, 162, 24),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/herder_geschichte03_1787_0007.hocr", 1, 20, 85, 20),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/laube_europa0202_1837_0006.hocr", 1, 10, 22, 10),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/laube_europa0202_1837_0105.hocr", 1, 25, 157, 25),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/laube_europa0202_1837_0309.hocr", 1, 1, 2, 1),
    ("ocrd-gt-structure-text/hyp-tesseract-Fraktur/ruempler_gartenbau_1882_0120.hocr", 1, 139, 941, 139),
    ("ocrevaluation/hyp-hocr/00445310.html", 1, 26, 264, 0),
    ("ocrevaluation/hyp-hocr/OfTheSciences.html", 1, 88, 395, 0),
    ("solr-ocrhighlighting-fixtures/quirks/empty_words_bug.html", 5, 14, 17, 0),
    ("solr-ocrhighlighting-fixtures/quirks/hocr_broken_comment.html", 1, 98, 892, 0),
    ("solr-ocrhighlighting-fixtures/quirks/hocr_broken_entities.html", 1, 327, 1586, 0),
    ("solr-ocrhighlighting-fixtures/quirks/hocr_broken_pis.html", 1, 125, 645, 0),
    ("solr-ocrhighlighting-fixtures/quirks/hocr_hyphen.html", 1, 43, 432, 0),
    ("solr-ocrhighlighting-fixtures/quirks/multicolumn.hocr", 1, 119, 811, 0),
    ("solr-ocrhighlighting-fixtures/quirks/sn90050306_1921_02_10-8.html", 1, 142, 540, 0),
    ("tables-decennales/hyp-tesseract-fra/page109_WXYZ.hocr", 1, 63, 231, 63),
    ("tables-decennales/hyp-tesseract-fra/page2_A.hocr", 1, 27, 193, 27),
    ("tapuscorpus/hyp-tesseract-fra/20_21abf_default.hocr", 1, 20, 130, 20),
    ("tapuscorpus/hyp-tesseract-fra/28_59627_default.hocr", 1, 50, 261, 50),
    ("tapuscorpus/hyp-tesseract-fra/9200519_ark__12148_btv1b530484089.hocr", 1, 48, 363, 48),
    ("tapuscorpus/hyp-tesseract-fra/FRAN_0011_11082_L-medium.hocr", 1, 26, 138, 26),
    ("tapuscorpus/hyp-tesseract-fra/bljd_DSN169_00001.hocr", 1, 29, 124, 29),
]
# Files that are no XML, with the number of "<" in their text that begin no tag.
SOUP = {
    "solr-ocrhighlighting-fixtures/quirks/hocr_broken_comment.html": 1,
    "solr-ocrhighlighting-fixtures/quirks/hocr_broken_entities.html": 0,
    "solr-ocrhighlighting-fixtures/quirks/hocr_broken_pis.html": 11,
}
FINEREADER = "ocrevaluation/hyp-finereader10-xml/OfTheSciences.xml"

EMPTY_WORD = re.compile(
    r"<span class=['\"]ocrx?_word['\"][^>]*?(?:/>|(?<!/)>(?:<strong>)?\s*(?:</strong>)?</span>)"
)


def file_text(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8-sig")


def load_lines(name: str):
    return [line for page in load_pages(PAGES / name) for line in page.lines]


@pytest.mark.parametrize(("name", "pages", "lines", "words", "baselines"), HOCR, ids=[row[0] for row in HOCR])
def test_counts(name, pages, lines, words, baselines):
    """The numbers of pages, lines, baselines and words are those of grep, except words without text."""
    found = load_pages(PAGES / name)
    every = [line for page in found for line in page.lines]
    assert len(found) == pages
    assert len(every) == lines
    assert sum(line.baseline is not None for line in every) == baselines
    assert all(line.polygon is not None for line in every)
    assert sum(len(line.text.split()) for line in every) == words - len(EMPTY_WORD.findall(file_text(name)))


def test_all_files_are_counted():
    """No hOCR file of the data is missing from the table."""
    there = {
        path.relative_to(PAGES).as_posix() for kind in ("hocr", "html") for path in PAGES.rglob(f"*.{kind}")
    }
    assert there == {row[0] for row in HOCR}


@pytest.mark.parametrize("name", [row[0] for row in HOCR if (PAGES / row[0]).with_suffix(".txt").exists()])
def test_text_equals_the_text_export(name):
    """The lines are those of the plain text that Tesseract wrote for the same page."""
    plain = (PAGES / name).with_suffix(".txt").read_text(encoding="utf-8")
    expected = [" ".join(line.split()) for line in plain.replace("\f", "").split("\n") if line.strip()]
    assert [line.text for line in load_lines(name) if line.text] == expected


@pytest.mark.parametrize("name", [row[0] for row in HOCR])
def test_warnings(name):
    """Well-formed files are read without a warning; for the others, a warning says that they are HTML."""
    reasons = [warn.reason for page in load_pages(PAGES / name) for warn in page.warnings]
    expected = []
    if name in SOUP:
        expected = ["not well-formed XML, so the whole file is read as HTML"]
        expected += [f"{SOUP[name]} '<' do not begin a tag, and are read as characters"] if SOUP[name] else []
    if name.endswith("sn90050306_1921_02_10-8.html"):
        expected = ["white space before the XML was skipped"]
    assert reasons == expected


@pytest.mark.parametrize("name", ["argus-brevets/hyp-tesseract-fra/18_ac1da_default.hocr"])
def test_turned_line(name):
    """The line with textangle 90 has a vertical baseline at the right edge of its box, from bottom to top."""
    left, top, right, bottom = map(
        int, re.search(r"bbox (\d+) (\d+) (\d+) (\d+); textangle 90", file_text(name)).groups()
    )
    assert left < right
    assert ((right, bottom), (right, top)) in [line.baseline for line in load_lines(name)]


def test_soft_hyphens():
    """`&shy;` after the last word of a line is its last character."""
    name = "solr-ocrhighlighting-fixtures/quirks/hocr_broken_entities.html"
    marked = sum("\u00ad" in line.text for line in load_lines(name))
    assert marked == len(re.findall(r"&shy;", file_text(name)))


def test_finereader():
    """All 37 lines of the FineReader file have their text, a baseline and a box."""
    (page,) = load_pages(PAGES / FINEREADER)
    spelled = re.findall(r"<line .*?</line>", file_text(FINEREADER), re.DOTALL)
    expected = ["".join(re.findall(r">([^<\n]+)</charParams>", line)) for line in spelled]
    assert [line.text for line in page.lines] == [unescape(text).strip() for text in expected]
    assert len(page.lines) == 37
    assert all(line.baseline and line.polygon for line in page.lines)
    assert (page.width, page.height) == (689, 1023)
    assert page.warnings == ()
