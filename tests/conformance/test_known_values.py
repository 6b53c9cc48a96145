"""Exact values of CER:S known from an independent solver, each certified in seconds."""

from __future__ import annotations

import pytest

import pagemeter as pm
from helpers import SHARED, needs_shared

PAGES = SHARED / "pages"
KNOWN = [
    ("citlab-error-rate", "018718_0001_469113", "hyp-bot", 51),
    ("citlab-error-rate", "071_085_002", "hyp-segment_bug", 133),
    ("citlab-error-rate-atr", "00000133.tif", "hyp-ATR_1-page_f2", 7),
    ("citlab-error-rate-atr", "00000133.tif", "hyp-ATR_1-page_f3", 52),
    ("citlab-error-rate-atr", "00000133.tif", "hyp-ATR_2-page_f2", 481),
]


@needs_shared
@pytest.mark.parametrize(("collection", "page", "system", "errors"), KNOWN)
def test_known_exact_value_of_cer_s(collection, page, system, errors):
    gt, hyp = (PAGES / collection / folder / f"{page}.xml" for folder in ("gt", system))
    found = pm.evaluate(gt, hyp, ["CER:S"], unit="codepoint")["CER:S"]
    assert (found.errors, found.lower_bound, found.canonical) == (errors, errors, True)
