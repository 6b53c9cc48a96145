"""Results of the lines of a page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagemeter import Line, Measure, Page, evaluate
from pagemeter.corpus import line_results
from pagemeter.measure import ALL
from pages import page

MEASURES = [measure for measure in ALL if measure.unit != "BOW" and not measure.geometry]


@given(
    page,
    page,
    st.sampled_from(["exact", "paper"]),
    st.sampled_from(["whitespace", "punctuation"]),
    st.sampled_from(["keep", "collapse"]),
)
@settings(max_examples=60)
def test_lines_and_unmatched_text_have_all_errors_of_the_score(gt, hyp, solver, tokeniser, whitespace):
    evaluation = evaluate(gt, hyp, MEASURES, solver, tokeniser=tokeniser, whitespace=whitespace)
    for measure in MEASURES:
        _, lines, rest = line_results(evaluation, measure)
        errors = sum(line.distance for line in lines) + sum(part.n_hyp for part in rest)
        assert errors == evaluation[measure].errors
        assert sum(line.n_gt for line in lines) == evaluation[measure].n_gt
        assert sum(line.cor for line in lines) == evaluation[measure].cor
        assert sum(line.sub for line in lines) == evaluation[measure].sub


@given(page, page)
@settings(max_examples=60)
def test_every_word_of_the_hypothesis_is_shown_once(gt, hyp):
    evaluation = evaluate(gt, hyp, MEASURES)
    for measure in MEASURES:
        _, lines, rest = line_results(evaluation, measure)
        shown = [word for part in (*lines, *rest) for word in (part.hyp or "").split()]
        assert sorted(shown) == sorted(word for line in hyp for word in line.split())


def test_a_line_without_match_has_no_hypothesis_text():
    _, lines, rest = line_results(evaluate(["abc"], [], ["CER"]), Measure("CER"))
    assert (lines[0].hyp, lines[0].distance, lines[0].n_gt) == (None, 3, 3)
    assert rest == ()


def test_numbers_count_from_one_and_ids_are_kept():
    gt = Page((Line("one", id="l1"), Line("two", id="l2")))
    _, lines, _ = line_results(evaluate(gt, "two\none", ["CER"]), Measure("CER"))
    assert [(line.number, line.id, line.hyp_line) for line in lines] == [(1, "l1", 2), (2, "l2", 1)]


def test_with_segmentation_a_line_is_matched_with_words_of_several_lines():
    measure = Measure("CER", segmentation=True)
    _, (line,), _ = line_results(evaluate("one two three", "one\ntwo three", [measure]), measure)
    assert (line.hyp, line.hyp_line, line.distance) == ("one two three", None, 0)


def test_text_is_shown_as_it_was_compared():
    evaluation = evaluate("Wör-\nter", "WÖRTER", ["CER"], hyphens="join", case="fold")
    _, lines, _ = line_results(evaluation, Measure("CER"))
    assert [(line.gt, line.hyp) for line in lines] == [("wörter", "wörter"), ("", None)]


@pytest.mark.parametrize("measure", ["WER:S", "WER"])
def test_words_of_a_tokeniser_are_shown_whole(measure):
    evaluation = evaluate("its, now", "its, new", [measure], tokeniser="punctuation")
    _, (line,), _ = line_results(evaluation, Measure.parse(measure))
    assert (line.hyp, line.distance, line.n_gt) == ("its, new", 1, 3)
