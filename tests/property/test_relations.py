"""Relations that minima satisfy, on pages too large for brute force."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import pagemeter as pm
from pagemeter.measure import ALL, Measure
from pagemeter.solve import score
from pages import noisy, page, problem, text_lines
from reference.rescore import rescored

CORPUS = ("CER", "WER")


def errors(name: str, gt: list[str], hyp: list[str], near=None) -> int:
    measure = Measure.parse(name)
    found = score(measure, problem(gt, hyp, measure, near))
    assert found.optimal
    return found.errors


def neighbours(data, gt, hyp):
    cells = data.draw(st.lists(st.booleans(), min_size=len(gt) * len(hyp), max_size=len(gt) * len(hyp)))
    return [cells[x * len(hyp) : (x + 1) * len(hyp)] for x in range(len(gt))]


@pytest.mark.parametrize("unit", CORPUS)
@given(gt=page, hyp=page, data=st.data())
@settings(max_examples=60)
def test_adding_a_constraint_never_lowers_the_errors(unit, gt, hyp, data):
    near = neighbours(data, gt, hyp)
    found = {letters: errors(f"{unit}:{letters}" if letters else unit, gt, hyp, near)
             for letters in ("", "R", "S", "RS", "G", "RG", "SG", "RSG")}  # fmt: skip
    for letters in ("", "S", "G", "SG"):
        assert found[letters] <= found["".join(sorted("R" + letters, key="RSG".index))]
    for letters in ("", "R", "S", "RS"):
        assert found[letters] <= found[letters + "G"]
    for letters in ("", "R"):
        for g in ("", "G"):
            assert found[letters + "S" + g] <= found[letters + g]


@given(gt=page, hyp=page, order=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_without_r_and_s_the_order_of_hyp_lines_does_not_matter(gt, hyp, order):
    shuffled = order.sample(hyp, len(hyp))
    for unit in CORPUS:
        first, second = (pm.evaluate(gt, h, [unit])[unit] for h in (hyp, shuffled))
        assert first == second


@pytest.mark.parametrize("lines", [1, 7, 30, 200])
def test_wer_rs_is_the_edit_distance_of_the_words(lines):
    """Lines can be split at every boundary, so line breaks do not matter."""
    rng = random.Random(lines)
    for rate in (0.0, 0.1, 0.5):
        gt = text_lines(rng, lines, 30, "abc")
        hyp = [line for line in noisy(rng, gt, rate, "abc ") if rng.random() > rate / 4]
        found = pm.evaluate(gt, hyp, ["WER:RS"])["WER:RS"]
        assert found.errors == Levenshtein.distance(" ".join(gt).split(), " ".join(hyp).split())
        assert rescored(found, gt, hyp) == (found.errors, found.cor, found.sub)


@given(gt=page, hyp=page, order=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_with_s_the_line_breaks_of_hyp_do_not_matter(gt, hyp, order):
    words = " ".join(hyp).split()
    recut, rest = [], words
    while rest:
        size = order.randint(1, len(rest))
        recut, rest = [*recut, " ".join(rest[:size])], rest[size:]
    for name in ("CER:RS", "CER:S", "WER:RS", "WER:S"):
        assert pm.evaluate(gt, hyp, [name])[name] == pm.evaluate(gt, recut, [name])[name]


@given(lines=page)
@settings(max_examples=60)
def test_equal_pages_have_no_errors(lines):
    near = [[x == y for y in range(len(lines))] for x in range(len(lines))]
    for measure in ALL:
        found = score(measure, problem(lines, lines, measure, near))
        assert (found.errors, found.cor, found.lower_bound) == (0, found.n_gt, 0)


@pytest.mark.parametrize("name", ["CER", "CER:R", "CER:S", "CER:RS", "WER", "WER:R", "WER:S", "WER:RS"])
@given(gt=page, hyp=page)
@settings(max_examples=60)
def test_the_reported_matching_makes_the_reported_errors(name, gt, hyp):
    found = pm.evaluate(gt, hyp, [name])[name]
    assert rescored(found, gt, hyp) == (found.errors, found.cor, found.sub)


@pytest.mark.parametrize("name", ["CER", "CER:R", "CER:S", "CER:RS", "WER", "WER:R", "WER:S", "WER:RS"])
def test_the_reported_matching_makes_the_reported_errors_on_larger_pages(name):
    rng = random.Random(name)
    gt = text_lines(rng, 40, 50)
    hyp = noisy(rng, gt, 0.1)
    hyp[3:5] = [" ".join(hyp[3:5])]
    hyp[10:11] = [hyp[10][:20].strip(), hyp[10][20:].strip()]
    hyp[20], hyp[30] = hyp[30], hyp[20]
    found = pm.evaluate(gt, hyp, [name])[name]
    assert rescored(found, gt, hyp) == (found.errors, found.cor, found.sub)
    assert found.errors > 0


@given(gt=page, hyp=page)
@settings(max_examples=60)
def test_bag_of_words_is_the_multiset_intersection(gt, hyp):
    """The other words form as many unequal pairs as there are (Vidal et al. 2023)."""
    g, h = (Counter(" ".join(lines).split()) for lines in (gt, hyp))
    found = pm.evaluate(gt, hyp, ["BOW"])["BOW"]
    assert found.cor == (g & h).total()
    assert found.sub == min(g.total(), h.total()) - found.cor
    assert found.errors == max(g.total(), h.total()) - found.cor


@given(gt=page, hyp=page, data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_bag_has_at_most_the_errors_of_wer_s(gt, hyp, data):
    near = neighbours(data, gt, hyp)
    assert errors("BOW", gt, hyp) <= errors("WER:S", gt, hyp)
    assert errors("BOW:G", gt, hyp, near) <= errors("WER:SG", gt, hyp, near)
    assert errors("BOW", gt, hyp) <= errors("BOW:G", gt, hyp, near)


@given(gt=page, hyp=page)
@settings(max_examples=60, deadline=None)
def test_if_all_lines_are_neighbours_positions_do_not_matter_to_a_bag(gt, hyp):
    near = [[True] * len(hyp) for _ in gt]
    bags = [score(m, problem(gt, hyp, m, near)) for m in map(Measure.parse, ("BOW", "BOW:G"))]
    assert bags[0].counts == bags[1].counts


@given(gt=page, hyp=page)
@settings(max_examples=60)
def test_no_measure_has_more_right_words_than_the_bag(gt, hyp):
    """E:Prec and E:Rec: no measure of words has more correct words than the bag."""
    ev = pm.evaluate(gt, hyp, ["WER:R", "WER", "WER:S", "BOW"])
    assert all(ev[name].cor <= ev["BOW"].cor for name in ("WER:R", "WER", "WER:S"))
