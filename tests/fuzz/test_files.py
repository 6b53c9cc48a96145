"""A small, seeded run of the file fuzzer; `make fuzz` has the long one."""

from __future__ import annotations

from fuzz import files


def test_damaged_files_give_pages_or_errors_of_pagemeter(capsys):
    assert files.main(count=400, seed=3) == 0
    assert "400 inputs" in capsys.readouterr().out
