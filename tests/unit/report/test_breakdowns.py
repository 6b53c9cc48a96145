"""Rates by the types of lines: they sum to those of the measures, on the terminal and in JSON."""

from __future__ import annotations

import json

import pagemeter as pm
from pagemeter.cli import main
from pagemeter.page import Line, Page


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
