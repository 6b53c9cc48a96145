"""Mutation testing of solve, stats and text: `make mutation COUNT=100 SEED=1`.

With tests in PYTHONPATH:

    python -m mutation [--count N] [--seed S] [--only TEXT] [--quick]

Each mutant is the package with one change in one place, such as `<` for `<=` or 4 for 3. It is made when the
module is imported, so no file is changed. The tests of the module judge it first: its doctests and the unit
tests with its name. If they pass, the other tests of the package judge it too, except with `--quick`. A
mutant survives if all of them pass. The place of each survivor is printed. Each run
has a child process of its own, which is ended after a time limit.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib
import importlib.abc
import importlib.machinery
import io
import os
import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
# The unit tests of a module that have another name than it has.
OWN = {
    "pagemeter.text.normalisation": (
        "tests/unit/text/test_normalisation.py",
        "tests/unit/text/test_hyphens.py",
    ),
    "pagemeter.text.notations": ("tests/property/test_notations.py",),
    "pagemeter.solve": ("tests/unit/test_optional.py", "tests/unit/solve/test_limits.py"),
    "pagemeter.solve.counting": ("tests/unit/test_optional.py",),
    "pagemeter.text": ("tests/unit/text/test_normalisation.py",),
}
# The tests that judge each package, after the tests of the module itself.
TESTS = {
    "solve": (
        "tests/unit/solve",
        "tests/property",
        "tests/conformance/test_figure2.py",
        "tests/unit/test_optional.py",
    ),
    "stats": ("tests/unit/stats", "tests/property/test_budget.py", "tests/unit/test_collection.py"),
    "text": (
        "tests/unit/text",
        "tests/property/test_text.py",
        "tests/property/test_notations.py",
        "tests/unit/test_preparation.py",
    ),
}
FOUND = (1, 2, -1)  # codes of a child: a failed test, an error of a module, the end of its time
FAULTY = 70  # pytest itself failed
LIMIT_SECONDS = 900  # only ends a mutant that does not terminate

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """A change of the node with a number, in the order of `ast.walk`, of a module."""

    module: str
    path: Path
    number: int
    line: int
    change: str


def changed(node: ast.AST) -> ast.AST | None:
    """Return a copy of a node with one change, or None if this kind of node is not changed."""
    new = copy.copy(node)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        new.ops = [COMPARED[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in COMPUTED:
        new.op = COMPUTED[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        new = node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        new.value = not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        new.value = node.value + 1
    elif isinstance(node, ast.IfExp):
        new.body, new.orelse = node.orelse, node.body
    elif isinstance(node, ast.Return) and node.value is not None:
        new.value = ast.Constant(None)
    else:
        return None
    return new


def is_for_types(node: ast.AST) -> bool:
    """Return True if nothing in a node runs: an annotation, or a block for the type checker."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def skipped(tree: ast.Module) -> set[int]:
    """Return the identities of the nodes that do not run: annotations and blocks for the type checker."""
    roots: list[ast.AST] = [node for node in ast.walk(tree) if is_for_types(node)]
    for node in ast.walk(tree):
        roots += [
            part for name in ("annotation", "returns") if (part := getattr(node, name, None)) is not None
        ]
    return {id(node) for root in roots for node in ast.walk(root)}


def mutants_of(path: Path) -> list[Mutant]:
    """Return all mutants of a module."""
    module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    ignored = skipped(tree)
    found = []
    for number, node in enumerate(ast.walk(tree)):
        new = None if id(node) in ignored else changed(node)
        if new is not None and ast.unparse(node) != ast.unparse(new):
            change = f"{ast.unparse(node)}  ->  {ast.unparse(new)}"
            found.append(Mutant(module, path, number, node.lineno, change))
    return found


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().visit(node)


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with a change, always from its source."""

    mutant: Mutant

    def get_code(self, fullname: str):  # noqa: ARG002
        tree = ast.parse(self.mutant.path.read_text(encoding="utf-8"))
        old = list(ast.walk(tree))[self.mutant.number]
        tree = ast.fix_missing_locations(_Replace(old, changed(old)).visit(tree))
        return compile(tree, str(self.mutant.path), "exec", dont_inherit=True)


class MutantFinder(importlib.abc.MetaPathFinder):
    """Finds the module of a mutant before all other finders."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, fullname, path=None, target=None):  # noqa: ARG002
        if fullname != self._mutant.module:
            return None
        loader = MutantLoader(fullname, str(self._mutant.path))
        loader.mutant = self._mutant
        package = [str(self._mutant.path.parent)] if self._mutant.path.name == "__init__.py" else None
        return importlib.machinery.ModuleSpec(
            fullname, loader, origin=str(self._mutant.path), is_package=package is not None
        )


def own_tests(module: str, path: Path) -> list[str]:
    """Return the tests of a module: its doctests, and the unit tests with its name."""
    mirrored = f"tests/unit/{module.split('.')[1]}/test_{path.stem}.py"
    tests = OWN.get(module, (mirrored,) if (ROOT / mirrored).is_file() else ())
    return [str(path.relative_to(ROOT)), *tests]


def other_tests(package: str, before: list[str]) -> list[str]:
    """Return the tests of a package that have not run yet."""
    return [name for name in TESTS[package] if name not in before]


def run_tests(module: str, mutant: Mutant | None, tests: list[str]) -> int:
    """Return the exit code of the tests of a module in a child process, or -1 if it was ended."""
    child = os.fork()
    if child == 0:
        import pytest

        code = 1
        try:
            if mutant is not None:
                sys.meta_path.insert(0, MutantFinder(mutant))
            # pytest would load the module of a doctest without asking for a finder, as a second copy.
            importlib.import_module(module)
            code = FAULTY
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", *tests]))
            # A module without doctests and without own tests collects nothing.
            code = 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code
        finally:
            os._exit(code)
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def main() -> int:
    """Run a sample of mutants, print the survivors, and return their number."""
    parser = argparse.ArgumentParser(prog="python -m mutation")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of the names of the modules")
    parser.add_argument("--quick", action="store_true", help="judge by the tests of the module alone")
    parsed = parser.parse_args()
    os.chdir(ROOT)
    paths = [path for package in TESTS for path in sorted((SOURCE / "pagemeter" / package).rglob("*.py"))]
    mutants = [mutant for path in paths for mutant in mutants_of(path) if parsed.only in mutant.module]
    sample = random.Random(parsed.seed).sample(mutants, min(parsed.count, len(mutants)))
    import numpy  # noqa: F401, ICN001  (loaded once, and not by each child)
    import pytest  # noqa: F401

    for module, path in sorted({(mutant.module, mutant.path) for mutant in sample}):
        if run_tests(module, None, own_tests(module, path)):
            sys.exit(f"the tests of {module} fail without a change")
    survivors = 0
    for done, mutant in enumerate(sample, 1):
        tests = own_tests(mutant.module, mutant.path)
        code = run_tests(mutant.module, mutant, tests)
        if code == 0 and not parsed.quick:
            code = run_tests(mutant.module, mutant, other_tests(mutant.module.split(".")[1], tests))
        if code not in (0, *FOUND) and code > 0:
            sys.exit(f"pytest ended with {code} for {mutant}")
        survived = code == 0
        survivors += survived
        place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
        print(f"{'SURVIVED' if survived else 'found'} {place}: {mutant.change[:160]}", flush=True)
        if done % 10 == 0:
            print(f"{done} mutants, {survivors} survived", flush=True)
    print(f"{len(sample)} of {len(mutants)} mutants, {survivors} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
