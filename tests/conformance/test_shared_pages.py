"""Real pages: the number of lines that are read from each file is that of an independent count.

`shared_pages.tsv` lists each PAGE, ALTO and text file with its numbers of pages and lines. They are the
numbers of `<Page` and `<TextLine` start tags in the raw bytes, without comments. For the files of
REGION_TEXT, the non-blank lines of the text of regions without lines are added. Text files are split at form
feeds and line breaks.
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


def test_the_error_for_a_file_that_is_cut_off():
    with pytest.raises(FormatError, match=r"_corrupt\.xml: line 1234.*cut off.*Get a complete copy"):
        load(PAGES / "digital-eval/quirks/1667522809_J_0001_0256_corrupt.xml")


@pytest.mark.parametrize("name", names("multipage-pcgts/gt"))
def test_files_with_several_pages_point_to_load_pages(name):
    with pytest.raises(UsageError, match=r"Use pagemeter\.formats\.load_pages"):
        load(PAGES / "multipage-pcgts/gt" / name)


@pytest.mark.parametrize("page_set", ["dach-incunable-1486", "lectaurep-bronod"])
def test_page_and_alto_of_one_page_have_the_same_lines(page_set):
    """Texts and baselines are equal line by line."""
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
def test_saved_pages_are_loaded_unchanged(path, tmp_path):
    page = load(PAGES / path)
    save(page, tmp_path / "page.json")
    assert load(tmp_path / "page.json") == page


REFERENCE = sorted((SHARED / "reference" / "lines").glob("*.json"))


@pytest.mark.parametrize("reference", REFERENCE, ids=[path.stem for path in REFERENCE])
def test_lines_from_top_to_bottom_are_those_of_the_java_tool(reference):
    """The tool sorts the lines in each region by their upper edge, trims texts and skips empty lines."""

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
def test_unusual_files_have_the_expected_text(path, expected):
    assert any(expected in text for text in texts(path))


def test_hyphens_in_both_string_and_hyp_are_read_once():
    found = texts("ocrevaluation/quirks/BnF_X0000001_latin1.xml")
    assert not [text for text in found if text.endswith("--")]
    assert sum(text.endswith("-") for text in found) >= 11


def test_a_reading_order_of_lines_and_words_is_followed():
    """The first reading order of the file has marginalia inside the main text."""
    path = PAGES / "kraken-fixtures/quirks/alto_bsb00084914_00007.xml"
    regions = [line.region for line in load(path).lines]
    assert regions != [line.region for line in load(path, order="document").lines]
    assert len(regions) == 31


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("kraken-fixtures/quirks/alto_invalid_mu.xml", "because mm cannot be converted to pixels"),
        ("solr-ocrhighlighting-fixtures/quirks/alto_float.xml", "inch1200 cannot be converted to pixels"),
        ("solr-ocrhighlighting-fixtures/quirks/altobadcoords.xml", "width or height is negative"),
        ("kraken-fixtures/quirks/page_invalid_dims.xml", "'foo' is not a size"),
        ("kraken-fixtures/quirks/page_zero_dims.xml", "'0' is not a size"),
        ("rasam-arabic/gt/BULAC_MS_ARA_417_0010.xml", "the polygon was ignored: no points"),
        ("digital-eval/quirks/rahbar-1185565752-00000086.xml", "the baseline was ignored: no points"),
        ("digital-eval/gt/gbv-126343-p0285-table.xml", "there is no region with this id"),
        ("digital-eval/quirks/reading_order_with_missing_regions.xml", "not in the reading order"),
        ("chi-know-po-vertical/gt/BULAC_BIULO_CHI_1938_1_0117.xml", "line break inside the text"),
        ("fibeln-quirks/gt/PPN1024784126_00000013.xml", "the text of its words is used"),
        ("ocrevaluation/gt/00439040.xml", "the region's own text are used"),
        ("kraken-fixtures/quirks/page_explicit_ro_unordered.xml", "its members have no order"),
        ("ocrevaluation/quirks/BnF_X0000001_latin1.xml", "hyphen is in both String and HYP"),
    ],
)
def test_skipped_repaired_or_guessed_elements_give_a_warning(path, reason):
    assert any(reason in warn.reason for page in load_pages(PAGES / path) for warn in page.warnings)


def test_inches_are_converted_to_pixels():
    path = PAGES / "solr-ocrhighlighting-fixtures/quirks/alto_float.xml"
    assert not load(path).has_geometry
    line = load(path, dpi=300).lines[0]
    assert line.polygon[0] == (152.0 / 4, 8472.0 / 4)
