"""The selection of measures, and the signature that reproduces a run."""

from __future__ import annotations

import pytest

from pagemeter.corpus import MeasureSelection, Reader, Readers, RunConfig
from pagemeter.corpus.run_config import signature_version
from pagemeter.errors import MeasureError, UsageError
from pagemeter.measure import ALL as EVERY
from pagemeter.settings import Settings
from pagemeter.stats import Resampling

ALL = MeasureSelection(EVERY)
CONFIGS = [
    RunConfig(),
    RunConfig(ALL),
    RunConfig(MeasureSelection(EVERY, frozenset(EVERY[1:2]))),
    RunConfig(
        MeasureSelection(EVERY[:1]),
        Settings(unit="codepoint", threshold=0.1),
        Readers.same(level="word", order="document"),
    ),
    RunConfig(
        ALL,
        Settings(drop_lines="^a|b: 'c$"),
        Readers(Reader("page", "word", dpi=300.5), Reader("alto", None, "top-down", "latin-1", 300.5)),
        True,
    ),
    RunConfig(
        MeasureSelection(EVERY[:1], budget=("CER", "WER")), resampling=Resampling(0.9, 500, 7, "folder")
    ),
    RunConfig(ALL, Settings(strip=("digits",), hyphens="join", mapping="long-s"), skip_missing=True),
]


@pytest.mark.parametrize("config", CONFIGS)
def test_a_configuration_is_restored_from_its_signature(config):
    assert RunConfig.from_signature(config.signature) == config


def test_a_signature_has_all_measures_and_the_options_that_are_not_the_default():
    signature = CONFIGS[3].signature
    assert signature.startswith("measures:CER:R|level:word|order:document|confidence:")
    assert "|solver:exact|unit:codepoint|" in signature
    assert "encoding" not in signature


def test_a_signature_names_options_of_both_sides_once():
    readers = Readers(Reader(format="page", encoding="utf-8"), Reader(format="page", encoding="latin-1"))
    assert RunConfig(ALL, readers=readers).signature.split("|")[1:4] == [
        "format:page",
        "gt_encoding:utf-8",
        "hyp_encoding:latin-1",
    ]


def test_an_option_of_one_side_overrides_that_of_both_sides():
    readers = RunConfig.from_signature("hyp_level:word|level:line").readers
    assert (readers.gt.level, readers.hyp.level) == ("line", "word")


def test_a_signature_may_have_settings_only():
    assert RunConfig.from_signature(Settings(case="fold").signature) == RunConfig(
        settings=Settings(case="fold")
    )


def test_a_signature_may_have_measures_only():
    assert RunConfig.from_signature("measures:CER,WER:SG").signature.startswith("measures:CER,WER:SG|")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("measures:CER|levle:word", "levle"),
        ("measures:XER", "unknown measure"),
        ("missing:count", "unknown value missing:count"),
        ("dpi:many", "not a number"),
        ("seed:x", "seed:x is not a whole number"),
        ("resamples:1e4", "not a whole number"),
        ("strata:page", "Use one of none, folder, document"),
        ("measures:CER|budget:BOW", "budget='BOW': unknown value. Use CER, WER or none"),
        ("gt_dpi:many", "not a number"),
        ("level:block", "unknown level"),
        ("nonsense", "name:value"),
    ],
)
def test_a_wrong_signature_is_a_usage_error(line, reason):
    with pytest.raises(UsageError, match=reason):
        RunConfig.from_signature(line)


def test_spaces_around_a_signature_are_ignored():
    assert RunConfig.from_signature(f"  {RunConfig(ALL).signature}\n") == RunConfig(ALL)


def test_the_version_of_a_signature_is_found():
    assert signature_version(RunConfig(ALL).signature)
    assert signature_version("measures:CER") is None


def test_only_a_geometry_measure_can_be_optional():
    with pytest.raises(MeasureError, match="Write CER:R"):
        MeasureSelection.of(["CER:R?"])


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("CER:R,CER:S", "CER:R CER:S"),
        ("CER^{R,S},WER", "CER:RS WER"),
        ("CER:R,S, wer:s,g? ,BOW", "CER:RS WER:SG? BOW"),
        ("bow,all", None),
    ],
)
def test_measures_may_be_separated_by_commas(asked, names):
    selection = MeasureSelection.of([asked])
    assert " ".join(selection.ids) == names if names else len(selection.measures) == len(EVERY)


def test_each_measure_is_selected_once_and_in_order():
    assert MeasureSelection.of(["wer", "CER^{S,R}", "WER"]).ids == ("WER", "CER:RS")


def test_an_unknown_measure_suggests_the_nearest():
    with pytest.raises(MeasureError, match="did you mean"):
        MeasureSelection.of(["CER:RX"])
