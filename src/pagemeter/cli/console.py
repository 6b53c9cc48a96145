"""Messages and progress on standard error, and errors of standard output.

Progress is a bar on a terminal, and a line every ten seconds in a pipe or log file.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager, suppress
from itertools import cycle
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO, TypeVar, cast

from pagemeter.cli.live_line import LIVE_LINE, ProgressBar
from pagemeter.errors import PagemeterError
from pagemeter.report.names import printable, wrapped
from pagemeter.report.terminal import draws_lines, is_terminal, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pagemeter.cli.live_line import InWork

_Item = TypeVar("_Item")
_PATIENCE = 1.0  # seconds before a status line appears
_LOG_SECONDS = 10.0  # between two lines of a log
_MOST_SHOWN = 3  # pages in progress that a line of a log names


def print_message(*lines: str) -> None:
    r"""Print lines to standard error, with control characters of file and page names escaped.

    A terminal gets them wrapped at words.

    >>> from contextlib import redirect_stderr
    >>> with redirect_stderr(sys.stdout): print_message("gt/1\x1b[2J.txt: cut off")
    gt/1\x1b[2J.txt: cut off
    """
    with suppress(OSError):  # it cannot be reported anywhere else
        columns = shutil.get_terminal_size().columns if lines and is_terminal(sys.stderr) else None
        for line in map(printable, lines):
            print(wrapped(line, columns, "  ") if columns else line, file=sys.stderr)  # noqa: T201


class OutputClosedError(PagemeterError):
    """The reader of standard output has closed it."""


@contextmanager
def standard_output() -> Iterator[None]:
    """Make errors of standard output recognisable while the block runs."""
    stream = sys.stdout
    sys.stdout = cast("TextIO", _StandardOutput(stream))
    try:
        yield
    finally:
        sys.stdout = stream


class _StandardOutput:
    """Standard output whose errors are raised as errors of pagemeter.

    Errors have to be recognised here: elsewhere an `OSError` may come from any file or connection.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        if not text:
            return 0
        with LIVE_LINE.hidden(until_newline=not text.endswith("\n")):
            return int(self._checked(self._stream.write, text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._checked(self._stream.flush)

    def _checked(self, call: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401
        try:
            return call(*arguments)
        except BrokenPipeError:
            self._discard()
            raise OutputClosedError("closed", source="standard output") from None
        except OSError as error:
            self._discard()
            reason = f"cannot be written: {error.strerror or error}"
            remedy = "free some space, or redirect it to another place"
            raise PagemeterError(reason, source="standard output", remedy=remedy) from None

    def _discard(self) -> None:
        """Discard buffered output; writing it when Python exits would fail again."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def progress(
    items: Iterable[_Item], total: int | None, description: str, in_work: InWork = tuple
) -> Iterator[_Item]:
    """Yield the items, and report progress; the bar of a single item appears after a second.

    Args:
        items: The items, which may be computed while they are iterated.
        total: The number of items, None if it is not known.
        description: The text in front of the bar.
        in_work: Returns the pages that are being evaluated; it is called by another thread.

    >>> list(progress(("a", "b"), 2, "reading"))
    ['a', 'b']

    """
    if total == 0:
        yield from items
    elif _on_terminal():
        bar = ProgressBar(description, total, in_work)
        with LIVE_LINE.shown(bar.line, _PATIENCE if total == 1 else 0):
            for item in items:
                yield item
                bar.done += 1
    else:
        log = ProgressLog(description, total, in_work)
        with log.running():
            for item in items:
                yield item
                log.done += 1


class ProgressLog:
    """A log of progress: one line every ten seconds.

    Args:
        description: The beginning of each line.
        total: The number of items, None if it is not known.
        in_work: Returns the pages that are being evaluated.
        clock: Returns the time in seconds.
        wait: Waits for a number of seconds; returns True if the work has ended meanwhile.

    >>> log = ProgressLog("evaluating", 80)
    >>> log.done = 12
    >>> log.line(75.4)
    'evaluating: 12 of 80 after 75 s'

    """

    def __init__(
        self,
        description: str,
        total: int | None,
        in_work: InWork = tuple,
        *,
        clock: Callable[[], float] = monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self.done = 0
        self._description, self._total, self._in_work = description, total, in_work
        self._ended = Event()
        self._clock, self._wait = clock, wait or self._ended.wait
        self._began = clock()

    def line(self, seconds: float) -> str:
        """Return the line after this time."""
        of_all = "" if self._total is None else f" of {self._total:,}"
        text = f"{self._description}: {self.done:,}{of_all} after {seconds:.0f} s"
        pages = self._in_work()[:_MOST_SHOWN]
        return f"{text}, now {', '.join(map(str, pages))}" if pages else text

    def write(self) -> None:
        """Print a line every ten seconds until the work has ended."""
        while not self._wait(_LOG_SECONDS):
            print_message(self.line(self._clock() - self._began))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Write the log in another thread while the block runs."""
        thread = Thread(target=self.write, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()


@contextmanager
def status(description: str) -> Iterator[None]:
    """Show a status line on a terminal while the block runs, if that takes longer than a second.

    >>> with status("pairing files"): pass
    """
    if not _on_terminal():
        yield
        return
    turns = cycle("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏" if draws_lines(sys.stderr) else "|/-\\")
    with LIVE_LINE.shown(lambda _: f"{styled(next(turns), 'green')} {description}", _PATIENCE):
        yield


def _on_terminal() -> bool:
    return is_terminal(sys.stderr) and is_terminal(sys.stdout)
