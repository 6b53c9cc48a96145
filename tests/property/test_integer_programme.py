"""Without R, on pages too large for brute force, the minima equal those of an integer programme."""

from __future__ import annotations

import random

import pytest

from pagemeter.measure import Measure
from pagemeter.solve import score
from pages import noisy, problem, text_lines
from reference import programme


def page(seed: str) -> tuple[list[str], list[str], list[list[bool]]]:
    """Shuffled, merged and noisy lines over few letters, equal lines among them."""
    rng = random.Random(seed)
    gt = text_lines(rng, rng.randint(3, 7), rng.randint(3, 16), "abc")
    gt += rng.choices(gt, k=rng.randint(0, 2))
    hyp = noisy(rng, rng.sample(gt, len(gt)), rng.choice([0.1, 0.3, 0.6]), "abc ")
    if len(hyp) > 3:
        hyp[1:3] = [" ".join(hyp[1:3])]
    return gt, hyp, [[rng.random() < 0.5 for _ in hyp] for _ in gt]


@pytest.mark.parametrize("name", ["CER", "CER:G", "WER", "WER:G", "CER:S", "CER:SG", "WER:S", "WER:SG"])
@pytest.mark.parametrize("seed", range(25))
def test_the_minimum_is_that_of_the_integer_programme(name, seed):
    measure = Measure.parse(name)
    gt, hyp, near = page(f"{name} {seed}")
    characterwise = measure.unit == "CER"
    cut = tuple if characterwise else (lambda line: tuple(line.split()))
    near = near if measure.geometry else None
    if measure.segmentation:
        words = [(tuple(w) if characterwise else (w,), y) for y, line in enumerate(hyp) for w in line.split()]
        expected = programme.free_segments(
            [cut(g) for g in gt],
            [w for w, _ in words],
            " " if characterwise else None,
            near,
            [y for _, y in words],
        )
    else:
        expected = programme.free([cut(g) for g in gt], [cut(h) for h in hyp], near)
    found = score(measure, problem(gt, hyp, measure, near))
    assert (found.errors, found.lower_bound) == (expected, expected)
