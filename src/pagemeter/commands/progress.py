"""A bar that moves while pages are evaluated, where somebody can see it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pagemeter.report.screen import is_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.corpus import Pair


def watched(pairs: Sequence[Pair], what: str) -> Iterator[Pair]:
    """The pairs one by one, with a bar on a terminal and in silence elsewhere.

    >>> list(watched((), "reading"))
    []
    """
    if len(pairs) < 2 or not (is_terminal(sys.stderr) and is_terminal(sys.stdout)):  # noqa: PLR2004
        yield from pairs
        return
    from rich.console import Console  # noqa: PLC0415  (only where a terminal is)
    from rich.progress import track  # noqa: PLC0415

    yield from track(pairs, description=what, console=Console(stderr=True), transient=True)
