"""What an alignment says of lines, runs and words that nothing got."""

from __future__ import annotations

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.alignment import Part, align
from pagemeter.errors import NotEvaluatedError


def aligned(gt, hyp, measure, **settings):
    return align(evaluate(gt, hyp, [measure], **settings), measure)


def edits(line):
    return [(o.kind, o.size, o.gt, o.hyp) for o in line.operations]


def test_a_line_that_was_split_has_two_parts():
    page = aligned("one two three", "one two\nthree", "CER:S")
    assert page.lines[0].parts == (Part(0, None, 0, 2, 2), Part(1, None, 0, 1, 1))
    assert [part.whole for part in page.lines[0].parts] == [True, True]
    assert page.lines[0].hyp == "one two three"


def test_lines_that_were_merged_get_parts_of_one_line():
    page = aligned("one two\nthree", Page((Line("one two three", id="h7"),)), "CER:S")
    assert [line.parts for line in page.lines] == [(Part(0, "h7", 0, 2, 3),), (Part(0, "h7", 2, 3, 3),)]
    assert not page.lines[0].parts[0].whole


def test_a_line_that_got_nothing_is_all_inserted():
    (line,) = aligned("abc", "", "CER").lines
    assert (line.hyp, line.parts, edits(line)) == (None, (), [("insert", 3, "abc", "")])


def test_an_empty_line_has_no_edits():
    (line,) = aligned([""], [], "CER").lines
    assert line.operations == ()


def test_substitutions_stand_one_by_one_and_other_edits_in_runs():
    (line,) = aligned("abcd", "xycdef", "CER").lines
    assert edits(line) == [
        ("substitute", 1, "a", "x"),
        ("substitute", 1, "b", "y"),
        ("equal", 2, "cd", "cd"),
        ("delete", 2, "", "ef"),
    ]


def test_words_are_tokens_of_wer():
    (line,) = aligned("the old mill stands", "the odd mill", "WER").lines
    assert edits(line) == [
        ("equal", 1, "the", "the"),
        ("substitute", 1, "old", "odd"),
        ("equal", 1, "mill", "mill"),
        ("insert", 1, "stands", ""),
    ]


def test_a_grapheme_is_edited_whole():
    (line,) = aligned("be\u0323\u0301", "be", "CER").lines
    assert edits(line) == [("equal", 1, "b", "b"), ("substitute", 1, "ẹ\u0301", "e")]


def test_words_left_over_are_runs_with_their_lines():
    page = aligned("two", "one\ntwo three", "CER:S")
    assert [(rest.hyp, rest.size, rest.hyp_words) for rest in page.left_over] == [
        ("one", 3, range(1)),
        ("three", 5, range(2, 3)),
    ]
    assert page.left_over[1].parts == (Part(1, None, 1, 2, 2),)


def test_lines_left_over_count_their_blanks():
    (rest,) = aligned("", "a b", "CER").left_over
    assert (rest.hyp, rest.size) == ("a b", 3)


def test_a_bag_finds_words_anywhere():
    page = aligned("one two\nthree", "two\nthree one four", "BOW")
    assert [line.counts.cor for line in page.lines] == [2, 1]
    assert page.lines[0].hyp == "one two"
    assert [rest.hyp for rest in page.left_over] == ["four"]


def test_a_bag_of_tokens_leaves_parts_of_words_over():
    page = aligned("its", "its,", "BOW", tokeniser="punctuation")
    assert [(rest.hyp, rest.size) for rest in page.left_over] == [(",", 1)]


def test_a_measure_that_was_not_evaluated_is_an_error():
    with pytest.raises(NotEvaluatedError, match="WER was not evaluated"):
        align(evaluate("a", "b", ["CER"]), "WER")
