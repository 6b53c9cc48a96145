"""The page about output files has all keys that the output has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pagemeter.cli import main
from pagemeter.demo import GT, HYP

TEXT = (Path(__file__).resolve().parents[2] / "docs/reference/schemas.md").read_text(encoding="utf-8")


def names(heading: str) -> set[str]:
    section = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"`(\w+)`", section))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("schemas")
    assert main(["eval", str(GT), str(HYP), "--per-line", "--json", str(made / "eval.json")]) == 0
    assert main(["compare", str(GT), str(HYP), str(GT), "--json", str(made / "compare.json")]) == 0
    return made


def test_all_keys_of_an_evaluation_are_described(folder):
    found = json.loads((folder / "eval.json").read_text())
    page = found["pages"][0]
    keys = {*found, *page, *found["total"]["CER:R"], *found["kinds"]["CER:S"], *found["flags"]}
    keys |= {*found["distribution"]["CER:R"], *found["intervals"]["CER:R"], *found["budgets"]["CER:R"]}
    assert keys <= names("JSON of `pagemeter eval` and `report`")


def test_all_keys_of_a_comparison_are_described(folder):
    found = json.loads((folder / "compare.json").read_text())
    described = names("JSON of `pagemeter compare`")
    assert {*found, *found["ranking"][0]} <= described
    assert {"name", "total", "intervals", "budgets"} <= described & set(found["systems"][0])
