"""Measure ids: eighteen of them, parsed in any spelling, printed in one."""

from __future__ import annotations

import pytest

from pagemeter.errors import MeasureError
from pagemeter.measure import ALL, IDS, Measure, named


def test_there_are_eighteen_measures_each_once():
    assert len(IDS) == len(set(IDS)) == 18


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_printing_and_parsing_are_inverse(measure):
    assert Measure.parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("CER^{R,S}", "CER:RS"), ("CER^R", "CER:R"), ("cer:gsr", "CER:RSG"), ("WER^{S, G}", "WER:SG"),
        ("wer", "WER"), ("CER:SR", "CER:RS"), ("BOW^G", "BOW:G"), (" CER : R ", "CER:R"), ("CER^{}", "CER"),
    ],
)  # fmt: skip
def test_any_letter_order_and_the_papers_spelling_are_understood(spelling, name):
    assert str(Measure.parse(spelling)) == name


@pytest.mark.parametrize("name", ["", "CER:X", "CER:RR", "TER", "CER:RS:G", "R", "CER-R"])
def test_an_unknown_id_is_refused(name):
    with pytest.raises(MeasureError, match="unknown measure"):
        Measure.parse(name)


def test_an_unknown_id_suggests_the_nearest():
    with pytest.raises(MeasureError, match="did you mean CER:R"):
        Measure.parse("CERR:R")


@pytest.mark.parametrize("name", ["BOW:R", "BOW:S", "BOW:RG"])
def test_a_bag_of_words_has_neither_order_nor_lines(name):
    with pytest.raises(MeasureError, match="use BOW or BOW:G"):
        Measure.parse(name)


def test_several_ids_stand_in_one_string_or_in_several():
    expected = tuple(map(Measure.parse, ("CER:RS", "WER", "BOW")))
    assert named("CER^{R,S}, wer ,BOW,CER:SR", lambda: True) == expected
    assert named(["CER:RS, WER", Measure("BOW")], lambda: True) == expected


def test_places_are_looked_for_only_where_all_measures_are_asked_for():
    assert named("CER", lambda: 1 // 0) == (Measure("CER"),)
    assert named("all", lambda: True) == ALL
    assert named(["BOW:G", "ALL"], lambda: False)[-1] == Measure("BOW", geometry=True)


@pytest.mark.parametrize("names", [3, [3], [None], b"CER"])
def test_what_is_no_name_is_refused(names):
    with pytest.raises(MeasureError, match="named by a str"):
        named(names, lambda: True)


def test_an_empty_name_between_commas_is_refused():
    with pytest.raises(MeasureError, match="unknown measure ''"):
        named("CER,,WER", lambda: True)


@pytest.mark.parametrize("unit", ["CER:R", "TER", "cer", None])
def test_a_measure_is_made_of_a_unit_and_an_id_is_parsed(unit):
    with pytest.raises(MeasureError, match=r"known are: CER, WER, BOW; for an id .* use Measure\.parse"):
        Measure(unit)


def test_a_bag_of_words_cannot_be_made_with_order_or_lines():
    with pytest.raises(MeasureError, match=r"'BOW:RS'.*use BOW or BOW:G"):
        Measure("BOW", order=True, segmentation=True)
