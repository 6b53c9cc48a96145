"""The processes of a pool: each with a pipe, the pairs it was handed, and the time its page began."""

from __future__ import annotations

import multiprocessing
import os
import selectors
import signal
import sys
from collections import deque
from contextlib import contextmanager, suppress
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING

from pagemeter.corpus.runners.interrupts import deferred, withheld
from pagemeter.corpus.runners.packing import as_bytes, pack_pairs
from pagemeter.corpus.runners.worker import HEAD, serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.runners.work import Work

Task = tuple[int, "Pair"]

# A server that is forked from, so that threads and open files of this process do not get into its workers.
_CONTEXT = multiprocessing.get_context("forkserver")
_AHEAD = 0.1  # seconds of work that wait in the pipe of a process, for we may be busy with a store meanwhile
_MOST = 128
_HANDFUL = 16  # pairs that are handed over together, for each message has its price
LONG = 0.2
"""Seconds after which pairs that wait behind a page are better done elsewhere."""
_READ = 65_536  # bytes of answers that are taken at once: more would have to be mapped and cleared each time


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
        self._unsent, self._begun = bytearray(), bytearray()
        self.ready = False
        self.since = monotonic()
        self._pace = 1.0  # seconds a pair, at first a guess that lets only one wait
        with _without_main(), deferred():  # a process that is told only half of what to do says so
            self.process.start()
        theirs.close()
        os.set_blocking(self.fileno(), False)

    def fileno(self) -> int:
        """What a selector watches."""
        return self.connection.fileno()

    @property
    def events(self) -> int:
        """What a selector watches for."""
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)

    @property
    def room(self) -> int:
        """How many pairs may be handed over, so that work for a moment waits."""
        ahead = int(min(_MOST, 2 + _AHEAD / self._pace))
        room = min(_HANDFUL, ahead - len(self.tasks))
        return room if 2 * room >= min(_HANDFUL, ahead) else 0

    @property
    def ahead(self) -> float:
        """The seconds of work that it has, as far as can be told; none while it waits for us."""
        return 0.0 if self._begun or self._unsent else len(self.tasks) * self._pace

    @property
    def waiting(self) -> list[Task]:
        """The pairs behind the one in work."""
        return list(self.tasks)[1:]

    @property
    def is_stuck(self) -> bool:
        """Whether pairs that wait here wait for long."""
        return self.ahead > LONG or monotonic() - self.since > LONG

    def hand(self, tasks: Sequence[Task]) -> None:
        """Hands pairs over."""
        if not self.tasks:
            self.since = monotonic()
        self.tasks.extend(tasks)
        self._unsent += pack_pairs([pair for _, pair in tasks])
        self.send()

    def send(self) -> None:
        """Sends what the pipe takes now: whoever waited for a process that answers would wait for ever."""
        with suppress(OSError):  # a process that has ended is noticed when its answers are taken
            while self._unsent:
                del self._unsent[: os.write(self.fileno(), self._unsent)]

    def take(self) -> list[tuple[Task, bytes]]:
        """The answers that are there; the first is no answer, but the word that it is ready."""
        data = os.read(self.fileno(), _READ)
        if not data:
            raise EOFError
        self._begun += data
        self.since = monotonic()
        return list(self._answers())

    def _answers(self) -> Iterator[tuple[Task, bytes]]:
        """Those that are whole; the rest waits for its end."""
        begin = 0
        while len(self._begun) - begin >= HEAD.size:
            seconds, size = HEAD.unpack_from(self._begun, begin)
            end = begin + HEAD.size + size
            if end > len(self._begun):
                break
            if self.ready:
                self._pace += (max(seconds, 1e-6) - self._pace) / 4
                yield self.tasks.popleft(), bytes(self._begun[begin + HEAD.size : end])
            self.ready, begin = True, end
        del self._begun[:begin]

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
