"""Lines that mostly have no word in common: a matching by lengths alone equals the integer programme."""

from __future__ import annotations

import random

import pytest

from collected import exhaustive
from pagemeter.measure import Measure
from pagemeter.solve import score
from pages import expected, problem

FREE = Measure("WER")
SEGMENTS = Measure("WER", segmentation=True)


def rare(rng: random.Random, lines: int, common: float) -> list[str]:
    """Lines of zero to six words, most of which occur once."""

    def word() -> str:
        return rng.choice("abcdef") if rng.random() < common else f"w{rng.getrandbits(60)}"

    return [" ".join(word() for _ in range(rng.randint(0, 6))) for _ in range(lines)]


def copied(rng: random.Random, gt: list[str], kept: float) -> list[str]:
    """A shuffled copy in which words are missing, split or wrong."""
    lines = [
        " ".join(
            word if rng.random() < kept else f"x{rng.getrandbits(60)}"
            for word in line.split()[: rng.randint(1, 8)]
        )
        for line in gt
    ]
    return rng.sample(lines, len(lines))


@pytest.mark.parametrize("seed", ["rare", *exhaustive("few")])
@pytest.mark.parametrize("common", [0.0, 0.03, 0.1])
def test_pages_of_rare_words(common, seed):
    rng = random.Random(f"{seed} {common}")
    for _ in range(30):
        gt = rare(rng, rng.randint(1, 40), common)
        hyp = copied(rng, gt, rng.choice([0.05, 0.2, 0.6]))[: rng.randint(1, 40)] + rare(
            rng, rng.randint(0, 6), common
        )
        found = score(FREE, problem(gt, hyp, FREE))
        assert (found.errors, found.cor, found.sub) == expected(gt, hyp, FREE), (gt, hyp)


def test_lines_without_a_common_word_are_matched_by_length():
    gt, hyp = ["a b c", "d", "e f"], ["q", "r s t", "u v w x"]
    found = score(FREE, problem(gt, hyp, FREE))
    assert (found.errors, found.cor, found.sub) == (1 + 3 + 4, 0, 1 + 2 + 3)


@pytest.mark.parametrize("longer", ["gt", "hyp"])
@pytest.mark.parametrize("seed", ["runs", *exhaustive("parts")])
@pytest.mark.parametrize("common", [0.0, 0.1, 0.3])
def test_runs_of_rare_words(common, longer, seed):
    rng = random.Random(f"{seed} {common} {longer}")
    for _ in range(13):
        gt = rare(rng, rng.randint(1, 9), common)
        hyp = copied(rng, gt, rng.choice([0.1, 0.4, 0.8]))
        (gt if longer == "gt" else hyp).extend(rare(rng, rng.randint(1, 5), common))
        found = score(SEGMENTS, problem(gt, hyp, SEGMENTS))
        assert (found.errors, found.cor, found.sub) == expected(gt, hyp, SEGMENTS), (gt, hyp)
        assert found.optimal
