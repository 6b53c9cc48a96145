"""Keyword spotting on pages."""

from __future__ import annotations

import numpy as np
import pytest

import pagemeter as pm
from pagemeter.errors import InputError, UsageError


def word(text, x, confidence=None):
    return pm.Word(text, confidence, polygon=((x, 80), (x + 90, 80), (x + 90, 100), (x, 100)))


def line(*words, text=None):
    return pm.Line(text or " ".join(one.text for one in words), ((0, 100), (900, 100)), words=words)


def test_words_are_found_where_they_are():
    gt = pm.Page((line(word("the", 0), word("cat,", 100), word("the", 300)),))
    hyp = pm.Page((line(word("the", 0, 0.9), word("car", 100, 0.8), word("the", 600, 0.4)),))
    result = pm.kws(gt, hyp)
    by_query = {one.query: one for one in result.queries}
    assert set(by_query) == {"the", "cat"}
    assert by_query["the"].ranking.true_positives == 1
    assert by_query["the"].values["AP"] == 0.5
    assert by_query["cat"].values["AP"] == 0
    assert result["mAP"] == 0.25


def test_scores_are_the_confidences():
    gt = pm.Page.from_text("one two")
    hyps = [
        pm.Page((pm.Line("one", words=(pm.Word("one", c),)), pm.Line("one", words=(pm.Word("one", 0.5),))))
        for c in (0.1, 0.9)
    ]
    for hyp in hyps:
        result = pm.kws(gt, hyp)
        assert [point.threshold for point in result.curve] == sorted(
            [0.5, hyp.lines[0].words[0].confidence], reverse=True
        )


def test_without_confidences_all_hits_are_tied_and_a_warning_says_so():
    result = pm.kws(["one two", "one"], ["one two", "none one one"])
    assert len(result.curve) == 1
    assert "no hit has a confidence" in str(result.warnings[0])
    assert result["recall"] == 1


def test_punctuation_is_not_part_of_a_query_and_case_can_be_folded():
    assert pm.kws(["(Cat)"], ["cat!"])["recall"] == 0
    assert pm.kws(["(Cat)"], ["cat!"], case="fold")["recall"] == 1


def test_queries_can_be_given_and_may_have_several_words():
    gt = pm.Page((line(word("New", 0), word("York", 100), word("New", 300)),))
    hyp = pm.Page((line(word("New", 0, 0.9), word("York", 100, 0.6), word("New", 300, 0.2)),))
    result = pm.kws(gt, hyp, queries=["New York", "missing"])
    assert [one.query for one in result.queries] == ["New York"]
    assert result["mAP"] == 1
    assert result.curve[0].threshold == 0.6
    assert "1 of 2 queries have no reference" in str(result.warnings[-1])
    with pytest.raises(InputError, match="no query occurs"):
        pm.kws(gt, hyp, queries=["missing"])


@pytest.mark.parametrize("queries", ["text", [], [""], [1]])
def test_wrong_queries_are_refused(queries):
    with pytest.raises(UsageError):
        pm.kws(["a"], ["a"], queries=queries)


def test_pages_without_a_hypothesis_have_no_hits(tmp_path):
    for side, names in (("gt", "12"), ("hyp", "1")):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.txt").write_text("word")
    result = pm.kws(tmp_path / "gt", tmp_path / "hyp")
    assert (result["references"], result["hits"]) == (2, 1)


def test_files_that_cannot_be_read_are_named(tmp_path):
    for side in ("gt", "hyp"):
        (tmp_path / side).mkdir()
        for name in "12":
            (tmp_path / side / f"{name}.xml").write_text(
                "<PcGts><Page><TextRegion><TextLine><TextEquiv><Unicode>one</Unicode></TextEquiv></TextLine>"
                "</TextRegion></Page></PcGts>"
            )
    (tmp_path / "hyp" / "2.xml").write_text("<PcGts>")
    result = pm.kws(tmp_path / "gt", tmp_path / "hyp")
    assert len(result.failed) == 1
    assert "2.xml" in str(result.failed[0])
    assert result["references"] == 2


@pytest.mark.parametrize(
    ("gt", "hyp", "message"),
    [
        ({"q": {"d": 1}}, {"q": {"d": "0.9"}}, r"hyp\['q'\]\['d'\] = '0.9' is not a number. Give a number"),
        ({"q": {"d": None}}, {"q": {"d": 1}}, r"gt\['q'\]\['d'\] = None is not a number"),
        ({"q": ["d"]}, {"q": {"d": 1}}, r"gt\['q'\] is of type list. Give a dictionary of queries"),
        ({"q": {"d": 1}}, [("q", "d")], r"hyp is of type list. Give a dictionary of queries"),
    ],
)
def test_a_wrong_score_is_named(gt, hyp, message):
    with pytest.raises(UsageError, match=message):
        pm.kws(gt, hyp)


def test_scores_may_be_numbers_of_numpy():
    scores = {"q": {"d1": np.float32(0.9), "d2": np.int64(0)}}
    assert pm.kws({"q": {"d1": np.int32(1)}}, scores)["mAP"] == 1
