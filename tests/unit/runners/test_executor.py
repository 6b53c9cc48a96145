"""Pages on any `concurrent.futures.Executor`."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from threading import Barrier

import pytest

import faults
from collected import TIMEOUT, make
from pagemeter.corpus import Totals
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.inputs.arguments import pair
from pagemeter.inputs.pairs import Pair
from pagemeter.runners import evaluate_pairs
from pagemeter.runners.worker_process import safe_results
from pagemeter.settings import Settings

FAULTY = Settings(tokeniser=faults.tokenise)


@pytest.fixture
def pairs(tmp_path):
    """Return a function that makes pairs of random pages."""
    return lambda count: list(pair(*(make(tmp_path, count) / side for side in ("gt", "hyp"))).pairs)


@pytest.fixture
def faulty_pairs(write):
    """Return a function that makes one pair per ground-truth text."""
    return lambda *texts: [Pair(t, write(f"{n}.txt", t), write("hyp.txt", "x")) for n, t in enumerate(texts)]


def test_totals_of_threads_and_processes_are_the_same(pairs):
    given = pairs(40)
    totals = []
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(1, get_context("spawn")) as processes:
        for on in (None, threads, processes):
            totals.append(Totals())
            for result in evaluate_pairs(given, ["CER"], on=on):
                totals[-1].add(result)
    assert totals[0].scores == totals[1].scores == totals[2].scores
    assert totals[0].pages == 40


def test_all_workers_of_an_executor_are_used(faulty_pairs, monkeypatch):
    """No page ends before 24 pages are evaluated at the same time, far more than the machine has cores."""
    barrier = Barrier(24)

    def results_together(work, pair):
        barrier.wait(TIMEOUT)
        return safe_results(work, pair)

    monkeypatch.setattr("pagemeter.runners.executor.safe_results", results_together)
    given = faulty_pairs(*map(str, range(24)))
    with ThreadPoolExecutor(24) as executor:
        results = evaluate_pairs(given, ["WER"], on=executor)
        assert [result.status for result in results] == ["evaluated"] * 24


class Immediate(Executor):
    """Evaluates everything in `submit`; the first calls fail."""

    def __init__(self, *, failures=0):
        self.failures, self.calls = failures, 0

    def submit(self, function, /, *arguments):
        future = Future()
        self.calls += 1
        if self.calls <= self.failures:
            future.set_exception(OSError("a worker is lost"))
        else:
            future.set_result(function(*arguments))
        return future


def test_no_pair_is_lost_if_batches_end_before_they_are_waited_for(pairs):
    given = pairs(60)
    assert [r.name for r in evaluate_pairs(given, ["CER"], on=Immediate())] == [p.name for p in given]


def test_pairs_of_a_lost_worker_are_repeated(pairs):
    given = pairs(20)
    results = list(evaluate_pairs(given, ["CER"], on=Immediate(failures=3)))
    assert [result.status for result in results] == ["evaluated"] * 20
    (missed,) = evaluate_pairs(given[:1], ["CER"], on=Immediate(failures=2))
    assert (missed.status, missed.unusable_hyp) == ("missed", True)
    (lost,) = evaluate_pairs(given[:1], ["CER"], on=Immediate(failures=3))
    reason = "OSError: a worker is lost. Give the workers more memory, or leave the page out."
    assert lost.error == f"{given[0].gt}: {reason}"


def test_wrong_usage_ends_the_run(faulty_pairs):
    with ThreadPoolExecutor(1) as executor, pytest.raises(UsageError, match="wrong for every page"):
        list(evaluate_pairs(faulty_pairs("USAGE", "a word"), ["WER"], FAULTY, on=executor))


def test_a_broken_executor_is_reported(faulty_pairs):
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as processes,
        pytest.raises(PagemeterError, match="the executor takes no more work"),
    ):
        list(evaluate_pairs(faulty_pairs("CRASH", "a word"), ["WER"], FAULTY, on=processes))
