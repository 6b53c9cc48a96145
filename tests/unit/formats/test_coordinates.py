"""Points in files, and lines that parse them on first use."""

from __future__ import annotations

import copy
import dataclasses
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagemeter.formats.coordinates import BoxText, are_simple, lazy_line, parse_points, text_to_points
from pagemeter.page import Line

NUMBER = "[0-9]{1,6}"
SIMPLE = re.compile(f"{NUMBER},{NUMBER}( {NUMBER},{NUMBER})*|{NUMBER} {NUMBER}( {NUMBER} {NUMBER})*")
TEXTS = st.text("0123456789,; .-", max_size=12) | st.from_regex(SIMPLE, fullmatch=True)


@given(TEXTS)
@example("1,2;3,4")
@example("")
@example("1234567,1")
@example("1,2 3 4")
@example("1,2\n")
def test_the_kernel_agrees_with_a_regular_expression(text):
    assert are_simple([text]) == bool(SIMPLE.fullmatch(text))


@given(st.lists(TEXTS, max_size=4))
@example(["1,2;3,4", "5,6"])
@example(["1,2", ""])
def test_texts_are_simple_if_each_is(texts):
    assert are_simple(texts) == all(are_simple([text]) for text in texts)


@given(st.from_regex(SIMPLE, fullmatch=True))
def test_simple_texts_are_parsed_as_whole_numbers(text):
    flat = [number for point in parse_points(text) for number in point]
    assert flat == [int(word) for word in re.split("[, ]", text)]


def test_one_number_decides_for_a_page_with_many_points():
    heavy = " ".join(f"{at},{at}" for at in range(20_000))
    assert are_simple([heavy, "1,2"])
    assert not are_simple([heavy, "1234567,2"])
    assert not are_simple([heavy + " 1,", "1,2"])


def test_all_separators_are_read():
    for text in ("1,2 3,4", "1 2 3 4", "1,2;3,4", " 1, 2\t3 ,4\n", "1,2,3,4"):
        assert parse_points(text) == ((1, 2), (3, 4))


def test_a_box_is_read_as_its_corners():
    assert text_to_points(BoxText("1,2 10,20")) == ((1, 2), (11, 2), (11, 22), (1, 22))
    assert text_to_points(BoxText("1,2 0,0")) == ((1, 2),) * 4
    with pytest.raises(ValueError, match="negative"):
        text_to_points(BoxText("1,2 -1,0"))


def test_a_lazy_line_can_be_copied_and_changed():
    line = lazy_line("a", "1,2 3,4", BoxText("1,2 3,4"), "l", "r")
    plain = Line("a", ((1, 2), (3, 4)), ((1, 2), (4, 2), (4, 6), (1, 6)), "l", "r")
    assert copy.copy(line) == copy.deepcopy(line) == plain
    assert dataclasses.replace(line, text="b") == dataclasses.replace(plain, text="b")
    assert copy.copy(dataclasses.replace(line, text="b")) == dataclasses.replace(plain, text="b")
    assert dataclasses.asdict(line) == dataclasses.asdict(plain)
    assert {line, plain} == {plain}
