"""evaluate, cer and wer: accepted pages, errors and results."""

from __future__ import annotations

import copy
import json
import pickle
import random

import numpy as np
import pandas as pd
import polars as pl
import pytest

import pagemeter as pm
from pagemeter.errors import (
    GeometryError,
    MeasureError,
    NotEvaluatedError,
    PathAsTextWarning,
    ScaleWarning,
    UnprovenWarning,
    UsageError,
)
from pagemeter.measure import ALL, DEFAULT
from pages import noisy, text_lines

HERE = ((0, 10), (100, 10))
THERE = ((0, 500), (100, 500))


def test_text_a_list_and_a_page_are_the_same_page():
    page = pm.Page((pm.Line("one"), pm.Line("two")))
    assert pm.cer("one\ntwo", ["one", "two"]) == pm.cer(page, "one\ntwo") == 0.0


def test_a_path_is_read_and_a_str_never_is(tmp_path):
    file = tmp_path / "page.txt"
    file.write_text("one\ntwo\n", encoding="utf-8")
    assert pm.cer(file, "one\ntwo") == 0.0
    with pytest.warns(PathAsTextWarning, match=r"ground truth .*page\.txt.* pathlib\.Path") as caught:
        assert pm.cer(str(file), "one\ntwo") > 0
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("wrong", [None, 1, b"bytes", ["one", 2], object()])
def test_other_objects_are_no_pages(wrong):
    with pytest.raises(UsageError, match="Give a Page"):
        pm.cer(wrong, "one")


@pytest.mark.parametrize("text", ["no such file", "", "a\0b", "x" * 10_000, "page.txt\n"])
def test_a_text_that_is_no_path_gives_no_warning(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.txt").write_text("one")
    assert pm.cer(text, text) == 0.0


@pytest.mark.parametrize("name", ["gt.xml", "gt/0001.txt", "C:\\gt\\1.xml", "page.HOCR", "{}/a page.xml"])
def test_the_name_of_a_file_that_does_not_exist_gives_a_warning(name, tmp_path):
    name = name.format(tmp_path)
    with pytest.warns(PathAsTextWarning, match="looks like the name of a file, which does not exist"):
        assert pm.cer(["text"], name) > 0


@pytest.mark.parametrize(
    "text",
    [
        "see fig.xml",
        "cf. folder/fig.xml",
        "the end.",
        "www.example.com",
        "12.30",
        ".xml",
        "e.g.",
        "a.b",
        "gt.xml\nb",
    ],
)
def test_a_line_that_contains_a_name_gives_no_warning(text):
    assert pm.cer(text, text) == 0.0


@pytest.mark.parametrize(
    "series",
    [np.array, lambda lines: pd.Series(lines, index=[7, 3]), pl.Series, pd.Index],
    ids=["numpy", "pandas", "polars", "index"],
)
def test_arrays_and_series_of_strings_are_pages(series):
    assert pm.cer(series(["one", "two"]), series(["one", "twe"])) == pm.cer("one\ntwo", "one\ntwe") == 1 / 6


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (np.array([["one"]]), "ndarray"),
        (np.array("one"), "ndarray"),
        (pd.DataFrame({"a": ["one"]}), "DataFrame"),
        (pd.Series(["one", None]), "index 1 is of type"),
        ({"one": "two"}, "dict"),
    ],
    ids=["2-d", "0-d", "frame", "missing value", "dict"],
)
def test_other_tables_are_no_pages(wrong, kind):
    with pytest.raises(UsageError, match=rf"{kind}.*Give a Page"):
        pm.cer(wrong, "one")


def test_the_keys_of_results_are_ids():
    evaluation = pm.evaluate("one", "one", "CER:R, WER")
    for keys in (evaluation, evaluation.scores, evaluation.seconds, evaluation.to_dict()):
        assert list(keys) == ["CER:R", "WER"]
        assert all(isinstance(key, str) for key in keys)
    assert evaluation.scores["WER"] == evaluation.scores[pm.Measure("WER")] == evaluation["wer"]


@pytest.mark.parametrize(("lines", "index", "kind"), [(["one", 2], 1, "int"), ([None], 0, "NoneType")])
def test_the_error_for_a_list_names_the_item_that_is_not_text(lines, index, kind):
    with pytest.raises(UsageError, match=rf"\(hypothesis\): the item with index {index} is of type {kind}"):
        pm.cer("one", lines)


def test_lines_and_generators_of_lines_are_pages():
    lines = [pm.Line("a", baseline=HERE)]
    assert pm.cer(lines, iter(lines), "G") == 0
    assert pm.cer(["a", "b"], (text for text in "ab")) == 0
    with pytest.raises(UsageError, match="index 0 is of type Line"):
        pm.evaluate([pm.Line("a"), "b"], "a")


def test_the_scores_of_an_evaluation_as_a_dict_are_json():
    made = json.loads(json.dumps(pm.evaluate("", "a", ["CER"]).to_dict()))
    assert made["CER"]["errors"] == 1
    assert made["CER"]["rate"] is None


def test_without_measures_the_defaults_are_evaluated():
    assert list(pm.evaluate("a", "a")) == [str(m) for m in DEFAULT]
    page = pm.Page((pm.Line("a", baseline=HERE),))
    assert list(pm.evaluate(page, page)) == list(DEFAULT)
    half = pm.Page((*page.lines, pm.Line("b")))
    assert list(pm.evaluate(page, half)) == [str(m) for m in DEFAULT]


def test_a_measure_is_found_under_any_spelling_but_only_if_evaluated():
    ev = pm.evaluate("a b", "a b", ["CER:RS"])
    assert ev["CER^{S,R}"] is ev["CER:RS"]
    assert "CER:SR" in ev
    assert "WER" not in ev
    assert "nonsense" not in ev
    with pytest.raises(NotEvaluatedError, match=r"^WER was not evaluated.*evaluated are: CER:RS"):
        ev["WER"]
    with pytest.raises(KeyError, match=r"^CER:R was not evaluated \(did you mean CER:RS\?\)"):
        ev["CER:R"]
    with pytest.raises(MeasureError, match=r"unknown measure 'CRE:RS' \(did you mean CER:RS\?\)"):
        ev["CRE:RS"]
    assert ev.get("WER") is ev.get("nonsense") is None


def test_an_attribute_of_a_score_is_not_one_of_an_evaluation():
    ev = pm.evaluate("a b", "a b", "CER")
    with pytest.raises(AttributeError, match=r"no attribute 'errors'; it belongs to a score: ev\['CER:R'\]"):
        ev.errors  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'nonsense'$"):
        ev.nonsense  # noqa: B018


def test_an_evaluation_can_be_copied_and_sent_to_another_process():
    ev = pm.evaluate("a b", "a c", "CER:R, WER:S")
    for other in (copy.deepcopy(ev), pickle.loads(pickle.dumps(ev))):  # noqa: S301
        assert other == ev
        assert list(other["CER:R"].matches) == list(ev["CER:R"].matches)


def test_an_evaluation_is_short_and_prints_as_a_table():
    ev = pm.evaluate(["ab"] * 50, ["ac"] * 50, "all")
    assert repr(ev) == (
        "<Evaluation of 50 GT and 50 HYP lines: CER:R 50.00 %, CER:RS 50.00 %, CER 50.00 %, CER:S 50.00 %, "
        "WER:R 100.00 %, WER:RS 100.00 %, and 3 more>"
    )
    assert str(pm.evaluate("", "a", "CER")).splitlines() == [
        "measure  rate  errors  proven",
        "CER         ∞       1     yes",
    ]


def test_measures_may_be_one_string_or_one_measure():
    assert list(pm.evaluate("a", "b", "CER:R")) == ["CER:R"]
    assert list(pm.evaluate("a", "b", "CER:R,WER^{S,R}, BOW")) == ["CER:R", "WER:RS", "BOW"]
    assert list(pm.evaluate("a", "b", pm.Measure("WER"))) == ["WER"]
    with pytest.raises(MeasureError, match="not by 3"):
        pm.evaluate("a", "b", 3)


def test_all_measures_are_those_that_the_pages_have_positions_for():
    assert list(pm.evaluate("a", "b", "all")) == [str(m) for m in ALL if not m.geometry]
    page = pm.Page((pm.Line("a", baseline=HERE),))
    assert list(pm.evaluate(page, page, ["all"])) == [str(m) for m in ALL]


@pytest.mark.parametrize("rate", [pm.cer, pm.wer])
def test_a_rate_is_in_reading_order_unless_letters_are_given(rate):
    gt, hyp = ["one two", "three"], ["three", "one two"]
    assert rate(gt, hyp) == rate(gt, hyp, "R") > rate(gt, hyp, "") == 0.0


def test_a_rate_takes_the_whole_id_of_its_unit():
    gt, hyp = ["one", "two"], ["two", "one"]
    assert pm.cer(gt, hyp, "CER:R") == pm.cer(gt, hyp, "R") > pm.cer(gt, hyp, "cer") == 0.0
    with pytest.raises(MeasureError, match=r"cer\(\) takes letters .*, not 'WER:R'. For WER:R use wer\(\)"):
        pm.cer(gt, hyp, "WER:R")
    with pytest.raises(MeasureError, match=r"For BOW use evaluate\(\)"):
        pm.wer(gt, hyp, "BOW")
    with pytest.raises(MeasureError, match="unknown measure 'CER:X'"):
        pm.cer(gt, hyp, "X")


def hard_page() -> tuple[list[str], list[str]]:
    rng = random.Random(3)
    gt = text_lines(rng, 40, 30, "abc")
    return gt, noisy(rng, rng.sample(gt, len(gt)), 0.5, "abc ")


def test_a_rate_that_is_not_proven_issues_a_warning_with_its_range():
    gt, hyp = hard_page()
    score = pm.evaluate(gt, hyp, "CER:S", effort=0)["CER:S"]
    assert not score.optimal
    expected = rf"^CER:S: .* … .* % \({score.lower_bound} … {score.errors} errors\).*Raise effort=0"
    with pytest.warns(UnprovenWarning, match=expected) as caught:
        assert pm.cer(gt, hyp, "S", effort=0) == score.rate
    assert [warning.filename for warning in caught] == [__file__]


def test_the_paper_solver_issues_a_warning_without_a_proof():
    with pytest.warns(UnprovenWarning, match="Use solver='exact'"):
        assert pm.cer("ab\nc", "ba\nc", "S", solver="paper") > 0


def sized(width: int | None, height: int | None, text: str = "abc") -> pm.Page:
    return pm.Page((pm.Line(text, baseline=HERE),), "page.xml", None, width, height)


def test_pages_of_different_sizes_give_a_warning_with_g():
    with pytest.warns(ScaleWarning, match=r"^page\.xml: size of the page: 500 × 900 px, but .* 1000 × 1800"):
        ev = pm.evaluate(sized(1000, 1800), sized(500, 900), "CER:G, CER:RG")
    assert len(ev.warnings) == 1


@pytest.mark.parametrize("size", [(1000, 1800), (None, None), (1001, 1795)])
def test_pages_of_one_size_give_no_warning(size):
    assert pm.evaluate(sized(1000, 1800), sized(*size), "CER:G").warnings == ()


def test_the_size_does_not_matter_without_positions():
    assert pm.evaluate(sized(1000, 1800), sized(500, 900), "CER").warnings == ()


def test_a_measure_given_twice_is_evaluated_once():
    assert list(pm.evaluate("a", "b", ["CER", "CER:", "cer"])) == ["CER"]


@pytest.mark.parametrize("settings", ["case:fold", {"case": "fold"}, ()])
def test_settings_are_an_object_or_keywords(settings):
    with pytest.raises(UsageError, match=r"^settings=.*Give pagemeter\.Settings\(\.\.\.\).*as keywords"):
        pm.evaluate("a", "b", "CER", settings=settings)


def test_unknown_settings_suggest_the_nearest():
    with pytest.raises(UsageError, match="did you mean whitespace"):
        pm.evaluate("a", "b", ["CER"], whitespce="keep")


def test_a_g_measure_without_geometry_is_a_clear_error():
    with pytest.raises(
        GeometryError, match=r"^ground truth: no line .* has a baseline or polygon.* Use measures without G"
    ):
        pm.cer("a", "a", "G")


def test_a_g_measure_names_the_line_without_a_position():
    gt = pm.Page((pm.Line("a", baseline=HERE), pm.Line("b", id="l2")), source="page.xml")
    with pytest.raises(GeometryError, match=r"page\.xml.*l2"):
        pm.cer(gt, gt, "G")


def test_far_lines_do_not_match_with_g():
    gt = pm.Page((pm.Line("abc", baseline=HERE),))
    hyp = pm.Page((pm.Line("abc", baseline=THERE),))
    assert pm.cer(gt, hyp) == 0.0
    assert pm.evaluate(gt, hyp, ["CER:G"])["CER:G"].errors == 6


def test_matches_have_lines_words_and_distance():
    gt, hyp = ["one two", "three"], ["three", "one two x"]
    (first, second) = pm.evaluate(gt, hyp, ["CER"])["CER"].matches
    assert (first.gt, first.hyp_line, list(first.hyp_words), first.distance) == (0, 1, [1, 2, 3], 2)
    assert (second.gt, second.hyp_line, list(second.hyp_words), second.distance) == (1, 0, [0], 0)


def test_matches_of_s_are_runs_of_words():
    (first, second) = pm.evaluate(["a b", "c"], ["a b c"], ["CER:S"])["CER:S"].matches
    assert (list(first.hyp_words), list(second.hyp_words), first.hyp_line) == ([0, 1], [2], None)


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_both_solvers_answer_every_measure(measure):
    page = pm.Page(
        tuple(pm.Line(t, baseline=((0, 100 * i), (90, 100 * i))) for i, t in enumerate(("ab c", "d"), 1))
    )
    other = pm.Page(
        tuple(pm.Line(t, baseline=((0, 100 * i), (90, 100 * i))) for i, t in enumerate(("ab", "c d"), 1))
    )
    exact, paper = (pm.evaluate(page, other, [measure], solver)[measure] for solver in ("exact", "paper"))
    assert exact.optimal
    assert exact.errors <= paper.errors
    assert paper.lower_bound <= exact.errors


def test_a_custom_tokeniser_splits_the_words():
    letters = pm.evaluate(
        "its, a", "its a", ["WER", "WER:S"], tokeniser=lambda s: s.replace(",", " ,").split()
    )
    assert letters["WER"].n_gt == 3
    assert letters["WER"].errors == letters["WER:S"].errors == 1


def test_a_tokeniser_that_changes_text_across_words_is_an_error():
    with pytest.raises(UsageError, match="tokeniser"):
        pm.wer("a b", "a b", tokeniser=lambda s: [s.upper()[::-1]])


def test_a_tokeniser_may_drop_words():
    short = lambda text: [word for word in text.split() if len(word) == 1]  # noqa: E731
    assert pm.wer(["b", "b"], ["bb b b"], "S", tokeniser=short) == 0.0


def test_a_page_without_text_needs_no_geometry():
    gt = pm.Page((pm.Line("abc", baseline=HERE),))
    for hyp in (pm.Page(()), pm.Page((pm.Line(" "),))):
        assert pm.evaluate(gt, hyp, ["CER:G"])["CER:G"].errors == 3


def test_graphemes_are_the_default_character():
    decomposed = "e\u0301"
    assert pm.evaluate(decomposed, "e", ["CER"], normalise="none")["CER"].n_gt == 1
    assert pm.evaluate(decomposed, "e", ["CER"], normalise="none", unit="codepoint")["CER"].n_gt == 2
    assert pm.cer(decomposed, "é") == 0.0
