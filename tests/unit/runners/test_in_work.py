"""Runners know which page and measure they are working on."""

from __future__ import annotations

from threading import Thread

import pytest

import faults
from collected import TIMEOUT, until
from pagemeter.corpus import MeasureSelection, RunConfig
from pagemeter.inputs.pairs import Pair
from pagemeter.preparation import PreparedPair
from pagemeter.runners import InProcess, Pool
from pagemeter.runners.in_work import pages_in_work
from pagemeter.settings import Settings

CONFIG = RunConfig(MeasureSelection.of(["CER:R", "CER:S"]))


@pytest.fixture
def pair(tmp_path):
    for name in ("gt", "hyp"):
        (tmp_path / f"{name}.txt").write_text("a line")
    return Pair("0013", tmp_path / "gt.txt", tmp_path / "hyp.txt")


def test_this_process_names_the_page_and_the_measure(pair, monkeypatch):
    seen, runner = [], InProcess()
    score = PreparedPair.score

    def observed(self, measure):
        seen.extend((page.name, page.measure) for page in pages_in_work(runner))
        return score(self, measure)

    monkeypatch.setattr(PreparedPair, "score", observed)
    assert len(list(runner.map(CONFIG, [pair]))) == 1
    assert sorted(seen) == sorted(("0013", measure) for measure in CONFIG.selection.measures)
    assert pages_in_work(runner) == ()


def test_a_pool_names_the_page_and_the_measure_of_its_worker(pair, tmp_path):
    pair.gt.write_text(f"WAIT:{tmp_path / 'observed'}")
    config = RunConfig(MeasureSelection.of(["CER:R", "WER"]), Settings(tokeniser=faults.tokenise))
    pool = Pool(1, page_seconds=2 * TIMEOUT)
    thread = Thread(target=lambda: list(pool.map(config, [pair])))
    thread.start()
    until(lambda: [(page.name, str(page.measure)) for page in pages_in_work(pool)] == [("0013", "WER")])
    (tmp_path / "observed").touch()
    thread.join()
    assert pages_in_work(pool) == ()
