"""Many processes: order, totals, limits, and pages that end their process."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import faults
from collected import until
from pagemeter.corpus import Pair, Pool, Totals, run
from pagemeter.corpus.runners import turns
from pagemeter.corpus.runners.cores import cores
from pagemeter.corpus.runners.packing import pack, unpack
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.settings import Settings

FAULTY = Settings(tokeniser=faults.tokenise)


@pytest.fixture
def pairs(tmp_path):
    def make(*texts):
        made = []
        for number, text in enumerate(texts):
            paths = tmp_path / f"{number}.gt.txt", tmp_path / f"{number}.txt"
            paths[0].write_text(text)
            paths[1].write_text("a word")
            made.append(Pair(str(number), *paths))
        return made

    return make


def statuses(pairs, **options):
    return [result.status for result in run(pairs, ["WER"], FAULTY, on=Pool(2, **options))]


def noisy(count):
    rng = random.Random(1)
    return ["".join(rng.choice("a bcd ef") for _ in range(rng.randrange(90))) for _ in range(count)]


def test_results_come_in_the_order_of_the_pairs_whatever_takes_long(pairs):
    given = pairs("SLEEP:0.3", *["a word"] * 40)
    found = [result.name for result in run(given, ["WER"], FAULTY, on=Pool(3))]
    assert found == [pair.name for pair in given]


def test_numbers_are_the_same_for_any_number_of_processes(pairs):
    given = pairs(*noisy(60))
    alone = [result.numbers for result in run(given, ["CER", "WER:RS"])]
    for jobs in (1, 2, 3):
        assert [r.scores for r in run(given, ["CER", "WER:RS"], details=False, on=Pool(jobs))] == [
            r.scores for r in alone
        ]


def test_totals_of_threads_and_processes_of_others_are_the_same(pairs):
    given = pairs(*noisy(60))
    totals = []
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, get_context("spawn")) as processes:
        for on in (None, threads, processes):
            totals.append(Totals())
            for result in run(given, ["CER"], on=on):
                totals[-1].add(result)
    assert totals[0].scores == totals[1].scores == totals[2].scores
    assert totals[0].pages == 60


class AtOnce(Executor):
    """Does everything at once, and fails as often as it is told."""

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


def test_no_pair_is_lost_by_an_executor_that_is_always_done_before_it_is_asked(pairs):
    given = pairs(*noisy(60))
    assert [r.name for r in run(given, ["CER"], on=AtOnce())] == [pair.name for pair in given]


def test_pairs_of_a_worker_that_is_lost_are_done_again(pairs):
    given = pairs(*noisy(20))
    found = list(run(given, ["CER"], on=AtOnce(failures=3)))
    assert [r.status for r in found] == ["evaluated"] * 20
    (lost,) = run(given[:1], ["CER"], on=AtOnce(failures=2))
    said = "OSError: a worker is lost; give the workers more memory, or leave the page out"
    assert lost.error == f"{given[0].gt}: {said}"


def test_details_come_along_if_they_are_wanted(pairs):
    (result,) = run(pairs("a ward"), ["CER"], on=Pool(1))
    assert result.evaluation.gt.lines[0].text == "a ward"
    assert result.evaluation["CER"].matches[0].distance == 1
    (bare,) = run(pairs("a ward"), ["CER"], on=Pool(1), details=False)
    assert bare.scores == result.scores
    assert not bare.evaluation.gt.lines


def test_numbers_survive_packing(pairs):
    settings = Settings()
    for result in run([*pairs("a ward", ""), Pair("3", None, None, error="none")], None, settings):
        (found,) = unpack(pack([result.numbers], details=False), settings)
        assert found.scores == result.scores
        assert found.extra == result.extra
        for name in ("name", "gt", "hyp", "warnings", "error", "status", "seconds", "has_places", "dropped"):
            assert getattr(found, name) == getattr(result, name)


def test_a_page_that_ends_its_process_fails_and_the_others_do_not(pairs):
    texts = ["a word", "CRASH", *["a word"] * 30, "CRASH", "a word"]
    found = list(run(pairs(*texts), ["WER"], FAULTY, on=Pool(2)))
    assert [r.name for r in found if r.status == "failed"] == ["1", "32"]
    assert [r.name for r in found] == [str(number) for number in range(len(texts))]
    assert (
        "ended twice, it was ended by SIGSEGV; raise --page-memory, use fewer --jobs, or leave"
        in found[1].error
    )
    assert found[1].error.startswith(found[1].gt)


def test_a_page_whose_process_was_ended_by_others_is_tried_again(pairs, tmp_path):
    assert statuses(pairs(f"ONCE:{tmp_path / 'trace'}", "a word")) == ["evaluated"] * 2


def test_a_page_that_takes_too_long_fails_and_what_waited_behind_it_does_not(pairs):
    began = time.monotonic()
    found = list(run(pairs("a word", "SLEEP:60", *["a word"] * 9), ["WER"], FAULTY, on=Pool(1, seconds=0.5)))
    assert time.monotonic() - began < 30
    assert [r.status for r in found] == ["evaluated", "failed"] + ["evaluated"] * 9
    assert "took more than 0.5 seconds; raise --page-seconds, or leave the page out" in found[1].error


def test_a_page_that_takes_too_much_memory_fails(pairs):
    given = pairs("MEMORY:2000", "MEMORY:100")
    assert statuses(given, memory=500_000_000) == ["failed", "evaluated"]
    assert statuses(given) == ["evaluated"] * 2


def test_a_fault_of_ours_is_the_error_of_one_page(pairs):
    found = list(run(pairs("FAULT", "a word"), ["WER"], FAULTY, on=Pool(2)))
    assert "RuntimeError: a fault of ours; please report" in found[0].error
    assert found[1].status == "evaluated"


def test_wrong_usage_ends_the_run(pairs):
    for on in (Pool(2), ThreadPoolExecutor(1)):
        with pytest.raises(UsageError, match="wrong for every page"):
            list(run(pairs("USAGE", "a word"), ["WER"], FAULTY, on=on))


def test_an_executor_that_breaks_is_named(pairs):
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as processes,
        pytest.raises(PagemeterError, match="takes no more work"),
    ):
        list(run(pairs("CRASH", "a word"), ["WER"], FAULTY, on=processes))


def test_what_cannot_be_sent_to_processes_is_named(pairs):
    settings = Settings(tokeniser=lambda line: line.split())
    with pytest.raises(UsageError, match="cannot be sent to other processes; define it in a module"):
        list(run(pairs("a"), ["WER"], settings, on=Pool(1)))


@pytest.mark.parametrize(
    "options", [{"jobs": 0}, {"jobs": -1}, {"seconds": 0}, {"seconds": math.inf}, {"memory": -5}]
)
def test_senseless_limits_are_refused(options):
    with pytest.raises(UsageError, match="give a number above 0"):
        Pool(**options)


def test_pairs_are_taken_as_they_are_needed(pairs, monkeypatch):
    """Of endless pairs only so many are taken as may be ahead of the slowest."""
    monkeypatch.setattr(turns, "MOST_AHEAD", 50)
    first, second = pairs("SLEEP:1", "a word")
    taken = 0

    def endless():
        nonlocal taken
        yield first
        while True:
            taken += 1
            yield second

    stream = run(endless(), ["WER"], FAULTY, on=Pool(2))
    assert next(stream).name == "0"
    assert 20 < taken <= 50
    stream.close()


def test_no_process_is_left_when_a_run_is_given_up(pairs):
    stream = run(pairs(*["SLEEP:0.01"] * 20), ["WER"], FAULTY, on=Pool(2))
    next(stream)
    assert len(multiprocessing.active_children()) == 2
    stream.close()
    assert not multiprocessing.active_children()


def test_processes_end_with_the_one_that_started_them(pairs, tmp_path):
    """Although it is killed and they are at work."""
    pairs("SLEEP:120", "SLEEP:120")
    code = f"""
import sys; sys.path.insert(0, {str(Path(faults.__file__).parent)!r})
import faults
from collected import until
from pathlib import Path
from pagemeter.corpus import Pair, Pool, run
from pagemeter.settings import Settings
top = Path({str(tmp_path)!r})
pairs = [Pair(n, top / f"{{n}}.gt.txt", top / f"{{n}}.txt") for n in "01"]
list(run(pairs, ["WER"], Settings(tokeniser=faults.tokenise), on=Pool(2)))
"""
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    until(lambda: len(_session(process.pid)) >= 4)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: not _session(process.pid))


def test_a_script_needs_no_guard_around_its_main_part(pairs, tmp_path):
    """The main module is not run again in every process, as Python's own pools do."""
    given = pairs("a word", "a ward")
    script = tmp_path / "script.py"
    script.write_text(f"""
from pathlib import Path
from pagemeter.corpus import Pair, Pool, run
print("once")
top = Path({str(tmp_path)!r})
pairs = [Pair(n, top / f"{{n}}.gt.txt", top / f"{{n}}.txt") for n in "01"]
print([r.evaluation["CER"].errors for r in run(pairs, ["CER"], on=Pool(2))])
""")
    assert len(given) == 2
    for how in ([str(script)], ["-c", script.read_text()], ["-"]):
        found = subprocess.run(
            [sys.executable, *how], input=script.read_text(), capture_output=True, text=True, check=True
        )
        assert found.stdout == "once\n[0, 1]\n"


def test_there_are_no_more_cores_than_this_process_may_use():
    assert cores() <= len(os.sched_getaffinity(0))


def _session(leader):
    found = subprocess.run(["ps", "-o", "pid=,stat=", "-s", str(leader)], capture_output=True, text=True)  # noqa: PLW1510, S607
    return [line for line in found.stdout.splitlines() if "Z" not in line]
