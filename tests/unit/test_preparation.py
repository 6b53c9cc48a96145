"""Work that measures share is done once: text, positions, and minima that keep further constraints."""

from __future__ import annotations

import pkgutil
import random

import pytest

import pagemeter as pm
from pagemeter import solve
from pagemeter.alignment import align
from pagemeter.cli import main
from pagemeter.corpus import RunConfig, evaluate_pair
from pagemeter.inputs.pairs import Pair
from pagemeter.measure import IDS
from pages import noisy, text_lines


def placed(lines: list[str], heights: list[int]) -> pm.Page:
    return pm.Page(
        tuple(pm.Line(text, ((0, 40 * y), (300, 40 * y))) for text, y in zip(lines, heights, strict=True))
    )


def pages(seed: int) -> tuple[pm.Page, pm.Page]:
    """Return two pages; depending on the seed, lines are swapped or merged."""
    rng = random.Random(seed)
    gt = text_lines(rng, 8, 12, "abc")
    hyp, heights = noisy(rng, gt, 0.2, "abc "), list(range(8))
    for _ in range(seed % 3):
        i, k = rng.sample(range(8), 2)
        heights[i], heights[k] = heights[k], heights[i]
    if seed % 2:
        hyp[2:4], heights = [" ".join(hyp[2:4])], heights[:3] + heights[4:]
    return placed(gt, list(range(8))), placed(hyp, heights)


@pytest.mark.parametrize("seed", range(12))
def test_measures_evaluated_together_and_alone_have_equal_scores(seed):
    gt, hyp = pages(seed)
    together = pm.evaluate(gt, hyp, IDS)
    assert [together[name] for name in IDS] == [pm.evaluate(gt, hyp, [name])[name] for name in IDS]


def test_scores_do_not_depend_on_the_other_measures_of_a_page():
    rng = random.Random(5)
    for _ in range(150):
        sides = []
        for _ in range(2):
            lines = [
                rng.choices(["a", "ab", "ba", "c"], k=rng.randint(0, 3)) for _ in range(rng.randint(1, 4))
            ]
            heights = rng.sample(range(len(lines)), len(lines))
            sides.append(placed([rng.choice(["", " "]) + " ".join(words) for words in lines], heights))
        whitespace = rng.choice(["collapse", "keep"])
        together = pm.evaluate(*sides, IDS, whitespace=whitespace)
        for name in IDS:
            assert together[name] == pm.evaluate(*sides, [name], whitespace=whitespace)[name], (sides, name)


SHARED = "CER:RG, CER:R, CER:RSG, CER:RS, BOW:G, BOW"


def solved(monkeypatch, *arguments, measures: str = SHARED, **settings) -> list[str]:
    """Return the measures that a solver was called for."""
    called = []
    honest = solve.solve
    monkeypatch.setattr(solve, "solve", lambda m, *rest: (called.append(str(m)), honest(m, *rest))[1])
    pm.evaluate(*arguments, measures, **settings)
    return called


def test_if_all_matches_are_neighbours_no_measure_with_g_is_solved(monkeypatch):
    page = placed(["one two", "three"], [0, 1])
    assert solved(monkeypatch, page, page) == ["BOW", "CER:RS"]


def test_if_a_match_is_no_neighbour_the_measure_with_g_is_solved(monkeypatch):
    gt, hyp = placed(["one two", "three"], [0, 1]), placed(["one two", "three"], [0, 20])
    assert solved(monkeypatch, gt, hyp) == ["BOW", "CER:RS", "BOW:G", "CER:RSG"]


@pytest.mark.parametrize(
    ("hyp", "expected"),
    [
        (["one two", "thre", "four five"], ["WER:S"]),
        (["one two three", "four five"], ["WER:S", "WER"]),  # no whole lines
        (["three", "one two", "four five"], ["WER:S", "WER:RS"]),  # another order
        (["one two", "three", "four five", "six seven"], ["WER:S"]),
    ],
)
def test_a_minimum_with_s_serves_the_measures_whose_constraints_it_keeps(monkeypatch, hyp, expected):
    gt = ["one two", "three", "four five"]
    assert solved(monkeypatch, gt, hyp, measures="WER:R, WER, WER:RS, WER:S") == expected


def test_spaces_of_lines_without_match_count_for_whole_lines_only(monkeypatch):
    gt, hyp = ["one two", "three"], ["one two", "three", "x y"]
    assert solved(monkeypatch, gt, hyp, measures="CER:R, CER, CER:RS, CER:S") == ["CER:S", "CER"]
    assert pm.cer(gt, hyp, "R") > pm.cer(gt, hyp, "RS")


def test_optional_text_is_matched_for_each_segmentation(monkeypatch):
    gt, hyp = ["one two", "three"], ["one two", "three"]
    assert solved(monkeypatch, gt, hyp, measures="CER:RS, CER:S, CER", partial=True) == [
        "CER:S",
        "CER:RS",
        "CER",
    ]


def test_the_paper_solver_is_called_for_every_measure(monkeypatch):
    page = placed(["one two", "three"], [0, 1])
    assert len(solved(monkeypatch, page, page, solver="paper")) == 6


def count_calls(monkeypatch, target: str) -> list[object]:
    """Count the calls of a function, given by its full name."""
    function, calls = pkgutil.resolve_name(target), []
    monkeypatch.setattr(target, lambda *args: (calls.append(args[0]), function(*args))[1])
    return calls


@pytest.mark.parametrize("measures", ["all", None, "CER:G, WER:SG"])
def test_each_page_is_normalised_once_and_its_positions_are_read_once(monkeypatch, measures):
    normalised = count_calls(monkeypatch, "pagemeter.text.normalise_page")
    pixels = count_calls(monkeypatch, "pagemeter.geometry.page_pixels")
    gt, hyp = pages(1)
    evaluation = pm.evaluate(gt, hyp, measures)
    evaluation.budget()
    for measure in evaluation:
        align(evaluation, measure)
    assert [len(normalised), len(pixels)] == [2, 2]


def test_a_page_of_a_run_is_normalised_once_and_its_positions_are_read_once(monkeypatch, tmp_path):
    gt, hyp = tmp_path / "gt.json", tmp_path / "hyp.json"
    for page, path in zip(pages(1), (gt, hyp), strict=True):
        pm.save(page, path)
    normalised = count_calls(monkeypatch, "pagemeter.text.normalise_page")
    pixels = count_calls(monkeypatch, "pagemeter.geometry.page_pixels")
    settings = pm.Settings(drop_lines="^x")
    config = RunConfig(settings=settings, per_line=pm.Measure("CER", order=True))
    (result,) = evaluate_pair(config, Pair("1", gt, hyp))
    assert result.error is None
    assert [len(normalised), len(pixels)] == [2, 2]


def test_the_command_builds_no_settings_but_the_default_ones(monkeypatch, tmp_path):
    (tmp_path / "gt.txt").write_text("one")
    checked = count_calls(monkeypatch, "pagemeter.settings.Settings.__post_init__")
    assert main(["eval", str(tmp_path / "gt.txt"), str(tmp_path / "gt.txt")]) == 0
    assert checked == []
