"""Alignments: parts, edits and text without a match."""

from __future__ import annotations

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.alignment import HypPart, align
from pagemeter.errors import NotEvaluatedError


def aligned(gt, hyp, measure, **settings):
    return align(evaluate(gt, hyp, [measure], **settings), measure)


def edits(line):
    return [(o.kind, o.size, o.gt, o.hyp) for o in line.operations]


def test_a_line_that_was_split_has_two_parts():
    page = aligned("one two three", "one two\nthree", "CER:S")
    assert page.lines[0].parts == (HypPart(0, None, 0, 2, 2), HypPart(1, None, 0, 1, 1))
    assert [part.whole for part in page.lines[0].parts] == [True, True]
    assert page.lines[0].hyp == "one two three"


def test_lines_that_were_merged_get_parts_of_one_line():
    page = aligned("one two\nthree", Page((Line("one two three", id="h7"),)), "CER:S")
    assert [line.parts for line in page.lines] == [(HypPart(0, "h7", 0, 2, 3),), (HypPart(0, "h7", 2, 3, 3),)]
    assert not page.lines[0].parts[0].whole


def test_a_line_without_a_match_is_missing():
    (line,) = aligned("abc", "", "CER").lines
    assert (line.hyp, line.parts, edits(line)) == (None, (), [("insert", 3, "abc", "")])


def test_an_empty_line_has_no_edits():
    (line,) = aligned([""], [], "CER").lines
    assert line.operations == ()


def test_substitutions_are_single_and_other_edits_are_runs():
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


def test_a_grapheme_is_one_token():
    (line,) = aligned("be\u0323\u0301", "be", "CER").lines
    assert edits(line) == [("equal", 1, "b", "b"), ("substitute", 1, "ẹ\u0301", "e")]


def test_unmatched_words_are_runs_with_their_lines():
    page = aligned("two", "one\ntwo three", "CER:S")
    assert [(rest.hyp, rest.size, rest.hyp_words) for rest in page.unmatched] == [
        ("one", 3, range(1)),
        ("three", 5, range(2, 3)),
    ]
    assert page.unmatched[1].parts == (HypPart(1, None, 1, 2, 2),)


def test_unmatched_lines_count_their_spaces():
    (rest,) = aligned("", "a b", "CER").unmatched
    assert (rest.hyp, rest.size) == ("a b", 3)


def test_a_bag_matches_words_anywhere():
    page = aligned("one two\nthree", "two\nthree one four", "BOW")
    assert [line.counts.cor for line in page.lines] == [2, 1]
    assert page.lines[0].hyp == "one two"
    assert [rest.hyp for rest in page.unmatched] == ["four"]


def test_a_bag_can_match_part_of_a_word():
    page = aligned("its", "its,", "BOW", tokeniser="punctuation")
    assert [(rest.hyp, rest.size) for rest in page.unmatched] == [(",", 1)]


def test_a_measure_that_was_not_evaluated_is_an_error():
    with pytest.raises(NotEvaluatedError, match="WER was not evaluated"):
        align(evaluate("a", "b", ["CER"]), "WER")
