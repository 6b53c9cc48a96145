"""The part of S that uses HiGHS: prices from the linear relaxation."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pagemeter.measure import Measure
from pagemeter.solve import matching, score
from pages import problem

# Three runs over three words; the first kind has one line, the second has two.
RUNS = np.array([[0, 2, 0], [1, 3, 0], [2, 3, 1]], np.int32)
SAVES = np.array([4.0, 5.0, 2.0])
KINDS = np.array([[1, -1], [2, -1]], np.int32)


def tied_page(seed: int, unit: str, lines: int) -> tuple[list[str], list[str]]:
    """Return two pages of lines from very few words, so that many solutions nearly tie."""
    rng = random.Random(f"{seed} {unit}")
    words = ["".join(rng.choices("ab", k=rng.randint(1, 3))) for _ in range(5)]
    gt, hyp = ([" ".join(rng.choices(words, k=rng.randint(2, 5))) for _ in range(lines)] for _ in range(2))
    return gt, hyp


@pytest.fixture
def calls(monkeypatch):
    """Return the names of the functions that were called with HiGHS; the exact search gives up at once."""
    names = []

    def record(name):
        original = getattr(matching, name)

        def recorded(*arguments):
            names.append(name)
            return original(*arguments)

        monkeypatch.setattr(matching, name, recorded)

    record("_multipliers")
    monkeypatch.setattr(matching, "BRANCHES", 1)
    return names


def test_without_time_there_is_no_price():
    assert len(matching._multipliers(RUNS, SAVES, KINDS, 0.0)[0]) == len(KINDS)


def test_a_line_has_a_price_only_if_several_runs_compete_for_it():
    runs = np.array([[0, 1, 0], [1, 2, 0], [2, 3, 1]], np.int32)
    kinds = np.array([[1, -1], [1, -1]], np.int32)
    (scarce, plentiful), _ = matching._multipliers(runs, np.array([2.0, 5.0, 3.0]), kinds, 10.0)
    assert 2.0 - 1e-6 <= scarce <= 5.0 + 1e-6  # any price between the second and the best save is a dual
    assert plentiful <= 3.0 + 1e-6


@pytest.mark.parametrize(("unit", "lines"), [("CER", 10), ("WER", 14)])
def test_prices_do_not_change_the_minimum(unit, lines, calls, monkeypatch):
    measure = Measure(unit, segmentation=True)
    for seed in range(8):
        given = problem(*tied_page(seed, unit, lines), measure)
        with_highs = score(measure, given)
        with monkeypatch.context() as patch:
            patch.setattr(matching, "BRANCHES", 2000)
            without = score(measure, given)
        assert with_highs.optimal
        assert with_highs.counts == without.counts
    assert set(calls) == {"_multipliers"}
