"""Files for tests of many pages."""

from __future__ import annotations

import pytest

from collected import PLACED


@pytest.fixture
def write(tmp_path):
    """Makes a file in a temporary folder and gives its path."""

    def make(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8") if isinstance(text, str) else path.write_bytes(text)
        return path

    return make


@pytest.fixture
def files(tmp_path):
    """Makes files below a temporary folder and gives the folder."""

    def make(*names):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PLACED if path.suffix == ".json" else "a line")
        return tmp_path

    return make


@pytest.fixture
def top(files):
    """A folder with files that lists and tables name."""
    return files("gt/1.xml", "gt/2.xml", "gt/3.xml", "hyp/1.txt", "hyp/2.txt", "other/x.txt", "other/y.txt")
