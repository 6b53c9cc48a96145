"""Mutation testing of solve, stats and text: `make mutation COUNT=100 SEED=1`.

With tests in PYTHONPATH:

    python -m mutation [--count N] [--seed S] [--only TEXT] [--quick]

Each mutant is the package with one change in one place, such as `<` for `<=` or 4 for 3. It is made when the
module is imported, so no file is changed. The tests of the module judge it first: its doctests and the unit
tests with its name. If they pass, those other tests of the package judge it that run a line of the changed
statement, the quickest first, except with `--quick`. They are found by one run of the tests of the package
without a change. A mutant survives if all of them pass. The place of each survivor is printed. Each run has a
child process of its own, which is ended after a time limit.
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
import json
import math
import os
import random
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy  # noqa: F401, ICN001  (loaded once, and not by each child)
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
RECORDS = ROOT / "build" / "mutation"
# The unit tests of a module that have another name than it has.
OWN = {
    "pagemeter.text.normalisation": (
        "tests/unit/text/test_normalisation.py",
        "tests/unit/text/test_hyphens.py",
    ),
    "pagemeter.text.notations": ("tests/unit/text/test_notations.py", "tests/property/test_notations.py"),
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
        "tests/unit/test_evaluation.py",
    ),
    "stats": (
        "tests/unit/stats",
        "tests/property/test_budget.py",
        "tests/unit/test_collection.py",
        "tests/unit/test_score.py",
    ),
    "text": (
        "tests/unit/text",
        "tests/property/test_text.py",
        "tests/property/test_notations.py",
        "tests/unit/test_preparation.py",
    ),
}
FOUND = (1, 2, -1)  # codes of a child: a failed test, an error of a module, the end of its time
FAULTY = 70  # pytest itself failed
# A mutant that does not terminate is ended after this time, and this many times the time without a change.
LIMIT_SECONDS, LIMIT_TIMES = 60.0, 10.0

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
    lines: range  # of the innermost statement of a function, without its body; empty if it runs at import


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
    lines = lines_of_statements(tree)
    found = []
    for number, node in enumerate(ast.walk(tree)):
        new = None if id(node) in ignored else changed(node)
        if new is not None and ast.unparse(node) != ast.unparse(new):
            change = f"{ast.unparse(node)}  ->  {ast.unparse(new)}"
            found.append(Mutant(module, path, number, node.lineno, change, lines.get(id(node), range(0))))
    return found


def lines_of_statements(tree: ast.Module) -> dict[int, range]:
    """Return the lines of the innermost statement of a function for the identity of each node in it.

    The lines of the body of a statement are left out.
    """
    lines = {}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for each in function.body for node in ast.walk(each)]
    for statement in inside:  # an inner statement is after an outer one
        if isinstance(statement, ast.stmt):
            body = getattr(statement, "body", None)
            end = body[0].lineno if body else (statement.end_lineno or 0) + 1
            lines |= dict.fromkeys(map(id, ast.walk(statement)), range(statement.lineno, end))
    return lines


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


def package_of(mutant: Mutant) -> str:
    """Return the name of the package of a mutant."""
    return mutant.module.split(".")[1]


def own_tests(module: str, path: Path) -> list[str]:
    """Return the tests of a module: its doctests, and the unit tests with its name."""
    mirrored = f"tests/unit/{module.split('.')[1]}/test_{path.stem}.py"
    tests = OWN.get(module, (mirrored,) if (ROOT / mirrored).is_file() else ())
    return [str(path.relative_to(ROOT)), *tests]


class Recorder:
    """A plugin of pytest that records the lines that each test runs, and its time."""

    def __init__(self, package: str) -> None:
        from coverage import Coverage

        self._coverage = Coverage(
            data_file=None, config_file=False, include=[f"{SOURCE}/pagemeter/{package}/*"], messages=False
        )
        self._seconds: dict[str, float] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item):
        self._coverage.switch_context(item.nodeid)
        started = time.perf_counter()
        yield
        self._seconds[item.nodeid] = time.perf_counter() - started

    def run(self, target: Path, tests: list[str]) -> int:
        """Run tests, and write the tests of each line of each module, and their times, to a file."""
        self._coverage.start()
        code = run_pytest(tests, self)
        self._coverage.stop()
        data = self._coverage.get_data()
        ran = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
        target.write_text(json.dumps({"ran": ran, "seconds": self._seconds}), encoding="utf-8")
        return code


class Selection:
    """A plugin of pytest that runs the tests with some names, in their order."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        known = {item.nodeid: item for item in items}
        items[:] = [known[name] for name in self._names if name in known]


@dataclass(frozen=True)
class Record:
    """The tests that run each line of each file of a package, and their times without a change."""

    ran: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]

    def other_tests(self, mutant: Mutant, before: list[str]) -> list[str]:
        """Return the tests that run the statement of a mutant, or its module if that runs at import.

        The quickest are first. Tests of the files in `before` are left out.
        """
        by_line = self.ran.get(str(mutant.path), {})
        lines = mutant.lines or by_line
        names = {name for line in lines for name in by_line.get(str(line), ())} - {""}
        other = [name for name in names if name.partition("::")[0] not in before]
        return sorted(other, key=lambda name: (self.seconds[name], name))


def record(package: str) -> Record:
    """Run the tests of a package without a change."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    target = RECORDS / f"{package}.json"
    if in_child(lambda: Recorder(package).run(target, list(TESTS[package])), math.inf):
        sys.exit(f"the tests of {package} fail without a change")
    return Record(**json.loads(target.read_text(encoding="utf-8")))


def run_pytest(tests: list[str], *plugins: object) -> int:
    """Return the exit code of tests, without their output."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        arguments = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", *tests]
        code = int(pytest.main(arguments, plugins=list(plugins)))
    # A module without doctests and without own tests collects nothing.
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


def run_tests(mutant: Mutant | None, module: str, tests: list[str], *plugins: object) -> int:
    """Return the exit code of tests with a mutant of a module."""
    if mutant is not None:
        sys.meta_path.insert(0, MutantFinder(mutant))
    try:
        # pytest would load the module of a doctest without asking for a finder, as a second copy.
        importlib.import_module(module)
    except Exception:  # noqa: BLE001  (a mutant that cannot be imported is found)
        return 1
    return run_pytest(tests, *plugins)


def in_child(run: Callable[[], int], limit: float) -> int:
    """Return the exit code of a function in a child process, or -1 if it was ended."""
    child = os.fork()
    if child == 0:
        code = FAULTY
        try:
            code = run()
        finally:
            os._exit(code)
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def judge(mutant: Mutant, seconds: float, record: Record | None) -> int:
    """Return the exit code of the tests of the module of a mutant, or else of those that run its line."""
    own = own_tests(mutant.module, mutant.path)
    code = in_child(lambda: run_tests(mutant, mutant.module, own), LIMIT_SECONDS + LIMIT_TIMES * seconds)
    if code or record is None:
        return code
    names = record.other_tests(mutant, own)
    if not names:
        return 0
    files = sorted({name.partition("::")[0] for name in names})
    limit = LIMIT_SECONDS + LIMIT_TIMES * sum(record.seconds[name] for name in names)
    return in_child(lambda: run_tests(mutant, mutant.module, files, Selection(names)), limit)


def time_without_change(module: str, path: Path) -> float:
    """Return the time of the tests of a module."""
    started = time.monotonic()
    if in_child(lambda: run_tests(None, module, own_tests(module, path)), math.inf):
        sys.exit(f"the tests of {module} fail without a change")
    return time.monotonic() - started


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
    modules = sorted({(mutant.module, mutant.path) for mutant in sample})
    seconds = {module: time_without_change(module, path) for module, path in modules}
    packages = sorted({package_of(mutant) for mutant in sample})
    records = {package: None if parsed.quick else record(package) for package in packages}
    survivors = 0
    for done, mutant in enumerate(sample, 1):
        code = judge(mutant, seconds[mutant.module], records[package_of(mutant)])
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
