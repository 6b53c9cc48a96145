"""Matches are computed on first access."""

from __future__ import annotations

import pickle

import pytest

import pagemeter as pm
from pagemeter.score import Match
from pagemeter.solve.instance import Matches


def test_they_are_made_once_and_only_if_asked_for():
    calls = []

    def make(*parts):
        calls.append(parts)
        return [Match(x, x, (x,), 0, 1, 0) for x in parts]

    matches = Matches(make, 3, 5)
    assert calls == []
    assert (len(matches), matches[1].gt, [match.gt for match in matches], matches[:1]) == (
        2,
        5,
        [3, 5],
        (matches[0],),
    )
    assert calls == [(3, 5)]


@pytest.mark.parametrize("name", ["CER", "CER:R", "CER:S", "CER:RS", "BOW"])
def test_they_are_used_as_a_tuple(name):
    matches = pm.evaluate(["a b", "c"], ["c", "a x"], name)[name].matches
    assert matches == tuple(matches) == matches[:]
    assert repr(matches) == repr(tuple(matches))
    assert hash(matches) == hash(tuple(matches))
    assert pickle.loads(pickle.dumps(matches)) == tuple(matches)  # noqa: S301
    assert matches != ()
