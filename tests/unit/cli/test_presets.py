"""`pagemeter presets`, and presets of `pagemeter eval` and `pagemeter compare`."""

from __future__ import annotations

import json
import shlex

import pytest

from collected import evaluate
from pagemeter.presets import TOOL_PRESETS


def test_all_presets_are_listed_with_their_options(run):
    code, out, _ = run("presets")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()[::2]] == [
        preset.label for preset in TOOL_PRESETS.values()
    ]


def test_the_listed_options_give_the_numbers_of_the_preset(run, good):
    """Only the measures that the preset adds, and its name in the signature, are missing."""
    options = shlex.split(run("presets")[1].splitlines()[1])
    evaluate(run, good, *options, "--json", good / "options.json")
    evaluate(run, good, "--preset", "dinglehopper", "--json", good / "preset.json")
    listed, preset = (json.loads((good / f"{name}.json").read_text()) for name in ("options", "preset"))
    assert listed["total"] == {name: preset["total"][name] for name in listed["total"]}
    assert preset["peer"]["preset"] == "dinglehopper@0.11"
    assert preset["peer"]["total"]["cer"] == preset["total"]["CER:T"]["rate"]
    assert preset["pages"][0]["peer"]["n_words"] > 0
    assert "peer" not in listed


@pytest.mark.parametrize("name", TOOL_PRESETS)
def test_numbers_in_the_terms_of_the_tool_are_printed_first(run, good, name):
    code, out, _ = evaluate(run, good, "--preset", name)
    assert code == 0
    assert out.startswith(f"{TOOL_PRESETS[name].label}: ")
    assert TOOL_PRESETS[name].why in out


def test_reports_have_the_numbers_of_the_tool(run, good):
    evaluate(run, good, "--preset", "isri", "--markdown", good / "r.md", "--html", good / "r.html")
    assert "isri@7.0: characters" in (good / "r.md").read_text()


def test_a_signature_with_a_preset_reproduces_the_numbers(run, good):
    _, out, _ = evaluate(run, good, "--preset", "jiwer")
    signature = out.rstrip().splitlines()[-1]
    assert evaluate(run, good, "--from-signature", signature)[1] == out


def test_a_comparison_refuses_rates_that_its_tests_do_not_have(run, good):
    code, _, err = run("compare", good / "gt", good / "hyp", good / "gt", "--average", "macro")
    assert code == 2
    assert "--average micro" in err
