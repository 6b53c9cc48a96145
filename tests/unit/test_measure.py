"""The eighteen measures and their ids."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from pagemeter.errors import MeasureError
from pagemeter.measure import ALL, IDS, Measure, parse_measures


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
    with pytest.raises(MeasureError, match="Use BOW or BOW:G"):
        Measure.parse(name)


def test_several_ids_are_given_in_one_string_or_in_several():
    expected = tuple(map(Measure.parse, ("CER:RS", "WER", "BOW")))
    assert parse_measures("CER^{R,S}, wer ,BOW,CER:SR", lambda: True) == expected
    assert parse_measures(["CER:RS, WER", Measure("BOW")], lambda: True) == expected


def test_positions_are_checked_only_for_all_measures():
    assert parse_measures("CER", lambda: 1 // 0) == (Measure("CER"),)
    assert parse_measures("all", lambda: True) == ALL
    assert parse_measures(["BOW:G", "ALL"], lambda: False)[-1] == Measure("BOW", geometry=True)


@pytest.mark.parametrize("names", [3, [3], [None], b"CER"])
def test_other_objects_are_no_names(names):
    with pytest.raises(MeasureError, match="named by a str"):
        parse_measures(names, lambda: True)


def test_an_empty_name_between_commas_is_refused():
    with pytest.raises(MeasureError, match="unknown measure ''"):
        parse_measures("CER,,WER", lambda: True)


@pytest.mark.parametrize("unit", ["CER:R", "TER", "cer", None])
def test_a_measure_takes_a_unit_and_not_an_id(unit):
    with pytest.raises(MeasureError, match=r"Use CER, WER, BOW, BOC, LCS, HWER, or Measure\.parse for an id"):
        Measure(unit)


def test_a_bag_of_words_cannot_be_created_with_order_or_lines():
    with pytest.raises(MeasureError, match=r"'BOW:RS'.*Use BOW or BOW:G"):
        Measure("BOW", order=True, segmentation=True)


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_a_measure_is_its_id_and_can_be_copied(measure):
    assert {measure: 1}[str(measure)] == {str(measure): 1}[measure] == 1
    assert json.loads(json.dumps({measure: 1})) == {str(measure): 1}
    for other in (pickle.loads(pickle.dumps(measure)), copy.deepcopy(measure)):  # noqa: S301
        assert isinstance(other, Measure)
        assert (other.unit, other.letters) == (measure.unit, measure.letters)
