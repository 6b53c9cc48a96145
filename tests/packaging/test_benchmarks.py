"""The computing parts of the benchmarks: exponents, plots, targets and the check of answers."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

import pagemeter as pm
from pagemeter.formats import read_pages

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])


def test_the_exponent_of_a_power_law_is_its_power():
    import growth

    assert growth.exponent([(lines, 3e-7 * lines**1.5) for lines in (100, 300, 1000)]) == pytest.approx(1.5)


def test_the_picture_is_well_formed_and_names_every_curve_within_its_bounds():
    import plot

    curves = {"a < b": [(10, 0.001), (1000, 2.0)], "c": [(10, 0.001), (1000, 2.0)]}
    root = etree.fromstring(plot.svg(curves, "lines", "seconds"))
    texts = [node.text for node in root.iter("{*}text")]
    assert {"a < b", "c", "lines", "seconds", "1,000", "10"} <= set(texts)
    for line in root.iter("{*}polyline"):
        for point in line.get("points").split():
            x, y = map(float, point.split(","))
            assert plot.LEFT <= x <= plot.WIDTH - plot.RIGHT
            assert plot.TOP <= y <= plot.HEIGHT - plot.BOTTOM


def test_a_target_is_met_up_to_its_limit_and_only_measured_ones_are_listed():
    import results
    import targets

    measured = results.Results({("b", "flat"): 1.0, ("b", "CER:R"): 1.0, ("b", "CER"): 1.1})
    assert [(row.what, row.met) for row in targets.targets(measured)] == [
        ("CER:R on b", True),
        ("CER on b", False),
    ]


def test_only_a_proven_score_in_time_meets_its_target():
    import results
    import targets

    score = pm.evaluate(["ab cd"] * 100, ["ab"] * 100, ["CER:S"])["CER:S"]
    for gap, seconds, met in ((0, 0.04, True), (1, 0.04, False), (0, 0.06, False)):
        left = replace(score, lower_bound=score.errors - gap)
        measured = results.Results({("c", "CER:S"): seconds}, {("c", "CER:S"): left})
        assert [row.met for row in targets.targets(measured)] == [met]


def test_an_answer_that_its_matching_does_not_make_is_refused():
    import answers
    import cases

    case = cases.Case("x", "", ["ab cd", "ef"], ["ef", "ab cx"])
    for name in ("CER", "CER:S", "WER", "WER:S", "BOW"):
        score = pm.evaluate(case.gt, case.hyp, [name])[name]
        answers.check(case, score)
        more = replace(score.counts, ins=score.ins + 1)
        with pytest.raises(AssertionError):
            answers.check(case, replace(score, counts=more, lower_bound=more.errors))


def test_the_measurements_of_many_pages_are_in_the_document():
    import collection

    found = collection.measured_in(collection.DOCUMENT.read_text(encoding="utf-8"))
    assert found.startswith("\n\nMeasured on ")
    assert "core-hours" in found


def test_files_of_ordinary_lines_are_read_completely():
    import load

    for name, family in load.ORDINARY.items():
        small, large = (read_pages(family(size), "a", format=name) for size in (3000, 30_000))
        assert len(small) == len(large) == 1
        assert 5 * len(small[0].lines) < len(large[0].lines)
        assert len(large[0].text) > 1500


def test_growth_above_the_limit_is_noticed(monkeypatch, capsys):
    import load

    for exponent, is_linear in ((1, True), (2, False)):
        monkeypatch.setattr(load, "in_a_process", lambda _, size, power=exponent: (9, size**power, 3 * size))
        assert load.growth(20, ["text"]) is is_linear
    assert capsys.readouterr().out.split("\n")[3].split()[1:3] == ["20", "9"]
