"""Pages that memory does not suffice for: said of memory, never of the files, and not charged to a system."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagemeter.corpus import Pair, Pool, Reading, Wanted, Work, run
from pagemeter.corpus.runners.memory import is_short
from pagemeter.settings import Settings

LINES = 40_000


def page_xml(lines):
    line = "<TextLine id='l{}'><TextEquiv><Unicode>a word</Unicode></TextEquiv></TextLine>"
    namespace = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
    region = f"<TextRegion id='r'>{''.join(map(line.format, range(lines)))}</TextRegion>"
    return f"<PcGts xmlns='{namespace}'><Page>{region}</Page></PcGts>"


def hocr(lines):
    """Not well-formed, for lines are not closed, so that it is read as browsers do."""
    text = "<p class='ocr_line' id='l'>a word<br>" * lines
    return f"<html><body><div class='ocr_page'>{text}</div></body></html>"


def abbyy(lines):
    line = "<par><line><formatting>a word</formatting></line></par>"
    namespace = "http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml"
    text = f"<block blockType='Text'><text>{line * lines}</text></block>"
    return f"<document xmlns='{namespace}'><page>{text}</page></document>"


def tei(lines):
    text = f"<text><body><p>{'<lb/>a word' * lines}</p></body></text>"
    return f"<TEI xmlns='http://www.tei-c.org/ns/1.0'>{text}</TEI>"


@pytest.fixture
def large(tmp_path, request):
    """A large page, and a small text."""
    paths = tmp_path / "large.xml", tmp_path / "small.txt"
    paths[0].write_text(request.param(LINES))
    paths[1].write_text("a word")
    return paths


@pytest.mark.parametrize("large", [page_xml, hocr, abbyy, tei], indirect=True)
def test_a_good_file_is_not_blamed_where_memory_is_short(large):
    path, small = large
    pairs = [Pair("1", path, small), Pair("2", small, path)]
    work = Work(Wanted.of(["BOW"]), Settings(), Reading(), failed_as_missing=True)
    found = [result for _, (result,) in Pool(1, seconds=60, memory=10_000_000).map(work, pairs)]
    said = f"{path}: not enough memory to read it; split it into its pages, or raise --page-memory"
    assert [(result.status, result.error) for result in found] == [("failed", said)] * 2


@pytest.mark.parametrize("memory", [1_000_000, 2_000_000, 5_000_000])
def test_what_any_page_needs_is_loaded_before_memory_is_limited(tmp_path, memory):
    small = tmp_path / "small.xml"
    small.write_text(page_xml(3))
    (result,) = run([Pair("1", small, small)], ["CER:RS", "WER:S", "BOW"], on=Pool(1, memory=memory))
    assert (result.status, result.error) == ("evaluated", None)


def test_a_library_that_cannot_be_loaded_for_want_of_memory_is_told_from_one_that_is_not_there():
    assert is_short(ImportError("x.so: failed to map segment from shared object"))
    assert is_short(ImportError("libx.so: cannot allocate memory in static TLS block"))
    assert not is_short(ModuleNotFoundError("No module named 'highspy'"))
    assert not is_short(FileNotFoundError(2, "No such file", str(Path("a"))))
