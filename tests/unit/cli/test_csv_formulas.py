"""Texts and names that a spreadsheet would take for formulas, in all CSV files."""

from __future__ import annotations

import csv
import json

import pytest

NAMES = ("=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "a-b")
STARTS = tuple("=+-@\t\r")
FILES = {
    "pages": ["eval", "gt", "hyp", "-m", "CER,WER:S", "--csv"],
    "lines": ["eval", "gt", "hyp", "-m", "CER", "--per-line", "--csv"],
    "confusions": ["eval", "gt", "hyp", "-m", "CER,WER", "--confusions"],
    "stored": ["report", "store", "--csv"],
    "compared": ["compare", "gt", "hyp", "hyp", "--name", "=A1", "--name", "@b", "-m", "CER", "--csv"],
    "stores": ["compare", "store", "store", "--name", "=A1", "--name", "@b", "--csv"],
}


@pytest.fixture
def top(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for side in ("gt", "hyp"):
        (tmp_path / side).mkdir()
        for name in NAMES:
            lines = [f"{start}1 {name} line" for start in ("=", "+", "-", "@", "x")]
            if side == "hyp":
                lines = [line.replace("=", "-") for line in lines]
            entries = [{"id": f"=id{number}", "text": line} for number, line in enumerate(lines)]
            (tmp_path / side / f"{name.replace('/', '_')}.json").write_text(json.dumps({"lines": entries}))
    assert run("eval", "gt", "hyp", "-m", "CER", "--store", "store")[0] == 0
    return tmp_path


def cells(text):
    return [cell for row in csv.reader(text.splitlines()) for cell in row]


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.usefixtures("top")
@pytest.mark.parametrize("name", FILES)
def test_no_cell_starts_a_formula_unless_asked_for(run, name):
    code, escaped, err = run(*FILES[name], "-", "--csv-formulas", "escape")
    assert code == 0, err
    assert run(*FILES[name], "-")[1] == escaped
    assert not [cell for cell in cells(escaped) if cell.startswith(STARTS) and not is_number(cell)]
    kept = run(*FILES[name], "-", "--csv-formulas", "keep")[1]
    formulas = [cell for cell in cells(kept) if cell.startswith(STARTS)]
    assert len(formulas) > 1
    both = zip(cells(kept), cells(escaped), strict=True)
    assert all(two == (f"'{one}" if one.startswith(STARTS) else one) for one, two in both)
