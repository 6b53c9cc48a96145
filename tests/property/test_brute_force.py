"""Every measure equals the brute force on tiny pages: errors, all counts, bound and canonicity."""

from __future__ import annotations

import random

import pytest

from collected import exhaustive
from pagemeter.measure import ALL, Measure
from pagemeter.settings import Settings
from pagemeter.solve import score
from pages import judge, problem, tiny_pages
from reference.encode import words_of_page


def tiny(rng: random.Random, letters: str = "ab") -> tuple[list[str], list[str], list[list[bool]]]:
    """A few short lines over few letters, with many ties; HYP is often a shuffled, noisy copy of GT."""
    gt, hyp = tiny_pages(rng, letters)
    while len(words_of_page(hyp, Settings())[0]) > 6:
        hyp.pop()
    return gt, hyp, [[rng.random() < 0.6 for _ in hyp] for _ in gt]


@pytest.mark.parametrize("seed", ["tiny", *exhaustive("small")])
@pytest.mark.parametrize("measure", ALL, ids=str)
def test_equals_brute_force_on_a_thousand_tiny_pages(measure: Measure, seed: str):
    rng = random.Random(f"{seed} {measure}")
    for _ in range(1000):
        gt, hyp, near = tiny(rng)
        found = score(measure, problem(gt, hyp, measure, near))
        assert (found.errors, found.cor, found.sub) == judge(gt, hyp, measure, near), (gt, hyp, near)
        assert found.optimal
        assert found.canonical


@pytest.mark.parametrize("letters", ["a漢字。", *exhaustive("漢字", "a漢", "aก.")])
@pytest.mark.parametrize("measure", ALL, ids=str)
def test_equals_brute_force_on_pages_of_scripts_without_spaces(measure: Measure, letters: str):
    rng = random.Random(f"{letters} {measure}")
    for _ in range(500 if measure.unit != "BOW" else 100):
        gt, hyp, near = tiny(rng, letters)
        found = score(measure, problem(gt, hyp, measure, near))
        assert (found.errors, found.cor, found.sub) == judge(gt, hyp, measure, near), (gt, hyp, near)
        assert found.optimal
        assert found.canonical
