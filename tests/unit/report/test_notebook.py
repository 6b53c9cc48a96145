"""Evaluations in a notebook."""

from __future__ import annotations

import math
import re
import sys

import pytest
from lxml import etree

import pagemeter as pm
from pagemeter.errors import DependencyError, PagemeterError
from pagemeter.measure import IDS

GT, HYP = ["the old mill", "by the river", "rent 12"], ["rent 12 the old mill", "by the riuer"]
SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>&\"'"


def test_an_evaluation_is_a_table_with_its_budget():
    root = etree.fromstring(pm.evaluate(GT, HYP)._repr_html_())
    cells = [[cell.text for cell in row] for row in root.iter("tr")]
    assert cells[0][:3] == ["measure", "rate", "errors"]
    assert [row[0] for row in cells[1:]] == ["CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW"]
    assert len(list(root.iter(f"{SVG}svg"))) == 1
    assert "solver:exact" in root.findtext(".//code")


def test_an_evaluation_shows_no_budget_that_needs_slow_measures():
    assert "<svg" not in pm.evaluate(GT, HYP, "CER:R, CER:S")._repr_html_()
    assert "<svg" not in pm.evaluate(GT, HYP, "WER")._repr_html_()


def test_the_html_has_the_colours_of_the_notebook():
    html = pm.evaluate(GT, HYP)._repr_html_()
    assert set(re.findall(r"(?<!-)(?:background|color):([^;\"]+)", html)) == {"inherit"}


def test_a_signature_with_markup_stays_text():
    html = pm.evaluate("a", "b", "CER", drop_lines="<b>x&y</b>")._repr_html_()
    assert "<b>" not in html
    etree.fromstring(html)


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
