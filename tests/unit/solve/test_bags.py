"""BOW and BOW:G: counts that follow from the definition, and pages that are large."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pagemeter.measure import Measure
from pagemeter.score import Counts
from pagemeter.solve import score
from pages import noisy, problem, text_lines
from reference.rescore import rescored

BAG, NEARBY = Measure.parse("BOW"), Measure.parse("BOW:G")


def nearby(gt: list[str], hyp: list[str], near) -> Counts:
    return score(NEARBY, problem(gt, hyp, NEARBY, near)).counts


def test_of_two_solutions_with_as_few_errors_the_one_with_more_right_words_is_chosen():
    """Two unequal pairs cost as much as an equal pair and two unmatched words."""
    gt, hyp = ["x", "one"], ["one", "y"]
    assert nearby(gt, hyp, [[True, False], [True, True]]) == Counts(ins=1, dels=1, cor=1)


def test_equal_words_are_matched_so_that_the_others_can_form_pairs():
    """Both GT lines could have the equal word, but only the first one has another neighbour."""
    gt, hyp = ["one", "one"], ["one", "two"]
    assert nearby(gt, hyp, [[True, True], [True, False]]) == Counts(sub=1, cor=1)
    assert nearby(gt, hyp, [[True, False], [True, True]]) == Counts(sub=1, cor=1)


def test_words_of_distant_lines_form_no_pair():
    assert nearby(["one two"], ["two three"], [[False]]) == Counts(ins=2, dels=2)
    assert nearby(["one two"], [], [[]]) == Counts(ins=2)


@pytest.mark.parametrize("reach", [1, 3])
def test_a_page_of_600_lines_has_a_matching_with_its_counts(reach):
    """A line has neighbours on both sides, and frequent words occur in most of them."""
    rng = random.Random(reach)
    gt = text_lines(rng, 600, 12, "ab")
    hyp = noisy(rng, gt, 0.2, "ab ")
    near = [[abs(x - y) <= reach for y in range(len(hyp))] for x in range(len(gt))]
    found = score(NEARBY, problem(gt, hyp, NEARBY, near))
    words = [sum(len(line.split()) for line in page) for page in (gt, hyp)]
    assert found.cor > words[0] // 3
    assert found.sub > 0
    assert found.errors == sum(words) - 2 * found.cor - found.sub
    assert rescored(found, gt, hyp, near) == (found.errors, found.cor, found.sub)


def test_if_all_of_4000_lines_are_neighbours_they_are_one_line():
    """One arc per pair of words would be more than memory allows."""
    gt, hyp = ["one two"] * 4000, ["one three"] * 4000
    given = problem(gt, hyp, BAG)
    everywhere = type(given)(given.gt, given.hyp, given.alphabet, None, np.ones((4000, 4000), bool))
    assert score(NEARBY, everywhere).counts == Counts(sub=4000, cor=4000)
