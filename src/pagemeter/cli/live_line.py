"""A line of a terminal that is redrawn while the work goes on: the progress bar or a status.

Whatever is printed meanwhile appears above it. The cursor waits at the beginning of the line, so that the
text of another process replaces it.
"""

from __future__ import annotations

import shutil
import sys
from collections import deque
from contextlib import contextmanager, redirect_stderr, suppress
from threading import Event, RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO, cast

from pagemeter.report.names import display_width, printable, shorten
from pagemeter.report.terminal import draws_lines, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pagemeter.runners.in_work import PageInWork

    InWork = Callable[[], Sequence[PageInWork]]

_SECONDS = 0.1  # between two drawings
_HISTORY = 600  # drawings, or a minute, whose speed gives the time remaining
_MOST_CELLS = 40
_NARROW = 40  # columns; a narrower terminal has no room for cells
_LEAST = 10  # columns of the description, and of the name of a page
_NAME = 32  # columns of the name of a page, for which the bar gives up cells
_FEWEST_CELLS = 4
_SLOW_SECONDS = 2.0  # a page that takes longer is named
_CLEAR_REST = "\x1b[J"  # also of rows into which a terminal has wrapped the line when it became narrower
_NO_WRAP, _WRAP = "\x1b[?7l", "\x1b[?7h"  # a line that is too wide stays a single row


class LiveLine:
    """The last line of a terminal, which is drawn on standard error by a thread."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._terminal = sys.stderr
        self._is_drawn = self._is_blocked = False

    @contextmanager
    def shown(self, line: Callable[[int], str], patience: float = 0) -> Iterator[None]:
        """Show the line while the block runs; no other line may be shown in the block.

        Args:
            line: Returns the line for a number of columns; it is called by another thread.
            patience: The seconds before the line appears.

        """
        ended, self._terminal = Event(), sys.stderr
        thread = Thread(target=self._run, args=(line, patience, ended), daemon=True)
        with redirect_stderr(cast("TextIO", _Above(self, sys.stderr))):
            try:
                thread.start()
                yield
            finally:
                ended.set()
                if thread.is_alive():  # not if Ctrl-C interrupted its start
                    thread.join()

    @contextmanager
    def hidden(self, *, until_newline: bool = False) -> Iterator[None]:
        """Hide the line while the block writes, and until the next call if the text does not end its line."""
        with self._lock:
            if self._is_drawn:
                self._write(f"\r{_CLEAR_REST}")
            self._is_drawn, self._is_blocked = False, until_newline
            yield

    def _run(self, line: Callable[[int], str], patience: float, ended: Event) -> None:
        if patience and ended.wait(patience):
            return
        while True:
            self._draw(line(shutil.get_terminal_size().columns))
            if ended.wait(_SECONDS):
                break
        with self.hidden(until_newline=self._is_blocked):
            pass

    def _draw(self, text: str) -> None:
        with self._lock:
            if not self._is_blocked:
                self._is_drawn = True
                self._write(f"\r{_NO_WRAP}{text}{_CLEAR_REST}{_WRAP}\r")

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # closed; it cannot be reported anywhere else
            self._terminal.write(text)
            self._terminal.flush()


class _Above:
    """Standard error while a line is shown."""

    def __init__(self, line: LiveLine, stream: TextIO) -> None:
        self._line, self._stream = line, stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        if not text:
            return 0
        with self._line.hidden(until_newline=not text.endswith("\n")):
            return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)


LIVE_LINE = LiveLine()
"""The only one, because there is one terminal."""


class ProgressBar:
    """The number of the items that are done, the time remaining, and the page that takes the longest.

    Args:
        description: The text in front of the bar.
        total: The number of items, None if it is not known.
        in_work: Returns the pages that are being evaluated, the longest first.
        clock: Returns the time in seconds.

    """

    def __init__(
        self,
        description: str,
        total: int | None,
        in_work: InWork = tuple,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.done = 0
        self._description, self._total, self._in_work = printable(description), total, in_work
        self._clock = clock
        self._began = clock()
        self._history: deque[tuple[float, int]] = deque([(self._began, 0)], maxlen=_HISTORY)

    def line(self, columns: int) -> str:
        """Return the bar for a terminal of this width."""
        done, total = self.done, self._total
        slow = next((page for page in self._in_work()[:1] if page.seconds > _SLOW_SECONDS), None)
        if total is None:
            numbers = [(f" {done:,}", "magenta")]
        else:
            width = len(f"{total:,}")
            numbers = [
                (f" {done:{width},}/{total:,}", "magenta"),
                (self._remaining(done, total, slow), "cyan"),
            ]
        free = columns - sum(len(text) for text, _ in numbers) - 1  # the last column stays empty
        if free < _LEAST and total is not None:
            free += len(numbers.pop()[0])
        description = shorten(self._description, max(_LEAST, min(free, columns // 3)))
        free -= display_width(description)
        name = printable(str(slow)) if slow else ""
        bar = self._bar(columns, free - 1 - bool(name) - min(_NAME, display_width(name)))
        free -= sum(len(text) for text, _ in bar) + 1
        page = [(f" {shorten(name, free)}", "")] if name and free >= _LEAST else []
        return description + "".join(styled(text, colour) for text, colour in (*bar, *numbers, *page))

    def _bar(self, columns: int, free: int) -> list[tuple[str, str]]:
        """Return the cells of the bar in the free columns; none if there are too few."""
        cells = min(_MOST_CELLS, columns // 4, free)
        if not self._total or columns < _NARROW or cells < _FEWEST_CELLS:
            return []
        full, empty = "━─" if draws_lines(sys.stderr) else "#-"
        filled = cells * self.done // self._total
        return [(f" {full * filled}", "magenta"), (empty * (cells - filled), "bright_black")]

    def _remaining(self, done: int, total: int, slow: PageInWork | None) -> str:
        """Return the time that the other items take at the speed of the last minute, or else of all time.

        It is not known if a page has already taken longer.
        """
        now = self._clock()
        self._history.append((now, done))
        since, before = self._history[0]
        if done == before:
            since, before = self._began, 0
        if done == before:
            return ""
        seconds = round((now - since) / (done - before) * (total - done))
        if slow and slow.seconds > seconds:
            return " left -:--"
        hours, minutes = divmod(seconds // 60, 60)
        return (
            f" left {hours}:{minutes:02}:{seconds % 60:02}" if hours else f" left {minutes}:{seconds % 60:02}"
        )
