"""The memory limit of a page: its error names the memory, never a fault of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from collected import exhaustive
from pagemeter.corpus import MeasureSelection, Readers, RunConfig
from pagemeter.inputs.pairs import Pair
from pagemeter.runners import evaluate_pairs
from pagemeter.runners.pool import Pool
from pagemeter.runners.worker_process import is_out_of_memory
from pagemeter.settings import Settings

LINES = 40_000


def page_xml(lines):
    line = "<TextLine id='l{}'><TextEquiv><Unicode>a word</Unicode></TextEquiv></TextLine>"
    namespace = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
    region = f"<TextRegion id='r'>{''.join(map(line.format, range(lines)))}</TextRegion>"
    return f"<PcGts xmlns='{namespace}'><Page>{region}</Page></PcGts>"


def hocr(lines):
    """An hOCR file that is not well-formed, because its lines are not closed."""
    text = "<p class='ocr_line' id='l'>a word<br>" * lines
    return f"<html><body><div class='ocr_page'>{text}</div></body></html>"


def abbyy(lines):
    line = "<par><line><formatting>a word</formatting></line></par>"
    namespace = "http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml"
    text = f"<block blockType='Text'><text>{line * lines}</text></block>"
    return f"<document xmlns='{namespace}'><page>{text}</page></document>"


def tei(lines):
    text = f"<text><body><p>{'<lb/>a word' * 3 * lines}</p></body></text>"
    return f"<TEI xmlns='http://www.tei-c.org/ns/1.0'>{text}</TEI>"


@pytest.fixture
def large(tmp_path, request):
    """A large page and a small text."""
    paths = tmp_path / "large.xml", tmp_path / "small.txt"
    paths[0].write_text(request.param(LINES))
    paths[1].write_text("a word")
    return paths


@pytest.mark.parametrize("large", [page_xml, hocr, abbyy, tei], indirect=True)
def test_a_good_file_is_not_blamed_if_memory_is_short(large):
    path, small = large
    pairs = [Pair("1", path, small), Pair("2", small, path)]
    config = RunConfig(MeasureSelection.of(["BOW"]), Settings(), Readers())
    results = [result for _, (result,) in Pool(1, page_memory=10_000_000).map(config, pairs)]
    error = f"{path}: not enough memory to read it. Split it into its pages, or raise page_memory."
    assert [(result.status, result.error) for result in results] == [("failed", error), ("missed", None)]
    warning = error.replace("read it.", "read it; all text of the page counts as missing.")
    assert [str(warning) for warning in results[1].warnings] == [warning]


MARKS = "".join("a" + chr(point) for point in (*range(0x0300, 0x0340), 0xE0100))


@pytest.mark.parametrize("text", ["a word", "漢字", MARKS], ids=["latin", "unspaced", "marks"])
@pytest.mark.parametrize("memory", [1_000_000, *exhaustive(2_000_000, 5_000_000)])
def test_modules_are_loaded_before_memory_is_limited(tmp_path, memory, text):
    small = tmp_path / "small.xml"
    small.write_text(page_xml(3).replace("a word", text), encoding="utf-8")
    (result,) = evaluate_pairs(
        [Pair("1", small, small)], ["CER:RS", "WER:S", "BOW"], on=Pool(1, page_memory=memory)
    )
    assert (result.status, result.error) == ("evaluated", None)


def test_a_library_that_cannot_be_loaded_for_lack_of_memory_is_not_a_missing_one():
    assert is_out_of_memory(ImportError("x.so: failed to map segment from shared object"))
    assert is_out_of_memory(ImportError("libx.so: cannot allocate memory in static TLS block"))
    assert not is_out_of_memory(ModuleNotFoundError("No module named 'highspy'"))
    assert not is_out_of_memory(FileNotFoundError(2, "No such file", str(Path("a"))))
