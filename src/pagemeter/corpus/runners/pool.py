"""Many processes on one machine: results in order, few ahead of it, and no page can stop the others."""

from __future__ import annotations

import selectors
from math import ceil, inf
from time import monotonic, sleep
from typing import TYPE_CHECKING

from pagemeter.corpus.runners.cores import cores
from pagemeter.corpus.runners.crew import LONG, Worker, warm_up
from pagemeter.corpus.runners.turns import Turns
from pagemeter.errors import PagemeterError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.result import PageResult
    from pagemeter.corpus.runners.crew import Task
    from pagemeter.corpus.runners.work import Work

_CHANCE = 3  # processes that may end before they begin, one after the other, where memory runs out
_GLANCE = 0.01  # seconds after which processes are looked after although results are at hand


class Pool:
    """Runs pairs on so many processes, all cores by default; the results come in the order of the pairs.

    `seconds` is what a pair may take altogether, `memory` the bytes it may take. A pair that takes more, or
    whose process ends, has a result that says so, and the others are unaffected; where a process ended, the
    pair is tried once more first, for it may have been another page that took all memory.

    >>> from pagemeter.corpus import Pair, run
    >>> [result.status for result in run([Pair("1", None, None, error="no files")], ["CER"], on=Pool(2))]
    ['failed']
    """

    def __init__(
        self, jobs: int | None = None, *, seconds: float | None = None, memory: int | None = None
    ) -> None:
        for name, value in (("jobs", jobs), ("seconds", seconds), ("memory", memory)):
            if value is not None and not 0 < value < inf:
                raise UsageError(f"{name}={value}: give a number above 0, or None")
        self.jobs, self.seconds, self.memory = jobs or cores(), seconds, memory

    def map(self, work: Work, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Every pair with the results of its pages."""
        warm_up()
        running = _Running(self, work, pairs)
        try:
            yield from running.results()
        finally:
            running.end()


class _Running:
    """One run of a pool."""

    def __init__(self, pool: Pool, work: Work, pairs: Iterable[Pair]) -> None:
        self._pool, self._work = pool, work
        self._turns = Turns(work, pairs)
        self._tried: set[int] = set()
        self._lent: set[int] = set()
        self._workers: list[Worker] = []
        self._never_began = 0
        self._selector = selectors.DefaultSelector()

    def results(self) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        looked = 0.0
        while True:
            self._hand_out()
            while self._turns.has_next:
                yield self._turns.next()
                if monotonic() - looked > _GLANCE:
                    self._collect(0)
                    self._hand_out()
                    looked = monotonic()
            if self._turns.are_over:
                return
            if all(worker.ahead > 2 * _GLANCE for worker in self._workers):
                sleep(_GLANCE)  # so that several answers are taken at once
            self._collect(self._patience())
            self._end_late_ones()
            looked = monotonic()

    def end(self) -> None:
        """Ends all processes at once: what they have not answered is not lost but not done."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.end()
        self._selector.close()

    def _hand_out(self) -> None:
        """Gives every process that has room something to do, and starts processes while there are too few."""
        while (worker := self._with_room()) and (tasks := self._turns.tasks(worker.room)):
            self._hand(worker, tasks)
        while len(self._workers) < self._pool.jobs and (tasks := self._turns.tasks(1)):
            self._hand(self._start(), tasks)
        self._lend()

    def _hand(self, worker: Worker, tasks: list[Task]) -> None:
        worker.hand(tasks)
        self._selector.modify(worker, worker.events)

    def _lend(self) -> None:
        """Gives processes that have nothing to do what waits elsewhere behind a page that takes long.

        It is done there as well, and whichever answers first is heard; no pair is lent twice.
        """
        idle = [worker for worker in self._workers if not worker.tasks]
        for served, worker in enumerate(idle):
            stuck = (one.waiting for one in self._workers if one.is_stuck)
            left = ([task for task in tasks if task[0] not in self._lent] for tasks in stuck)
            most = max(left, key=len, default=[])
            share = ceil(len(most) / (len(idle) - served + 1))
            if tasks := most[len(most) - share :]:
                self._lent.update(number for number, _ in tasks)
                self._hand(worker, tasks)

    def _with_room(self) -> Worker | None:
        return min((one for one in self._workers if one.room), key=lambda one: len(one.tasks), default=None)

    def _start(self) -> Worker:
        worker = Worker(self._work, self._pool.memory)
        self._workers.append(worker)
        self._selector.register(worker, selectors.EVENT_READ)
        return worker

    def _collect(self, timeout: float | None) -> None:
        """Takes the answers that are there, and replaces processes that ended."""
        for key, events in self._selector.select(timeout):
            worker: Worker = key.fileobj  # type: ignore[assignment]
            worker.send()
            self._selector.modify(worker, worker.events)
            try:
                for answer in worker.take() if events & selectors.EVENT_READ else ():
                    self._turns.keep(*answer)
                    self._never_began = 0
            except (EOFError, OSError):
                self._bury(worker)

    def _bury(self, worker: Worker) -> None:
        """Blames the pair that a process ended on, if it is not the first time, and hands on the others."""
        self._dismiss(worker)
        how = worker.bury()
        if not worker.ready:
            self._never_began += 1
            if self._never_began > _CHANCE:
                raise PagemeterError(
                    f"processes that evaluate pages end before they begin, the last so: {how}; give more "
                    "--page-memory, or look for a fault of the installation"
                )
        elif worker.tasks and worker.tasks[0][0] in self._tried:
            reason = (
                f"the process that evaluated it ended twice, {how}; raise --page-memory, use fewer --jobs"
            )
            self._turns.fail(worker.tasks.popleft(), reason)
        elif worker.tasks:
            self._tried.add(worker.tasks[0][0])
        self._turns.take_back(worker.tasks)

    def _end_late_ones(self) -> None:
        limit = self._pool.seconds
        late = [one for one in self._workers if limit and one.tasks and one.ready and self._left(one) <= 0]
        for worker in late:
            self._dismiss(worker)
            worker.end()
            self._turns.fail(
                worker.tasks.popleft(), f"took more than {limit:g} seconds; raise --page-seconds"
            )
            self._turns.take_back(worker.tasks)

    def _dismiss(self, worker: Worker) -> None:
        self._selector.unregister(worker)
        self._workers.remove(worker)

    def _patience(self) -> float | None:
        """How long to wait for answers before some pair has taken too long; None to wait for one."""
        busy = [one for one in self._workers if one.tasks and one.ready]
        times = [self._left(one) for one in busy if self._pool.seconds]
        if any(one.waiting for one in busy) and not all(one.tasks for one in self._workers):
            times.append(LONG)
        return max(0.0, min(times)) if times else None

    def _left(self, worker: Worker) -> float:
        return worker.since + (self._pool.seconds or 0) - monotonic()
