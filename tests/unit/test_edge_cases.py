"""Edge cases of all eighteen measures."""

from __future__ import annotations

import math
import random

import pytest

import pagemeter as pm
from pagemeter import _kernel
from pagemeter.measure import ALL, IDS
from pages import noisy, text_lines

PLAIN = [m for m in IDS if "G" not in m.partition(":")[2]]


def place(lines: list[str]) -> pm.Page:
    return pm.Page(
        tuple(pm.Line(t, baseline=((0, 50 * i + 50), (300, 50 * i + 50))) for i, t in enumerate(lines))
    )


def scores(gt: list[str], hyp: list[str]) -> pm.Evaluation:
    return pm.evaluate(place(gt), place(hyp), ALL)


@pytest.mark.parametrize("empty", [[], [""], ["", "  "], ["\t", "\u00a0", "\u3000"]])
def test_two_empty_pages_have_no_error(empty):
    for score in scores(empty, empty).values():
        assert (score.rate, score.errors, score.n_gt, score.n_hyp, score.optimal) == (0.0, 0, 0, 0, True)


@pytest.mark.parametrize("empty", [[], [""], ["", "  "]])
def test_an_empty_ground_truth_has_an_infinite_rate(empty):
    for name, score in scores(empty, ["ab c"]).items():
        assert math.isinf(score.rate)
        forgiven_blank = "S" in name.partition(":")[2]
        expected = (3 if forgiven_blank else 4) if name.startswith("CER") else 2
        assert score.dels == score.errors == score.lower_bound == expected


@pytest.mark.parametrize("empty", [[], [""], ["", "  "]])
def test_an_empty_hypothesis_misses_everything(empty):
    for name, score in scores(["ab c"], empty).items():
        assert score.rate == 1.0
        assert score.ins == score.errors == score.lower_bound == (4 if name.startswith("CER") else 2)


def test_empty_lines_cost_nothing():
    for name in PLAIN:
        assert pm.evaluate(["a", "", "b"], ["", "a", "b", ""], [name])[name].errors == 0
    for score in scores(["a", "", "b"], ["a", " ", "b", ""]).values():
        assert score.errors == 0


def test_lines_of_only_spaces_are_empty_lines():
    for score in scores(["a", "   ", "b"], ["a", "\t", "b"]).values():
        assert (score.errors, score.optimal) == (0, True)


def test_one_character_lines():
    lines = list("abcdefghij")
    for score in scores(lines, lines).values():
        assert (score.errors, score.cor) == (0, 10)
    assert scores(lines, [*lines[:-1], "x"])["CER:R"].sub == 1


def test_astral_characters_count_once():
    assert pm.evaluate("𐬀𐬁 𝔞", "𐬀𐬂 𝔞", ["CER"], unit="codepoint")["CER"].n_gt == 4
    assert pm.evaluate("👩‍👩‍👧", "👩", ["CER"])["CER"].n_gt == 1


def test_a_combining_mark_after_a_space_does_not_remove_the_boundary():
    assert pm.evaluate(["a", "\u0301b"], ["a \u0301b"], ["WER:S"])["WER:S"].errors == 0


@pytest.mark.parametrize("name", PLAIN)
def test_a_hypothesis_with_the_whole_page_in_one_line(name):
    rng = random.Random(name)
    gt = text_lines(rng, 30, 40)
    score = pm.evaluate(gt, [" ".join(noisy(rng, gt, 0.05))], [name])[name]
    assert score.optimal
    if "S" in name.partition(":")[2]:
        assert score.rate < 0.5


@pytest.mark.parametrize("name", PLAIN)
def test_a_single_huge_line(name):
    rng = random.Random(1)
    gt = " ".join(text_lines(rng, 150, 60))
    (hyp,) = noisy(rng, [gt], 0.03)
    score = pm.evaluate(gt, hyp, [name])[name]
    assert (score.optimal, score.canonical) == (True, True)
    assert score.n_gt == (len(gt) if name.startswith("CER") else len(gt.split()))


@pytest.mark.parametrize("name", PLAIN)
def test_ten_thousand_one_word_lines(name):
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghijkl", k=rng.randint(2, 8))) for _ in range(3000)]
    gt = rng.choices(words, k=10_000)
    hyp = [word if rng.random() < 0.99 else rng.choice(words) for word in gt]
    score = pm.evaluate(gt, hyp, [name])[name]
    assert score.n_gt == (sum(map(len, gt)) if name.startswith("CER") else 10_000)
    assert score.lower_bound <= score.errors < 0.02 * score.n_gt
    assert score.optimal or "S" in name


def test_a_page_that_is_too_large_is_an_error_with_a_remedy():
    with pytest.raises(pm.PagemeterError, match="Split them into pages"):
        pm.cer("a" * 2**20, "b" * 2**20)


def test_kept_white_space_is_text():
    gt, hyp = ["a  b"], ["a b"]
    assert pm.cer(gt, hyp) == 0.0
    for name in ("CER", "CER:R", "CER:S", "CER:RS"):
        assert pm.evaluate(gt, hyp, [name], whitespace="keep")[name].errors == 1


def test_with_kept_white_space_each_space_is_a_boundary():
    score = pm.evaluate(["a", "b"], ["a  b"], ["CER:S", "CER:RS"], whitespace="keep")
    assert score["CER:S"].errors == score["CER:RS"].errors == 0


def test_without_effort_the_score_has_a_bound_and_is_not_optimal():
    rng = random.Random(3)
    gt = text_lines(rng, 40, 30, "abc")
    hyp = noisy(rng, rng.sample(gt, len(gt)), 0.5, "abc ")
    score = pm.evaluate(gt, hyp, ["CER:S"], effort=0)["CER:S"]
    exact = pm.evaluate(gt, hyp, ["CER:S"], effort="thorough")["CER:S"]
    assert score.lower_bound <= exact.errors <= score.errors
    assert not score.optimal


@pytest.mark.parametrize(("gt", "hyp"), [([3000, 3000], [2999, 2999]), ([4000] + 20 * [8], 540 * [8])])
def test_lines_of_thousands_of_words_keep_to_the_effort(gt, hyp, monkeypatch):
    """A unit of effort is 10^9 steps."""
    spent = []
    search = _kernel.free_segments

    def counted(*arguments):
        found = search(*arguments)
        spent.append(found[-1])
        return found

    monkeypatch.setattr(_kernel, "free_segments", counted)
    rng = random.Random(5)
    common = [f"w{n}" for n in range(50 if len(gt) == 2 else 1000)]
    pages = [[" ".join(rng.choices(common, k=k)) for k in lengths] for lengths in (gt, hyp)]
    score = pm.evaluate(*pages, ["WER:S"], effort=1)["WER:S"]
    assert spent[0] < 1.2e9
    assert score.lower_bound <= score.errors
