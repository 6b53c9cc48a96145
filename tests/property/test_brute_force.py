"""Every measure equals the brute force on tiny pages: errors, all counts, bound and canonicity."""

from __future__ import annotations

import random

import pytest

from pagemeter.measure import ALL, Measure
from pagemeter.solve import score
from pages import judge, noisy, problem


def tiny(rng: random.Random) -> tuple[list[str], list[str], list[list[bool]]]:
    """Few short lines over two letters, where ties abound; HYP often a shuffled noisy copy of GT."""

    def page(words: int) -> list[str]:
        return [
            " ".join("".join(rng.choices("ab", k=rng.randint(1, 3))) for _ in range(rng.randint(0, words)))
            for _ in range(rng.randint(0, 3))
        ]

    gt, hyp = page(3), page(2)
    if rng.random() < 0.5:
        hyp = noisy(rng, rng.sample(gt, len(gt)), 0.2, "ab ")
    while sum(len(line.split()) for line in hyp) > 6:
        hyp.pop()
    return gt, hyp, [[rng.random() < 0.6 for _ in hyp] for _ in gt]


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_equals_brute_force_on_thousands_of_tiny_pages(measure: Measure):
    rng = random.Random(f"tiny {measure}")
    for _ in range(2000 if measure.unit != "BOW" else 300):
        gt, hyp, near = tiny(rng)
        found = score(measure, problem(gt, hyp, measure, near))
        assert (found.errors, found.cor, found.sub) == judge(gt, hyp, measure, near), (gt, hyp, near)
        assert found.optimal
        assert found.canonical
