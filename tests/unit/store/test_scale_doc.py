"""The document on large collections: its examples give the output that is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "scale.md"

for needed in ("pandas", "polars", "duckdb"):
    pytest.importorskip(needed)


def test_examples_give_the_output_that_is_printed():
    found = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert found.attempted > 15
    assert found.failed == 0
