"""Measures of the page as one text, lines that belong together, and counts of other alignments."""

from __future__ import annotations

import pytest

import pagemeter as pm
from helpers import score
from pagemeter.alignment import align
from pagemeter.errors import InputError, NotEvaluatedError
from pagemeter.measure import EVERY

WHOLE = [str(measure) for measure in EVERY if measure.whole]


@pytest.mark.parametrize("measure", WHOLE)
def test_a_measure_of_the_whole_page_has_no_alignment_and_no_kinds(measure):
    page = pm.evaluate(["one line"], ["one lime", "two"], [measure, "CER:S"])
    with pytest.raises(NotEvaluatedError, match="as one text"):
        align(page, measure)
    assert list(page.kinds) == ["CER:S"]
    assert page[measure].matches == ()
    assert page[measure].optimal


@pytest.mark.parametrize("measure", WHOLE)
def test_empty_pages(measure):
    assert score("", "", measure).rate == 0
    assert score("", "a b", measure).cor == 0
    assert score("a b", "", measure).recall == 0


@pytest.mark.parametrize("measure", WHOLE)
def test_optional_lines_count_as_all_others(measure):
    lines = [pm.Line("a header", type="header"), pm.Line("text")]
    assert score(lines, ["text"], measure, optional="header").errors > 0


def test_pages_that_are_too_large_are_refused():
    with pytest.raises(InputError, match="more than"):
        score("a" * 1_100_000, "b" * 1_100_000, "CER:T")


def test_an_assignment_that_needs_too_much_memory_is_refused():
    with pytest.raises(InputError, match="HWER"):
        score("a " * 9000, "b " * 9000, "HWER")


def test_lines_with_the_same_number():
    gt, hyp = ["one", "two", "three"], ["two", "two", "x", "y"]
    pairs = score(gt, hyp, "CER", line_pairs="number")
    assert pairs.errors == sum(pm.cer(g, h) * len(g) for g, h in zip(gt, hyp, strict=False)) + 1
    assert [match.gt for match in pairs.matches if match.hyp_line != match.gt] == []
    assert score(gt, ["two", "one", "three"], "CER").errors == 0
    assert score(gt, ["two", "one", "three"], "CER", line_pairs="number").errors == 6
    assert score(["a b"], ["a b"], "BOW", line_pairs="number").errors == 0
    assert score(["a", "b"], ["b", "a"], "BOW", line_pairs="number").errors == 2


def test_lines_with_the_same_id():
    gt = [pm.Line("one", id="l1"), pm.Line("two", id="l2"), pm.Line("three")]
    hyp = [pm.Line("two", id="l2"), pm.Line("onx", id="l1"), pm.Line("three")]
    assert score(gt, hyp, "CER", line_pairs="id").errors == 1 + 10
    assert score(gt, hyp, "CER").errors == 1
    with pytest.raises(InputError, match="no line of the hypothesis has an id"):
        score(gt, ["one"], "CER", line_pairs="id")
    with pytest.raises(InputError, match="has the id of a line"):
        score(gt, [pm.Line("one", id="x")], "CER", line_pairs="id")
    assert score(gt, [], "CER", line_pairs="id").errors == 11


@pytest.mark.parametrize("rule", ["rapidfuzz", "diagonal"])
@pytest.mark.parametrize("measure", ["CER:T", "CER:R", "CER", "CER:S", "CER:RS", "WER:R"])
def test_other_counts_have_the_same_errors(rule, measure):
    gt, hyp = ["abab cab", "xyz bb"], ["baba bca", "zyx b"]
    canonical, other = score(gt, hyp, measure), score(gt, hyp, measure, counts=rule)
    assert other.errors == canonical.errors
    assert other.n_gt == canonical.n_gt
    assert other.cor >= canonical.cor
    assert not other.canonical
    assert sum(match.cor for match in other.matches) == (0 if measure == "CER:T" else other.cor)


def test_a_bag_has_no_order_to_count_in_another_way():
    assert score("a b", "b c", "BOW", counts="rapidfuzz").canonical


def test_counts_of_one_line_are_those_of_the_text():
    for rule in ("canonical", "rapidfuzz", "diagonal"):
        one = pm.evaluate("kitten sat", "sitting at", "CER:T,CER:R", counts=rule)
        assert one["CER:T"].counts == one["CER:R"].counts
