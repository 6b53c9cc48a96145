"""Rates by the types of lines: they sum to those of the measures, on the terminal and in JSON."""

from __future__ import annotations

import json
import random

import pytest

import pagemeter as pm
from pagemeter.alignment import Aligner
from pagemeter.alignment.types import TypeCounts, counts_by_type
from pagemeter.cli import main
from pagemeter.measure import ALL
from pagemeter.page import LINE_TYPES, Line, Page
from pages import noisy, text_lines

PLAIN = [measure for measure in ALL if not measure.geometry and not measure.is_bag]


def typed(rng: random.Random, lines: list[str]) -> Page:
    return Page(tuple(Line(text, type=rng.choice(LINE_TYPES[:4])) for text in lines))


@pytest.mark.parametrize("measure", PLAIN, ids=str)
@pytest.mark.parametrize("optional", [(), ("header",)])
def test_the_errors_of_all_types_sum_to_those_of_the_measure(measure, optional):
    rng = random.Random(str(measure))
    for size in (1, 4, 9):
        lines = text_lines(rng, size, 25)
        gt, hyp = typed(rng, lines), typed(rng, noisy(rng, lines[::-1] + text_lines(rng, 2, 20), 0.2))
        found = pm.evaluate(gt, hyp, [measure], optional=optional)
        types = counts_by_type(Aligner(found), measure)
        total = sum(types.values(), TypeCounts())
        assert total.counts.errors == found[measure].errors
        assert total.lines == sum(bool(text.strip()) for text in lines)
        if not optional:
            assert total.counts == found[measure].counts


def test_extra_text_belongs_to_the_type_of_its_line():
    gt, hyp = Page((Line("a text"),)), Page((Line("12", type="page-number"), Line("a text")))
    for name in ("CER", "CER:R", "CER:S", "WER:RS"):
        types = counts_by_type(Aligner(pm.evaluate(gt, hyp, [name])), name)
        assert types["text"].rate == 0
        assert types["page-number"].counts.errors == types["page-number"].counts.dels > 0


def test_the_command_prints_the_table_and_writes_json(tmp_path, capsys):
    for name, title in (("gt", "The Title"), ("hyp", "The Tittle")):
        (tmp_path / name).mkdir()
        pm.save(Page((Line(title, type="heading"), Line("and the text"))), tmp_path / name / "a.json")
    folders = [str(tmp_path / "gt"), str(tmp_path / "hyp")]
    report = tmp_path / "report.json"
    assert main(["eval", *folders, "-m", "CER:S", "--by", "type", "--json", str(report)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert "By type of line" in out
    row = next(line.split() for line in out if " heading " in line)
    assert row[:5] == ["CER:S", "heading", "11.11", "%", "1"]
    types = json.loads(report.read_text())["types"]["CER:S"]
    assert types["text"] == {
        "rate": 0.0, "lines": 1, "errors": 0, "ins": 0, "dels": 0, "sub": 0, "cor": 12, "n_gt": 12,
    }  # fmt: skip
    assert "types" not in json.loads(_without_types(folders, tmp_path / "plain.json"))


def _without_types(folders, path) -> str:
    main(["eval", *folders, "-m", "CER:S", "--json", str(path)])
    return path.read_text()
