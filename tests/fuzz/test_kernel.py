"""Run the kernel fuzzer for a short time with a fixed seed, and check that it can fail."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from fuzz import kernel
from fuzz.shapes import Shape, shape
from pagemeter.measure import Measure
from pagemeter.score import Counts


def test_the_kernel_agrees_with_independent_solvers_on_random_pages():
    tally = kernel.run("suite", cases=60)
    assert tally["cases"] == 60
    assert tally["counts"] > tally["bounds"]


def test_pages_of_a_seed_are_always_the_same():
    assert shape(random.Random("a/1")) == shape(random.Random("a/1")) != shape(random.Random("a/2"))


def test_a_wrong_count_is_found_and_made_smaller(monkeypatch, capsys):
    """A solver that omits one missing token."""
    honest = kernel.score

    def wrong(measure, given):
        found = honest(measure, given)
        fewer = Counts(max(0, found.ins - 1), found.dels, found.sub, found.cor)
        return replace(found, counts=fewer, lower_bound=min(found.lower_bound, fewer.errors))

    monkeypatch.setattr(kernel, "score", wrong)
    page = Shape(["ab", "cd", "ef"], ["ab", "ef"], [[True, True]] * 3)
    assert "its matching makes" in str(kernel.fails(page, Measure("CER")))
    assert kernel.smaller(page, Measure("CER")) == Shape(["ef"], [], [[]])
    with pytest.raises(AssertionError):
        kernel.run("wrong", cases=50)
    assert "--seed wrong --only" in capsys.readouterr().out
