"""Rules of style that ruff does not check: the width of the kernel's lines, and the length of files."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = sorted(path for path in (ROOT / "kernel").iterdir() if path.suffix in (".cpp", ".hpp"))
SOURCES = [*KERNEL, *sorted((ROOT / "src").rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_lines_of_the_kernel_have_at_most_120_columns():
    assert KERNEL
    wide = [(path.name, at) for path in KERNEL for at, line in enumerate(lines(path), 1) if len(line) > 120]
    assert wide == []


@pytest.mark.parametrize("files", [SOURCES, TESTS], ids=["source", "tests"])
def test_files_have_at_most_500_lines(files):
    assert files
    assert {path.name: len(lines(path)) for path in files if len(lines(path)) > 500} == {}
