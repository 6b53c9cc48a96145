"""The processes of a pool: each with a pipe, the pairs it was handed, and the time its page began."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import deque
from contextlib import contextmanager, suppress
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING

from pagemeter.corpus.runners.interrupts import withheld
from pagemeter.corpus.runners.packing import as_bytes
from pagemeter.corpus.runners.worker import SECONDS, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.runners.work import Work

Task = tuple[int, "Pair"]

# A server that is forked from, so that threads and open files of this process do not get into its workers.
_CONTEXT = multiprocessing.get_context("forkserver")
_PIPE = 60_000  # bytes that are surely taken without waiting
_AHEAD = 0.05  # seconds of work that wait in the pipe of a process
_MOST = 64


def warm_up() -> None:
    """Starts the server that processes are forked from; it loads what they need while we do other things."""
    from multiprocessing.forkserver import ensure_running  # noqa: PLC0415

    _CONTEXT.set_forkserver_preload(["pagemeter.corpus.runners.worker"])
    with _without_main(), withheld():
        ensure_running()


@contextmanager
def _without_main() -> Iterator[None]:
    """Hides the main module, which a new process would run again, and with it all that a script does."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class Worker:
    """One process; `tasks` are those it was handed and has not answered, the first is in work."""

    def __init__(self, work: Work, memory: int | None) -> None:
        self.connection, theirs = _CONTEXT.Pipe()
        with _without_main():
            task = as_bytes(work)
        self.process = _CONTEXT.Process(target=serve, args=(theirs, task, memory), daemon=True)
        self.tasks: deque[Task] = deque()
        self._sizes: deque[int] = deque()
        self._waiting = 0
        self.ready = False
        self.since = monotonic()
        self._pace = 1.0  # seconds a pair, at first a guess that lets only one wait
        with _without_main():
            self.process.start()
        theirs.close()

    def fileno(self) -> int:
        """What a selector watches."""
        return self.connection.fileno()

    @property
    def has_room(self) -> bool:
        """Whether another pair may be handed over: work for a moment waits, and never more than fits."""
        ahead = min(_MOST, 2 + _AHEAD / self._pace)
        return not self.tasks or (len(self.tasks) < ahead and self._waiting < _PIPE)

    def hand(self, task: Task) -> None:
        """Hands a pair over."""
        if not self.tasks:
            self.since = monotonic()
        data = ForkingPickler.dumps(task[1])
        self.tasks.append(task)
        self._sizes.append(len(data))
        self._waiting += len(data)
        with suppress(OSError):  # a process that has ended is noticed when its answers are taken
            self.connection.send_bytes(data)

    def take(self) -> tuple[Task, bytes] | None:
        """The next answer, which there is; None for the word that it is ready."""
        data = self.connection.recv_bytes()
        self.since = monotonic()
        if not self.ready:
            self.ready = True
            return None
        seconds: float = SECONDS.unpack_from(data)[0]
        self._pace += (max(seconds, 1e-6) - self._pace) / 4
        self._waiting -= self._sizes.popleft()
        return self.tasks.popleft(), data[SECONDS.size :]

    def end(self) -> None:
        """Ends the process at once."""
        self.process.kill()
        self.bury()

    def bury(self) -> str:
        """Says how the process ended, which has closed its pipe, and forgets it."""
        self.connection.close()
        self.process.join()
        code = self.process.exitcode or 0
        self.process.close()
        return ending(code)


def ending(code: int) -> str:
    """How a process ended.

    >>> ending(-11), ending(3)
    ('it was ended by SIGSEGV', 'it ended with code 3')
    """
    if code >= 0:
        return f"it ended with code {code}"
    name = signal.Signals(-code).name if -code in list(signal.Signals) else f"signal {-code}"
    hint = ", as is done where memory runs out" if name == "SIGKILL" else ""
    return f"it was ended by {name}{hint}"
