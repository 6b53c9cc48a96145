"""Ctrl-C reaches all processes of a terminal at once; only the first of them is to answer it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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


@contextmanager
def deferred() -> Iterator[None]:
    """Lets Ctrl-C, and other signals that have a handler in Python, wait until all of something is done.

    Blocking them would not do, for any thread of a library may be given a signal, and Python then heeds it.

    >>> try:
    ...     with deferred():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("all of it")
    ... except KeyboardInterrupt:
    ...     print("and then interrupted")
    all of it
    and then interrupted
    """
    came: list[int] = []
    ours = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in _ENDING} if ours else {}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])
