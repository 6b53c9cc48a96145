"""A few inputs of the coverage-guided fuzzer; `make fuzz-coverage` has the long run."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.skipif(find_spec("atheris") is None, reason="needs atheris: pip install 'pagemeter[fuzz]'")
def test_the_fuzzer_is_guided_by_the_code_that_an_input_reaches(tmp_path):
    command = [sys.executable, "-m", "fuzz.guided", "json", "corpus", "-runs=300", "-seed=1"]
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "NEW " in done.stderr
    assert not list(tmp_path.glob("crash-*"))
