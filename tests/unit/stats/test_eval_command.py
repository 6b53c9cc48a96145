"""What `pagemeter eval` says about budgets and intervals."""

from __future__ import annotations

import json

import pytest

from pagemeter.cli import main


@pytest.fixture
def top(tmp_path):
    """Four pages in two folders, read with some errors, two lines merged and two swapped."""
    for place, name in enumerate(("a/1", "a/2", "b/1", "b/2")):
        lines = [f"line {number} of page {place}" for number in range(6)]
        for side in ("gt", "hyp"):
            path = tmp_path / side / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines))
            lines = [lines[1], f"{lines[0]} {lines[2]}", *lines[3:5], lines[5].replace("l", "1"), "x" * place]
    return tmp_path


@pytest.fixture
def run(top, capsys):
    """Evaluates the pages: the exit code, the JSON and the text."""

    def call(*options):
        arguments = [str(part) for part in ("eval", top / "gt", top / "hyp", *options)]
        code = main([*arguments, "--json", str(top / "out.json")])
        made = json.loads((top / "out.json").read_text()) if code == 0 else {}
        said = capsys.readouterr()
        return code, made, said.out + said.err

    return call


def test_the_default_measures_come_with_a_budget_of_cer(run):
    code, made, text = run()
    assert code == 0
    assert set(made["budgets"]) == {"CER:R"}
    assert "CER" not in made["total"], "what only the budget needs is no result"
    assert "CER" not in made["pages"][0]["measures"]
    assert "recognition █ + " in text
    assert "|budget:CER|" in made["signature"]


def test_named_measures_have_a_budget_only_if_they_suffice(run):
    assert run("-m", "CER:R,CER:RS,CER:S")[1]["budgets"] == {}
    _, made, _ = run("-m", "CER:R,CER:RS,CER:S,CER")
    assert set(made["budgets"]) == {"CER:R"}
    assert "budget" not in made["signature"]


def test_a_budget_can_be_asked_for(run):
    _, made, _ = run("-m", "BOW", "--budget", "WER")
    assert list(made["total"]) == ["BOW"]
    assert made["budgets"]["WER:R"]["errors"] > 0
    assert set(run("--budget", "CER,WER")[1]["budgets"]) == {"CER:R", "WER:R"}


def test_a_budget_can_be_left_out(run):
    _, made, text = run("--budget", "none")
    assert made["budgets"] == {}
    assert "█" not in text


def test_a_budget_of_something_else_is_wrong_usage(run):
    code, _, text = run("--budget", "BOW")
    assert code == 2
    assert "no budget of 'BOW'; known are: CER, WER, none" in text


def test_the_signature_reproduces_the_budget(run):
    _, made, _ = run("-m", "BOW", "--budget", "WER")
    assert run("--from-signature", made["signature"])[1] == made
