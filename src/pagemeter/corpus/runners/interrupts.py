"""Ctrl-C reaches all processes of a terminal at once; only the first of them is to answer it."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def withheld() -> Iterator[None]:
    """Keeps Ctrl-C from processes and threads that are started meanwhile, for whoever started them ends them.

    >>> with withheld():
    ...     signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    True
    """
    resource_tracker.ensure_running()  # which ends with Ctrl-C let through, so it must not begin in between
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
