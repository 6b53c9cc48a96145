"""Pairs go out by the handful and answers come back in one stream, however large either is."""

from __future__ import annotations

import signal

import pytest

import faults
from pagemeter.corpus import Pair, Pool, Reading, Wanted, Work
from pagemeter.errors import PagemeterError
from pagemeter.settings import Settings

LONG = 40_000  # letters of a name; a handful of them is more than a pipe takes


@pytest.fixture
def many(tmp_path):
    """Makes pairs of one ground truth each, quick but for those that are told by their number."""

    def make(count, special, name=str):
        (tmp_path / "hyp.txt").write_text("a word")
        for text in ("a word", *special.values()):
            (tmp_path / f"{text}.txt").write_text(text)
        texts = [special.get(number, "a word") for number in range(count)]
        return [Pair(name(n), tmp_path / f"{t}.txt", tmp_path / "hyp.txt") for n, t in enumerate(texts)]

    return make


def done(pairs, *, jobs=2, prepare=None, **options):
    settings = Settings(tokeniser=faults.tokenise)
    work = Work(Wanted.of(["WER"]), settings, Reading(), details=False, prepare=prepare or {})
    return [result for _, results in Pool(jobs, **options).map(work, pairs) for result in results]


@pytest.fixture
def _in_a_minute():
    """Fails what would wait for ever."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("took more than a minute"))
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("_in_a_minute")
def test_neither_side_waits_for_the_other_where_both_send_more_than_a_pipe_takes(many):
    pairs = many(120, {}, name=lambda number: f"{number}" + "x" * LONG)
    found = done(pairs, prepare={"large": faults.large})
    assert [result.name for result in found] == [pair.name for pair in pairs]
    assert {len(result.prepared["large"]) for result in found} == {faults.LARGE}


def test_of_a_handful_the_page_that_ended_the_process_is_blamed(many):
    found = done(many(400, {150: "CRASH", 151: "CRASH", 399: "CRASH"}))
    assert [int(result.name) for result in found] == list(range(400))
    assert [int(result.name) for result in found if result.status == "failed"] == [150, 151, 399]


def test_of_a_handful_the_page_that_takes_too_long_is_blamed(many):
    found = done(many(400, {150: "SLEEP:30", 152: "SLEEP:31"}), seconds=0.7)
    assert [int(result.name) for result in found] == list(range(400))
    assert [int(result.name) for result in found if result.status == "failed"] == [150, 152]


def test_pages_behind_one_that_takes_long_are_done_by_processes_that_have_nothing_to_do(many):
    slow = dict.fromkeys(range(800, 816), "SLEEP:0.5")
    found = done(many(816, slow), jobs=4, prepare={"who": faults.who})
    assert [int(result.name) for result in found] == list(range(816))
    assert len({result.prepared["who"] for result in found[800:]}) == 4


def test_a_page_that_is_done_by_two_processes_fails_once(many):
    special = dict.fromkeys(range(800, 816), "SLEEP:0.5") | {812: "CRASH", 814: "FAULT", 815: "CRASH"}
    found = done(many(816, special), jobs=4)
    assert [int(result.name) for result in found] == list(range(816))
    assert [int(result.name) for result in found if result.status == "failed"] == [812, 814, 815]


def test_a_process_that_ends_before_it_begins_is_replaced(many, tmp_path):
    found = done(many(5, {}), jobs=1, prepare={"who": faults.Stillborn(tmp_path / "trace", 2)})
    assert [result.status for result in found] == ["evaluated"] * 5


def test_where_no_process_begins_the_run_ends(many, tmp_path):
    with pytest.raises(
        PagemeterError, match="end before they begin, the last so: it ended with code 3; give"
    ):
        done(many(5, {}), prepare={"who": faults.Stillborn(tmp_path / "trace", 1000)})
