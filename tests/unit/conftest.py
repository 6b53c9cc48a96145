"""What tests of the command share."""

from __future__ import annotations

import pytest

from pagemeter.cli import main


@pytest.fixture
def run(capsys):
    """Calls the command: what it returns, and what it prints on both streams."""

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
    """Two folders: one page read well, one badly, one missing, one without ground truth."""
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
    """The folders with the two pages that both sides have."""
    (top / "gt/3.gt.txt").unlink()
    (top / "hyp/4.pred.txt").unlink()
    return top
