"""Pages and lines created in Python: accepted values, and errors for others."""

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


def test_empty_points_are_no_position():
    assert not pm.Line("a", baseline=np.zeros((0, 2)), polygon=[]).has_position


@pytest.mark.parametrize("field", ["baseline", "polygon"])
@pytest.mark.parametrize(
    "given", ["0,0 10,0", "ab", 5, [1, 2], [(1, 2, 3)], ["ab"], [("1", "2")], np.zeros(4), [None]]
)
def test_other_objects_are_no_points(field, given):
    with pytest.raises(
        UsageError, match=rf"^Line: {field}=.* not a sequence of points. Give pairs of numbers"
    ):
        pm.Line("a", **{field: given})


@pytest.mark.parametrize(("text", "kind"), [(3, "int"), (None, "NoneType"), (b"a", "bytes")])
def test_the_text_of_a_line_is_a_str(text, kind):
    with pytest.raises(UsageError, match=rf"^Line: text=.* is of type {kind}. Give a str"):
        pm.Line(text)


def test_lines_may_be_any_sequence_of_lines():
    line = pm.Line("a")
    assert pm.Page([line]) == pm.Page(iter([line])) == pm.Page((line,))
    assert hash(pm.Page([line])) == hash(pm.Page((line,)))


def test_a_text_is_no_sequence_of_lines():
    with pytest.raises(
        UsageError, match=r"^Page: lines='ab' is a text. Create the page with Page\.from_text"
    ):
        pm.Page("ab")


@pytest.mark.parametrize("lines", [["a"], ("a",)])
def test_a_list_of_texts_is_no_sequence_of_lines(lines):
    with pytest.raises(UsageError, match=r"^Page: lines\[0\]='a' is of type str. Give Line objects"):
        pm.Page(lines=lines)


def test_the_first_wrong_line_is_named():
    with pytest.raises(UsageError, match=r"lines\[1\]=None is of type NoneType"):
        pm.Page((pm.Line("a"), None, 3))


def test_a_number_is_no_page():
    with pytest.raises(UsageError, match=r"lines=3 is of type int\. Give a list of Line objects"):
        pm.Page(3)


@pytest.mark.parametrize("field", ["width", "height"])
@pytest.mark.parametrize("size", ["3", (3,), b"3"])
def test_the_size_of_a_page_is_a_number(field, size):
    with pytest.raises(
        UsageError, match=rf"^Page: {field}=.* is not a number. Give a number of pixels, or None"
    ):
        pm.Page((), **{field: size})
    assert getattr(pm.Page((), **{field: np.int64(3)}), field) == 3


@pytest.mark.parametrize("text", [3, ["a"], b"a", None])
def test_a_page_is_made_of_a_text(text):
    with pytest.raises(UsageError, match=r"^Page\.from_text: text=.* is of type \w+. Give a str"):
        pm.Page.from_text(text)


@pytest.mark.parametrize(("pages", "kind"), [("a", "str"), ([pm.Page(), None], "NoneType")])
def test_only_pages_are_saved(pages, kind, tmp_path):
    with pytest.raises(UsageError, match=rf"^save: .* has the type {kind}\. Give Page objects"):
        pm.save(pages, tmp_path / "page.json")
    assert not list(tmp_path.iterdir())


def test_a_page_has_a_text_and_a_length():
    page = pm.Page((pm.Line("one"), pm.Line("two", baseline=POINTS)))
    assert (page.text, len(page)) == ("one\ntwo", 2)
    assert pm.Page.from_text(page.text).text == page.text
    assert bool(pm.Page()), "a page without lines is not a missing page"


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (pm.Page(), "<Page 0 lines>"),
        (pm.Page.from_text("one", "gt/1.txt"), "<Page gt/1.txt: 1 line, 'one'>"),
        (pm.Page.from_text("\none\ntwo"), "<Page 3 lines, 'one …'>"),
        (pm.Page.from_text("\n".join(["word " * 100] * 2000)), f"<Page 2,000 lines, '{'word ' * 8}…'>"),
    ],
)
def test_the_representation_of_a_page_is_short(page, shown):
    assert repr(page) == shown
