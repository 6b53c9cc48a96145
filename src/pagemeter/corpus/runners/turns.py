"""The pairs of a run in their order: those to be done, and the answers that wait for their turn."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from pagemeter.corpus.contents import STDIN
from pagemeter.corpus.runners.packing import pack, unpack
from pagemeter.corpus.runners.worker import failed, results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.result import PageResult
    from pagemeter.corpus.runners.crew import Task
    from pagemeter.corpus.runners.work import Work

MOST_AHEAD = 20_000
"""Pairs that may be done while an earlier one is not."""
MOST_BYTES = 64_000_000
"""What their results may take, packed."""
_STDIN = str(STDIN)


class Turns:
    """Gives out pairs, takes answers in whatever order, and gives results in the order of the pairs.

    >>> from pagemeter.corpus import Pair, Reading, Wanted, Work
    >>> from pagemeter.settings import Settings
    >>> work = Work(Wanted.of(["CER"]), Settings(), Reading())
    >>> turns = Turns(work, [Pair("1", None, None), Pair("2", None, None)])
    >>> one, other = turns.tasks(2)
    >>> turns.fail(other, "took too long")
    >>> turns.has_next
    False
    >>> turns.fail(one, "took too long")
    >>> [turns.next()[0].name for _ in range(2)]
    ['1', '2']
    """

    def __init__(self, work: Work, pairs: Iterable[Pair]) -> None:
        self._work = work
        self._new = enumerate(pairs)
        self._again: deque[Task] = deque()
        self._answers: dict[int, tuple[Pair, bytes]] = {}
        self._bytes = self._turn = self._taken = 0
        self._exhausted = False

    @property
    def are_over(self) -> bool:
        """Whether all pairs have had their turn."""
        return self._turn == self._taken and self._exhausted

    @property
    def has_next(self) -> bool:
        """Whether the next pair in turn is done."""
        return self._turn in self._answers

    def next(self) -> tuple[Pair, tuple[PageResult, ...]]:
        """The next pair in turn with the results of its pages."""
        pair, data = self._answers.pop(self._turn)
        self._turn += 1
        self._bytes -= len(data)
        return pair, unpack(data, self._work.settings)

    def tasks(self, most: int) -> list[Task]:
        """The next pairs that a process may do, unless enough is done ahead; pipes are read here."""
        return list(islice(iter(self._task, None), most))

    def _task(self) -> Task | None:
        if self._again:
            return self._again.popleft()
        while self._taken - self._turn < MOST_AHEAD and self._bytes < MOST_BYTES:
            number, pair = next(self._new, (-1, None))
            if pair is None:
                self._exhausted = True
                return None
            self._taken += 1
            if not _is_ours(pair):
                return number, pair
            self.keep((number, pair), pack(results_of(self._work, pair), details=self._work.details))
        return None

    def keep(self, task: Task, data: bytes) -> None:
        """Keeps the first answer of a pair until it is its turn."""
        if not self._is_done(task):
            self._answers[task[0]] = (task[1], data)
            self._bytes += len(data)

    def fail(self, task: Task, reason: str) -> None:
        """Makes an error the answer of a pair."""
        result = failed(task[1], f"{reason}, or leave the page out")
        self.keep(task, pack((result,), details=self._work.details))

    def take_back(self, tasks: Sequence[Task]) -> None:
        """Gives out again, before all others, what a process has not done that ended."""
        self._again.extendleft(task for task in reversed(tasks) if not self._is_done(task))

    def _is_done(self, task: Task) -> bool:
        return task[0] < self._turn or task[0] in self._answers


def _is_ours(pair: Pair) -> bool:
    """Whether only this process can read a pair: standard input, and pipes that a shell has opened for it."""
    paths = [str(path) for path in (pair.gt, pair.hyp) if path is not None]
    return any(path == _STDIN or path.startswith(("/dev/", "/proc/")) for path in paths)
