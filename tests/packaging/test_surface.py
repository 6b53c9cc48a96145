"""The public names, the time to import them, types, and the stub of the kernel."""

from __future__ import annotations

import ast
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter import _kernel

PACKAGE = Path(pm.__file__).parent
HEAVY = (
    "lxml",
    "highspy",
    "regex",
    "markdown_it",
    "pyarrow",
    "pandas",
    "scipy",
    "rapidfuzz",
    "asyncio",
    "email",
    "starlette",
    "uvicorn",
)


def loaded_by(statement: str, *, whole: bool = False) -> set[str]:
    """Return the packages that a statement loads, or with `whole` the full names of modules."""
    code = f"import sys; before = set(sys.modules)\n{statement}\nprint(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(run.stdout.splitlines()[-1].split())
    return modules if whole else {name.partition(".")[0] for name in modules}


def test_the_public_names_are_as_documented():
    assert set(pm.__all__) == {
        "CorpusEvaluation", "Evaluation", "Line", "Measure", "Meter", "Page", "PagemeterError", "Score",
        "Settings", "Word", "__version__", "cer", "evaluate", "evaluate_corpus", "kws", "load", "save", "wer",
    }  # fmt: skip
    assert all(hasattr(pm, name) for name in pm.__all__)


@pytest.mark.parametrize("statement", ["import pagemeter", "import pagemeter.cli; pagemeter.cli.main"])
def test_importing_loads_nothing_heavy(statement):
    assert not loaded_by(statement) & {*HEAVY, "numpy"}


def test_help_loads_nothing_heavy():
    """Help needs neither numpy nor file readers."""
    statement = "import pagemeter.cli\ntry: pagemeter.cli.main(['eval', '--help'])\nexcept SystemExit: pass\n"
    modules = loaded_by(statement, whole=True)
    assert not {name.partition(".")[0] for name in modules} & {*HEAVY, "numpy"}
    assert not modules & {"pagemeter.corpus", "pagemeter.stats", "pagemeter.formats.alto", "pagemeter.solve"}


def test_measuring_plain_text_loads_no_xml_and_no_optimiser():
    statement = "import numpy; before = set(sys.modules); import pagemeter; pagemeter.evaluate('a b', 'a c')"
    assert not loaded_by(statement) & set(HEAVY)
    assert "numpy.ma" not in loaded_by(statement, whole=True)


def test_an_evaluation_on_the_command_line_loads_no_server():
    statement = "from pagemeter.demo import GT, HYP; main(['eval', str(GT), str(HYP)])"
    assert not loaded_by(f"from pagemeter.cli import main; {statement}") & {"starlette", "uvicorn", "anyio"}


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").is_file()


def test_the_version_is_the_installed_one():
    assert importlib.metadata.version("pagemeter") == pm.__version__


def test_the_stub_names_what_the_kernel_has():
    tree = ast.parse((PACKAGE / "_kernel.pyi").read_text(encoding="utf-8"))
    stub = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert stub == {name for name in dir(_kernel) if not name.startswith("_")}
    solvers = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert solvers
    for solver in solvers:
        methods = {node.name for node in solver.body if isinstance(node, ast.FunctionDef)}
        public = {name for name in methods if not name.startswith("_")}
        assert public == {name for name in dir(getattr(_kernel, solver.name)) if not name.startswith("_")}


@pytest.mark.parametrize("tokens", [[5], [-1]])
def test_the_kernel_refuses_tokens_outside_the_alphabet(tokens):
    import numpy as np

    page = np.array(tokens, np.int32), np.array([[0, 1]], np.int32)
    with pytest.raises(ValueError, match="alphabet"):
        _kernel.ordered(*page, *page, None, 5)


@pytest.mark.parametrize("bounds", [[[0, 2]], [[1, 0]], [[0, 1], [0, 1]], [[-1, 1]]])
def test_the_kernel_refuses_bounds_outside_the_tokens(bounds):
    import numpy as np

    tokens, page = np.zeros(1, np.int32), np.array(bounds, np.int32)
    with pytest.raises(ValueError, match="bounds"):
        _kernel.free(tokens, page, tokens, page, None, 5)


def test_the_kernel_refuses_a_mask_of_the_wrong_shape():
    import numpy as np

    page = np.zeros(1, np.int32), np.array([[0, 1]], np.int32)
    with pytest.raises(ValueError, match="mask"):
        _kernel.ordered(*page, *page, np.ones((2, 1), bool), 5)


@pytest.mark.parametrize(
    ("points", "lengths", "message"),
    [([1, 2], [1], "add up"), ([1], [2], "add up"), ([], [-1], "negative length"), ([-1], [1], "code point")],
)
def test_the_kernel_refuses_lines_that_are_not_those_of_the_points(points, lengths, message):
    import numpy as np

    page, blanks = (np.array(points, np.int32), np.array(lengths, np.int32)), np.zeros(1, bool)
    with pytest.raises(ValueError, match=message):
        _kernel.number_characters(*page, None, *page, None, blanks, 32)


@pytest.mark.parametrize(
    ("lines", "message"),
    [([0], "needs a line"), ([0, 1], "not decrease"), ([1, 0], "not decrease"), ([-1, 0], "negative")],
)
def test_the_kernel_refuses_words_without_a_line(lines, message):
    import numpy as np

    page = np.zeros(2, np.int32), np.array([[0, 1], [1, 2]], np.int32), np.array(lines, np.int32), 1
    with pytest.raises(ValueError, match=message):
        _kernel.number_words(*page, *page, 1)
