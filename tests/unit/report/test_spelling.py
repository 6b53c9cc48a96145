"""Names and numbers as they are shown."""

from __future__ import annotations

import os

import pytest

from pagemeter.measure import Measure
from pagemeter.report.figures import errors, measure, notes, percent, rate
from pagemeter.report.grid import Grid
from pagemeter.report.spelling import portable, shortened, shown, width
from pagemeter.score import Counts, Score


def score(lower_bound=None, *, canonical=True, **counts):
    made = Counts(**counts)
    return Score(Measure("CER"), made, made.errors if lower_bound is None else lower_bound, canonical)


def test_bytes_of_names_that_are_not_utf8_are_written_as_escapes():
    assert portable(os.fsdecode(b"gt/\xe4.xml")) == "gt/\\xe4.xml"
    assert portable("\ud800") == "\\ud800"
    assert portable("gt/ä.xml") == "gt/ä.xml"


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31mb", "a\rb", "a\u2028b", "a\x07b"])
def test_what_moves_the_cursor_is_shown_as_escapes(text):
    assert shown(text).isprintable()
    assert shown(text)[0] == "a"


def test_letters_of_all_scripts_are_shown_as_they_are():
    for text in ("Boͤten", "漢字", "العربية", "e\u0301", "a\u200cb"):
        assert shown(text) == text


def test_wide_and_combining_characters_take_their_columns():
    assert (width("abc"), width("漢字"), width("Boͤten"), width("")) == (3, 4, 5, 0)


@pytest.mark.parametrize("columns", [5, 8, 9, 30])
@pytest.mark.parametrize("text", ["a-very-long-name-of-a-page", "漢字漢字漢字漢字", "short"])
def test_long_names_lose_their_middle(text, columns):
    assert width(shortened(text, columns)) <= columns
    assert (shortened(text, columns) == text) == (width(text) <= columns)


def test_rates_are_per_cent_with_two_decimals():
    assert [percent(x) for x in (0, 0.12345, 1.5, float("inf"))] == ["0.00 %", "12.35 %", "150.00 %", "∞"]


def test_a_proven_score_is_one_number():
    assert (rate(score(sub=5, cor=95)), errors(score(sub=5, cor=95))) == ("5.00 %", "5")


def test_a_score_that_is_not_proven_is_a_range():
    unproven = score(4, sub=5, cor=95)
    assert (rate(unproven), errors(unproven)) == ("4.00 … 5.00 %", "4 … 5")


def test_nothing_to_read_is_no_error_and_something_read_of_nothing_is_infinite():
    assert rate(score()) == "0.00 %"
    assert rate(score(dels=3)) == "∞"
    assert rate(score(2, dels=3)) == "∞"


def test_counts_that_are_not_canonical_are_marked():
    assert measure(score(canonical=False)) == "CER *"
    assert measure(score()) == "CER"


def test_notes_say_which_is_which_and_only_what_applies():
    assert notes([score()]) == [
        "INS: in the ground truth, missing in the hypothesis · DEL: in the hypothesis only"
    ]
    assert len(notes([score(sub=1), score(0, sub=1)])) == 2
    assert len(notes([score(0, sub=1, canonical=False)])) == 3


def test_a_table_drops_the_last_columns_that_find_no_room():
    grid = Grid(("a", "b", "c"), (("1", "22", "333"),))
    assert grid.fitted(10).headings == ("a", "b", "c")
    assert grid.fitted(9).headings == ("a", "b")
    assert grid.fitted(1).headings == ("a", "b")
    assert grid.fitted(None) == grid


def test_a_plain_table_has_no_drawing_and_no_blanks_at_line_ends():
    lines = Grid(("name", "n"), (("漢字", "1"), ("a", "10"))).plain().splitlines()
    assert lines == ["name   n", "漢字   1", "a     10"]


def test_bars_in_markdown_cells_are_escaped():
    assert Grid(("a", "b"), (("x|y", "1"),)).markdown().splitlines() == [
        "| a | b |",
        "|---|---:|",
        "| x\\|y | 1 |",
    ]
