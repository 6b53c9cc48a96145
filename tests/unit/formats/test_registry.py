"""The registry: built-in formats, formats of other packages, and the suffixes of page files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pagemeter.errors import FormatError
from pagemeter.formats import Format, formats, read_pages, registry, save
from pagemeter.formats.registry import known_suffixes, markup_suffixes, xml_format_names
from pagemeter.inputs.page_files import candidate, page_name
from pagemeter.page import Line, Page

ALTO = b"<alto><Layout><Page/></Layout></alto>"
EXAMPLE = Path(__file__).parents[3] / "examples" / "toy_format.py"


def test_every_format_has_a_name_of_its_own_and_a_description():
    names = [known.name for known in formats()]
    assert len(set(names)) == len(names)
    assert {"page", "alto", "hocr", "text", "markdown", "abbyy", "tei", "json"} <= set(names)
    assert all(known.description for known in formats())


@pytest.mark.parametrize("suffix", sorted(known_suffixes(installed=False)))
def test_files_with_the_suffix_of_a_format_are_page_files(suffix):
    assert candidate(f"0001{suffix}").stem == "0001"
    assert candidate(f"0001.gt{suffix}").side == "gt"


def test_xml_formats_may_precede_the_suffix():
    assert {page_name(f"0001.{name}.xml") for name in xml_format_names()} == {"0001"}
    assert page_name("0001.json.txt") == "0001.json"


def test_suffixes_of_markup_are_not_those_of_text():
    assert markup_suffixes() == known_suffixes(installed=False) - {
        ".txt", ".text", ".md", ".markdown", ".mdown", ".mkd", ".mmd",
    }  # fmt: skip


@pytest.mark.parametrize("suffix", sorted(known_suffixes(installed=False) - {".json"}))
def test_pages_are_not_saved_under_the_suffix_of_another_format(suffix, tmp_path):
    with pytest.raises(ValueError, match=f"not as \\{suffix}"):
        save(Page(), tmp_path / f"page{suffix}")


class Entry:
    """An entry point as returned by importlib.metadata."""

    value = "some.module:FORMAT"
    dist = None

    def __init__(self, name, offered):
        self.name = name
        self._loaded = offered

    def load(self):
        if isinstance(self._loaded, Exception):
            raise self._loaded
        return self._loaded


def toy_format(name="mine"):
    def matches(head):
        return head.text.startswith("MINE")

    def read(data, source, _options):
        return [Page((Line(data.decode()[4:]),), source)]

    return Format(name, "a format of someone else", matches, read)


@pytest.fixture
def offered(monkeypatch):
    """Replace the entry points of other packages for one test."""

    def offer(*entries):
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: entries)

    registry._installed.cache_clear()
    yield offer
    registry._installed.cache_clear()


def test_a_format_of_another_package_is_known_and_detected(offered):
    offered(Entry("mine", toy_format()))
    assert read_pages(b"MINE text", "p.txt")[0].lines[0].text == " text"
    assert read_pages(b"MINE text", "p.txt", format="mine")[0].lines[0].text == " text"
    assert [known.name for known in formats()][-2:] == ["mine", "text"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (ImportError("no module"), "ImportError: no module"),
        ("a string", "is not a pagemeter.formats.Format object"),
        (toy_format("alto"), "another format has the name 'alto'"),
    ],
)
def test_a_format_that_cannot_be_used_gives_a_warning(offered, value, reason):
    offered(Entry("odd", value), Entry("mine", toy_format()))
    with pytest.warns(
        UserWarning, match=f"format 'odd' of another package cannot be used: .*{reason}|{reason}"
    ):
        assert formats()[-2].name == "mine"


def fails(*_):
    raise KeyError("words")


def test_an_exception_in_a_reader_of_another_package_is_an_error_of_the_file(offered):
    offered(Entry("mine", replace(toy_format(), read=fails)))
    with pytest.raises(
        FormatError,
        match=r"^p\.txt: the reader of the format 'mine', from another package, failed: KeyError: 'wo",
    ):
        read_pages(b"MINE text", "p.txt")


def test_a_reader_of_another_package_must_return_pages(offered):
    offered(Entry("mine", replace(toy_format(), read=lambda *_: ["a line"])))
    with pytest.raises(FormatError, match="it returned str, not Page"):
        read_pages(b"MINE text", "p.txt")


def test_an_exception_in_the_detection_of_another_package_gives_a_warning(offered):
    offered(Entry("mine", replace(toy_format(), matches=fails)))
    with pytest.warns(UserWarning, match="format 'mine' of another package cannot be used: KeyError"):
        assert read_pages(b"text", "p.txt")[0].lines[0].text == "text"


def test_other_packages_are_not_loaded_for_built_in_formats(offered):
    offered(Entry("odd", ImportError("never loaded")))
    assert read_pages(ALTO, "a.xml")[0].lines == ()


@pytest.fixture
def installed(tmp_path):
    """A folder with the example package installed, and the environment of a process that finds it."""
    packages = tmp_path / "packages"
    metadata = packages / "toy_format-1.0.dist-info"
    metadata.mkdir(parents=True)
    shutil.copy(EXAMPLE, packages)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-format\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pagemeter.formats]\ntoy = toy_format:FORMAT\n")
    paths = filter(None, (str(packages), os.environ.get("PYTHONPATH")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_installed_format_is_evaluated_by_the_command(installed, tmp_path, jobs):
    """The files are paired by the suffix of the format, detected, read with positions, and evaluated."""
    for side, word in (("gt", "one"), ("hyp", "ona")):
        folder = tmp_path / side
        folder.mkdir()
        for name in ("1", "2"):
            (folder / f"{name}.toy").write_text(f"TOY\n90|{word}\n190|two\nno height\n")
    options = ["-m", "CER:R", "-m", "CER:G", "--jobs", jobs, "--json", "out.json"]
    command = [sys.executable, "-m", "pagemeter", "eval", "gt", "hyp", *options]
    subprocess.run(command, cwd=tmp_path, env=installed, check=True, capture_output=True, timeout=120)
    document = json.loads((tmp_path / "out.json").read_text())
    assert [page["page"] for page in document["pages"]] == ["1", "2"]
    for name in ("CER:R", "CER:G"):
        assert (document["total"][name]["errors"], document["total"][name]["n_gt"]) == (2, 12)
    warning = document["pages"][0]["warnings"][0]
    assert (warning["element"], warning["reason"]) == ("line 4", "has no | and was skipped")


def test_an_installed_format_is_listed(installed):
    command = [sys.executable, "-m", "pagemeter", "formats"]
    listed = subprocess.run(command, env=installed, check=True, capture_output=True, text=True, timeout=60)
    assert "toy           toy format: heights and texts" in listed.stdout


def test_importing_the_formats_loads_no_parser():
    code = "import sys, pagemeter.formats; sys.exit('lxml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_suffixes_are_known_without_importing_a_reader():
    code = (
        "import sys; from pagemeter.formats.registry import known_suffixes; known_suffixes(installed=False); "
        "sys.exit(bool({'lxml', 'markdown_it', 'pagemeter.formats.page'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
