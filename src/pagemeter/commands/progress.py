"""What is going on, where somebody can see it: a bar while pages are evaluated, a line before that."""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from threading import Timer
from typing import TYPE_CHECKING, TypeVar

from pagemeter.report.screen import is_terminal
from pagemeter.report.spelling import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Step = TypeVar("_Step")
_PATIENCE = 1.0  # seconds after which people want to know


def watched(steps: Iterable[_Step], total: int | None, what: str) -> Iterator[_Step]:
    """The steps one by one, with a bar on a terminal and in silence elsewhere; None if none knows how many.

    >>> list(watched((), 0, "reading"))
    []
    """
    if total in (0, 1) or not _is_seen():
        yield from steps
        return
    from rich.console import Console  # noqa: PLC0415  (only where a terminal is)
    from rich.markup import escape  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    named, console = escape(shown(what)), Console(stderr=True)
    yield from track(steps, total=total, description=named, console=console, transient=True)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Says on a terminal what is being done if it takes longer than a second, until it is done.

    >>> with waiting("pairing files"): pass
    """
    if not _is_seen():
        yield
        return
    with ExitStack() as stack:

        def show() -> None:
            from rich.console import Console  # noqa: PLC0415  (only where it takes so long)

            stack.enter_context(Console(stderr=True).status(what))

        timer = Timer(_PATIENCE, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _is_seen() -> bool:
    return is_terminal(sys.stderr) and is_terminal(sys.stdout)
