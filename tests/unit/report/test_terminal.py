"""What counts as a terminal, and the styles of text."""

from __future__ import annotations

import ctypes
import io
import sys
import types

import pytest

from pagemeter.report.terminal import draws_lines, is_terminal, styled


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True

    def fileno(self):
        return 1


def test_a_terminal_that_draws_is_one_unless_it_is_dumb(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("xterm-256color", "vt100", ""):
        monkeypatch.setenv("TERM", name)
        assert is_terminal(Terminal())
        assert not is_terminal(io.StringIO())
    for name in ("dumb", "unknown"):
        monkeypatch.setenv("TERM", name)
        assert not is_terminal(Terminal())


@pytest.mark.parametrize("refused", ["", "GetConsoleMode", "SetConsoleMode"])
def test_a_console_of_windows_is_a_terminal_if_it_can_interpret_escapes(monkeypatch, refused):
    modes = []

    def get_mode(_console, mode):
        mode._obj.value = 3
        return refused != "GetConsoleMode"

    def set_mode(_console, mode):
        modes.append(mode)
        return refused != "SetConsoleMode"

    kernel = types.SimpleNamespace(GetConsoleMode=get_mode, SetConsoleMode=set_mode)
    monkeypatch.setattr(ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setitem(
        sys.modules, "msvcrt", types.SimpleNamespace(get_osfhandle=lambda descriptor: descriptor)
    )
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delenv("TERM", raising=False)
    assert is_terminal(Terminal()) == (not refused)
    assert modes == ([] if refused == "GetConsoleMode" else [7])


def test_no_color_removes_colours_but_not_weight(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    assert styled("a", "cyan", bold=True) == "\x1b[1;36ma\x1b[0m"
    assert styled("a", "bright_red") == "\x1b[91ma\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert styled("a", "cyan", bold=True) == "\x1b[1ma\x1b[0m"
    assert styled("a", "bright_red") == styled("a") == "a"


@pytest.mark.parametrize(
    ("encoding", "lines"), [("utf-8", True), ("UTF-16", True), ("ascii", False), ("cp1252", False)]
)
def test_lines_are_drawn_in_unicode_only_if_the_stream_has_it(encoding, lines):
    assert draws_lines(io.TextIOWrapper(io.BytesIO(), encoding=encoding)) == lines
    assert not draws_lines(io.StringIO())
