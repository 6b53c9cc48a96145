"""The effort of S and SG: work is counted, so results depend neither on the machine nor on its load."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

import pagemeter as pm
from collected import exhaustive
from helpers import SHARED, needs_shared
from pages import noisy, text_lines

BUSY = "while True: pass"
EFFORT = 0.003
HARD = (
    ("argus-brevets/gt/18_ac1da_default", "argus-brevets/hyp-ocrad/18_ac1da_default", "WER:S"),
    ("tapuscorpus/gt/9200519", "tapuscorpus/hyp-ocrad/9200519", "WER:S"),
    ("lectaurep-bronod/gt/0052", "lectaurep-bronod/hyp-tesseract-fra/0052", "CER:S"),
    ("cremma-medieval-lat/gt/10v-11r", "cremma-medieval-lat/hyp-tesseract-lat/10v-11r", "CER:S"),
    ("tables-decennales/gt/page109_WXYZ", "tables-decennales/hyp-tesseract-fra/page109_WXYZ", "CER:S"),
)


@contextmanager
def load():
    """Keep every core busy with two more processes."""
    command = [sys.executable, "-c", BUSY]
    busy = [subprocess.Popen(command) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def everything(score: pm.Score) -> tuple:
    matches = [(m.gt, tuple(m.hyp_words), m.distance, m.cor, m.sub) for m in score.matches]
    return score.counts, score.lower_bound, score.canonical, score.interrupted, matches


def tied_page(seed: int) -> tuple[list[str], list[str]]:
    """Return pages of lines from few words, which the kernel alone cannot prove quickly."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("ab", k=rng.randint(1, 3))) for _ in range(8)]
    return tuple([" ".join(rng.choices(words, k=rng.randint(2, 6))) for _ in range(30)] for _ in range(2))


@pytest.mark.parametrize("name", ["CER:S", *exhaustive("WER:S")])
def test_load_changes_no_field_of_a_score(name):
    """With this effort the search ends in the middle."""
    pages = [tied_page(seed) for seed in range(3)]
    alone = [pm.evaluate(*page, [name], effort=EFFORT)[name] for page in pages]
    assert not all(score.canonical for score in alone)
    with load():
        loaded = [pm.evaluate(*page, [name], effort=EFFORT)[name] for page in pages]
    assert list(map(everything, loaded)) == list(map(everything, alone))


def find(stem: str) -> Path:
    """Return the first file of this name; some pages are there in several formats."""
    folder, _, name = stem.rpartition("/")
    return min((SHARED / "pages" / folder).glob(f"{name}*"))


@pytest.mark.exhaustive
@needs_shared
@pytest.mark.parametrize(("gt", "hyp", "name"), HARD)
def test_load_changes_no_field_of_a_hard_real_page(gt, hyp, name):
    alone = everything(pm.evaluate(find(gt), find(hyp), [name])[name])
    with load():
        assert everything(pm.evaluate(find(gt), find(hyp), [name])[name]) == alone


def test_more_effort_proves_more():
    rng = random.Random(7)
    gt = text_lines(rng, 60, 30, "abc")
    hyp = noisy(rng, rng.sample(gt, len(gt)), 0.4, "abc ")
    scores = [pm.evaluate(gt, hyp, ["CER:S"], effort=effort)["CER:S"] for effort in (0, 0.01, "default")]
    assert not scores[0].optimal
    gaps = [score.errors - score.lower_bound for score in scores]
    assert gaps == sorted(gaps, reverse=True)
    assert not any(score.interrupted for score in scores)


def test_a_score_that_the_time_limit_cut_short_says_so():
    rng = random.Random(3)
    gt = text_lines(rng, 40, 30, "abc")
    hyp = noisy(rng, rng.sample(gt, len(gt)), 0.5, "abc ")
    cut = pm.evaluate(gt, hyp, ["CER:S"], time_limit=0)
    assert cut["CER:S"].interrupted
    assert "|time_limit:0|" in cut.signature
    whole = pm.evaluate("a", "a", ["CER:S"], time_limit=0)
    assert not whole["CER:S"].interrupted
    assert (cut["CER:S"] + whole["CER:S"]).interrupted
    assert cut["CER:S"].as_dict()["interrupted"] is True


def test_first_solutions_of_a_large_page_end_with_the_effort():
    """Without effort, only RS is computed for a page of 1,500 lines, and the sweep is skipped."""
    rng = random.Random(1)
    gt = text_lines(rng, 1500, 40)
    hyp = noisy(rng, gt, 0.05)
    found = pm.evaluate(gt, hyp, ["CER:S", "CER:RS"], effort=0)
    assert found["CER:S"].errors == found["CER:RS"].errors
    assert found["CER:S"].lower_bound < found["CER:S"].errors


def test_a_clean_page_takes_few_sweeps_in_any_order_and_cut_in_any_way():
    rng = random.Random(5)
    gt = text_lines(rng, 200, 40)
    read = rng.sample(noisy(rng, gt, 0.03), len(gt))
    hyp = [" ".join(read[i : i + 7]) for i in range(0, len(read), 7)]
    score = pm.evaluate(gt, hyp, ["CER:S"], effort=0.01)["CER:S"]
    assert score.optimal
    assert score.canonical


def test_the_first_look_of_a_large_page_may_exceed_the_effort():
    """One sweep proves the page. Its work is more than the effort, but not four times as much."""
    rng = random.Random(2)
    gt = text_lines(rng, 300, 40)
    hyp = noisy(rng, rng.sample(gt, len(gt)), 0.03)
    tokens = sum(map(len, hyp)) + len(hyp)
    sweep = 4 * tokens * len(gt) / 8 / 1e9  # units of effort: four steps for each token and eight lines
    for effort, optimal in ((sweep / 2, True), (sweep / 10, False)):
        score = pm.evaluate(gt, hyp, ["CER:S"], effort=effort)["CER:S"]
        assert (score.optimal, score.canonical) == (optimal, optimal)
