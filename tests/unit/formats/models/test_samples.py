"""The same page in the formats of all models and services: detection, lines, types, positions and damage."""

from __future__ import annotations

import json

import pytest

from documents.models import LINES, PLAIN, PP_OCR, SAMPLES, box, encoded
from fuzz.files import attempt
from pagemeter.errors import PagemeterError
from pagemeter.formats import read_pages
from pagemeter.formats.loading import detect_format
from pagemeter.formats.registry import formats

WITHOUT_TYPES = {"surya": {}, "google": {"wheels 2": "table", "doors 1": "table"}}
RELATIVE = {"mineru", "deepseek", "textract"}
WITHOUT_POSITIONS = RELATIVE | {"churro", "olmocr"}


def read(name, **options):
    file, data = SAMPLES[name]
    (page,) = read_pages(data, file, **options)
    return page


def test_every_format_of_models_and_services_has_a_sample():
    listed = {
        known.name for known in formats() if "models." in repr(known.read) or "services" in repr(known.read)
    }
    assert listed == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_format_is_detected(name):
    file, data = SAMPLES[name]
    assert detect_format(data, file).name == name


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"olmocr"}))
def test_lines_and_types(name):
    types = WITHOUT_TYPES.get(name)
    expected = LINES if types is None else [(text, types.get(text, "text")) for text in PLAIN]
    if name == "textract":
        expected = [(text, "text" if kind == "formula" else kind) for text, kind in LINES]
    assert [(line.text, line.type) for line in read(name).lines] == [*expected]


def test_olmocr_is_markdown():
    assert [(line.text, line.type) for line in read("olmocr").lines] == [*LINES[1:6]]


@pytest.mark.parametrize("name", SAMPLES)
def test_boxes_are_polygons(name):
    page = read(name)
    polygons = [line.polygon for line in page.lines if line.polygon]
    assert bool(polygons) == (name not in WITHOUT_POSITIONS)
    relative = [warning for warning in page.warnings if "relative to the page" in str(warning)]
    assert bool(relative) == (name in RELATIVE)
    if polygons:
        left, top, right, bottom = box(0)
        assert polygons[0] == ((left, top), (right, top), (right, bottom), (left, bottom))
    if name in ("paddleocr", "docling", "marker", "omnidocbench", "surya", "azure", "google"):
        assert (page.width, page.height) == (200, 400)


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"churro", "olmocr"}))
def test_blocks_are_sorted_by_position_even_if_positions_are_relative(name):
    assert read(name, order="top-down").lines[0].text == "Journal of Mills"


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"deepseek", "churro"}))
def test_a_file_that_is_cut_off(name):
    """It is an error that says so, except for lists of blocks that a model wrote itself."""
    file, data = SAMPLES[name]
    cut = data.rstrip()[: -len(data) // 8]
    if name == "dots":
        (page,) = read_pages(cut, file)
        assert [line.text for line in page.lines] == PLAIN[:6]
        assert "cut off, and only its complete blocks are read: 5" in str(page.warnings[0])
    else:
        with pytest.raises(PagemeterError, match=r"the JSON is cut off\. Get a complete copy; if the model"):
            read_pages(cut, file)


@pytest.mark.parametrize("name", [name for name, (_, data) in SAMPLES.items() if data[:1] in b"[{"])
@pytest.mark.parametrize("value", [None, 1, -1, "a", [], {}, [1], [[1, 2]], True, 10**300, 1e300, [None]])
def test_any_value_may_be_wrong(name, value):
    """One value after the other is replaced: the result is pages, or an error that names the file."""
    file, data = SAMPLES[name]
    document = json.loads(data)

    def replaced(node):
        for key, inner in list(node.items() if isinstance(node, dict) else enumerate(node)):
            node[key] = value
            yield
            node[key] = inner
            if isinstance(inner, dict | list):
                yield from replaced(inner)

    for number, _ in enumerate(replaced(document)):
        if number > 60:
            break
        assert attempt(file, encoded(document), name) in ("pages", "refused")


def test_lines_of_pp_ocr():
    (page,) = read_pages(encoded(PP_OCR), "mill_res.json")
    assert [line.text for line in page.lines] == PLAIN
    assert page.lines[0].polygon == ((10, 10), (190, 10), (190, 40), (10, 40))
