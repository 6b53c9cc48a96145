"""The rules of docs/architecture.md: layers of imports, pure packages, settings and options, unique names."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from pagemeter.cli.parser import build_parser
from pagemeter.cli.setting_options import as_option

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "pagemeter"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = (
    ("_version", "_kernel", "errors", "lazy_imports"),
    ("atomic_io", "page", "measure", "score", "signature", "settings", "presets", "run_settings"),
    ("text", "geometry", "formats", "paper", "solve"),
    ("preparation", "evaluation"),
    ("alignment", "flags"),
    ("inputs",),
    ("corpus",),
    ("runners", "stats"),
    ("store",),
    ("report",),
    ("collection", "meter", "spotting"),
    ("compat", "ocrd_processor", "serve"),
    ("demo", "cli"),
    ("__init__", "__main__"),
)
"""Modules and packages from low to high; a module may import from its own layer and from lower ones."""
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

UPWARD = {
    "signature": {"text"},  # the label of a mapping or of a function
    "settings": {"text"},  # a setting checks regular expressions and mappings when it is given
    "score": {"report"},  # HTML of a score in a notebook
    "evaluation": {
        "alignment",
        "flags",
        "stats",
        "report",
    },  # Evaluation.kinds, flags, budget; HTML in a notebook
    "corpus.page_result": {"stats"},  # the error budget of a page
    "corpus.totals": {"stats"},  # the error budget of a run
}
"""Imports of higher layers inside functions, which a convenient public API needs."""

PURE = ("solve", "text", "geometry", "paper", "alignment", "flags")
FILE_CALLS = {"open", "print", "input", "read_text", "write_text", "read_bytes", "write_bytes"}

FORBIDDEN = {
    "formats": {"measure", "score", "evaluation", "solve", "paper", "alignment"},  # formats know no measure
    "report": {"_kernel", "solve", "paper", "text", "geometry"},  # reports compute nothing
}

WITHOUT_OPTION = {"bins"}  # settings of plots, which only Python draws


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    """Return the name of a module below `pagemeter`, such as `formats.page.text`."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def package_name(path: Path) -> str:
    """Return the top-level module or package that a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def nodes_in(path: Path, *, kind: type[ast.AST]) -> set[ast.AST]:
    """Return all nodes inside functions, or inside `if TYPE_CHECKING`."""
    outer = (node for node in ast.walk(tree(path)) if isinstance(node, kind))
    if kind is ast.If:
        outer = (node for node in outer if ast.unparse(node.test) == "TYPE_CHECKING")
    return {inner for node in outer for inner in ast.walk(node)}


def imported(node: ast.AST) -> set[str]:
    """Return the top-level modules and packages of pagemeter that a statement imports."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("pagemeter.")}
    if isinstance(node, ast.ImportFrom) and node.module == "pagemeter":
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pagemeter."):
        return {node.module.split(".")[1]}
    return set()


def upward_imports(path: Path, nodes: set[ast.AST]) -> set[str]:
    """Return what a module imports from higher layers with these statements."""
    names = {name for node in nodes for name in imported(node)}
    return {name for name in names if LEVEL.get(name, 0) > LEVEL[package_name(path)]}


def test_every_module_has_a_layer():
    assert {package_name(path) for path in MODULES} == set(LEVEL) - {"_kernel"}


def test_imports_at_the_top_of_modules_go_downwards():
    found = {}
    for path in MODULES:
        others = nodes_in(path, kind=ast.FunctionDef) | nodes_in(path, kind=ast.If)
        if upward := upward_imports(path, set(ast.walk(tree(path))) - others):
            found[module_name(path)] = upward
    assert found == {}


def test_imports_inside_functions_go_downwards_with_few_exceptions():
    found = {}
    for path in MODULES:
        if upward := upward_imports(path, nodes_in(path, kind=ast.FunctionDef)):
            found[module_name(path)] = upward
    assert found == UPWARD


@pytest.mark.parametrize("path", [path for path in MODULES if package_name(path) in PURE], ids=module_name)
def test_computing_packages_open_no_files_and_print_nothing(path):
    called = [node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
    names = {node.id if isinstance(node, ast.Name) else getattr(node, "attr", "") for node in called}
    assert not names & FILE_CALLS


@pytest.mark.parametrize(
    "path", [path for path in MODULES if package_name(path) in FORBIDDEN], ids=module_name
)
def test_formats_know_no_measure_and_reports_do_not_compute(path):
    names = {name for node in ast.walk(tree(path)) for name in imported(node)}
    assert not names & FORBIDDEN[package_name(path)]


def strings(path: Path) -> list[str]:
    """Return the strings of a module, docstrings included."""
    nodes = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Constant))
    return [node.value for node in nodes if isinstance(node.value, str)]


def test_nothing_below_the_command_names_an_option():
    below = [path for path in MODULES if package_name(path) != "cli"]
    named = {
        module_name(path): re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(strings(path))) for path in below
    }
    named.pop("errors")  # its doctest shows a setting as an option
    assert {name: options for name, options in named.items() if options} == {}


def settings_in(path: Path) -> set[str]:
    """Return the names of settings in arguments such as `setting=("seed", "1")`."""
    keywords = (
        node.value for node in ast.walk(tree(path)) if isinstance(node, ast.keyword) and node.arg in KEYS
    )
    pairs = (node for value in keywords for node in ast.walk(value) if isinstance(node, ast.Tuple))
    names = (node.elts[0] for node in pairs if len(node.elts) == 2)
    return {name.value for name in names if isinstance(name, ast.Constant) and isinstance(name.value, str)}


KEYS = ("setting", "settings")


def test_every_setting_that_a_message_names_is_an_option():
    named = set().union(*map(settings_in, MODULES)) - WITHOUT_OPTION
    commands = build_parser()._commands.values()
    options = {option for command in commands for option in command._option_string_actions}
    assert len(named) > 20
    assert {name for name in named if as_option(name) not in options} == set()


def public_names(path: Path) -> set[str]:
    """Return the names without underscore that a module defines at its top."""
    names = set()
    for node in tree(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def test_public_names_have_one_meaning():
    """The interfaces of other packages are left out: they have the names of these packages."""
    modules = defaultdict(set)
    for path in (path for path in MODULES if package_name(path) != "compat"):
        for name in public_names(path):
            modules[name].add(module_name(path))
    assert {name: where for name, where in modules.items() if len(where) > 1} == {}


def test_modules_hold_whole_concepts():
    lines = [len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES]
    assert 150 <= median(lines) <= 350
