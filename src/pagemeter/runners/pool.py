"""The pool of worker processes: it schedules pairs, enforces the limits, and returns results in order."""

from __future__ import annotations

import selectors
import sys
from collections import deque
from contextlib import suppress
from itertools import islice
from math import ceil, inf
from socket import socketpair
from threading import Event
from time import monotonic, sleep
from typing import TYPE_CHECKING

from pagemeter.errors import PagemeterError, Problem, UsageError
from pagemeter.inputs.locations import STDIN
from pagemeter.runners.executor import has_fork_server, map_spawned
from pagemeter.runners.processes import (
    STALL_SECONDS,
    Worker,
    affordable_workers,
    available_cores,
    start_fork_server,
)
from pagemeter.runners.worker_process import (
    PIPES,
    failed_result,
    late_problem,
    next_attempt,
    pack_results,
    safe_results,
    unpack_results,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.corpus import RunConfig
    from pagemeter.corpus.page_result import PageResult
    from pagemeter.inputs.pairs import Pair
    from pagemeter.runners.in_work import PageInWork
    from pagemeter.runners.processes import Task


MOST_AHEAD = 20_000
"""Number of pairs that may be finished while an earlier one is not."""
MOST_BYTES = 64_000_000
"""Size of their packed results."""
PAGE_MEMORY = 4_000_000_000
"""Default memory limit of a page in bytes."""
_STDIN = str(STDIN)
_MOST_WAITING = 3600.0  # seconds; a selector does not take any number
_MOST_FAILED_STARTS = 3  # workers that may end before they are ready, one after the other, if memory runs out
_CHECK_SECONDS = 0.01  # interval at which workers are served while the caller takes results


class StoppedRunError(PagemeterError):
    """A run that another thread stopped."""

    def __init__(self) -> None:
        super().__init__("the run was stopped")


class Pool:
    """Evaluates pairs in worker processes on this machine.

    A pair that exceeds a limit, or whose worker ends, affects no other pair. If a worker ended by itself, its
    pair is tried once more first, because another process may have taken all memory. Then the pair is tried
    without preparing its pages for reports, and last without its hypothesis: all text counts as missing if
    that works, otherwise the result has an error.

    Args:
        jobs: Number of worker processes; None for all cores.
        page_seconds: Time limit of a pair in seconds, from reading to the results; infinity for no limit. The
            default is `RunConfig.page_seconds`: 120 s, and 10 s per search and unit of effort.
        page_memory: Memory limit of a pair in bytes, in addition to what an idle worker uses; infinity for no
            limit. The default is 4 GB on Linux; other systems do not enforce it reliably.

    On Windows, which has no fork server, a pool of the standard library evaluates the pairs. It has no
    limits, and a worker process that ends by itself ends the run.

    >>> from pagemeter.inputs.pairs import Pair
    >>> from pagemeter.runners.in_process import evaluate_pairs
    >>> [result.status for result in evaluate_pairs([Pair("1", None, None)], ["CER"], on=Pool(2))]
    ['no ground truth']

    """

    def __init__(
        self, jobs: int | None = None, *, page_seconds: float | None = None, page_memory: float | None = None
    ) -> None:
        limits = (("jobs", jobs), ("page_seconds", page_seconds), ("page_memory", page_memory))
        for name, value in limits:
            if value is not None and (not value > 0 or (name == "jobs" and value == inf)):
                raise UsageError("not a number above 0", setting=(name, f"{value:g}"))
        if page_memory is None and sys.platform == "linux" and has_fork_server():
            page_memory = PAGE_MEMORY
        self._run: _PoolRun | None = None
        self._stopped = Event()
        self.jobs = jobs or available_cores()
        self.page_seconds = page_seconds
        self.page_memory = None if page_memory in (None, inf) else ceil(page_memory)

    def map(self, config: RunConfig, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield each pair with the results of its pages, in the order of the pairs."""
        if not has_fork_server():
            self._check_unlimited()
            yield from map_spawned(self.jobs, config, pairs, _is_only_here)
            return
        start_fork_server()
        run = self._run = _PoolRun(self, config, pairs)
        try:
            if self._stopped.is_set():
                raise StoppedRunError
            yield from run.results()
        finally:
            self._run = None
            run.end()

    def _check_unlimited(self) -> None:
        for name, value in (("page_seconds", self.page_seconds), ("page_memory", self.page_memory)):
            if value is not None and value < inf:
                raise UsageError("this system does not limit single pages", setting=(name, f"{value:g}"))

    def in_work(self) -> tuple[PageInWork, ...]:
        """Return the pages that the workers evaluate; another thread may ask."""
        return self._run.in_work() if self._run else ()

    def stop(self) -> None:
        """End the current run and all later ones with `StoppedRunError`; another thread may call this."""
        self._stopped.set()
        if run := self._run:
            run.stop()


class _PoolRun:
    """One run of a pool: its workers, and the pairs that they evaluate."""

    def __init__(self, pool: Pool, config: RunConfig, pairs: Iterable[Pair]) -> None:
        self._pool, self._config = pool, config
        self._page_seconds = config.page_seconds if pool.page_seconds is None else pool.page_seconds
        self._queue = TaskQueue(config, pairs)
        self._workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()
        self._stop, self._stopped = socketpair()  # wakes the selector
        self._selector.register(self._stopped, selectors.EVENT_READ)
        self._crashed: set[int] = set()  # pairs whose worker ended once
        self._lent: set[int] = set()  # pairs that two workers evaluate
        self._failed_starts = 0
        self._most_workers = affordable_workers(pool.jobs)

    def results(self) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield the results in order, and keep the workers busy meanwhile."""
        served = 0.0
        while True:
            self._assign()
            while self._queue.has_next:
                yield self._queue.next()
                if monotonic() - served > _CHECK_SECONDS:
                    self._receive(0)
                    self._assign()
                    served = monotonic()
            if self._queue.is_finished:
                return
            if all(worker.seconds_queued > 2 * _CHECK_SECONDS for worker in self._workers):
                sleep(_CHECK_SECONDS)  # receive several answers at once; every worker still has queued pairs
            self._receive(self._timeout())
            self._kill_late_workers()
            served = monotonic()

    def in_work(self) -> tuple[PageInWork, ...]:
        """Return the pages that the workers evaluate."""
        return tuple(page for worker in list(self._workers) if (page := worker.in_work))

    def stop(self) -> None:
        """Wake the thread of the run, which then ends it."""
        with suppress(OSError):  # the run has ended
            self._stop.send(b".")

    def end(self) -> None:
        """Kill all workers; pairs without an answer stay unevaluated."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.kill()
        self._selector.close()
        self._stop.close()
        self._stopped.close()

    def _assign(self) -> None:
        """Send pairs to workers that have room for them, and start workers while there are too few."""
        while (worker := self._least_busy()) and (tasks := self._queue.take(worker.free_slots)):
            self._send(worker, tasks)
        while len(self._workers) < self._most_workers and (tasks := self._queue.take(1)):
            worker = Worker(self._config, self._pool.page_memory)
            self._workers.append(worker)
            self._selector.register(worker, selectors.EVENT_READ)
            self._send(worker, tasks)
        self._lend()

    def _least_busy(self) -> Worker | None:
        free = (worker for worker in self._workers if worker.free_slots)
        return min(free, key=lambda worker: len(worker.tasks), default=None)

    def _send(self, worker: Worker, tasks: Sequence[Task]) -> None:
        worker.send(tasks)
        self._selector.modify(worker, worker.events)

    def _lend(self) -> None:
        """Send idle workers pairs that wait behind a slow page of another worker.

        Both workers then evaluate them, and the first answer counts. No pair is lent twice.
        """
        idle = [worker for worker in self._workers if not worker.tasks]
        for served, worker in enumerate(idle):
            waiting = (other.waiting for other in self._workers if other.is_stalled)
            unlent = ([task for task in tasks if task[0] not in self._lent] for tasks in waiting)
            longest = max(unlent, key=len, default=[])
            share = ceil(len(longest) / (len(idle) - served + 1))
            if tasks := longest[len(longest) - share :]:
                self._lent.update(number for number, _ in tasks)
                self._send(worker, tasks)

    def _receive(self, timeout: float | None) -> None:
        """Receive the answers that have arrived, and replace workers that ended."""
        for key, events in self._selector.select(timeout):
            if key.fileobj is self._stopped:
                raise StoppedRunError
            worker: Worker = key.fileobj  # type: ignore[assignment]
            worker.flush()
            self._selector.modify(worker, worker.events)
            try:
                for answer in worker.receive() if events & selectors.EVENT_READ else ():
                    self._queue.add_answer(*answer)
                    self._failed_starts = 0
            except (EOFError, OSError):
                self._handle_crash(worker)

    def _handle_crash(self, worker: Worker) -> None:
        """Fail the current pair if its worker ended for the second time, and requeue the others."""
        self._remove(worker)
        how = worker.wait()
        if not worker.is_ready:
            self._failed_starts += 1
            if self._failed_starts > _MOST_FAILED_STARTS:
                raise PagemeterError(
                    f"worker processes end before they evaluate a page; the last one {how}",
                    remedy="raise {}, or check the installation",
                    settings=(("page_memory", ""),),
                )
        elif worker.tasks and worker.tasks[0][0] in self._crashed:
            problem = Problem(
                f"the process that evaluated it ended twice; the last one {how}",
                remedy="raise {}, use fewer {}, or leave the page out",
                settings=(("page_memory", ""), ("jobs", "")),
                kind="size",
            )
            self._queue.give_up(worker.tasks.popleft(), problem)
        elif worker.tasks:
            self._crashed.add(worker.tasks[0][0])
        self._queue.put_back(worker.tasks)

    def _kill_late_workers(self) -> None:
        limit = self._page_seconds
        for worker in [worker for worker in self._busy_workers() if self._seconds_left(worker, limit) <= 0]:
            self._remove(worker)
            worker.kill()
            self._queue.give_up(worker.tasks.popleft(), late_problem(limit))
            self._queue.put_back(worker.tasks)

    def _remove(self, worker: Worker) -> None:
        self._selector.unregister(worker)
        self._workers.remove(worker)

    def _timeout(self) -> float | None:
        """Return how long to wait for answers: until a time limit or a stalled worker needs attention."""
        busy = self._busy_workers()
        times = [min(_MOST_WAITING, self._seconds_left(worker, self._page_seconds)) for worker in busy]
        if any(worker.waiting for worker in busy) and not all(worker.tasks for worker in self._workers):
            times.append(STALL_SECONDS)
        return max(0.0, min(times)) if times else None

    def _busy_workers(self) -> list[Worker]:
        return [worker for worker in self._workers if worker.tasks and worker.is_ready]

    @staticmethod
    def _seconds_left(worker: Worker, limit: float) -> float:
        return worker.since + limit - monotonic()


class TaskQueue:
    """Numbers the pairs, hands them out, and returns their results in order, whatever order they arrive in.

    >>> from pagemeter.errors import Problem
    >>> from pagemeter.inputs.pairs import Pair
    >>> from pagemeter.corpus import RunConfig
    >>> queue = TaskQueue(RunConfig(), [Pair("1", None, None), Pair("2", None, None)])
    >>> first, second = queue.take(2)
    >>> queue.fail(second, Problem("took too long"))
    >>> queue.has_next
    False
    >>> queue.fail(first, Problem("took too long"))
    >>> [queue.next()[0].name for _ in range(2)]
    ['1', '2']
    """

    def __init__(self, config: RunConfig, pairs: Iterable[Pair]) -> None:
        self._config = config
        self._pairs = enumerate(pairs)
        self._returned: deque[Task] = deque()
        self._answers: dict[int, tuple[Pair, bytes]] = {}
        self._next = self._taken = self._bytes = 0
        self._exhausted = False

    @property
    def is_finished(self) -> bool:
        """True if the results of all pairs were returned."""
        return self._next == self._taken and self._exhausted

    @property
    def has_next(self) -> bool:
        """True if the results of the next pair have arrived."""
        return self._next in self._answers

    def next(self) -> tuple[Pair, tuple[PageResult, ...]]:
        """Return the next pair and the results of its pages."""
        pair, data = self._answers.pop(self._next)
        self._next += 1
        self._bytes -= len(data)
        return pair, unpack_results(data, self._config.settings)

    def take(self, most: int) -> list[Task]:
        """Return the next pairs for a worker; none if many results already wait for an earlier pair."""
        return list(islice(iter(self._take_one, None), most))

    def _take_one(self) -> Task | None:
        if self._returned:
            return self._returned.popleft()
        while self._taken - self._next < MOST_AHEAD and self._bytes < MOST_BYTES:
            number, pair = next(self._pairs, (-1, None))
            if pair is None:
                self._exhausted = True
                return None
            self._taken += 1
            if not _is_only_here(pair):
                return number, pair
            self.add_answer(
                (number, pair), pack_results(safe_results(self._config, pair), details=self._config.details)
            )
        return None

    def add_answer(self, task: Task, data: bytes) -> None:
        """Store the first answer of a pair until all earlier pairs have been returned."""
        if not self._is_done(task):
            self._answers[task[0]] = (task[1], data)
            self._bytes += len(data)

    def give_up(self, task: Task, problem: Problem) -> None:
        """Requeue a pair without reports or without its hypothesis, or make it fail."""
        number, pair = task
        if attempt := next_attempt(self._config, pair, problem):
            self.put_back([(number, attempt)])
        else:
            self.fail(task, problem)

    def fail(self, task: Task, problem: Problem) -> None:
        """Make an error the answer of a pair."""
        self.add_answer(task, pack_results((failed_result(task[1], problem),), details=self._config.details))

    def put_back(self, tasks: Sequence[Task]) -> None:
        """Requeue the pairs of a worker that ended, before all others."""
        self._returned.extendleft(task for task in reversed(tasks) if not self._is_done(task))

    def _is_done(self, task: Task) -> bool:
        return task[0] < self._next or task[0] in self._answers


def _is_only_here(pair: Pair) -> bool:
    """Return True if only this process can read a pair: standard input, or a pipe that a shell opened."""
    paths = [str(path) for path in (pair.gt, pair.hyp) if path is not None]
    return any(path == _STDIN or path.startswith(PIPES) for path in paths)
