"""Interruption, threads, forks and hash seeds: a result depends on the two pages and the settings only."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import pagemeter as pm
from pages import noisy, text_lines

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals and fork")
END_OF_A_HANG = 300  # seconds

# Main thread: a computation that would take hours. A second thread runs only while the kernel computes
# without the GIL, because the switch interval is long; it then sends SIGINT.
INTERRUPT = """
import os, random, signal, sys, threading
import pagemeter as pm
from pagemeter import _kernel

name, unit = sys.argv[1:]
rng = random.Random(1)
texts = ["".join(rng.choices(unit, k=1_000_000)) for _ in range(2)]
if name.startswith("WER"):
    texts = [" ".join(text) for text in texts]
main = threading.get_ident()
sys.setswitchinterval(1000)

def send():
    while True:
        frame = sys._current_frames()[main]
        if frame.f_code.co_name in {"_solve_lines", "solve_ordered_segments", "solve_free_segments"}:
            os.kill(os.getpid(), signal.SIGINT)
            return
        started.wait(0.01)

started = threading.Event()
threading.Thread(target=send, daemon=True).start()
try:
    pm.evaluate(*texts, name)
except KeyboardInterrupt:
    print("interrupted")
"""


@posix
@pytest.mark.parametrize("name", ["CER:R", "CER", "CER:RS", "CER:S", "WER:R", "WER:RS"])
def test_ctrl_c_ends_a_comparison_of_two_lines_of_a_million_letters(name):
    command = [sys.executable, "-c", INTERRUPT, name, "abcdefgh"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=END_OF_A_HANG, check=True)
    assert done.stdout == "interrupted\n"


def pages(seed: int) -> tuple[list[str], list[str]]:
    rng = random.Random(seed)
    gt = text_lines(rng, 12, 30)
    hyp = noisy(rng, gt, 0.1)
    rng.shuffle(hyp)
    return gt, hyp


def result_of(seed: int) -> list[tuple[str, object, tuple[object, ...]]]:
    scores = pm.evaluate(*pages(seed), "CER, CER:R, CER:S, CER:RS, WER, WER:R, WER:S, WER:RS, BOW")
    return [(name, score.counts, tuple(score.matches)) for name, score in scores.items()]


def test_eight_threads_give_the_results_of_one():
    expected = [result_of(seed) for seed in range(12)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(result_of, [*range(12)] * 4)) == expected * 4


# A thread computes in the kernel; the main thread, which runs because the GIL is free, forks and evaluates
# in the child.
FORK = """
import os, sys, threading
import pagemeter as pm

def compute():
    pm.cer("ab" * 400_000, "ba" * 400_000, "R")

pm.cer("a", "b", "R")
sys.setswitchinterval(1000)
thread = threading.Thread(target=compute, daemon=True)
thread.start()
while sys._current_frames()[thread.ident].f_code.co_name != "_solve_lines":
    threading.Event().wait(0.01)
for _ in range(5):
    child = os.fork()
    if child == 0:
        os._exit(int(1000 * pm.cer("one line", "one lime", "R")))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os._exit(0 if print(flush=True) is None else 1)
"""


def words_printed_by(script: str) -> list[str]:
    """Return what a script prints in a new process; its forks give warnings."""
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=END_OF_A_HANG, check=True)
    return done.stdout.split()


@posix
def test_fork_during_a_kernel_call_does_not_deadlock():
    assert words_printed_by(FORK) == ["125"] * 5


FIRST_USE = """
import os, sys, threading
import pagemeter as pm

thread = threading.Thread(target=lambda: pm.cer("ab" * 20_000, "ba" * 20_000, "R"), daemon=True)
thread.start()
while MODULE not in sys.modules:
    pass
child = os.fork()
if child == 0:
    os._exit(int(1000 * pm.cer("one line", "one lime", "R")))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
os._exit(0)
"""


@posix
@pytest.mark.parametrize("module", ["numpy", "pagemeter.solve", "encodings.utf_32_le"])
def test_fork_during_the_imports_of_the_first_evaluation_does_not_deadlock(module):
    assert words_printed_by(FIRST_USE.replace("MODULE", repr(module))) == ["125"]


HASH_SEED = """
import test_threads
print(*(test_threads.result_of(seed) for seed in range(6)), sep="\\n")
"""


def test_results_do_not_depend_on_the_hash_seed():
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])  # noqa: PTH120
    outputs = {
        subprocess.run(
            [sys.executable, "-c", HASH_SEED], capture_output=True, check=True, timeout=END_OF_A_HANG,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        ).stdout
        for seed in ("0", "1", "4711")
    }  # fmt: skip
    assert len(outputs) == 1
