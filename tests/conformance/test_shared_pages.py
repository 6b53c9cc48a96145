"""Real pages: every file gives the lines that were counted in it by other means.

`shared_pages.tsv` names each PAGE, ALTO and text file with its pages and lines. Pages are `<Page` and lines
`<TextLine` start tags found in the raw bytes by a regular expression, comments removed; to the files of
REGION_TEXT the non-blank lines of the text of regions without lines are added. In text files they are the
pieces between form feeds and between line ends.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from helpers import SHARED, needs_shared
from pagemeter.errors import FormatError, UsageError
from pagemeter.formats import load, load_pages, save

pytestmark = needs_shared

PAGES = SHARED / "pages"
with (Path(__file__).parent / "shared_pages.tsv").open(encoding="utf-8", newline="") as table:
    COUNTED = [(row[0], int(row[1]), int(row[2])) for row in csv.reader(table, delimiter="\t")]

REGION_TEXT = {
    "fibeln-quirks/gt/PPN1024784126_00000013.xml": 2,
    "fibeln-quirks/gt/PPN1025195825_00000072.xml": 2,
    "ocrevaluation/gt/00439040.xml": 42,
    "ocrevaluation/gt/00445310.xml": 27,
}


def texts(path, **options):
    return [line.text for line in load(PAGES / path, **options).lines]


def names(folder):
    return sorted(path.name for path in (PAGES / folder).iterdir()) if PAGES.is_dir() else []


@pytest.mark.parametrize(("path", "pages", "lines"), COUNTED, ids=[row[0] for row in COUNTED])
def test_every_file_has_the_pages_and_lines_counted_in_it(path, pages, lines):
    found = load_pages(PAGES / path)
    assert len(found) == pages
    assert sum(len(page.lines) for page in found) == lines + REGION_TEXT.get(path, 0)


def test_no_file_of_these_formats_is_missing_from_the_table():
    suffixes = {".xml", ".txt"}
    there = {str(path.relative_to(PAGES)) for path in PAGES.rglob("*") if path.suffix in suffixes}
    others = {
        "digital-eval/quirks/1667522809_J_0001_0256_corrupt.xml",
        "ocrevaluation/hyp-finereader10-xml/OfTheSciences.xml",
    }
    assert there - {row[0] for row in COUNTED} == others


def test_a_file_that_is_cut_off_says_so():
    with pytest.raises(FormatError, match=r"_corrupt\.xml: line 1234.*cut off; get a complete copy"):
        load(PAGES / "digital-eval/quirks/1667522809_J_0001_0256_corrupt.xml")


@pytest.mark.parametrize("name", names("multipage-pcgts/gt"))
def test_files_with_several_pages_point_to_load_pages(name):
    with pytest.raises(UsageError, match=r"use pagemeter\.formats\.load_pages"):
        load(PAGES / "multipage-pcgts/gt" / name)


@pytest.mark.parametrize("page_set", ["dach-incunable-1486", "lectaurep-bronod"])
def test_page_and_alto_of_one_page_have_the_same_lines(page_set):
    """Texts are equal line by line; baselines too, for both files give them."""
    compared = 0
    for name in names(f"{page_set}/gt"):
        page, alto = (load(PAGES / page_set / folder / name) for folder in ("gt", "gt-alto"))
        assert [line.text for line in page.lines] == [line.text for line in alto.lines]
        assert [line.baseline for line in page.lines] == [line.baseline for line in alto.lines]
        compared += len(page.lines)
    assert compared == {"dach-incunable-1486": 77, "lectaurep-bronod": 103}[page_set]


@pytest.mark.parametrize("name", names("charlottenburg-tables/gt"))
def test_tables_and_the_same_page_without_them_have_the_same_lines(name):
    with_tables = texts(f"charlottenburg-tables/gt/{name}")
    assert Counter(with_tables) == Counter(texts(f"charlottenburg-tables/gt-without-tables/{name}"))


@pytest.mark.parametrize("path", [row[0] for row in COUNTED if row[1] == 1 and row[0].endswith(".xml")])
def test_what_load_gives_save_writes_and_load_gives_again(path, tmp_path):
    page = load(PAGES / path)
    save(page, tmp_path / "page.json")
    assert load(tmp_path / "page.json") == page


REFERENCE = sorted((SHARED / "reference" / "lines").glob("*.json"))


@pytest.mark.parametrize("reference", REFERENCE, ids=[path.stem for path in REFERENCE])
def test_lines_from_top_to_bottom_are_those_of_the_java_tool(reference):
    """That tool sorts the lines in each region by their top; it trims texts and passes over empty ones."""

    def lines(page):
        return [(line.text.strip(), line.baseline) for line in page.lines if line.text.strip()]

    path = PAGES / f"{reference.stem.replace('__', '/')}.xml"
    assert lines(load(path, order="top-down-lines")) == lines(load(reference))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("digital-eval/quirks/urn+nbn+de+gbv+3+5-14325-fp-00000441.xml", "Maréchal, sm. dignité, مير"),
        ("solr-ocrhighlighting-fixtures/quirks/alto_namespaced.xml", "preÂ¬"),
        ("ocrevaluation/quirks/BnF_X0000001_latin1.xml", "é"),
        ("solr-ocrhighlighting-fixtures/quirks/alto_nospace.xml", " "),
    ],
)
def test_texts_of_files_with_a_quirk(path, expected):
    assert any(expected in text for text in texts(path))


def test_hyphens_given_twice_are_counted_once():
    found = texts("ocrevaluation/quirks/BnF_X0000001_latin1.xml")
    assert not [text for text in found if text.endswith("--")]
    assert sum(text.endswith("-") for text in found) >= 11


def test_a_reading_order_of_lines_and_words_is_followed():
    """The first reading order of the file puts marginalia at their place in the main text."""
    path = PAGES / "kraken-fixtures/quirks/alto_bsb00084914_00007.xml"
    regions = [line.region for line in load(path).lines]
    assert regions != [line.region for line in load(path, order="document").lines]
    assert len(regions) == 31


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("kraken-fixtures/quirks/alto_invalid_mu.xml", "for mm cannot be turned into pixels"),
        ("solr-ocrhighlighting-fixtures/quirks/alto_float.xml", "inch1200 cannot be turned into pixels"),
        ("solr-ocrhighlighting-fixtures/quirks/altobadcoords.xml", "width or height is negative"),
        ("kraken-fixtures/quirks/page_invalid_dims.xml", "'foo' is no size"),
        ("kraken-fixtures/quirks/page_zero_dims.xml", "'0' is no size"),
        ("rasam-arabic/gt/BULAC_MS_ARA_417_0010.xml", "polygon left out: no points"),
        ("digital-eval/quirks/rahbar-1185565752-00000086.xml", "baseline left out: no points"),
        ("digital-eval/gt/gbv-126343-p0285-table.xml", "refers to a region that is missing"),
        ("digital-eval/quirks/reading_order_with_missing_regions.xml", "is missing from the reading order"),
        ("chi-know-po-vertical/gt/BULAC_BIULO_CHI_1938_1_0117.xml", "line end inside the text"),
        ("fibeln-quirks/gt/PPN1024784126_00000013.xml", "the text of its words is taken"),
        ("ocrevaluation/gt/00439040.xml", "the region's own text is taken line by line"),
        ("kraken-fixtures/quirks/page_explicit_ro_unordered.xml", "its members have no order"),
        ("ocrevaluation/quirks/BnF_X0000001_latin1.xml", "hyphen in both String and HYP"),
    ],
)
def test_what_was_skipped_repaired_or_guessed_is_a_warning(path, reason):
    assert any(reason in warn.reason for page in load_pages(PAGES / path) for warn in page.warnings)


def test_inches_become_pixels_with_the_resolution():
    path = PAGES / "solr-ocrhighlighting-fixtures/quirks/alto_float.xml"
    assert not load(path).has_geometry
    line = load(path, dpi=300).lines[0]
    assert line.polygon[0] == (152.0 / 4, 8472.0 / 4)
