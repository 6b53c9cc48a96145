"""The line that reproduces a run."""

from __future__ import annotations

import pytest

from pagemeter.corpus import Reader, Reading, Recipe, Wanted
from pagemeter.corpus.recipe import version_of
from pagemeter.errors import UsageError
from pagemeter.measure import ALL as EVERY
from pagemeter.settings import Settings
from pagemeter.stats import Resampling

ALL = Wanted(EVERY)
RECIPES = [
    Recipe(),
    Recipe(ALL),
    Recipe(Wanted(EVERY, frozenset(EVERY[1:2]))),
    Recipe(
        Wanted(EVERY[:1]),
        Settings(unit="codepoint", threshold=0.1),
        Reading.alike(level="word", order="document"),
    ),
    Recipe(
        ALL,
        Settings(drop_lines="^a|b: 'c$"),
        Reading(Reader("page", "word", dpi=300.5), Reader("alto", None, "top-down", "latin-1", 300.5)),
        True,
    ),
    Recipe(Wanted(EVERY[:1], budget=("CER", "WER")), plan=Resampling(0.9, 500, 7, "folder")),
    Recipe(ALL, Settings(strip=("digits",), hyphens="join", mapping="long-s"), skip_missing=True),
]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_signature_gives_the_recipe_back(recipe):
    assert Recipe.from_signature(recipe.signature) == recipe


def test_a_signature_has_all_measures_and_what_differs_from_the_default():
    signature = RECIPES[3].signature
    assert signature.startswith("measures:CER:R|level:word|order:document|confidence:")
    assert "|solver:exact|unit:codepoint|" in signature
    assert "encoding" not in signature


def test_a_signature_says_once_what_holds_for_both_sides():
    reading = Reading(Reader(format="page", encoding="utf-8"), Reader(format="page", encoding="latin-1"))
    assert Recipe(ALL, reading=reading).signature.split("|")[1:4] == [
        "format:page",
        "gt_encoding:utf-8",
        "hyp_encoding:latin-1",
    ]


def test_what_a_signature_says_of_one_side_comes_before_what_it_says_of_both():
    reading = Recipe.from_signature("hyp_level:word|level:line").reading
    assert (reading.gt.level, reading.hyp.level) == ("line", "word")


def test_a_signature_of_settings_alone_is_understood():
    assert Recipe.from_signature(Settings(case="fold").signature) == Recipe(settings=Settings(case="fold"))


def test_a_signature_of_measures_alone_is_understood():
    assert Recipe.from_signature("measures:CER,WER:SG").signature.startswith("measures:CER,WER:SG|")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("measures:CER|levle:word", "levle"),
        ("measures:XER", "unknown measure"),
        ("missing:count", "only missing:skip"),
        ("dpi:many", "not a number"),
        ("seed:x", "seed:x is not such a number"),
        ("resamples:1e4", "not such a number"),
        ("strata:page", "known are none, folder, document"),
        ("measures:CER|budget:BOW", "no budget of 'BOW'"),
        ("gt_dpi:many", "not a number"),
        ("level:page", "unknown level"),
        ("nonsense", "name:value"),
    ],
)
def test_a_wrong_signature_is_wrong_usage(line, reason):
    with pytest.raises(UsageError, match=reason):
        Recipe.from_signature(line)


def test_blanks_around_a_signature_do_no_harm():
    assert Recipe.from_signature(f"  {Recipe(ALL).signature}\n") == Recipe(ALL)


def test_the_version_of_a_signature_is_found():
    assert version_of(Recipe(ALL).signature)
    assert version_of("measures:CER") is None
