"""What measures share: a minimum without G that keeps to neighbours is taken for the measure with G."""

from __future__ import annotations

import random

import pytest

import pagemeter as pm
from pagemeter import workbench
from pagemeter.measure import IDS
from pages import noisy, text_lines


def placed(lines: list[str], heights: list[int]) -> pm.Page:
    return pm.Page(
        tuple(pm.Line(text, ((0, 40 * y), (300, 40 * y))) for text, y in zip(lines, heights, strict=True))
    )


def pages(seed: int) -> tuple[pm.Page, pm.Page]:
    """Some lines stand where they belong; in some pages others have changed places, or were merged."""
    rng = random.Random(seed)
    gt = text_lines(rng, 8, 12, "abc")
    hyp, heights = noisy(rng, gt, 0.2, "abc "), list(range(8))
    for _ in range(seed % 3):
        i, k = rng.sample(range(8), 2)
        heights[i], heights[k] = heights[k], heights[i]
    if seed % 2:
        hyp[2:4], heights = [" ".join(hyp[2:4])], heights[:3] + heights[4:]
    return placed(gt, list(range(8))), placed(hyp, heights)


@pytest.mark.parametrize("seed", range(12))
def test_all_measures_together_are_what_each_is_alone(seed):
    gt, hyp = pages(seed)
    together = pm.evaluate(gt, hyp, IDS)
    assert [together[name] for name in IDS] == [pm.evaluate(gt, hyp, [name])[name] for name in IDS]


def solved(monkeypatch, *arguments, **settings) -> list[str]:
    """The measures that a solver was called for."""
    called = []
    honest = workbench.solve
    monkeypatch.setattr(workbench, "solve", lambda m, *rest: (called.append(str(m)), honest(m, *rest))[1])
    pm.evaluate(*arguments, ["CER:RG", "CER:R", "CER:RSG", "CER:RS", "BOW:G", "BOW"], **settings)
    return called


def test_where_lines_stand_where_they_belong_no_measure_with_g_is_solved(monkeypatch):
    page = placed(["one two", "three"], [0, 1])
    assert solved(monkeypatch, page, page) == ["CER:R", "CER:RS", "BOW"]


def test_where_a_match_is_no_neighbour_the_measure_with_g_is_solved(monkeypatch):
    gt, hyp = placed(["one two", "three"], [0, 1]), placed(["one two", "three"], [0, 20])
    assert solved(monkeypatch, gt, hyp) == ["CER:R", "CER:RS", "BOW", "CER:RG", "CER:RSG", "BOW:G"]


def test_the_papers_own_solver_is_asked_for_every_measure(monkeypatch):
    page = placed(["one two", "three"], [0, 1])
    assert len(solved(monkeypatch, page, page, solver="paper")) == 6
