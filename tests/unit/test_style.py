"""What ruff does not see to: the width of the kernel's lines, and that no file grows without end."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = sorted(path for path in (ROOT / "kernel").iterdir() if path.suffix in (".cpp", ".hpp"))
OURS = [*KERNEL, *sorted((ROOT / "src").rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_lines_of_the_kernel_have_at_most_120_columns():
    assert KERNEL
    wide = [(path.name, at) for path in KERNEL for at, line in enumerate(lines(path), 1) if len(line) > 120]
    assert wide == []


@pytest.mark.parametrize(("files", "most"), [(OURS, 300), (TESTS, 400)], ids=["source", "tests"])
def test_no_file_is_too_long_to_be_read_at_once(files, most):
    assert files
    assert {path.name: len(lines(path)) for path in files if len(lines(path)) > most} == {}
