"""A bar that moves while pages are evaluated, where somebody can see it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

from pagemeter.report.screen import is_terminal
from pagemeter.report.spelling import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Step = TypeVar("_Step")


def watched(steps: Iterable[_Step], total: int | None, what: str) -> Iterator[_Step]:
    """The steps one by one, with a bar on a terminal and in silence elsewhere; None if none knows how many.

    >>> list(watched((), 0, "reading"))
    []
    """
    if total in (0, 1) or not (is_terminal(sys.stderr) and is_terminal(sys.stdout)):
        yield from steps
        return
    from rich.console import Console  # noqa: PLC0415  (only where a terminal is)
    from rich.markup import escape  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    named, console = escape(shown(what)), Console(stderr=True)
    yield from track(steps, total=total, description=named, console=console, transient=True)
