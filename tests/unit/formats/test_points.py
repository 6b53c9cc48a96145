"""Points as files spell them, and lines that read them late."""

from __future__ import annotations

import copy
import dataclasses
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagemeter.formats.points import Box, clean, corners, parse_points
from pagemeter.formats.spelled_line import spelled_line
from pagemeter.page import Line

NUMBER = "[0-9]{1,6}"
CLEAN = re.compile(f"{NUMBER},{NUMBER}( {NUMBER},{NUMBER})*|{NUMBER} {NUMBER}( {NUMBER} {NUMBER})*")
SPELLINGS = st.text("0123456789,; .-", max_size=12) | st.from_regex(CLEAN, fullmatch=True)


@given(SPELLINGS)
@example("1,2;3,4")
@example("")
@example("1234567,1")
@example("1,2 3 4")
@example("1,2\n")
def test_a_spelling_is_clean_where_a_plain_expression_says_so(spelling):
    assert clean([spelling]) == bool(CLEAN.fullmatch(spelling))


@given(st.lists(SPELLINGS, max_size=4))
@example(["1,2;3,4", "5,6"])
@example(["1,2", ""])
def test_many_are_clean_where_each_is(spellings):
    assert clean(spellings) == all(clean([spelling]) for spelling in spellings)


@given(st.from_regex(CLEAN, fullmatch=True))
def test_clean_spellings_can_be_read_late(spelling):
    flat = [number for point in parse_points(spelling) for number in point]
    assert flat == [int(word) for word in re.split("[, ]", spelling)]


def test_a_heavy_page_is_clean_or_not_by_one_number():
    heavy = " ".join(f"{at},{at}" for at in range(20_000))
    assert clean([heavy, "1,2"])
    assert not clean([heavy, "1234567,2"])
    assert not clean([heavy + " 1,", "1,2"])


def test_all_ways_to_part_coordinates_are_read():
    for spelling in ("1,2 3,4", "1 2 3 4", "1,2;3,4", " 1, 2\t3 ,4\n", "1,2,3,4"):
        assert parse_points(spelling) == ((1, 2), (3, 4))


def test_a_box_is_read_as_its_corners():
    assert corners(Box("1,2 10,20")) == ((1, 2), (11, 2), (11, 22), (1, 22))
    assert corners(Box("1,2 0,0")) == ((1, 2),) * 4
    with pytest.raises(ValueError, match="negative"):
        corners(Box("1,2 -1,0"))


def test_a_late_line_can_be_copied_and_changed():
    line = spelled_line("a", "1,2 3,4", Box("1,2 3,4"), "l", "r")
    plain = Line("a", ((1, 2), (3, 4)), ((1, 2), (4, 2), (4, 6), (1, 6)), "l", "r")
    assert copy.copy(line) == copy.deepcopy(line) == plain
    assert dataclasses.replace(line, text="b") == dataclasses.replace(plain, text="b")
    assert copy.copy(dataclasses.replace(line, text="b")) == dataclasses.replace(plain, text="b")
    assert dataclasses.asdict(line) == dataclasses.asdict(plain)
    assert {line, plain} == {plain}
