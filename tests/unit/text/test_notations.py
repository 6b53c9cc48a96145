"""Text with notations that cannot be compared is refused."""

from __future__ import annotations

import pytest

import pagemeter as pm
from pagemeter.errors import InputError, UsageError


@pytest.mark.parametrize("mark", "\U0001bc20\U0001bc21\U00031f4a")
def test_characters_that_mark_notations_are_refused(mark):
    line = f"{mark} is in this line, of which the message shows the beginning"
    with pytest.raises(InputError, match="marks notations") as refused:
        pm.evaluate(line, "text", "CER", wildcard=r"\?")
    assert repr(line[:40]) in str(refused.value)
    assert repr(line[:41]) not in str(refused.value)


def test_too_many_readings_of_a_line_are_refused():
    line = pm.Line("a", readings=tuple(f"a{number}" for number in range(64)))
    with pytest.raises(InputError, match="a line has 65 readings, but at most 64 can be compared"):
        pm.evaluate([line], ["a"], "CER")


def test_words_of_several_readings_are_not_joined_across_lines():
    lines = [pm.Line("wor-", readings=("war-",)), pm.Line("ld")]
    with pytest.raises(UsageError, match="cannot be joined across lines if a line has several readings"):
        pm.evaluate(lines, ["world"], "CER", hyphens="join")


def test_a_line_whose_first_reading_is_dropped_has_no_other():
    lines = [pm.Line("header", readings=("title",)), pm.Line("text")]
    assert pm.evaluate(lines, ["title", "text"], "CER", drop_lines="header")["CER"].errors == 5
    assert pm.evaluate(lines, ["title", "text"], "CER")["CER"].errors == 0
