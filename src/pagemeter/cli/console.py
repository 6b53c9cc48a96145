"""Messages and progress on standard error, and errors of standard output.

Progress is a bar on a terminal, and a line every ten seconds in a pipe or log file.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread, Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO, TypeVar, cast

from pagemeter.errors import PagemeterError
from pagemeter.report.grid import is_terminal
from pagemeter.report.names import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.progress import Progress, Task

    from pagemeter.runners.in_work import PageInWork

    InWork = Callable[[], Sequence[PageInWork]]

_Item = TypeVar("_Item")
_PATIENCE = 1.0  # seconds before a status line appears
_LOG_SECONDS = 10.0  # between two lines of a log
_MOST_SHOWN = 3  # pages in progress that a line of a log names
_SLOW_SECONDS = 2.0  # a bar names a page that takes longer


def print_message(*lines: str) -> None:
    r"""Print lines to standard error, with control characters of file and page names escaped.

    >>> from contextlib import redirect_stderr
    >>> with redirect_stderr(sys.stdout): print_message("gt/1\x1b[2J.txt: cut off")
    gt/1\x1b[2J.txt: cut off
    """
    with suppress(OSError):  # it cannot be reported anywhere else
        for line in lines:
            print(printable(line), file=sys.stderr)  # noqa: T201


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
        return int(self._checked(self._stream.write, text))

    def writelines(self, lines: Iterable[str]) -> None:
        self._checked(self._stream.writelines, lines)

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
    """Yield the items, and report progress.

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
        yield from _with_bar(items, total, description, in_work)
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


def _with_bar(
    items: Iterable[_Item], total: int | None, description: str, in_work: InWork
) -> Iterator[_Item]:
    """Yield the items with a progress bar; that of a single item appears after a second."""
    bar = _bar(in_work)
    tracked = bar.track(items, total=total, description=printable(description))
    with ExitStack() as stack, _delayed(lambda: stack.enter_context(bar), _PATIENCE if total == 1 else 0):
        yield from tracked


def _bar(in_work: InWork) -> Progress:
    from rich.console import Console  # noqa: PLC0415  (only on a terminal)
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text  # noqa: PLC0415

    class SlowPage(ProgressColumn):
        """The page that takes the longest."""

        def render(self, _task: Task) -> Text:
            slow = [page for page in in_work()[:1] if page.seconds > _SLOW_SECONDS]
            return Text(printable(str(slow[0])) if slow else "", overflow="ellipsis", no_wrap=True)

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn()
    return Progress(*columns, TimeRemainingColumn(), SlowPage(), console=Console(stderr=True), transient=True)


@contextmanager
def status(description: str) -> Iterator[None]:
    """Show a status line on a terminal while the block runs, if that takes longer than a second.

    >>> with status("pairing files"): pass
    """
    if not _on_terminal():
        yield
        return
    with ExitStack() as stack:

        def show_line() -> None:
            from rich.console import Console  # noqa: PLC0415  (only if it takes long)

            stack.enter_context(Console(stderr=True).status(description))

        with _delayed(show_line):
            yield


@contextmanager
def _delayed(action: Callable[[], object], seconds: float = _PATIENCE) -> Iterator[None]:
    """Call a function in another thread if the block takes longer than this time."""
    timer = Timer(seconds, action)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _on_terminal() -> bool:
    return is_terminal(sys.stderr) and is_terminal(sys.stdout)
