"""What an option needs is checked before any page is read, and natural first commands work."""

from __future__ import annotations

import importlib
import sys

import pytest

from collected import evaluate


@pytest.fixture
def no_page_is_read(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("a page is read")

    monkeypatch.setattr("pagemeter.cli.execution.pair_files", fail)


def _without(monkeypatch, package):
    """Make a package impossible to import."""
    loaded = [name for name in sys.modules if name.partition(".")[0] == package or "pagemeter.store" in name]
    for name in loaded:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.usefixtures("no_page_is_read")
@pytest.mark.parametrize(
    ("package", "options"),
    [("PIL", ["--html", "out.html", "--embed-images"]), ("pyarrow", ["--store", "store"])],
)
def test_a_missing_package_is_reported_first(run, good, monkeypatch, package, options):
    monkeypatch.chdir(good)
    extra = {"PIL": "images", "pyarrow": "store"}[package]
    _without(monkeypatch, package)
    code, out, err = evaluate(run, good, *options)
    assert (code, out) == (1, "")
    assert f"which is not installed. Run pip install 'pagemeter[{extra}]'." in err
    assert not (good / "store").exists()


def test_systems_are_compared_without_the_package_of_stores(run, good, monkeypatch):
    monkeypatch.delitem(sys.modules, "pagemeter.cli.compare", raising=False)
    _without(monkeypatch, "pyarrow")
    importlib.import_module("pagemeter.cli.compare")
    code, _, err = run("compare", good / "gt", good / "hyp", good / "gt", "--name", "a", "--name", "b")
    assert (code, "pyarrow" in err) == (0, False)


@pytest.mark.usefixtures("no_page_is_read")
@pytest.mark.parametrize(
    ("file", "detail"),
    [("none/out.json", "there is no folder "), (".", "this is a folder"), ("a.txt/b", "there is no folder ")],
)
def test_an_output_that_cannot_be_written_is_reported_first(run, good, monkeypatch, file, detail):
    monkeypatch.chdir(good)
    (good / "a.txt").touch()
    code, out, err = evaluate(run, good, "--json", file)
    assert (code, out) == (2, "")
    assert f"--json {file}: {detail}" in err


def test_the_command_alone_prints_the_help(run):
    code, out, _ = run()
    assert code == 2
    assert out.startswith("usage: pagemeter ")
    assert "eval " in out


def test_a_folder_is_compared_with_itself(run, good):
    code, out, err = run("eval", good / "gt", good / "gt", "-m", "CER:R")
    assert code == 0
    assert "CER:R    0.00 %       0" in out
    assert "ground truth and hypothesis are the same file (and 1 more such warning)" in err


@pytest.mark.parametrize(
    ("american", "british"), [("--normalize", "--normalise"), ("--tokenizer", "--tokeniser")]
)
def test_american_spellings_are_accepted_and_not_listed(run, good, american, british):
    value = "NFKC" if "normal" in american else "uax29"
    code, out, err = evaluate(run, good, american, value, "-m", "WER:R")
    assert (code, err) == (0, "")
    assert f"{british[2:]}:{value}|" in out
    assert american not in run("help", "eval")[1]
