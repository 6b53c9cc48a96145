"""The progress bar, the status line, and what is printed while they are shown."""

from __future__ import annotations

import io
import sys
from threading import Event

import pytest

from pagemeter.cli import console
from pagemeter.cli.live_line import LIVE_LINE, LiveLine, ProgressBar
from pagemeter.measure import Measure
from pagemeter.report.names import display_width
from pagemeter.runners.in_work import PageInWork

CER_S = Measure("CER", segmentation=True)


class Terminal(io.TextIOWrapper):
    """A terminal in UTF-8 that sets an event when a text is drawn on it."""

    def __init__(self, awaited=""):
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.awaited, self.drawn, self.text = awaited, Event(), ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text
        if self.awaited in text:
            self.drawn.set()
        return len(text)


@pytest.fixture
def terminal(monkeypatch):
    """Return a function that makes standard output and standard error one terminal."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")

    def make(awaited=""):
        made = Terminal(awaited)
        monkeypatch.setattr(sys, "stderr", made)
        monkeypatch.setattr(sys, "stdout", made)
        return made

    return make


def bar(total=200, *pages, done=50, seconds=30.0, description="evaluating"):
    made = ProgressBar(description, total, lambda: pages, clock=iter([0.0, seconds]).__next__)
    made.done = done
    return made


@pytest.fixture
def plain(terminal):
    terminal()


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (20, "evaluating  50/200"),
        (40, "evaluating  50/200 left 1:30 CER:S…0 s)"),
        (60, "evaluating  50/200 left 1:30 CER:S of kant_0017.xml (30 s)"),
        (80, "evaluating ━━━━━───────────────  50/200 left 1:30 CER:S of kant_0017.xml (30 s)"),
        (200, f"evaluating {'━' * 10}{'─' * 30}  50/200 left 1:30 CER:S of kant_0017.xml (30 s)"),
    ],
)
def test_a_bar_uses_the_width_of_the_terminal(columns, line):
    assert bar(200, PageInWork("kant_0017.xml", CER_S, 30.2)).line(columns) == line


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", ["頁" * 50, "e\u0301" * 100, "p" * 300, "\x1b[2J" * 30])
@pytest.mark.parametrize("columns", [30, 31, 47, 60, 81, 300])
def test_a_bar_never_fills_its_row(name, columns):
    for made in (bar(3, PageInWork(name, CER_S, 3.0), done=1), bar(description=name)):
        line = made.line(columns)
        assert display_width(line) < columns
        assert line.isprintable()


@pytest.mark.usefixtures("plain")
def test_only_the_page_that_takes_the_longest_is_named_and_only_if_it_is_slow():
    quick, slow = PageInWork("quick", None, 1.9), PageInWork("slow", None, 2.1)
    assert "quick" not in bar(200, quick).line(80)
    assert bar(200, slow, quick).line(80).endswith(" slow (2 s)")


@pytest.mark.usefixtures("plain")
def test_the_bar_counts_and_is_full_only_at_the_end():
    assert bar(1000, done=999).line(80).endswith("━─   999/1,000 left 0:00")
    assert bar(1000, done=1000).line(80).endswith("━━ 1,000/1,000 left 0:00")


@pytest.mark.usefixtures("plain")
def test_a_bar_shows_hours_and_has_no_time_before_the_first_item_is_done():
    assert bar(2, done=1, seconds=4000.0).line(80).endswith(" 1/2 left 1:06:40")
    assert bar(4, done=0).line(80).endswith(" 0/4")


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(("seconds", "left"), [(9.0, "0:10"), (11.0, "-:--")])
def test_the_time_is_not_known_if_a_page_takes_longer_than_estimated(seconds, left):
    assert f" 3/4 left {left} p (" in bar(4, PageInWork("p", None, seconds), done=3).line(80)


@pytest.mark.usefixtures("plain")
def test_the_bar_gives_up_cells_for_the_page():
    line = bar(
        200, PageInWork("kant_0017.xml", CER_S, 30.2), description="evaluating hyp-tesseract553-Fraktur"
    )
    assert line.line(80).endswith("t553-Fraktur ━───  50/200 left 1:30 CER:S of kant_0017.xml (30 s)")


@pytest.mark.usefixtures("plain")
def test_a_bar_without_a_total_counts():
    assert bar(None, PageInWork("p", CER_S, 9.0), done=1234).line(80) == "evaluating 1,234 CER:S of p (9 s)"


@pytest.mark.usefixtures("plain")
def test_a_terminal_without_unicode_has_a_bar_in_ascii(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert bar().line(40) == "evaluating ##--------  50/200 left 1:30"


@pytest.mark.usefixtures("plain")
def test_the_remaining_time_follows_the_speed_of_the_last_minute():
    """The first thousand pages come from a results store at once, the others take 0.1 seconds each."""
    clock = iter([0.0, *(0.1 * tick for tick in range(2000))])
    made = ProgressBar("evaluating", 5000, clock=clock.__next__)
    assert made.line(80).endswith("─     0/5,000")
    for tick in range(1, 1001):
        made.done = 1000 + tick
        line = made.line(80)
    assert line.endswith(" left 5:00")


@pytest.mark.usefixtures("plain")
def test_the_remaining_time_follows_the_whole_run_if_nothing_was_done_for_a_minute():
    clock = iter([0.0, *(float(tick) for tick in range(2000))])
    made = ProgressBar("evaluating", 3, clock=clock.__next__)
    made.done = 1
    for _ in range(1001):
        line = made.line(80)
    assert line.endswith(" left 33:20")


def test_a_line_is_drawn_at_once_and_removed_at_the_end(terminal):
    shown = terminal()
    with LiveLine().shown(lambda columns: f"<{columns}>"):
        pass
    assert shown.text == "\r\x1b[?7l<80>\x1b[J\x1b[?7h\r\r\x1b[J"


def test_a_line_with_patience_is_not_drawn_for_quick_work(terminal):
    shown = terminal()
    with LiveLine().shown(lambda _: "late", patience=300):
        pass
    assert shown.text == ""


def test_a_line_is_hidden_while_something_is_printed(terminal):
    shown, line = terminal("line"), LiveLine()
    with line.shown(lambda _: "line"):
        assert shown.drawn.wait(300)
        with line.hidden():
            before, shown.text = shown.text, ""
            shown.write("a message\n")
            assert shown.text == "a message\n"
        shown.drawn.clear()
        assert shown.drawn.wait(300)
    assert before.endswith("line\x1b[J\x1b[?7h\r\r\x1b[J")
    assert shown.text.startswith("a message\n\r\x1b[?7lline")


def test_a_line_does_not_overwrite_an_incomplete_one(terminal):
    shown, line, drawings = terminal("line"), LiveLine(), [Event(), Event()]

    def text(_):
        drawings[shown.text.endswith("half")].set()
        return "line"

    with line.shown(text):
        assert shown.drawn.wait(300)
        with line.hidden(until_newline=True):
            shown.write("half")
        assert drawings[1].wait(300)
    assert shown.text.endswith("half")


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_an_empty_text_does_not_hide_the_line(terminal, name):
    shown, again = terminal("line"), Event()

    def text(_):
        if shown.drawn.is_set():
            again.set()
        return "line"

    with console.standard_output(), console.LIVE_LINE.shown(text):
        assert shown.drawn.wait(300)
        getattr(sys, name).write("")
        before = shown.text
        again.clear()
        assert again.wait(300)
    assert shown.text.count("line") > before.count("line")


def test_lines_are_printed_above_the_line(terminal):
    shown, line = terminal("line"), LiveLine()
    with line.shown(lambda _: "line"):
        assert shown.drawn.wait(300)
        sys.stderr.writelines(["one\n", "two\n"])
    assert "\r\x1b[Jone\n" in shown.text


def test_messages_and_reports_are_printed_above_the_bar(terminal):
    shown = terminal("0/2")

    def items():
        assert shown.drawn.wait(300)
        console.print_message("a message")
        sys.stderr.write("a warning of a library\n")
        sys.stdout.write("a row\n")
        sys.stdout.writelines(["another ", "row\n"])
        yield 1

    with console.standard_output():
        assert list(console.progress(items(), 2, "evaluating")) == [1]
    assert "\r\x1b[Ja message\n" in shown.text
    rest = shown.text.partition("a message\n")[2]
    for text in ("a warning of a library\n", "a row\n", "another row\n"):
        before, _, rest = rest.partition(text)
        assert not before or before.endswith("\r\x1b[J")
    assert shown.text.endswith("\r\x1b[J") or shown.text.endswith("row\n")


def test_a_bar_and_a_status_are_removed_after_an_error(terminal):
    for make in (lambda: console.progress(fail(), 2, "evaluating"), failing_status):
        shown = terminal()
        with pytest.raises(ZeroDivisionError):
            list(make())
        assert shown.text.endswith("\r\x1b[J") or not shown.text
        assert not LIVE_LINE._is_drawn


def fail():
    yield 1 / 0


def failing_status():
    with console.status("pairing files"):
        yield 1 / 0


def test_the_bar_of_one_item_appears_only_after_a_while(terminal, monkeypatch):
    monkeypatch.setattr(console, "_PATIENCE", 300)
    shown = terminal()
    assert list(console.progress("a", 1, "evaluating")) == ["a"]
    assert shown.text == ""
    assert list(console.progress("ab", 2, "evaluating")) == ["a", "b"]
    assert "evaluating" in shown.text


def test_a_status_turns(terminal, monkeypatch):
    monkeypatch.setattr(console, "_PATIENCE", 0)
    shown = terminal("⠙ pairing files")
    with console.status("pairing files"):
        assert shown.drawn.wait(300)
    assert shown.text.endswith("\r\x1b[J")


def test_errors_of_a_terminal_do_not_end_the_work(terminal, monkeypatch):
    shown = terminal()

    def fail_to_write(_text):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(shown, "write", fail_to_write)
    assert list(console.progress("ab", 2, "evaluating")) == ["a", "b"]


def test_messages_are_wrapped_on_a_terminal_but_not_in_a_pipe(terminal, monkeypatch, capsys):
    message = "warning: gt/page.xml: the line l17 has no baseline. Give it a baseline."
    console.print_message(message)
    assert capsys.readouterr().err == f"{message}\n"
    monkeypatch.setenv("COLUMNS", "40")
    shown = terminal()
    console.print_message(message)
    assert shown.text == "warning: gt/page.xml: the line l17 has\n  no baseline. Give it a baseline.\n"
