"""pagemeter's own JSON: saved pages are read back unchanged, and errors name the path of a field."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagemeter.errors import FormatError, InputError, Problem
from pagemeter.formats import load, load_pages, read_pages, save
from pagemeter.page import Line, Page

NUMBERS = st.integers(-999_999, 999_999) | st.floats(-999_999, 999_999)
POINTS = st.none() | st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4).map(tuple)
NAMES = st.none() | st.text(max_size=5)
LINES = st.builds(Line, st.text(max_size=9), POINTS, POINTS, NAMES, NAMES)
_TEXTS = st.text(max_size=5)
WARNINGS = st.builds(Problem, _TEXTS, _TEXTS, _TEXTS, kind=st.just("format"))
SIZES = st.none() | st.integers(0, 10**6)
PAGES = st.builds(
    Page,
    st.lists(LINES, max_size=4).map(tuple),
    st.text(max_size=5),
    NAMES,
    SIZES,
    SIZES,
    st.lists(WARNINGS, max_size=2).map(tuple),
)


@given(st.lists(PAGES, min_size=1, max_size=3))
def test_saved_pages_are_read_back_unchanged(tmp_path_factory, pages):
    path = tmp_path_factory.getbasetemp() / "identity.json"
    save(pages, path)
    assert load_pages(path) == tuple(pages)


@given(PAGES)
def test_one_page_is_saved_without_a_list(tmp_path_factory, page):
    path = tmp_path_factory.getbasetemp() / "one.json"
    save(page, path)
    assert load(path) == page


def test_half_a_surrogate_pair_is_saved(tmp_path):
    page = Page((Line("a\ud800b"),), "p")
    save(page, tmp_path / "p.json")
    assert load(tmp_path / "p.json") == page


def test_the_document_is_as_described(tmp_path):
    page = Page((Line("ä", ((1, 2.5),), None, "l1"),), "p.xml", width=7)
    save(page, tmp_path / "p.json")
    text = (tmp_path / "p.json").read_text(encoding="utf-8")
    assert "ä" in text
    assert json.loads(text) == {
        "format": "pagemeter-page",
        "version": 1,
        "pages": [
            {"source": "p.xml", "width": 7, "lines": [{"text": "ä", "baseline": [[1, 2.5]], "id": "l1"}]}
        ],
    }


def test_a_loaded_page_is_saved_with_its_warnings(tmp_path):
    """The page has positions, ids and warnings."""
    line = '<TextLine id="l1"><Coords points="1,2 3,4"/><Baseline points="nan,1"/></TextLine>'
    (page,) = read_pages(f"<PcGts><Page>{line}</Page></PcGts>".encode(), "p.xml")
    save(page, tmp_path / "p.json")
    again = load(tmp_path / "p.json")
    assert again == page
    assert again.lines[0].polygon == ((1, 2), (3, 4))
    assert again.warnings == page.warnings != ()


def test_lazy_lines_behave_like_lines():
    """They have the same equality, hash, repr and pickle, before and after their points are parsed."""
    data = b'<PcGts><Page><TextLine id="l1"><Coords points="1,2 3,4"/></TextLine></Page></PcGts>'
    plain = Line("", None, ((1, 2), (3, 4)), "l1", None)
    for _ in range(2):
        (line,) = read_pages(data, "p.xml")[0].lines
        assert pickle.loads(pickle.dumps(line)) == plain  # noqa: S301  (our own)
        assert plain == line
        assert line == plain
        assert hash(line) == hash(plain)
        assert repr(line) == repr(plain)
        assert line != Line("other")
        assert line != "no line"
        assert pickle.loads(pickle.dumps(line)) == plain  # noqa: S301
        with pytest.raises(AttributeError, match="no attribute 'colour'"):
            line.colour  # noqa: B018
        with pytest.raises(AttributeError):
            line.text = "frozen"


def read(document, source="p.json"):
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return read_pages(data, source)


def test_a_single_page_and_a_list_of_strings_are_read():
    assert [line.text for line in read({"lines": [{"text": "one"}, "two"]})[0].lines] == ["one", "two"]
    assert [line.text for line in read(["one", "two"])[0].lines] == ["one", "two"]
    assert read([])[0] == Page((), "p.json")


def test_a_page_without_source_is_named_after_its_file(tmp_path):
    path = tmp_path / "p.json"
    path.write_text('{"lines": []}')
    assert load(path).source == str(path)


def test_unknown_keys_are_ignored_with_a_warning():
    (page,) = read({"lines": [{"text": "a", "conf": 1}, {"text": "b", "conf": 1}], "engine": "x"})
    assert [str(warn) for warn in page.warnings] == [
        "p.json: page.lines[0].conf and 2 more: unknown key was ignored"
    ]


def framed(**fields):
    return {"format": "pagemeter-page", "version": 1, "pages": [], **fields}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"lines": [{"text": 1}]}, r"page\.lines\[0\]\.text: must be a string, not a number"),
        ({"lines": [{}]}, r"page\.lines\[0\]\.text: is missing"),
        ({"lines": [None]}, r"page\.lines\[0\]: must be an object, not null"),
        ({"lines": {}}, r"page\.lines: must be a list, not an object"),
        ({"width": 1}, r"page\.lines: missing, but must be a list"),
        ({"lines": [], "width": "1"}, r"page\.width: must be a whole number, not a string"),
        ({"lines": [], "width": True}, r"page\.width: must be a whole number, not true or false"),
        ({"lines": [{"text": "", "baseline": [[1]]}]}, r"baseline: must be a list of \[x, y\]"),
        ({"lines": [{"text": "", "baseline": [[1, "2"]]}]}, r"baseline: must be a list of \[x, y\]"),
        ({"lines": [{"text": "", "baseline": 1}]}, r"baseline: must be a list of \[x, y\]"),
        ({"lines": [{"text": "", "polygon": [[1, 1e7]]}]}, "polygon: a coordinate beyond 1,000,000 pixels"),
        ([1], r"page\.lines\[0\]\.text: must be a string"),
        (framed(version=2), r"document\.version: must be 1, not 2\. If a newer pagemeter wrote"),
        (framed(format="other"), r"document\.format: must be 'pagemeter-page', not 'other'"),
        (framed(pages=3), r"document\.pages: must be a list, not a number"),
        (framed(), "contains no page"),
        (b'{"lines": [', r"p\.json: line 1, column 12: the JSON is cut off\. Get a complete copy"),
        (b'{"lines": [}', r"p\.json: line 1, column 12: Expecting value\. Repair the JSON"),
        ({"anything": 1, "b": 2}, r"unknown schema \(an object with 'anything', 'b'\); .* tried: .*docling"),
        ([{"a": 1}], r"unknown schema \(a list of objects or lists\); .* tried: .*dots, .*json\."),
        (b'{"lines": [{"text": "", "baseline": [[NaN, 1]]}]}', "NaN is not a number in JSON"),
        (b'{"lines": "\x01"}', "control character"),
        (b'{"lines": [{"text": "\xff"}]}', "byte 21: not valid utf-8"),
        (b'{"width": ' + b"1" * 5000 + b"}", "p.json: "),
    ],
)
def test_errors_name_the_path_of_the_field(document, message):
    with pytest.raises(InputError, match=message) as caught:
        read(document)
    assert str(caught.value).startswith("p.json: ")
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_is_skipped():
    assert read(b'\xef\xbb\xbf{"lines": ["one"]}')[0].lines[0].text == "one"


def test_json_is_detected_by_its_first_key_or_its_suffix():
    assert read({"lines": ["one"]}, "p.txt")[0].lines[0].text == "one"
    assert read(["one"], "p.txt")[0].lines[0].text == '["one"]'
    with pytest.raises(FormatError, match="unknown schema"):
        read({"anything": 1})


def test_points_out_of_range_are_not_saved(tmp_path):
    for value in (float("nan"), float("inf"), 1e9):
        with pytest.raises(
            InputError, match=r"line 'a': a coordinate .*\. Correct it before the page is saved"
        ):
            save(Page((Line("a", ((value, 1),)),), "p"), tmp_path / "p.json")
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_only_when_all_is_written(tmp_path, monkeypatch):
    path = tmp_path / "p.json"
    path.write_text("before")

    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match=r"p\.json: cannot be written: No space left on device"):
        save(Page(), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_path_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        save(Page(), tmp_path)
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save(Page(), tmp_path / "gone" / "p.json")


@pytest.mark.parametrize(
    ("order", "expected"),
    [("file", "cba"), ("document", "cba"), ("top-down", "abc"), ("top-down-lines", "bca")],
)
def test_lines_are_sorted_by_position_on_request(order, expected):
    places = {"c": 30, "b": 20, "a": 10}
    regions = {"c": "r1", "b": "r1", "a": "r2"}
    lines = [
        {"text": text, "baseline": [[0, y], [9, y]], "region": regions[text]} for text, y in places.items()
    ]
    (page,) = read_pages(json.dumps({"lines": lines}).encode(), "p.json", order=order)
    assert "".join(line.text for line in page.lines) == expected


def test_a_number_with_thousands_of_digits_is_an_error():
    with pytest.raises(
        FormatError, match=r"^p\.json: a number of thousands of digits, which no page has. Repair"
    ):
        read_pages(b'{"lines": [], "width": ' + b"9" * 5000 + b"}", "p.json")


@pytest.mark.parametrize(
    "text", ["<HistoricalDocument> was a title", "see <|ref|>x<|/ref|><|det|>[[1,2,3,4]]<|/det|> here"]
)
def test_text_with_marks_of_other_formats_is_read_back(tmp_path, text):
    page = Page.from_text(f"{text}\nsecond line")
    save(page, tmp_path / "page.json")
    assert load(tmp_path / "page.json").text == page.text
