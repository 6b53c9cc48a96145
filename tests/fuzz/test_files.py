"""A small, seeded run of the file fuzzer; `make fuzz` has the long one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import files


def test_damaged_files_give_pages_or_our_own_errors(capsys):
    assert files.main(count=400, seed=3) == 0
    assert "400 inputs" in capsys.readouterr().out
