"""The part of S that uses HiGHS: prices from the linear relaxation, solutions from the integer programme."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pagemeter.measure import Measure
from pagemeter.solve import free_segments, score
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
        original = getattr(free_segments, name)

        def recorded(*arguments):
            names.append(name)
            return original(*arguments)

        monkeypatch.setattr(free_segments, name, recorded)

    record("_multipliers")
    record("_packed")
    monkeypatch.setattr(free_segments, "LABELS", 1)
    return names


def test_the_integer_programme_chooses_disjoint_runs_that_save_most():
    chosen, _ = free_segments._packed(RUNS, SAVES, KINDS, 10.0)
    assert chosen.tolist() == [[0, 2, 0], [2, 3, 1]]


def test_the_integer_programme_uses_no_kind_more_often_than_it_has_lines():
    runs = np.array([[0, 1, 0], [1, 2, 0], [2, 3, 0]], np.int32)
    chosen, _ = free_segments._packed(runs, np.array([1.0, 3.0, 2.0]), np.array([[2, -1]], np.int32), 10.0)
    assert chosen.tolist() == [[1, 2, 0], [2, 3, 0]]


def test_a_run_uses_the_supply_of_its_length_too():
    runs = np.array([[0, 1, 0], [1, 2, 1]], np.int32)
    kinds = np.array([[1, 2], [1, 2], [1, -1]], np.int32)
    chosen, _ = free_segments._packed(runs, np.array([2.0, 3.0]), kinds, 10.0)
    assert chosen.tolist() == [[1, 2, 1]]


def test_without_time_there_is_no_solution_and_no_price():
    assert free_segments._packed(RUNS, SAVES, KINDS, 0.0)[0].shape[1] == 3
    assert len(free_segments._multipliers(RUNS, SAVES, KINDS, 0.0)[0]) == len(KINDS)


def test_a_line_has_a_price_only_if_several_runs_compete_for_it():
    runs = np.array([[0, 1, 0], [1, 2, 0], [2, 3, 1]], np.int32)
    kinds = np.array([[1, -1], [1, -1]], np.int32)
    (scarce, plentiful), _ = free_segments._multipliers(runs, np.array([2.0, 5.0, 3.0]), kinds, 10.0)
    assert 2.0 - 1e-6 <= scarce <= 5.0 + 1e-6  # any price between the second and the best save is a dual
    assert plentiful <= 3.0 + 1e-6


@pytest.mark.parametrize(("unit", "lines"), [("CER", 10), ("WER", 14)])
def test_prices_and_programmes_do_not_change_the_minimum(unit, lines, calls, monkeypatch):
    measure = Measure(unit, segmentation=True)
    for seed in range(8):
        given = problem(*tied_page(seed, unit, lines), measure)
        with_highs = score(measure, given)
        with monkeypatch.context() as patch:
            patch.setattr(free_segments, "LABELS", 100)
            without = score(measure, given)
        assert with_highs.optimal
        assert with_highs.counts == without.counts
    assert set(calls) == {"_multipliers", "_packed"}
