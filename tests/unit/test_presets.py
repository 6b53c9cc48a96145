"""Presets: expansion, signatures, overrides, and numbers in the terms of other tools."""

from __future__ import annotations

import json
import math

import pytest

import pagemeter as pm
from pagemeter.corpus import RunConfig
from pagemeter.errors import UsageError
from pagemeter.presets import TOOL_PRESETS, find_preset

GT, HYP = "one line\nand another\n", "one lime\nand an other\n"


@pytest.mark.parametrize("name", TOOL_PRESETS)
def test_every_preset_has_its_terms(name):
    page = pm.evaluate(GT, HYP, preset=name)
    assert page.peer
    assert all(math.isfinite(value) for value in page.peer.values())
    assert set(map(str, find_preset(name).own)) <= set(page)
    corpus = pm.evaluate_corpus([GT, "ab\n"], [HYP, "ab\n"], preset=name)
    assert set(page.peer) <= set(corpus.peer)
    assert json.loads(corpus.to_json())["peer"]["total"] == pytest.approx(corpus.peer)


@pytest.mark.parametrize("name", TOOL_PRESETS)
def test_an_empty_page_has_terms_too(name):
    for gt, hyp in (("", ""), ("", "x"), ("x", "")):
        assert pm.evaluate(gt, hyp, preset=name).peer


@pytest.mark.parametrize("name", TOOL_PRESETS)
def test_a_preset_is_the_same_as_its_settings(name):
    preset = find_preset(name)
    by_name, by_settings = pm.Settings(preset=name), pm.Settings(**preset.settings)
    assert by_name.signature == f"preset:{preset.label}|{by_settings.signature}"
    assert by_name.with_(preset=None) == by_settings
    assert pm.Settings().with_(preset=name) == by_name


@pytest.mark.parametrize("name", TOOL_PRESETS)
def test_a_signature_restores_a_preset(name):
    settings = pm.Settings(preset=name)
    assert pm.Settings.from_signature(settings.signature) == settings
    config = RunConfig(settings=settings)
    assert RunConfig.from_signature(config.signature) == config
    assert config.selection.ids == find_preset(name).all_measures


def test_a_signature_with_measures_and_a_preset_is_restored():
    result = pm.evaluate_corpus([GT], [HYP], ["CER:T"], preset="jiwer@4.0")
    assert RunConfig.from_signature(result.signature).settings == pm.Settings(preset="jiwer")
    assert result.signature.startswith("measures:CER:T|")


def test_an_override_is_marked():
    settings = pm.Settings(preset="dinglehopper", case="fold")
    assert settings.case == "fold"
    assert settings.signature.startswith("preset:dinglehopper@0.11*|")
    assert settings.changes_of_preset == ("case",)
    assert pm.Settings.from_signature(settings.signature) == settings
    assert pm.Settings(preset="dinglehopper").with_(whitespace="keep").changes_of_preset == ("whitespace",)
    assert pm.Settings(preset="dinglehopper", whitespace="strip").changes_of_preset == ()


def test_the_limits_of_a_search_are_no_override():
    assert pm.Settings(preset="isri", effort="quick", time_limit=3).changes_of_preset == ()


def test_a_preset_that_expands_to_other_settings_is_refused():
    line = pm.Settings(preset="isri").signature.replace("line_end:counted-given", "line_end:counted")
    with pytest.raises(UsageError, match="no longer has these settings: line_end"):
        pm.Settings.from_signature(line)
    changed = line.replace("preset:isri@7.0", "preset:isri@7.0*")
    assert pm.Settings.from_signature(changed).line_end == "counted"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dinglehoper", "did you mean dinglehopper"),
        ("jiwer@3", "that of version 4.0"),
        ("jiwer@4.01", "that of version 4.0"),
        (3, "unknown preset"),
    ],
)
def test_an_unknown_preset_is_an_error(name, message):
    with pytest.raises(UsageError, match=message):
        pm.evaluate(GT, HYP, preset=name)


@pytest.mark.parametrize("name", ["jiwer", "JIWER@4.0", "jiwer@4.0.0", "jiwer@4.0*", "jiwer@4"])
def test_names_of_versions(name):
    assert find_preset(name).label == "jiwer@4.0"


def test_measures_may_be_named_as_well():
    page = pm.evaluate(GT, HYP, ["CER:RS"], preset="dinglehopper")
    assert list(page) == ["CER:RS"]
    assert page.peer == {}


def test_numbers_in_the_terms_of_the_tools():
    assert pm.evaluate(GT, HYP, preset="dinglehopper").peer == {
        "cer": 2 / 20, "n_characters": 20, "wer": 3 / 4, "n_words": 4,
    }  # fmt: skip
    isri = pm.evaluate(GT, HYP, preset="isri").peer
    assert (isri["characters"], isri["errors"], isri["misrecognized"]) == (21, 2, 2)
    assert isri["accuracy"] == pytest.approx(100 * 19 / 21)
    e2e = pm.evaluate("a b c d", "a x c d e", preset="e2e").peer
    assert [e2e[name] for name in "SIDC"] == [1, 1, 0, 3]
    torch = pm.evaluate("ab", "ab c", preset="torchmetrics").peer
    assert (torch["CharErrorRate"], torch["MatchErrorRate"]) == (1.0, 0.5)
    assert pm.evaluate("", "a b", preset="jiwer").peer["wer"] == 2.0
    assert pm.evaluate("", "a b", preset="spacer").peer["SpACER char"] == 0.0


def test_the_mean_of_pages():
    pages = ["abcd", "ab"], ["abcx", "xy"]
    assert pm.evaluate_corpus(*pages, preset="dinglehopper").peer["cer"] == (0.25 + 1) / 2
    assert pm.evaluate_corpus(*pages, preset="jiwer").peer["cer"] == 3 / 6
    digital = pm.evaluate_corpus(*pages, preset="digital-eval").peer
    assert (digital["Cs"], digital["Cs σ"]) == (37.5, 37.5)
    equal = pm.evaluate_corpus(["abc"] * 3, ["abd"] * 3, preset="digital-eval").peer
    assert equal["Cs σ"] == 0


def test_a_changed_preset_is_marked_wherever_it_is_named():
    result = pm.evaluate_corpus(["One"], ["one"], preset="jiwer", case="fold")
    assert str(result).startswith("jiwer@4.0*: cer 0 ")
    assert json.loads(result.to_json())["peer"]["preset"] == "jiwer@4.0*"


def test_a_string_without_a_line_end_is_measured_as_it_is():
    """Strings of torchmetrics have no line end; the last one of a file counts there."""
    assert pm.evaluate("abc", "abd", preset="torchmetrics")["CER:T"].rate == 1 / 3
    assert pm.evaluate("abc\n", "abd\n", preset="torchmetrics")["CER:T"].rate == 1 / 4


def test_a_meter_has_a_preset():
    meter = pm.Meter(preset="torchmetrics")
    meter.update(["abc"], ["abd"])
    assert meter.compute().peer["CharErrorRate"] == 1 / 3


@pytest.mark.parametrize("name", ["torchmetrics", "spacer", "dinglehopper", "jiwer", "isri"])
def test_a_blank_hypothesis_keeps_the_white_space_that_counts(name):
    for gt, hyp in (("a b", " \u00a0"), ("a\nb", "\n\n"), ("a", ""), ("", "\n \n")):
        page, pages = pm.evaluate(gt, hyp, preset=name), pm.evaluate_corpus([gt], [hyp], preset=name)
        assert {str(measure): score.counts for measure, score in page.scores.items()} == {
            measure: score.counts for measure, score in pages.totals.items()
        }
