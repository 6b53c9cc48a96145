"""Without R, on pages too large for brute force, all counts equal those of an integer programme."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import pagemeter as pm
from pagemeter.measure import ALL, Measure
from pagemeter.solve import score
from pages import expected, noisy, problem, text_lines
from reference import programme
from reference.rescore import rescored


def page(seed: str) -> tuple[list[str], list[str], list[list[bool]]]:
    """Shuffled, merged and noisy lines over few letters, some of them equal."""
    rng = random.Random(seed)
    gt = text_lines(rng, rng.randint(3, 7), rng.randint(3, 16), "abc")
    gt += rng.choices(gt, k=rng.randint(0, 2))
    hyp = noisy(rng, rng.sample(gt, len(gt)), rng.choice([0.1, 0.3, 0.6]), "abc ")
    if len(hyp) > 3:
        hyp[1:3] = [" ".join(hyp[1:3])]
    return gt, hyp, [[rng.random() < 0.5 for _ in hyp] for _ in gt]


@pytest.mark.parametrize("name", sorted(str(measure) for measure in ALL if not measure.order))
@pytest.mark.parametrize("seed", range(25))
def test_all_counts_are_those_of_the_integer_programme(name, seed):
    measure = Measure.parse(name)
    gt, hyp, near = page(f"{name} {seed}")
    found = score(measure, problem(gt, hyp, measure, near))
    assert (found.errors, found.cor, found.sub) == expected(gt, hyp, measure, near)
    assert found.optimal


def test_repairs_do_not_use_a_word_twice():
    """A repaired solution once spanned words that were taken: equal GT lines, two long HYP lines."""
    line = "abaab baab ab bba abbba"
    gt, hyp = [line, "aab", line, line], ["aaaa aabbb aaabb baaa aab", "abb aaabb ba aa ab"]
    measure = Measure.parse("CER:S")
    found = score(measure, problem(gt, hyp, measure))
    errors, _, _ = expected(gt, hyp, measure)
    assert (found.errors, found.lower_bound) == (errors, errors)
    used = [word for match in found.matches for word in match.hyp_words]
    assert len(used) == len(set(used))


def test_rows_that_outbid_each_other_come_to_an_end():
    """Two lines that differ in COR alone once raised a price by one at a time."""
    for gt, hyp in (
        (["ccb", "bbbb", "bc"], ["a", "bb", "abca"]),
        (["adc", "ddaab", "cd"], ["cacbdb", "db", "b"]),
    ):
        measure = Measure.parse("CER")
        assert score(measure, problem(gt, hyp, measure)).errors == expected(gt, hyp, measure)[0]


def test_multipliers_stay_within_what_a_run_can_save():
    """A step along a nearly flat slope once overflowed, and gave a false bound: 10 instead of 9."""
    gt, hyp = ["ba", "bbb", "ba", "bcc", "ba", "bcc"], ["ca a", "ab a", "c cb"]
    found = pm.evaluate(gt, hyp, ["WER:S"], tokeniser=lambda text: [c for c in text if c != " "])["WER:S"]
    words = [tuple(word) for text in hyp for word in text.split()]
    errors, _, _ = programme.free_segments([tuple(g) for g in gt], words, None)
    assert (found.errors, found.lower_bound) == (errors, errors) == (9, 9)


def test_scores_that_are_not_proven_are_counted():
    """Runs without a common word with any line once kept that count when they got a line with one."""
    gt = ["ba bab", "a b aa", "bb abb", "ba bab", "bb abb"]
    hyp = ["b baab", "ab aaab bb abbb", "baaba bbb abb", "bbb abb"]
    measure = Measure.parse("WER:S")
    found = score(measure, replace(problem(gt, hyp, measure), effort=0.0))
    assert rescored(found, gt, hyp) == (found.errors, found.cor, found.sub)
