"""Ctrl-C while the command loads, works or ends: one line on standard error, code 130, and no traceback."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from collected import TIMEOUT, command, exhaustive, make, until

LINE = "pagemeter: interrupted; nothing was written\n"
KILLED = -signal.SIGINT

# Sends SIGINT to all processes of the session, as a terminal does, at the audit event with a given number.
# Audit events are the imports, opened files, started processes and so on of the whole run.
AT_EVENT = """
import atexit, os, signal, sys
events = 0
def count(*_):
    global events
    events += 1
    if events == {number}:
        os.killpg(0, signal.SIGINT)
sys.addaudithook(count)
{then}
"""
REPORT_EVENTS = "atexit.register(lambda: print(events, file=sys.stderr))"
# Sends it when a function is called for the first time, before or after its work. The thread is like one of a
# library: it may receive signals that our threads block.
AT_CALL = """
import os, signal, threading, {module} as module
threading.Thread(target=threading.Event().wait, daemon=True).start()
original = module.{name}
def interrupt(*arguments, **options):
    module.{name} = original
    if {after}:
        result = original(*arguments, **options)
    os.killpg(0, signal.SIGINT)
    return result if {after} else original(*arguments, **options)
module.{name} = interrupt
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    top = make(tmp_path_factory.mktemp("pages"), 3)
    return top / "gt", top / "hyp"


def run_alone(arguments):
    """Run a command in a session of its own; return its exit code and its messages, without progress."""
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    messages = without_progress(process.communicate(timeout=TIMEOUT)[1])
    until(lambda: not _has_processes(process.pid))
    return process.returncode, messages


def without_progress(messages):
    """Return messages without lines about progress, which a run on a busy machine logs."""
    return "".join(line for line in messages.splitlines(keepends=True) if not line.startswith("evaluating: "))


def _has_processes(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def assert_one_line(code, messages):
    """It is interrupted with one line, unless it was just done."""
    if code == 130:
        assert messages == LINE
    else:
        assert (code, messages) in ((0, ""), (KILLED, ""))


@pytest.fixture(scope="module")
def count_events(folders):
    """Return a function that counts the audit events of a command."""
    counts = {}

    def count(*options):
        if options not in counts:
            before = AT_EVENT.format(number=-1, then=REPORT_EVENTS)
            code, messages = run_alone(command("eval", *folders, *options, before=before))
            assert code == 0
            assert re.fullmatch(r"\d+\n", messages), messages
            counts[options] = int(messages)
        return counts[options]

    return count


@pytest.mark.parametrize(
    "share", [0.5, *exhaustive(*(number / 20 for number in range(1, 20) if number != 10))]
)
def test_at_any_moment_it_is_one_line(folders, count_events, share):
    number = int(share * count_events()) + 1
    before = AT_EVENT.format(number=number, then="")
    assert_one_line(*run_alone(command("eval", *folders, before=before)))


@pytest.mark.parametrize(
    "module", ["pagemeter", "numpy", *exhaustive("argparse", "pagemeter.cli", "pagemeter.corpus")]
)
def test_while_a_module_is_loaded_it_is_one_line(folders, module):
    """The signal comes in the middle of an import, which could turn an exception into another one."""
    before = f"""
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
"""
    assert run_alone(command("eval", *folders, before=before)) == (130, LINE)


@pytest.mark.parametrize("after", [False, True])
def test_while_processes_are_started_it_is_one_line(folders, after):
    """A process that receives only a part of its instructions would print a traceback."""
    before = AT_CALL.format(module="multiprocessing.forkserver", name="connect_to_new_process", after=after)
    assert run_alone(command("eval", *folders, "--jobs", 2, before=before)) == (130, LINE)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("distributed.nanny", "Nanny.instantiate"),
        ("pagemeter.runners.executor", "wait"),
        *exhaustive(
            ("distributed.scheduler", "Scheduler.start"),
            ("distributed.nanny", "Nanny.start"),
            ("distributed", "Client.run"),
        ),
    ],
)
def test_a_cluster_ends_with_one_line_and_leaves_no_process(folders, module, name):
    """While it starts, and while it evaluates pages."""
    pytest.importorskip("distributed")
    before = AT_CALL.format(module=module, name=name, after=False)
    arguments = command("eval", *folders, "--scheduler", "local", "--jobs", 2, before=before)
    assert run_alone(arguments) == (130, LINE)


@pytest.mark.exhaustive
@pytest.mark.parametrize("share", [number / 20 for number in range(1, 20)])
def test_at_any_moment_a_cluster_ends_with_one_line_and_leaves_no_process(folders, count_events, share):
    pytest.importorskip("distributed")
    options = ("--scheduler", "local", "--jobs", "2")
    before = AT_EVENT.format(number=int(share * count_events(*options)) + 1, then="")
    assert_one_line(*run_alone(command("eval", *folders, *options, before=before)))


@pytest.fixture(scope="module")
def slow_pages(tmp_path_factory):
    """Two pages that take minutes: one in the solver of S, one before it, because of its many lines."""
    top, rng = tmp_path_factory.mktemp("slow"), random.Random(3)
    for name, count, letters in (("solver", 300, "ab"), ("large", 6000, "abcdefgh")):
        words = ["".join(rng.choices(letters, k=rng.randint(1, 3))) for _ in range(9 * count)]
        for side, width in (("gt", 9), ("hyp", 11)):
            (top / side).mkdir(exist_ok=True)
            lines = (" ".join(words[start : start + width]) for start in range(0, len(words), width))
            (top / side / f"{name}.txt").write_text("\n".join(lines))
            rng.shuffle(words)
    return top


@pytest.mark.parametrize("file", ["", "solver.txt", *exhaustive("large.txt")])
def test_a_page_that_takes_long_does_not_delay_the_end(slow_pages, file):
    """In worker processes and in this one. The signal comes when a process has worked for 1.5 seconds."""
    pages = slow_pages / "gt" / file, slow_pages / "hyp" / file
    arguments = command("eval", *pages, "-m", "CER:S", "--jobs", 2, "--effort", 100_000)
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until(lambda: _processor_seconds(process.pid) > 1.5 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)
    messages = without_progress(process.communicate(timeout=TIMEOUT)[1])
    assert (process.returncode, messages) == (130, LINE)
    until(lambda: not _has_processes(process.pid))


def _processor_seconds(group):
    """Return the processor time of the busiest process of a group."""
    times = [0.0]
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(") ")[2].split()
            if int(fields[2]) == group:
                times.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return max(times)


def test_while_python_ends_there_is_no_traceback(folders):
    before = "import atexit, os; atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT)); "
    assert run_alone(command("eval", *folders, before=before)) == (KILLED, "")


def test_a_command_that_ignores_it_continues(folders):
    """As in the background of a shell without job control."""
    before = "import os; signal.signal(signal.SIGINT, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGINT); "
    assert run_alone(command("eval", *folders, before=before)) == (0, "")


def test_python_m_pagemeter_is_the_command():
    arguments = [sys.executable, "-m", "pagemeter", "--version"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=TIMEOUT)
    assert done.stdout.startswith("pagemeter ")
