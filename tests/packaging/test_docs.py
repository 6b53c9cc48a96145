"""The documentation is correct: examples run, tables are current, and names, tests and links exist."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import re
import shlex
import tomllib
from functools import cache
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter.cli import main
from pagemeter.demo import GT, HYP
from pagemeter.errors import DependencyError
from pagemeter.formats.registry import known_suffixes
from pagemeter.measure import EVERY, IDS

ROOT = Path(__file__).resolve().parents[2]
RUN = (
    "README.md",
    "docs/measures.md",
    "docs/deviations.md",
    "docs/statistics.md",
    "docs/alignments.md",
    "docs/text.md",
    "docs/python.md",
    "docs/keyword-spotting.md",
    "docs/migrating.md",
    "docs/tutorials/vision-language-models.md",
)
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
)
FENCED = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED_TEST = re.compile(r"^Test: `(tests/[\w/]+\.py)::(test_\w+)`$", re.MULTILINE)


@cache
def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


@cache
def run(document: str) -> tuple[dict[str, object], str]:
    """Run the examples of a document; return the names that they define and the report of failures."""
    report: list[str] = []
    test = doctest.DocTestParser().get_doctest(read(document), {}, document, document, 0)
    doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
    return test.globs, "".join(report)


@pytest.mark.parametrize("document", RUN)
def test_python_examples_are_interactive_sessions(document):
    for block in FENCED.findall(read(document)):
        assert doctest.DocTestParser().get_examples(block), f"{document}: no prompt in\n{block}"


@pytest.mark.parametrize("document", RUN)
def test_examples_give_the_output_that_is_printed(document):
    names, wrong = run(document)
    assert names, f"{document} has no examples"
    assert not wrong, wrong


def test_examples_of_large_collections_give_the_output_that_is_printed():
    for package in ("pandas", "polars", "duckdb"):
        pytest.importorskip(package)
    found = doctest.testfile(str(ROOT / "docs/scale.md"), module_relative=False)
    assert found.attempted > 15
    assert found.failed == 0


def recommended_commands() -> list[list[str]]:
    """Return the arguments of the commands in "Which number should I report?"."""
    section = (
        read("docs/measures.md").partition("## Which number should I report?\n")[2].partition("\n## ")[0]
    )
    return [shlex.split(line) for line in re.findall(r"^\$ pagemeter (.+)$", section, re.MULTILINE)]


def test_the_recommended_commands_report_the_recommended_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gt").symlink_to(GT)
    Path("hyp").symlink_to(HYP)
    pages = {path.stem: path for path in sorted(HYP.glob("*.xml"))}
    records = [{"page": name, "text": pm.load(path).text} for name, path in pages.items()]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, records)))
    rows = [f"{GT / path.name}\t{path}\t{name}\tbook 1" for name, path in pages.items()]
    Path("sample.tsv").write_text("\n".join(["gt\thyp\tpage\tdocument", *rows]))
    commands = recommended_commands()
    assert len(commands) == 3
    for command in commands:
        assert main(command) == 0
        result = json.loads(Path("results.json").read_text())
        assert list(result["total"]) == command[command.index("-m") + 1].split(",")
        assert len(result["pages"]) == 3
        assert bool(result["budgets"]) == ("--budget" in command)


def test_the_table_of_eighteen_measures_is_current():
    names, _ = run("docs/measures.md")
    printed = re.search(r"<!-- table: eighteen -->\n((?:\|.*\n)+)", read("docs/measures.md"))[1].splitlines()[
        2:
    ]
    found = pm.evaluate(names["gt"], names["hyp"], IDS)
    assert [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in printed] == [
        [
            name,
            *map(str, (s.errors, s.ins, s.dels, s.sub, s.cor)),
            *map(percent, (s.rate, s.precision, s.recall)),
        ]
        for name, s in found.items()
    ]


def percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def test_the_readme_names_every_measure():
    assert set(re.findall(r"`((?:CER|WER|BOW|BOC|LCS|HWER)(?::\w+)?)`", read("README.md"))) == set(EVERY)


def test_the_readme_gives_a_reason_for_every_dependency():
    project = tomllib.loads(read("pyproject.toml"))
    needed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for extra in project["project"]["optional-dependencies"].values():
        needed += extra
    table = read("README.md").partition("## Dependencies")[2].partition("\n## ")[0]
    assert [name for name in needed if re.match(r"[\w-]+", name)[0] not in table] == []


def test_the_citation_has_the_current_version():
    assert f'version: "{pm.__version__}"' in read("CITATION.cff")


def sections() -> list[str]:
    return re.split(r"^### ", read("docs/deviations.md"), flags=re.MULTILINE)[1:]


@cache
def named_in(file: str) -> set[str]:
    """Return the names of the tests in a file, without importing it."""
    tree = ast.parse(read(file)) if (ROOT / file).is_file() else ast.Module([], [])
    return {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("section", sections(), ids=lambda section: section.partition(".")[0])
def test_every_deviation_names_tests_that_exist(section):
    named = NAMED_TEST.findall(section)
    assert len(named) == section.count("Test:") > 0
    assert [(file, name) for file, name in named if name not in named_in(file)] == []


def test_every_test_of_a_deviation_is_listed():
    listed = set(NAMED_TEST.findall(read("docs/deviations.md")))
    files = sorted(ROOT.glob("tests/conformance/test_deviations*.py"))
    there = {
        (file, name) for file in (f.relative_to(ROOT).as_posix() for f in files) for name in named_in(file)
    }
    assert there
    assert there <= listed


def test_the_suffixes_of_page_files_are_listed():
    listed = read("docs/cli.md").partition("**Which files.**")[2].partition("case, or")[0]
    assert set(re.findall(r"`(\.\w+)`", listed)) == known_suffixes(installed=False)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_have_a_target(document):
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", read(document)):
        path, _, anchor = target.partition("#")
        file = (ROOT / document).parent / path if path else ROOT / document
        assert file.is_file(), f"{document}: {target}"
        assert not anchor or anchor in anchors(file), f"{document}: {target}"


def anchors(file: Path) -> set[str]:
    """Return the headings of a document as the anchors of links."""
    titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_that_are_named_exist(document):
    named = re.findall(r"`((?:kernel|src|tests|docs)/[\w./-]*)(?:::\w+)?`", read(document))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_architecture_names_every_module_and_package():
    modules = [
        path for path in (ROOT / "src/pagemeter").glob("[a-z]*") if path.is_dir() or path.suffix == ".py"
    ]
    files = [*modules, *(ROOT / "kernel").glob("*.[ch]pp")]
    text = read("docs/architecture.md")
    assert [path.name for path in files if path.relative_to(ROOT).as_posix() not in text] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_functions_that_are_named_exist(document):
    for name in re.findall(r"`(pagemeter(?:\.\w+)+)`", read(document)):
        assert resolve(name) is not None, f"{document}: {name}"


def resolve(name: str) -> object:
    """Return the module or attribute that a dotted name refers to, None if there is none."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        except DependencyError:  # an optional package is not installed
            file = (ROOT / "src").joinpath(*parts[:end]).with_suffix(".py")
            if file.is_file():
                names = {
                    getattr(node, "name", "") for node in ast.parse(file.read_text(encoding="utf-8")).body
                }
                return file if names.issuperset(parts[end:]) else None
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found
    return None
