"""The public door: what it accepts, what it refuses, what it returns."""

from __future__ import annotations

import pytest

import pagemeter as pm
from pagemeter.errors import GeometryError, MeasureError, UsageError
from pagemeter.measure import ALL, DEFAULT, DEFAULT_GEOMETRY

HERE = ((0, 10), (100, 10))
THERE = ((0, 500), (100, 500))


def test_text_a_list_and_a_page_are_the_same_page():
    page = pm.Page((pm.Line("one"), pm.Line("two")))
    assert pm.cer("one\ntwo", ["one", "two"]) == pm.cer(page, "one\ntwo") == 0.0


def test_a_path_is_read_and_a_str_never_is(tmp_path):
    file = tmp_path / "page.txt"
    file.write_text("one\ntwo\n", encoding="utf-8")
    assert pm.cer(file, "one\ntwo") == 0.0
    assert pm.cer(str(file), "one\ntwo") > 0


@pytest.mark.parametrize("wrong", [None, 1, b"bytes", ["one", 2], object()])
def test_what_is_no_page_is_refused(wrong):
    with pytest.raises(UsageError, match="give a Page"):
        pm.cer(wrong, "one")


def test_without_measures_the_defaults_are_evaluated():
    assert list(pm.evaluate("a", "a")) == [str(m) for m in DEFAULT]
    page = pm.Page((pm.Line("a", baseline=HERE),))
    assert list(pm.evaluate(page, page)) == [str(m) for m in DEFAULT + DEFAULT_GEOMETRY]
    half = pm.Page((*page.lines, pm.Line("b")))
    assert list(pm.evaluate(page, half)) == [str(m) for m in DEFAULT]


def test_a_measure_is_found_under_any_spelling_but_only_if_evaluated():
    ev = pm.evaluate("a b", "a b", ["CER:RS"])
    assert ev["CER^{S,R}"] is ev["CER:RS"]
    assert "CER:SR" in ev
    assert "WER" not in ev
    assert "nonsense" not in ev
    with pytest.raises(UsageError, match=r"^WER was not evaluated"):
        ev["WER"]
    assert ev.get("WER") is None
    with pytest.raises(MeasureError):
        ev["nonsense"]


def test_a_measure_asked_for_twice_is_evaluated_once():
    assert list(pm.evaluate("a", "b", ["CER", "CER:", "cer"])) == ["CER"]


def test_unknown_settings_suggest_the_nearest():
    with pytest.raises(UsageError, match="did you mean whitespace"):
        pm.evaluate("a", "b", ["CER"], whitespce="keep")


def test_a_g_measure_without_geometry_is_a_clear_error():
    with pytest.raises(
        GeometryError, match="ground truth has a baseline or polygon; choose measures without G"
    ):
        pm.cer("a", "a", "G")


def test_a_g_measure_names_the_line_without_a_place():
    gt = pm.Page((pm.Line("a", baseline=HERE), pm.Line("b", id="l2")), source="page.xml")
    with pytest.raises(GeometryError, match=r"page\.xml.*l2"):
        pm.cer(gt, gt, "G")


def test_far_lines_do_not_match_with_g():
    gt = pm.Page((pm.Line("abc", baseline=HERE),))
    hyp = pm.Page((pm.Line("abc", baseline=THERE),))
    assert pm.cer(gt, hyp) == 0.0
    assert pm.evaluate(gt, hyp, ["CER:G"])["CER:G"].errors == 6


def test_matches_say_who_got_what():
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


def test_a_custom_tokeniser_makes_the_words():
    letters = pm.evaluate(
        "its, a", "its a", ["WER", "WER:S"], tokeniser=lambda s: s.replace(",", " ,").split()
    )
    assert letters["WER"].n_gt == 3
    assert letters["WER"].errors == letters["WER:S"].errors == 1


def test_a_tokeniser_that_changes_text_across_blanks_is_refused():
    with pytest.raises(UsageError, match="tokeniser"):
        pm.wer("a b", "a b", tokeniser=lambda s: [s.upper()[::-1]])


def test_a_tokeniser_that_drops_words_cuts_the_others_where_they_stand():
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
