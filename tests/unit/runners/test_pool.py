"""The pool of processes: order, limits, pages that end their process, and large messages."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

import faults
from collected import TIMEOUT, exhaustive, until
from pagemeter.corpus import MeasureSelection, Readers, RunConfig
from pagemeter.errors import PagemeterError, Problem, UsageError
from pagemeter.inputs.pairs import Pair
from pagemeter.measure import Measure
from pagemeter.runners import InProcess, Pool, evaluate_pairs, pool
from pagemeter.runners.pool import StoppedRunError
from pagemeter.runners.processes import available_cores
from pagemeter.runners.worker_process import pack_results, unpack_results
from pagemeter.settings import Settings

FAULTY = Settings(tokeniser=faults.tokenise)
LIMIT = 3  # seconds; with `PRELOADED` a normal page takes milliseconds, even if the machine is busy
PRELOADED = 1_500_000_000  # bytes; a low memory limit makes workers load all modules before their first page
LONG_NAME = 40_000  # letters; the names of a few pairs are more than a pipe takes


@pytest.fixture
def pairs(tmp_path):
    """Return a function that makes one pair per ground-truth text."""

    def make(*texts):
        hyp = tmp_path / "hyp.txt"
        hyp.write_text("a word")
        files = {text: tmp_path / f"{number}.gt.txt" for number, text in enumerate(dict.fromkeys(texts))}
        for text, path in files.items():
            path.write_text(text)
        return [Pair(str(number), files[text], hyp) for number, text in enumerate(texts)]

    return make


def faulty(pairs, jobs=2, **limits):
    return list(evaluate_pairs(pairs, ["WER"], FAULTY, on=Pool(jobs, **limits), details=False))


def failed(results):
    return [int(result.name) for result in results if result.status == "failed"]


def assert_in_order(results, count):
    assert [int(result.name) for result in results] == list(range(count))


def with_special(count, special):
    """Texts of quick pages, except for those with the given numbers."""
    return [special.get(number, "a word") for number in range(count)]


def noisy(count):
    rng = random.Random(1)
    return ["".join(rng.choice("a bcd ef") for _ in range(rng.randrange(90))) for _ in range(count)]


def test_results_are_in_the_order_of_the_pairs(pairs, tmp_path):
    """The first page is finished after the last one."""
    given = pairs(f"WAIT:{tmp_path / 'last'}", *["a word"] * 40, f"TOUCH:{tmp_path / 'last'}")
    assert_in_order(faulty(given, 3), 42)


def test_numbers_are_the_same_for_any_number_of_processes(pairs):
    given = pairs(*noisy(60))
    expected = [result.scores for result in evaluate_pairs(given, ["CER", "WER:RS"])]
    for jobs in (1, 3):
        results = evaluate_pairs(given, ["CER", "WER:RS"], details=False, on=Pool(jobs))
        assert [result.scores for result in results] == expected


def test_details_are_sent_only_if_wanted(pairs):
    (result,) = evaluate_pairs(pairs("a ward"), ["CER"], on=Pool(1))
    assert result.evaluation.gt.lines[0].text == "a ward"
    assert result.evaluation["CER"].matches[0].distance == 1
    (bare,) = evaluate_pairs(pairs("a ward"), ["CER"], on=Pool(1), details=False)
    assert bare.scores == result.scores
    assert not bare.evaluation.gt.lines


def test_packed_results_are_equal_to_the_original(pairs):
    settings = Settings()
    given = [*pairs("a ward", ""), Pair("3", None, None, errors=(Problem("none"),))]
    for result in evaluate_pairs(given, None, settings):
        (unpacked,) = unpack_results(pack_results([result.without_details], details=False), settings)
        assert unpacked.scores == result.scores
        assert unpacked.extra == result.extra
        for name in (
            "name",
            "gt",
            "hyp",
            "warnings",
            "error",
            "status",
            "seconds",
            "has_positions",
            "dropped",
        ):
            assert getattr(unpacked, name) == getattr(result, name)


def test_large_messages_in_both_directions_do_not_deadlock(pairs):
    given = [Pair(pair.name + "x" * LONG_NAME, pair.gt, pair.hyp) for pair in pairs(*with_special(120, {}))]
    config = RunConfig(
        MeasureSelection.of(["WER"]), Settings(), Readers(), details=False, prepare={"large": faults.large}
    )
    results = [result for _, results in Pool(2).map(config, given) for result in results]
    assert [result.name for result in results] == [pair.name for pair in given]
    assert {len(result.prepared["large"]) for result in results} == {faults.LARGE}


def test_only_the_pages_that_crash_fail(pairs):
    results = faulty(pairs(*with_special(400, {1: "CRASH", 150: "CRASH", 151: "CRASH", 399: "CRASH"})))
    assert_in_order(results, 400)
    assert failed(results) == [1, 150, 151, 399]
    assert results[1].error.startswith(f"{results[1].gt}: the process that evaluated it ended twice")
    assert (
        "was ended by SIGSEGV. Raise page_memory, use fewer jobs, or leave the page out" in results[1].error
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CRASH", "ended twice"),
        ("HANG", f"took more than {LIMIT} seconds"),
        ("MEMORY:3000", "not enough memory"),
        ("FAULT", "RuntimeError: a bug"),
    ],
)
def test_all_text_is_missing_if_the_hypothesis_is_the_reason(pairs, tmp_path, text, reason):
    """The ground truth can be evaluated alone, so a bad page stays in the totals."""
    (tmp_path / "bad.txt").write_text(text)
    first, bad, last = pairs("a word", "two words", "a word")
    bad = replace(bad, hyp=tmp_path / "bad.txt")
    limits = {"page_seconds": LIMIT, "page_memory": PRELOADED}
    results = faulty([first, bad, last], 1, **limits)
    assert [result.status for result in results] == ["evaluated", "missed", "evaluated"]
    assert results[1].scores[Measure("WER")].ins == 2
    (warning,) = results[1].warnings
    assert warning.source == str(bad.hyp)
    assert f"{reason}" in warning.detail
    assert "all text of the page counts as missing" in warning.detail
    pool = Pool(1, **limits)
    (excluded,) = evaluate_pairs([bad], ["WER"], FAULTY, failed="exclude", on=pool, details=False)
    assert excluded.status == "failed"


@pytest.mark.parametrize("runner", ["pool", "this process"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("CRASH", "the process that evaluated it ended twice; the last one was ended by SIGSEGV"),
        ("HANG", f"took more than {LIMIT} seconds"),
        ("MEMORY:3000", "MemoryError"),
        ("FAULT", "a bug"),
    ],
)
def test_a_report_never_changes_the_numbers_of_a_page(pairs, name, reason, runner):
    """A page that crashes or exceeds a limit only while it is prepared for a report is evaluated."""
    first, bad, last = pairs("a word", "two words", "a word")
    config = RunConfig(MeasureSelection.of(["WER"]), details=False, prepare={"html": faults.obey_name})
    if runner == "pool":
        on = Pool(1, page_seconds=LIMIT, page_memory=PRELOADED)
    elif name in ("HANG", "FAULT"):
        on = InProcess(page_seconds=LIMIT)
    else:
        pytest.skip("only processes of their own can end")
    given = [first, replace(bad, name=name), last]
    results = [result for _, results in on.map(config, given) for result in results]
    assert [result.status for result in results] == ["evaluated"] * 3
    assert [result.prepared["html"] for result in results] == ["0", None, "2"]
    assert results[1].scores[Measure("WER")].errors == 2
    (warning,) = results[1].warnings
    assert warning.source == name
    assert warning.detail == f"cannot be prepared for the report: {reason}"


def test_limits_have_defaults():
    pool, config = Pool(1), RunConfig(MeasureSelection.of(["CER:R,CER:S,WER:S"]), Settings(effort=7))
    assert (pool.page_seconds, config.page_seconds) == (None, 120 + 2 * 10 * 7)
    assert pool.page_memory == (4_000_000_000 if sys.platform == "linux" else None)
    assert Pool(1, page_memory=math.inf).page_memory is None


def test_a_page_whose_process_was_killed_once_is_repeated(pairs, tmp_path):
    assert not failed(faulty(pairs(f"CRASH-ONCE:{tmp_path / 'trace'}", "a word")))


def test_only_the_pages_that_take_too_long_fail(pairs):
    given = pairs(*with_special(400, {150: "HANG", 152: "HANG"}))
    results = faulty(given, page_seconds=LIMIT, page_memory=PRELOADED)
    assert_in_order(results, 400)
    assert failed(results) == [150, 152]
    assert f"took more than {LIMIT} seconds. Raise page_seconds, or leave the page out." in results[150].error


def test_only_the_page_that_takes_too_much_memory_fails(pairs):
    given = pairs("MEMORY:400", "MEMORY:50")
    assert failed(faulty(given, page_memory=200_000_000)) == [0]
    assert not failed(faulty(given))


def test_idle_processes_take_over_pages_behind_a_slow_one(pairs, tmp_path):
    """Slow pages end only when the next page is evaluated, which is usually sent to the same process."""
    files = [tmp_path / "first", tmp_path / "second"]
    special = {400: f"WAIT-ONCE:{files[0]}", 401: f"TOUCH:{files[0]}"}
    special |= {410: f"WAIT-ONCE:{files[1]}", 411: f"TOUCH:{files[1]}"}
    results = faulty(pairs(*with_special(416, special)), 3)
    assert_in_order(results, 416)
    assert not failed(results)


def test_a_page_that_two_processes_evaluate_fails_once(pairs, tmp_path):
    """An idle process also evaluates the pages behind the slow one, and they crash in both processes."""
    crash = f"TOUCH:{tmp_path / 'crash'}\nCRASH"
    special = {400: f"WAIT-ONCE:{tmp_path / 'crash'}", 412: crash, 414: "FAULT", 415: crash}
    results = faulty(pairs(*with_special(416, special)))
    assert_in_order(results, 416)
    assert failed(results) == [412, 414, 415]


def test_an_unexpected_error_fails_one_page(pairs):
    results = faulty(pairs("FAULT", "a word"))
    assert "RuntimeError: a bug. Please report" in results[0].error
    assert results[1].status == "evaluated"


def test_wrong_usage_ends_the_run(pairs):
    with pytest.raises(UsageError, match="wrong for every page"):
        faulty(pairs("USAGE", "a word"))


def test_settings_that_cannot_be_pickled_are_reported(pairs):
    settings = Settings(tokeniser=lambda line: line.split())
    with pytest.raises(UsageError, match="cannot be sent to other processes"):
        list(evaluate_pairs(pairs("a"), ["WER"], settings, on=Pool(1)))


def test_settings_with_a_function_of_the_main_module_are_reported(pairs, monkeypatch):
    """Workers could not find the function, because they do not import the main module."""

    def tokenise(line):
        return line.split()

    tokenise.__module__, tokenise.__qualname__ = "__main__", "tokenise"
    monkeypatch.setattr(sys.modules["__main__"], "tokenise", tokenise, raising=False)
    with pytest.raises(UsageError, match="cannot be sent to other processes"):
        list(evaluate_pairs(pairs("a"), ["WER"], Settings(tokeniser=tokenise), on=Pool(1)))


@pytest.mark.parametrize(
    "limits",
    [{"jobs": 0}, {"jobs": -1}, {"page_seconds": 0}, {"page_seconds": math.nan}, {"page_memory": -5}],
)
def test_limits_must_be_positive(limits):
    with pytest.raises(UsageError, match=f"{next(iter(limits))}=.*: not a number above 0"):
        Pool(**limits)


@pytest.mark.parametrize("times", [3, *exhaustive(1, 2)])
def test_a_process_that_ends_before_it_is_ready_is_replaced(pairs, tmp_path, times):
    prepare = {"start": faults.FailingStart(tmp_path / "trace", times)}
    config = RunConfig(MeasureSelection.of(["WER"]), Settings(), Readers(), details=False, prepare=prepare)
    results = [result for _, results in Pool(1).map(config, pairs(*["a word"] * 5)) for result in results]
    assert [result.status for result in results] == ["evaluated"] * 5


def test_the_run_ends_if_no_process_becomes_ready(pairs, tmp_path):
    prepare = {"start": faults.FailingStart(tmp_path / "trace", 1000)}
    config = RunConfig(MeasureSelection.of(["WER"]), Settings(), Readers(), details=False, prepare=prepare)
    with pytest.raises(PagemeterError, match=r"end before .*; the last one ended with code 3\. Raise"):
        list(Pool(2).map(config, pairs("a word", "a word")))


def test_pairs_are_taken_as_they_are_needed(pairs, tmp_path, monkeypatch):
    """The first page ends only when as many pairs have been taken as may be ahead of it."""
    monkeypatch.setattr(pool, "MOST_AHEAD", 50)
    first, second = pairs(f"WAIT:{tmp_path / 'enough'}", "a word")
    taken = 0

    def endless():
        nonlocal taken
        yield first
        while True:
            taken += 1
            if taken == 49:
                (tmp_path / "enough").touch()
            yield second

    stream = evaluate_pairs(endless(), ["WER"], FAULTY, on=Pool(2))
    assert next(stream).name == "0"
    assert taken == 49
    stream.close()


def test_a_run_that_is_given_up_leaves_no_process(pairs):
    stream = evaluate_pairs(pairs("a word", *["HANG"] * 20), ["WER"], FAULTY, on=Pool(2))
    next(stream)
    assert len(multiprocessing.active_children()) == 2
    stream.close()
    assert not multiprocessing.active_children()


SCRIPT = """
import sys; sys.path.insert(0, {tests!r})
import faults
from dataclasses import replace
from pathlib import Path
from threading import Thread
from pagemeter.inputs.pairs import Pair
from pagemeter.measure import Measure
from pagemeter.runners import Pool, evaluate_pairs
from pagemeter.settings import Settings
print("once")
pairs = [Pair(name, Path(gt), Path(hyp)) for name, gt, hyp in {pairs!r}]
results = evaluate_pairs(pairs, ["WER"], Settings(tokeniser=faults.tokenise), on=Pool(2))
print([result.evaluation["WER"].errors for result in results])
"""


def script(pairs):
    tests = str(Path(faults.__file__).parent)
    return SCRIPT.format(tests=tests, pairs=[(pair.name, str(pair.gt), str(pair.hyp)) for pair in pairs])


def test_processes_end_if_their_parent_is_killed(pairs, tmp_path):
    """Even though they evaluate a page."""
    traces = [tmp_path / "0.trace", tmp_path / "1.trace"]
    code = script(pairs(*(f"TOUCH:{trace}\nHANG" for trace in traces)))
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    until(lambda: all(trace.exists() for trace in traces))
    assert len(_session(process.pid)) >= 4  # also the fork server
    process.kill()
    process.wait()
    until(lambda: not _session(process.pid))


@pytest.mark.parametrize("how", ["file", *exhaustive("-c", "-")])
def test_a_script_needs_no_guard_around_its_main_part(pairs, tmp_path, how):
    """The main module is not imported again in every process, as Python's own pools do."""
    code, path = script(pairs("a word", "a ward")), tmp_path / "script.py"
    path.write_text(code)
    arguments = {"file": [str(path)], "-c": ["-c", code], "-": ["-"]}[how]
    done = subprocess.run(
        [sys.executable, *arguments], input=code, capture_output=True, text=True, check=True, timeout=TIMEOUT
    )
    assert done.stdout == "once\n[0, 1]\n"


def test_available_cores_respect_the_affinity():
    assert available_cores() <= len(os.sched_getaffinity(0))


def _session(leader):
    """The processes of a session, without zombies."""
    done = subprocess.run(["ps", "-o", "stat=", "-s", str(leader)], capture_output=True, text=True)  # noqa: PLW1510, S607
    return [line for line in done.stdout.splitlines() if "Z" not in line]


def test_a_run_is_stopped_by_another_thread(pairs):
    run, ends = Pool(1), []

    def stop():
        until(run.in_work)
        run.stop()

    thread = Thread(target=stop)
    thread.start()
    with pytest.raises(StoppedRunError):
        ends += evaluate_pairs(pairs("HANG:"), ["WER"], FAULTY, on=run, details=False)
    thread.join()
    assert ends == []
    assert multiprocessing.active_children() == []


def test_a_pool_that_was_stopped_starts_no_run(pairs):
    run = Pool(1)
    run.stop()
    with pytest.raises(StoppedRunError):
        list(evaluate_pairs(pairs("a word"), ["WER"], on=run))
