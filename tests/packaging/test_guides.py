"""Every command and every Python example in the tutorials and how-to guides runs and has the output shown."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

from console_examples import BLOCK, differences, matches

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.glob("*/*.md"))
WITH_COMMANDS = [name for name in GUIDES if BLOCK.search((DOCS / name).read_text(encoding="utf-8"))]
WITH_PYTHON = [name for name in GUIDES if "```python\n>>> " in (DOCS / name).read_text(encoding="utf-8")]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("guide", WITH_COMMANDS)
def test_commands_have_the_output_that_is_shown(guide):
    assert differences((DOCS / guide).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("guide", WITH_PYTHON)
def test_python_examples_have_the_output_that_is_shown(guide, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(DOCS / guide), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(
    ("shown", "found", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", ""], ["a"], True),
        (["a"], ["b"], False),
        (["a", "...", "d"], ["a", "b", "c", "d"], True),
        (["a", "...", "d"], ["a", "d"], True),
        (["a", "...", "d"], ["a", "b"], False),
        (["took ... s"], ["took 12 s"], True),
        (["took ... s"], ["took 12 s", "more"], False),
    ],
)
def test_dots_stand_for_any_text(shown, found, same):
    assert matches(tuple(shown), found) is same
