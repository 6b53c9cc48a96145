"""The kernel frees its memory: repeated evaluation needs no more of it."""

from __future__ import annotations

import random
import resource

import pytest

from pagemeter.measure import ALL, Measure
from pagemeter.solve import score
from pages import noisy, problem, text_lines

SLACK = 100_000  # bytes; the smallest table of a result, 240 bytes, would be 240,000 if it leaked


def resident() -> int:
    """Bytes of this process in memory now."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_a_thousand_evaluations_need_no_more_memory_than_a_hundred(measure: Measure):
    rng = random.Random(str(measure))
    gt = text_lines(rng, 12, 30)
    hyp = noisy(rng, gt, 0.05)
    near = [[abs(x - y) < 3 for y in range(len(hyp))] for x in range(len(gt))]
    page = problem(gt, hyp, measure, near)
    for _ in range(100):
        score(measure, page)
    before = resident()
    for _ in range(1000):
        score(measure, page)
    assert resident() - before < SLACK
