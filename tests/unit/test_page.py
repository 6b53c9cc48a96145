"""Pages and lines made in Python: what they accept, and what they say of the rest."""

from __future__ import annotations

import json

import numpy as np
import pytest

import pagemeter as pm
from pagemeter.errors import UsageError

POINTS = ((0, 10), (90, 12))


@pytest.mark.parametrize(
    "given",
    [
        [(0, 10), (90, 12)],
        [[0, 10], [90, 12]],
        np.array(POINTS),
        np.array(POINTS, np.float32),
        [(np.int64(0), np.uint8(10)), (np.float16(90), 12)],
        iter(POINTS),
    ],
)
def test_points_are_kept_as_tuples_of_numbers(given):
    line = pm.Line("a", baseline=given)
    assert line.baseline == POINTS
    assert json.loads(json.dumps(line.baseline)) == [[0, 10], [90, 12]]
    assert hash(line) == hash(pm.Line("a", baseline=POINTS))


def test_arrays_of_points_are_measured():
    page = pm.Page([pm.Line("a b", polygon=np.array([[0, 0], [90, 0], [90, 20], [0, 20]]))])
    assert pm.cer(page, page, "G") == 0.0


def test_no_points_are_no_place():
    assert not pm.Line("a", baseline=np.zeros((0, 2)), polygon=[]).has_place


@pytest.mark.parametrize("field", ["baseline", "polygon"])
@pytest.mark.parametrize(
    "given", ["0,0 10,0", "ab", 5, [1, 2], [(1, 2, 3)], ["ab"], [("1", "2")], np.zeros(4), [None]]
)
def test_what_are_no_points_is_refused_with_an_example(field, given):
    with pytest.raises(UsageError, match=rf"^Line: {field}=.* no sequence of points; give pairs of numbers"):
        pm.Line("a", **{field: given})


@pytest.mark.parametrize(("text", "kind"), [(3, "int"), (None, "NoneType"), (b"a", "bytes")])
def test_the_text_of_a_line_is_a_str(text, kind):
    with pytest.raises(UsageError, match=rf"^Line: text=.* is of type {kind}; give a str"):
        pm.Line(text)


def test_lines_may_be_any_sequence_of_lines():
    line = pm.Line("a")
    assert pm.Page([line]) == pm.Page(iter([line])) == pm.Page((line,))
    assert hash(pm.Page([line])) == hash(pm.Page((line,)))


def test_a_text_is_no_sequence_of_lines():
    with pytest.raises(UsageError, match=r"^Page: lines='ab' is a text; make the page by Page\.from_text"):
        pm.Page("ab")


@pytest.mark.parametrize("lines", [["a"], ("a",)])
def test_a_list_of_texts_is_no_sequence_of_lines(lines):
    with pytest.raises(UsageError, match=r"^Page: lines\[0\]='a' is of type str; give Line objects"):
        pm.Page(lines=lines)


def test_the_first_wrong_line_is_named():
    with pytest.raises(UsageError, match=r"lines\[1\]=None is of type NoneType"):
        pm.Page((pm.Line("a"), None, 3))


def test_a_number_is_no_page():
    with pytest.raises(UsageError, match="lines=3 is of type int; give a list of Line objects"):
        pm.Page(3)


@pytest.mark.parametrize("field", ["width", "height"])
@pytest.mark.parametrize("size", ["3", (3,), b"3"])
def test_the_size_of_a_page_is_a_number(field, size):
    with pytest.raises(UsageError, match=rf"^Page: {field}=.*; give a number of pixels, or None"):
        pm.Page((), **{field: size})
    assert getattr(pm.Page((), **{field: np.int64(3)}), field) == 3


@pytest.mark.parametrize("text", [3, ["a"], b"a", None])
def test_a_page_is_made_of_a_text(text):
    with pytest.raises(UsageError, match=r"^Page\.from_text: text=.* is of type \w+; give a str"):
        pm.Page.from_text(text)


@pytest.mark.parametrize(("pages", "kind"), [("a", "str"), ([pm.Page(), None], "NoneType")])
def test_only_pages_are_saved(pages, kind, tmp_path):
    with pytest.raises(UsageError, match=rf"^save: .* is of type {kind}; give a Page"):
        pm.save(pages, tmp_path / "page.json")
    assert not list(tmp_path.iterdir())
