"""The results store: what the command says of it."""

from __future__ import annotations

import pytest

from collected import make
from pagemeter.cli import main


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, 5)


def test_the_command_says_what_it_did(top, capsys):
    options = ["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER", "--store", str(top / "s")]
    assert main(options) == 0
    assert "s: 5 evaluated, 0 there already" in capsys.readouterr().err
    (top / "gt/00000.txt").unlink()
    assert main([*options, "--skip-missing"]) == 1
    assert "missing is not said there and skip here" in capsys.readouterr().err
    (top / "hyp/00000.txt").unlink()
    assert main(options) == 0
    assert "0 evaluated, 4 there already, 1 others kept (--prune" in capsys.readouterr().err
    assert main([*options, "--prune"]) == 0
    assert "1 others taken out" in capsys.readouterr().err
    assert main(options) == 0
    assert capsys.readouterr().err.endswith("4 there already\n")


def test_reports_do_not_depend_on_what_was_there_already(top, capsys):
    from collected import numbers

    options = ["eval", str(top / "gt"), str(top / "hyp"), "--json"]
    for name, more in (("a", []), ("b", ["--store", str(top / "s")]), ("c", ["--store", str(top / "s")])):
        assert main([*options, str(top / f"{name}.json"), *more]) == 0
    capsys.readouterr()
    assert numbers(top / "a.json") == numbers(top / "b.json") == numbers(top / "c.json")


def test_reports_that_show_texts_evaluate_again(top, capsys):
    options = ["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER", "--store", str(top / "s")]
    assert main(options) == 0
    assert main([*options, "--alignments", str(top / "a.jsonl")]) == 0
    assert "5 evaluated, 0 there already" in capsys.readouterr().err
    assert len((top / "a.jsonl").read_text().splitlines()) > 5


@pytest.mark.parametrize("option", ["--force", "--prune", "--store-lines"])
def test_options_of_a_store_need_one(top, capsys, option):
    assert main(["eval", str(top / "gt"), str(top / "hyp"), option]) == 2
    assert f"{option}: there is no store; add --store DIR" in capsys.readouterr().err


def test_a_store_has_to_be_a_folder_of_this_machine(top, capsys, monkeypatch):
    monkeypatch.chdir(top)
    assert main(["eval", "gt", "hyp", "--store", "s3://bucket/store"]) == 2
    assert "--store s3://bucket/store: a store is a folder of this machine" in capsys.readouterr().err
    assert not (top / "s3:").exists()
