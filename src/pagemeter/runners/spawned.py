"""The pool of processes on systems without a fork server, such as Windows."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, ClassVar

from pagemeter.runners.executor import ExecutorRunner
from pagemeter.runners.in_process import InProcess
from pagemeter.runners.processes import hidden_main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pagemeter.corpus import RunConfig
    from pagemeter.corpus.page_result import PageResult
    from pagemeter.inputs.pairs import Pair

MOST_SPAWNED = 60
"""Windows waits for at most 63 processes at a time, and `concurrent.futures` accepts 61."""


def has_fork_server() -> bool:
    """Return True if this system can fork worker processes from a server, as `Pool` does."""
    return "forkserver" in multiprocessing.get_all_start_methods()


class _SpawnedProcess(SpawnProcess):
    """A new process that does not import the main module again, so that a script needs no guard."""

    def start(self) -> None:
        with hidden_main():
            super().start()


class _Context(SpawnContext):
    Process: ClassVar[type[SpawnProcess]] = _SpawnedProcess


def map_spawned(
    jobs: int, config: RunConfig, pairs: Iterable[Pair], is_only_here: Callable[[Pair], bool]
) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
    """Evaluate pairs in new processes and yield the results in order.

    A pair for which `is_only_here` returns True is evaluated in this process. Pages have no limits of time
    and memory, and a process that ends by itself ends the run.
    """
    with ProcessPoolExecutor(min(jobs, MOST_SPAWNED), _Context()) as executor:
        spawned, here = ExecutorRunner(executor), InProcess()
        for only_here, group in groupby(pairs, is_only_here):
            yield from (here if only_here else spawned).map(config, group)
