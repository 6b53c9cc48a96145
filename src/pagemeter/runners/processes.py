"""Worker processes as the parent process sees them, and signals and cores of this process."""

from __future__ import annotations

import math
import multiprocessing
import os
import selectors
import signal
import sys
import tempfile
import threading
from collections import deque
from contextlib import contextmanager, suppress
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, cast

from pagemeter.errors import PagemeterError
from pagemeter.runners.in_work import CurrentMeasure, PageInWork
from pagemeter.runners.worker_process import HEADER, as_bytes, pack_pairs, serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.corpus import RunConfig
    from pagemeter.inputs.pairs import Pair

Task = tuple[int, "Pair"]
"""A pair and its number in the run."""

STALL_SECONDS = 0.2
"""Pairs that wait behind a page for longer than this are given to idle workers as well."""

# A fork server keeps the threads and open files of this process out of the workers.
# Systems without one use `executor.map_spawned`.
_METHOD: Literal["forkserver"] = "forkserver"
if _METHOD not in multiprocessing.get_all_start_methods():
    _METHOD = cast("Any", "spawn")
_CONTEXT = multiprocessing.get_context(_METHOD)
_QUEUED_SECONDS = 0.1  # work in the pipe of a worker, because the parent may be busy with a store
_MOST_QUEUED = 128
_MOST_SENT = 16  # pairs that are sent together, because each message has a cost
_READ = 65_536  # bytes that are read at once; the memory for more would be mapped and cleared each time
# Open files: measured were 16 of this process with a store and six reports, and 3 for each worker.
_OWN_FILES, _WORKER_FILES, _FEWEST_FILES = 32, 3, 24
_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def start_fork_server() -> None:
    """Start the process that workers are forked from; it loads their modules in the background.

    Nothing happens on a system without fork server.

    Raises:
        PagemeterError: The operating system allows too few open files, or the path of the folder for
            temporary files is too long for a socket.

    """
    if _CONTEXT.get_start_method() != "forkserver":
        return
    if (limit := _open_files_limit()) < _FEWEST_FILES:
        raise PagemeterError(
            f"this process may open {limit} files at a time, and it needs at least {_FEWEST_FILES}",
            remedy="raise the limit, for example with ulimit -n 1024",
        )
    _CONTEXT.set_forkserver_preload(["pagemeter.runners.worker_process"])
    with blocked_interrupts():  # needed by test_while_processes_are_started_it_is_one_line
        try:
            forkserver.ensure_running()
        except OSError as error:
            if error.errno is not None:
                raise
            # Python found that the path does not fit before it asked the operating system.
            raise PagemeterError(
                f"the path of the folder for temporary files is too long for a socket ({error})",
                source=tempfile.gettempdir(),
                remedy="name a folder with a shorter path in the environment variable TMPDIR",
            ) from None


def affordable_workers(jobs: int) -> int:
    """Return the number of workers for which this process may open enough files, at most `jobs`.

    >>> affordable_workers(1)
    1
    """
    return max(1, min(jobs, (_open_files_limit() - _OWN_FILES) // _WORKER_FILES))


def _open_files_limit() -> int:
    try:
        import resource  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return sys.maxsize
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


@contextmanager
def hidden_main() -> Iterator[None]:
    """Hide the main module, because new processes would import it and run a script without guard again.

    Needed by test_a_script_needs_no_guard_around_its_main_part, and for pickling by
    test_settings_with_a_function_of_the_main_module_are_reported.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class Worker:
    """A worker process and its pipe.

    `tasks` are the pairs that were sent and not answered. The worker evaluates the first of them since the
    time `since`, as soon as it `is_ready`.
    """

    def __init__(self, config: RunConfig, page_memory: int | None) -> None:
        self._connection, theirs = _CONTEXT.Pipe()
        with hidden_main():
            packed = as_bytes(config)
        shared = _CONTEXT.RawArray("B", 1)
        self._measure = CurrentMeasure(shared)
        self.process = _CONTEXT.Process(target=serve, args=(theirs, packed, page_memory, shared), daemon=True)
        self.tasks: deque[Task] = deque()
        self.is_ready = False
        self.since = monotonic()
        self._unsent, self._received = bytearray(), bytearray()
        self._pace = 1.0  # seconds per pair; the first guess lets two wait in the pipe
        # Needed by test_while_processes_are_started_it_is_one_line: half of the instructions are an error.
        with hidden_main(), deferred_signals():
            self.process.start()
        theirs.close()
        os.set_blocking(self.fileno(), False)

    def fileno(self) -> int:
        """Return the file descriptor of the pipe, for a selector."""
        return self._connection.fileno()

    @property
    def events(self) -> int:
        """The events that a selector has to watch for."""
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)

    @property
    def free_slots(self) -> int:
        """The number of pairs that may be sent now."""
        target = int(min(_MOST_QUEUED, 2 + _QUEUED_SECONDS / self._pace))
        free = min(_MOST_SENT, target - len(self.tasks))
        return free if 2 * free >= min(_MOST_SENT, target) else 0  # few large messages, not many small ones

    @property
    def seconds_queued(self) -> float:
        """The estimated work in the pipe in seconds; 0 while the worker waits for the parent."""
        return 0.0 if self._received or self._unsent else len(self.tasks) * self._pace

    @property
    def waiting(self) -> list[Task]:
        """The queued pairs, without the one that is being evaluated."""
        return list(self.tasks)[1:]

    @property
    def is_stalled(self) -> bool:
        """True if queued pairs are stalled behind a slow page."""
        return self.seconds_queued > STALL_SECONDS or monotonic() - self.since > STALL_SECONDS

    @property
    def in_work(self) -> PageInWork | None:
        """The page that the worker evaluates; another thread may ask."""
        try:
            _, pair = self.tasks[0]
        except IndexError:
            return None
        return PageInWork(pair.name, self._measure.get(), monotonic() - self.since) if self.is_ready else None

    def send(self, tasks: Sequence[Task]) -> None:
        """Queue pairs, and send as much as the pipe takes."""
        if not self.tasks:
            self.since = monotonic()
        self.tasks.extend(tasks)
        self._unsent += pack_pairs([pair for _, pair in tasks])
        self.flush()

    def flush(self) -> None:
        """Send as much as the pipe takes; waiting could deadlock with a worker that sends a large answer."""
        with suppress(OSError):  # a worker that has ended is noticed by `receive`
            while self._unsent:
                del self._unsent[: os.write(self.fileno(), self._unsent)]

    def receive(self) -> list[tuple[Task, bytes]]:
        """Return the answers that have arrived completely.

        Raises:
            EOFError: The worker has ended.

        """
        data = os.read(self.fileno(), _READ)
        if not data:
            raise EOFError
        self._received += data
        self.since = monotonic()
        return list(self._answers())

    def _answers(self) -> Iterator[tuple[Task, bytes]]:
        begin = 0
        while len(self._received) - begin >= HEADER.size:
            seconds, size = HEADER.unpack_from(self._received, begin)
            end = begin + HEADER.size + size
            if end > len(self._received):
                break
            if self.is_ready:
                self._pace += (max(seconds, 1e-6) - self._pace) / 4
                yield self.tasks.popleft(), bytes(self._received[begin + HEADER.size : end])
            self.is_ready, begin = True, end  # the first message only says that the worker is ready
        del self._received[:begin]

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.wait()

    def wait(self) -> str:
        """Wait for the end of the process and return a description of how it ended."""
        self._connection.close()
        self.process.join()
        code = self.process.exitcode or 0
        self.process.close()
        return describe_exit(code)


def describe_exit(code: int) -> str:
    """Return how a process ended, in words.

    >>> describe_exit(-11), describe_exit(3)
    ('was ended by SIGSEGV', 'ended with code 3')
    """
    if code >= 0:
        return f"ended with code {code}"
    name = signal.Signals(-code).name if -code in list(signal.Signals) else f"signal {-code}"
    hint = ", which the system sends when memory runs out" if name == "SIGKILL" else ""
    return f"was ended by {name}{hint}"


def available_cores() -> int:
    """Return the number of cores that this process may use, by its affinity and its container quota.

    >>> available_cores() >= 1
    True
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota = _QUOTA.read_text(encoding="ascii").strip()
    except OSError:
        quota = ""
    return max(1, min(allowed, quota_cores(quota) or allowed))


def quota_cores(quota: str) -> int | None:
    """Return the cores of a cgroup quota "microseconds period", rounded up, or None if there is no limit.

    >>> quota_cores("150000 100000"), quota_cores("max 100000"), quota_cores("")
    (2, None, None)
    """
    time, _, period = quota.partition(" ")
    return math.ceil(int(time) / int(period)) if time.isdigit() and period.isdigit() else None


# Signals while processes are started or a library is loaded


@contextmanager
def blocked_interrupts() -> Iterator[None]:
    """Block SIGINT, also for processes and threads that start inside the block; this process ends them.

    >>> with blocked_interrupts():
    ...     signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    True
    """
    # Starting it unblocks SIGINT, so it must not start inside. Needed by
    # test_at_any_moment_a_cluster_ends_with_one_line_and_leaves_no_process.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Run a block completely before Ctrl-C, or another signal with a Python handler, is handled.

    Blocking the signals is not enough: any thread of a library may receive one, and Python then handles it.

    >>> before = signal.signal(signal.SIGINT, signal.default_int_handler)
    >>> try:
    ...     with deferred_signals():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("the block is complete")
    ... except KeyboardInterrupt:
    ...     print("then it is interrupted")
    the block is complete
    then it is interrupted
    >>> _ = signal.signal(signal.SIGINT, before)
    """
    received: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in _SIGNALS} if in_main else {}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if received:
        signal.raise_signal(received[0])
