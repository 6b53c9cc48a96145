"""Progress in a pipe or log file: one line every ten seconds, with the pages in progress."""

from __future__ import annotations

from itertools import count

from pagemeter.cli.console import ProgressLog, progress
from pagemeter.measure import Measure
from pagemeter.runners.in_work import PageInWork

CER_S = Measure("CER", segmentation=True)


def test_a_log_has_a_line_every_ten_seconds_until_the_work_has_ended(capsys):
    waits = []

    def wait(seconds):
        waits.append(seconds)
        log.done += 4
        return len(waits) == 3

    pages = [PageInWork(f"p{number}", CER_S, 30 - number) for number in range(5)]
    clock = count(100, 10)
    log = ProgressLog("evaluating", 80, lambda: pages, clock=lambda: next(clock), wait=wait)
    log.write()
    assert waits == [10.0, 10.0, 10.0]
    shown = "now CER:S of p0 (30 s), CER:S of p1 (29 s), CER:S of p2 (28 s)"
    assert capsys.readouterr().err.splitlines() == [
        f"evaluating: 4 of 80 after 10 s, {shown}",
        f"evaluating: 8 of 80 after 20 s, {shown}",
    ]


def test_names_of_pages_have_no_effect_on_a_terminal(capsys):
    ended = iter([False, True])
    in_work = lambda: [PageInWork("p\x1b[2J", None, 3.0)]  # noqa: E731
    ProgressLog("evaluating", None, in_work, clock=lambda: 0.0, wait=lambda _: next(ended)).write()
    assert capsys.readouterr().err == "evaluating: 0 after 0 s, now p\\x1b[2J (3 s)\n"


def test_quick_work_has_no_lines(capsys):
    assert list(progress(range(3), 3, "evaluating")) == [0, 1, 2]
    assert capsys.readouterr().err == ""
