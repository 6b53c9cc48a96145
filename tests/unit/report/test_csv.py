"""Scores as data frames."""

from __future__ import annotations

import math
import sys

import pytest

import pagemeter as pm
from pagemeter.errors import DependencyError, PagemeterError
from pagemeter.measure import IDS

GT, HYP = ["the old mill", "by the river", "rent 12"], ["rent 12 the old mill", "by the riuer"]


def test_all_scores_are_a_data_frame():
    pandas = pytest.importorskip("pandas")
    found = pm.evaluate(GT, HYP, [m for m in IDS if "G" not in m])
    frame = found.to_pandas()
    assert list(frame.index) == list(found)
    assert frame.loc["CER:R", "errors"] == found["CER:R"].errors
    assert frame["rate"].dtype == float
    assert isinstance(frame, pandas.DataFrame)


def test_an_infinite_rate_is_missing_in_a_data_frame():
    pytest.importorskip("pandas")
    assert math.isnan(pm.evaluate("", "x", "CER, BOW").to_pandas()["rate"].astype(float)["CER"])


def test_without_pandas_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(DependencyError, match="pip install pandas") as raised:
        pm.evaluate("a", "b", "CER").to_pandas()
    assert isinstance(raised.value, PagemeterError)
    assert isinstance(raised.value, ImportError)
