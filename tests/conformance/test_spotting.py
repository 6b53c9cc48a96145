"""Keyword spotting: expected values of ../shared/data/kws, from other tools and from brute force."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

import pagemeter as pm
from helpers import SHARED, needs_shared
from pagemeter.spotting import SpottingSettings
from pagemeter.spotting.files import read_spots
from pagemeter.spotting.matching import augment, match
from pagemeter.spotting.measures import average_precision, ndcg, rank

pytestmark = needs_shared

KWS = SHARED / "kws"
CITLAB = KWS / "citlab" / "gt.json", KWS / "citlab" / "hyp-htr.json"
ICDAR = KWS / "icdar2017" / "ref.txt", KWS / "icdar2017" / "hyp.txt"

LISTED = SpottingSettings(ties="listed")
AP_SETTINGS = {
    "AP, ties averaged": SpottingSettings(),
    "AP, mean over all orders (brute force)": SpottingSettings(),
    "AP, ties as one point": SpottingSettings(ties="one-point"),
    "… interpolated": SpottingSettings(interpolate=True),
    "… interpolated, trapezoid (ICDAR2017 default)": SpottingSettings(interpolate=True, trapezoid=True),
    "AP, least": SpottingSettings(ties="worst"),
    "AP, greatest": SpottingSettings(ties="best"),
    "Java AP": LISTED,
}
NDCG_SETTINGS = {"NDCG": LISTED, "Java NDCG": SpottingSettings.of("citlab")}


def vectors():
    return json.loads((KWS / "vectors.json").read_text(encoding="utf-8")) if KWS.is_dir() else {}


CASES = {name: case for name, case in vectors().items() if "hits" in case and "references" in case}
CASES.pop("Java unit test", None)


@pytest.mark.parametrize("name", CASES)
def test_small_cases(name):
    case = CASES[name]
    scores, right = [score for score, _ in case["hits"]], [hit for _, hit in case["hits"]]
    for measure, expected in case["expected"].items():
        settings = {**AP_SETTINGS, **NDCG_SETTINGS}[measure]
        ranking = rank(scores, right, [1] * case["references"], settings)
        value = (average_precision if measure in AP_SETTINGS else ndcg)(ranking, settings)
        assert value == pytest.approx(expected, abs=1e-12), measure


def test_a_matching_in_which_the_first_fit_loses_a_hit():
    case = vectors()["pairs for matching"]
    found = [partner for partner in augment(case["adjacent"]) if partner is not None]
    assert len(found) == case["most_tp"] > case["greedy_tp"]


def test_the_example_of_icdar_2017():
    case = vectors()["ICDAR2017 tool, its own example"]
    result = pm.kws(*ICDAR, preset="icdar2017")
    plain = pm.kws(*ICDAR, preset="icdar2017", ties="listed", interpolate=False, trapezoid=False)
    for name in ("gAP", "mAP", "gNDCG", "mNDCG"):
        assert result[name] == pytest.approx(case["expected"][name], abs=5e-7)
        expected = case["without_collapse_interpolation_trapezoid"][name]
        assert plain[name] == pytest.approx(expected, abs=5e-7)


def test_the_java_unit_test():
    case = vectors()["Java unit test"]
    result = pm.kws(*CITLAB, preset="citlab")
    for name, java in (
        ("gRP", "R_PRECISION"),
        ("gNDCG", "G_NCDG"),
        ("mAP", "MAP"),
        ("gAP", "GAP"),
        ("recall", "RECALL"),
        ("P@10", "PRECISION_AT_10"),
        ("precision", "PRECISION"),
        ("mNDCG", "M_NCDG"),
        ("wmAP", "WMAP"),
    ):
        assert result[name] == pytest.approx(case["expected"][java], abs=1e-12), name
    for name in ("queries", "references", "hits", "true_positives"):
        assert result[name] == case[name]


def test_standard_values_on_the_matches_of_the_java_unit_test():
    expected = vectors()["Java unit test"]["standard_on_the_same_matches"]
    trec = pm.kws(*CITLAB, preset="trec", position="line")
    for name, value in (
        ("mAP", "mAP_trec_eval"),
        ("mRP", "Rprec_trec_eval"),
        ("P@10", "P_10_trec_eval"),
        ("mNDCG", "ndcg_trec_eval"),
        ("NDCG@10", "ndcg_cut_10"),
    ):
        assert trec[name] == pytest.approx(expected[value], abs=1e-12), name
    for ties, value in (("mean", "averaged"), ("worst", "least"), ("best", "greatest")):
        name = "gAP_ties_averaged" if value == "averaged" else f"gAP_{value}"
        result = pm.kws(*CITLAB, ties=ties, position="line")
        assert result["gAP"] == pytest.approx(expected[name], abs=1e-12)
    curve = pm.kws(*CITLAB, interpolate=True, trapezoid=True, position="line")
    assert curve["gAP"] == pytest.approx(expected["gAP_interpolated_trapezoid"], abs=1e-6)
    assert curve["mAP"] == pytest.approx(expected["mAP_interpolated_trapezoid"], abs=1e-6)
    assert pm.kws(*CITLAB, ties="best", position="line")["gNDCG"] == pytest.approx(
        expected["gNDCG"], abs=1e-6
    )


def test_every_match_is_that_of_the_java_tool():
    spots = read_spots(CITLAB[0].read_bytes(), "gt", CITLAB[1].read_bytes(), "hyp", "citlab")
    ours = defaultdict(list)
    for hit, result in zip(spots.hits, match(spots, SpottingSettings.of("citlab")), strict=True):
        ours[hit.query].append((hit.score, "FP" if result.reference is None else "TP"))
    java = defaultdict(list)
    for row in (KWS / "java-unit-test-matches.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, score, kind = row.split("\t")
        if kind != "FN":
            java[query].append((float(score), kind))
    assert {query: sorted(hits) for query, hits in ours.items()} == {
        query: sorted(hits) for query, hits in java.items()
    }
    assert pm.kws(CITLAB[0], CITLAB[1].with_name("hyp-bot.json"), preset="citlab")["queries"] == 55
