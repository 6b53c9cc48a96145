"""Results of keyword spotting: settings, presets, totals and intervals."""

from __future__ import annotations

import json
import math
import random

import pytest

import pagemeter as pm
from pagemeter.errors import NotEvaluatedError, UsageError
from pagemeter.run_settings import Resampling
from pagemeter.spotting import PRESETS, Hit, Reference, Spots, SpottingSettings, evaluate_spots

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 0}}
RUN = {"q1": {"a": 0.9, "x": 0.8, "b": 0.7}, "q2": {"y": 0.6}, "q3": {"d": 0.95}}


def random_spots(seed, queries=12):
    rng = random.Random(seed)
    names = [f"q{number}" for number in range(queries)]
    references = [
        Reference(name, f"d{rng.randint(0, 6)}") for name in names for _ in range(rng.randint(0, 3))
    ]
    hits = [
        Hit(name, f"d{rng.randint(0, 6)}", rng.choice([0.1, 0.5, 0.9]))
        for name in names
        for _ in range(rng.randint(0, 5))
    ]
    return Spots(tuple(references), tuple(hits), tuple(names))


def test_means_and_pooled_measures():
    result = pm.kws(QRELS, RUN)
    assert [one.query for one in result.queries] == ["q1", "q2"]
    ap = (1 + 2 / 3) / 2
    assert result["mAP"] == pytest.approx(ap / 2)
    assert result["wmAP"] == pytest.approx(2 * ap / 3)
    assert result["gAP"] == pytest.approx((1 / 2 + 2 / 4) / 3)  # all hits, also those of q3
    assert result["recall"] == pytest.approx(2 / 3)
    assert result["mRP"] == pytest.approx(0.25)
    assert result["P@1"] == 0.5
    assert (result["F1"], result["threshold"]) == (pytest.approx(4 / 7), 0.7)


@pytest.mark.parametrize(("how", "expected"), [("skip", 1), ("zero", 1 / 3), ("silence", 2 / 3)])
def test_queries_without_references(how, expected):
    spots = Spots((Reference("a", "1"),), (Hit("a", "1", 1), Hit("b", "1", 1)), ("a", "b", "c"))
    result = evaluate_spots(spots, SpottingSettings(unanswerable=how))
    assert result["mAP"] == pytest.approx(expected)


def test_repeated_hits_are_false_positives_or_ignored():
    spots = Spots((Reference("a", "1"),), (Hit("a", "1", 0.9), Hit("a", "1", 0.8)))
    assert evaluate_spots(spots, SpottingSettings())["precision"] == 0.5
    ignored = evaluate_spots(spots, SpottingSettings(repeats="ignore"))
    assert (ignored["precision"], ignored["hits"], ignored.queries[0].repeated) == (1, 1, 1)


def test_names_of_measures_are_found_in_any_case_and_suggested():
    result = pm.kws(QRELS, RUN)
    assert result["map"] == result["MAP"] == result["mAP"]
    assert result["WMAP"] == result["wmAP"]
    assert "mAP" in result
    with pytest.raises(NotEvaluatedError, match="did you mean"):
        result["mAPP"]


def test_graded_relevance_counts_in_ndcg():
    result = pm.kws({"q": {"a": 3, "b": 1}}, {"q": {"b": 0.9, "a": 0.5}})
    ideal = 3 + 1 / math.log2(3)
    assert result["mNDCG"] == pytest.approx((1 + 3 / math.log2(3)) / ideal)


def test_presets_expand_to_settings_and_a_change_marks_them():
    for name, settings in PRESETS.items():
        assert SpottingSettings.of(name) == settings
        assert settings.signature.startswith(f"kws|preset:{name}|")
    assert "preset:trec*|ties:mean" in pm.kws(QRELS, RUN, preset="trec", ties="mean").signature
    assert pm.kws(QRELS, RUN, preset="trec", ties="document").settings.preset == "trec"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "trek"}, "did you mean trec"),
        ({"ties": "meen"}, "did you mean mean"),
        ({"interpolat": True}, "did you mean interpolate"),
        ({"ties": "mean", "trapezoid": True}, "needs one order"),
        ({"overlap": 1}, "from 0 to below 1"),
        ({"ranks": (0,)}, "whole numbers from 1"),
        ({"repeats": "no"}, "use one of fp, ignore|Use one of fp, ignore"),
    ],
)
def test_wrong_settings_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        pm.kws(QRELS, RUN, **options)


def test_a_curve_implies_one_order_of_ties():
    assert SpottingSettings(trapezoid=True).ties == "one-point"
    assert SpottingSettings(interpolate=True, ties="listed").ties == "listed"


def test_interval_of_a_mean_is_that_of_resampled_means():
    spots = random_spots(3)
    resampling = Resampling(resamples=400, seed=7)
    result = evaluate_spots(spots, SpottingSettings(), resampling)
    again = evaluate_spots(spots, SpottingSettings(), resampling)
    assert result.intervals == again.intervals
    for name in ("mAP", "gAP", "wmAP", "mRP", "gRP", "mNDCG", "gNDCG", "F1", "recall", "precision", "P@5"):
        low, high = result.intervals[name]
        assert low <= result[name] <= high


@pytest.mark.parametrize("ties", ["mean", "one-point", "best"])
def test_a_resample_is_the_evaluation_of_repeated_queries(ties):
    """Each query drawn k times equals k queries with copies of its references and hits."""
    import numpy as np

    from pagemeter.spotting.evaluation import QueryPool

    settings = SpottingSettings(ties=ties)
    spots = random_spots(5, queries=6)
    seen = []
    means, pooled = QueryPool._means, QueryPool._pooled

    def record(self, drawn, columns, counts):
        seen.append((drawn, means(self, drawn, columns, counts) | pooled(self, drawn)))
        return seen[-1][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QueryPool, "_means", record)
        evaluate_spots(spots, settings, Resampling(resamples=100)).intervals  # noqa: B018
    for drawn, values in seen[:20]:
        times = dict(zip(spots.names, drawn.astype(np.int64).tolist(), strict=True))
        copies = [(name, copy) for name in spots.names for copy in range(times[name])]
        repeated = Spots(
            tuple(
                Reference(f"{n}/{c}", r.document) for n, c in copies for r in spots.references if r.query == n
            ),
            tuple(
                Hit(f"{n}/{c}", h.document, h.score) for n, c in copies for h in spots.hits if h.query == n
            ),
            tuple(f"{n}/{c}" for n, c in copies),
        )
        expected = evaluate_spots(repeated, settings)
        for name, value in values.items():
            assert value == pytest.approx(expected[name]), name


def test_very_many_hits_are_resampled_less_often(monkeypatch):
    from pagemeter.spotting import evaluation

    spots, resampling = random_spots(3), Resampling(resamples=400)
    expected = evaluate_spots(spots, SpottingSettings(), resampling).intervals
    monkeypatch.setattr(evaluation, "MAX_DRAWN_HITS", 1)
    fewer = evaluate_spots(spots, SpottingSettings(), resampling).intervals
    assert fewer["mAP"] == expected["mAP"]
    assert fewer["gAP"] != expected["gAP"]
    hundred = evaluate_spots(spots, SpottingSettings(), Resampling(resamples=100)).intervals
    assert fewer["gAP"] == hundred["gAP"]


def test_few_queries_have_no_interval():
    assert pm.kws(QRELS, RUN).intervals == {}


def test_worst_queries_come_first():
    assert [one.query for one in pm.kws(QRELS, RUN).worst()] == ["q2", "q1"]


def test_json_and_html_contain_the_result(tmp_path):
    result = pm.kws(QRELS, RUN)
    document = json.loads(result.to_json())
    assert document["signature"] == result.signature
    assert document["total"] == {**result}
    assert [query["query"] for query in document["queries"]] == ["q1", "q2"]
    result.to_json(tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == document
    hostile = pm.kws({"<b>&": {"a": 1}}, {"<b>&": {"a": 1}})
    hostile.to_html(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page
    assert hostile.signature in page


def test_a_run_may_be_empty_and_scores_are_numbers():
    assert pm.kws({"q": {"a": 1}}, {})["mAP"] == 0
    assert pm.kws({"q": {"a": 0}}, {"q": {"a": 1}}, preset="trec")["queries"] == 1
    assert pm.kws({"q": {"a": 1}}, {"q": {"b": 0, "a": -math.inf}})["mAP"] == 0.5
    with pytest.raises(UsageError, match="not a number"):
        pm.kws({"q": {"a": 1}}, {"q": {"a": math.nan}})


def test_nothing_found_has_no_threshold():
    result = pm.kws({"q": {"a": 1}}, {"q": {"b": 1}})
    assert math.isnan(result["threshold"])
    assert json.loads(result.to_json())["total"]["threshold"] is None
