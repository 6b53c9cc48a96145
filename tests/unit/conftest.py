"""Fixtures that several tests share."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest

from collected import PLACED, TIMEOUT
from pagemeter.cli import main


@pytest.fixture
def run(capsys, monkeypatch):
    """Return a function that runs the command and returns the exit code and both output streams."""
    # A run on a busy machine logs its progress.
    monkeypatch.setattr("pagemeter.cli.console._LOG_SECONDS", TIMEOUT)

    def call(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = error.code
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def top(tmp_path):
    """Two folders: one page without errors, one with errors, one missing, one without ground truth."""
    texts = {
        "gt/1.gt.txt": "a line\nanother",
        "gt/2.gt.txt": "second page",
        "gt/3.gt.txt": "third",
        "hyp/1.pred.txt": "a line\nanother",
        "hyp/2.pred.txt": "secund pace",
        "hyp/4.pred.txt": "fourth",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def good(top):
    """The two folders with the pages that both sides have."""
    (top / "gt/3.gt.txt").unlink()
    (top / "hyp/4.pred.txt").unlink()
    return top


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file in a temporary folder and returns its path."""

    def make(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8") if isinstance(text, str) else path.write_bytes(text)
        return path

    return make


@pytest.fixture
def files(tmp_path):
    """Return a function that writes files below a temporary folder and returns the folder."""

    def make(*names):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PLACED if path.suffix == ".json" else "a line")
        return tmp_path

    return make


@pytest.fixture
def mounted():
    """Mount a small file system; its path is short enough for sockets."""
    with tempfile.TemporaryDirectory() as name:
        arguments = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", name]
        if subprocess.run(arguments, capture_output=True, check=False).returncode:
            pytest.skip("file systems cannot be mounted here")
        yield Path(name)
        subprocess.run(["umount", "-l", name], check=True)  # noqa: S607
