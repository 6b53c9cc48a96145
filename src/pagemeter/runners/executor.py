"""Run pairs on any `concurrent.futures.Executor`, in batches, and on a Dask cluster, which is one.

The workers of a cluster may be added or lost during the run. `map_spawned` replaces the pool on systems
without a fork server.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby, islice
from multiprocessing import active_children, connection
from multiprocessing.context import SpawnContext, SpawnProcess
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pagemeter._version import __version__
from pagemeter.errors import (
    ClusterError,
    DependencyError,
    PagemeterError,
    PagemeterWarning,
    Problem,
    UsageError,
    warn,
)
from pagemeter.runners.in_process import InProcess
from pagemeter.runners.processes import available_cores, blocked_interrupts, hidden_main
from pagemeter.runners.worker_process import (
    as_bytes,
    failed_result,
    next_attempt,
    pack_results,
    safe_results,
    unpack_results,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from pagemeter.corpus import RunConfig
    from pagemeter.corpus.page_result import PageResult
    from pagemeter.inputs.pairs import Pair


_BATCH_SECONDS = 0.5  # target duration of a batch, so that sending it costs little
_MOST_PAIRS = 256  # per batch
_CHECK_SECONDS = 5  # interval at which the number of workers is asked for
_PENDING_PER_WORKER = 2  # batches, so that no worker waits
_FINISHED_PER_WORKER = 50  # batches that may be finished while an earlier one is not


class BatchAnswer(NamedTuple):
    """The packed results of a batch, one item per pair, and the seconds that it took."""

    packed: list[bytes]
    seconds: float


def evaluate_batch(config: RunConfig, pairs: list[Pair]) -> BatchAnswer:
    """Return the results of several pairs; this runs in the worker."""
    began = perf_counter()
    packed = [pack_results(safe_results(config, pair), details=config.details) for pair in pairs]
    return BatchAnswer(packed, perf_counter() - began)


def evaluate_packed(batch: bytes, version: str) -> BatchAnswer:
    """Return the results of a pickled batch, which is unpickled here so that errors belong to this batch.

    >>> evaluate_packed(b"", "0")
    Traceback (most recent call last):
    pagemeter.errors.PagemeterError: a worker has pagemeter ... instead of 0. Install pagemeter 0 there.
    """
    if version != __version__:
        raise PagemeterError(
            f"a worker has pagemeter {__version__} instead of {version}",
            remedy=f"install pagemeter {version} there",
        )
    return evaluate_batch(*pickle.loads(batch))  # noqa: S301  (from the process that started the run)


class _Batch(NamedTuple):
    pairs: list[Pair]
    future: Future[BatchAnswer]


class ExecutorRunner:
    """Evaluates pairs on an executor, in batches.

    If a batch ends in an error, its pairs are repeated one by one while nothing else runs. Only the pair that
    causes the error fails then, not the others of its batch.

    Args:
        executor: Any `concurrent.futures.Executor`.
        count_workers: Returns the number of batches that can run at once. It is called repeatedly, because
            workers may be added or lost. By default it is the number of workers of the executor.
        packed: Pickle batches here and unpickle them in the worker, for executors on other machines.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from pagemeter.inputs.pairs import Pair
    >>> from pagemeter.runners.in_process import evaluate_pairs
    >>> with ThreadPoolExecutor() as executor:
    ...     [result.status for result in evaluate_pairs([Pair("1", None, None)], ["CER"], on=executor)]
    ['no ground truth']

    """

    def __init__(
        self, executor: Executor, count_workers: Callable[[], int] | None = None, *, packed: bool = False
    ) -> None:
        self._executor, self._packed = executor, packed
        self._count_workers = count_workers or self._max_workers
        self._pace = _BATCH_SECONDS  # seconds per pair

    def _max_workers(self) -> int:
        # Needed by test_all_workers_of_an_executor_are_used; there is no public attribute.
        return getattr(self._executor, "_max_workers", None) or os.cpu_count() or 1

    def map(self, config: RunConfig, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield each pair with the results of its pages, in the order of the pairs."""
        source, window = iter(pairs), deque[_Batch]()
        try:
            while self._submit(config, source, window) or window:
                while window and window[0].future.done():
                    yield from self._results(config, window.popleft(), window)
                pending = [batch.future for batch in window if not batch.future.done()]
                if pending:
                    wait(pending, _CHECK_SECONDS, FIRST_COMPLETED)
        finally:
            for batch in window:
                batch.future.cancel()

    def _submit(self, config: RunConfig, source: Iterator[Pair], window: deque[_Batch]) -> bool:
        """Submit as many batches as there is room for; return False if there are no more pairs."""
        workers = max(1, self._count_workers())
        pending = sum(not batch.future.done() for batch in window)
        while pending < _PENDING_PER_WORKER * workers and len(window) < _FINISHED_PER_WORKER * workers:
            size = max(1, min(_MOST_PAIRS, int(_BATCH_SECONDS / self._pace)))
            pairs = list(islice(source, size))
            if not pairs:
                return False
            window.append(self._batch(config, pairs))
            pending += 1
        return True

    def _batch(self, config: RunConfig, pairs: list[Pair]) -> _Batch:
        try:
            if self._packed:
                data = as_bytes((config, pairs))
                return _Batch(pairs, self._executor.submit(evaluate_packed, data, __version__))
            return _Batch(pairs, self._executor.submit(evaluate_batch, config, pairs))
        except RuntimeError as error:  # BrokenExecutor is one
            raise _broken(error) from None

    def _results(
        self, config: RunConfig, batch: _Batch, window: deque[_Batch]
    ) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        answer = _answer(batch)
        if isinstance(answer, Exception):
            self._wait_for_all(window)
            for pair in batch.pairs:
                yield pair, self._repeat(config, pair)
            return
        self._pace += (max(1e-6, answer.seconds / len(batch.pairs)) - self._pace) / 4
        for pair, packed in zip(batch.pairs, answer.packed, strict=True):
            yield pair, unpack_results(packed, config.settings)

    def _wait_for_all(self, batches: Iterable[_Batch]) -> None:
        while wait([batch.future for batch in batches], _CHECK_SECONDS).not_done:
            self._count_workers()  # raises an error if the cluster is gone

    def _repeat(self, config: RunConfig, pair: Pair) -> tuple[PageResult, ...]:
        """Return the results of a pair that is evaluated alone."""
        batch = self._batch(config, [pair])
        self._wait_for_all([batch])
        answer = _answer(batch)
        if isinstance(answer, Exception):
            detail = f"{type(answer).__name__}: {str(answer).partition('. ')[0]}"
            remedy = "give the workers more memory, or leave the page out"
            problem = Problem(detail, remedy=remedy, kind="cluster")
            attempt = next_attempt(config, pair, problem)
            return self._repeat(config, attempt) if attempt else (failed_result(pair, problem),)
        return unpack_results(answer.packed[0], config.settings)


def _answer(batch: _Batch) -> BatchAnswer | Exception:
    """Return the answer to a batch, or the error of the executor, for example for a lost worker."""
    try:
        return batch.future.result()
    except PagemeterError:
        raise
    except (BrokenExecutor, CancelledError) as error:
        raise _broken(error) from None
    except ImportError as error:
        raise PagemeterError(f"a worker lacks a package: {error}", remedy="install it there") from None
    except Exception as error:  # noqa: BLE001  (executors raise errors of their own)
        return error


def _broken(error: BaseException) -> PagemeterError:
    return PagemeterError(
        f"the executor takes no more work: {error or type(error).__name__}", remedy="use another executor"
    )


LOCAL_CLUSTER = "local"
"""The address of a cluster that is started on this machine, for tests."""
_RUNNING = "running"  # the status of a client that is connected to its scheduler
_LOGGERS = ("distributed", "tornado", "asyncio")
# Needed by test_a_local_cluster_has_the_same_numbers_and_prints_nothing.
_SILENT_WORKERS = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
_CONNECT_SECONDS = 15
_ALONE_SECONDS = 4  # without a worker before a message


class Cluster:
    """Evaluates pairs on a Dask cluster.

    Another worker takes over the pairs of a lost one. Relative paths are those of the working folder of this
    process, which the workers must see under the same name.

    Args:
        address: The address of a scheduler such as `tcp://host:8786`, the path of a scheduler file, or
            `local` for a cluster on this machine.
        jobs: Number of workers of a local cluster; None for all cores.
        notify: Receives the message that the cluster has no worker; by default it is a warning.

    >>> Cluster("tcp//host")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: scheduler='tcp//host': not an address or a file. Give an address such as ...

    """

    def __init__(
        self, address: str, jobs: int | None = None, *, notify: Callable[[str], None] | None = None
    ) -> None:
        if address != LOCAL_CLUSTER and "://" not in address and not os.path.isfile(address):  # noqa: PTH113
            raise UsageError(
                "not an address or a file",
                setting=("scheduler", address),
                remedy="give an address such as tcp://host:8786, the path of a scheduler file, or "
                f"{LOCAL_CLUSTER}",
            )
        self._address, self._jobs = address, jobs
        self._notify = notify or (lambda text: warn(text, PagemeterWarning))

    def map(self, config: RunConfig, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield each pair with the results of its pages, in the order of the pairs."""
        with ExitStack() as stack:
            client = _connect(stack, self._address, self._jobs or available_cores())
            scheduler = client.scheduler.address
            try:
                _check_versions(client)
                executor = stack.enter_context(client.get_executor(pure=False))
                count_workers = _WorkerCount(client, self._address, self._notify)
                runner = ExecutorRunner(executor, count_workers, packed=True)
                yield from runner.map(replace(config, folder=os.getcwd()), pairs)  # noqa: PTH109
            except Exception as error:
                # The connection is closed a moment before the status changes.
                lost = import_module("distributed.comm").CommClosedError
                if client.status == _RUNNING and not isinstance(error, lost):
                    raise
                raise ClusterError(
                    f"the scheduler at {scheduler} is gone", remedy="start one, and run again"
                ) from None


class _WorkerCount:
    """Counts the threads of all workers of a cluster, and reports if there is none for some time."""

    def __init__(self, client: Any, address: str, notify: Callable[[str], None]) -> None:  # noqa: ANN401
        self._client, self._address, self._notify = client, address, notify
        self._last_seen = monotonic()
        self._notified = False

    def __call__(self) -> int:
        if self._client.status != _RUNNING:  # a request would only end at its time-out
            raise ClusterError("no scheduler")
        count: int = sum(self._client.ncores().values())
        if count:
            self._last_seen, self._notified = monotonic(), False
        elif monotonic() - self._last_seen > _ALONE_SECONDS and not self._notified:
            if self._address == LOCAL_CLUSTER:
                raise ClusterError("the cluster has lost all its workers", remedy="run again")
            self._notified = True
            self._notify(f"{self._address}: the cluster has no worker. Start one: dask worker")
        return count


def _check_versions(client: Any) -> None:  # noqa: ANN401
    """Raise an error if a worker lacks this version of pagemeter, because the worker cannot report it."""
    for worker, installed in client.run(version, "pagemeter", on_error="return").items():
        if installed != __version__:
            missing = isinstance(installed, PackageNotFoundError)
            raise PagemeterError(
                f"the worker has {'no pagemeter' if missing else f'pagemeter {installed}'}",
                source=worker,
                remedy=f"install pagemeter {__version__} there",
            )


def _connect(stack: ExitStack, address: str, jobs: int) -> Any:  # noqa: ANN401
    """Return a client of the cluster, which ends with the stack."""
    try:
        distributed: Any = import_module("distributed")  # optional, slow to load, and untyped
    except ImportError as error:
        raise DependencyError(
            str(error), setting=("scheduler", address), remedy="run pip install 'pagemeter[dask]'"
        ) from None
    stack.enter_context(_silent_loggers())
    if address == LOCAL_CLUSTER:
        return stack.enter_context(distributed.Client(_start_local(stack, distributed, jobs)))
    where = {"address": address} if "://" in address else {"scheduler_file": address}
    try:
        return stack.enter_context(distributed.Client(**where, timeout=_CONNECT_SECONDS))
    # MemoryError: another kind of server answers, and its text is taken for a size.
    except (OSError, ValueError, MemoryError) as error:
        raise UsageError(
            f"no scheduler answers ({error})",
            setting=("scheduler", address),
            remedy="start one with: dask scheduler",
        ) from None


@contextmanager
def _silent_loggers() -> Iterator[None]:
    """Keep Dask's messages about lost connections from the terminal, because one line reports them.

    Needed by test_a_scheduler_that_is_lost_is_reported_in_one_line_and_the_store_is_kept.
    """
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if name.partition(".")[0] in _LOGGERS and isinstance(logger, logging.Logger) and not logger.disabled
    ]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


def _start_local(stack: ExitStack, distributed: Any, jobs: int) -> Any:  # noqa: ANN401
    """Start a cluster of worker processes on this machine, which are killed if the run is aborted."""
    before = set(active_children())

    # Needed by test_a_cluster_ends_with_one_line_and_leaves_no_process: workers that are asked to end while
    # they evaluate a page complain, and a page may take long.
    def give_up(kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            processes = set(active_children()) - before
            for process in processes:
                process.kill()
            for process in processes:
                connection.wait([process.sentinel], _CONNECT_SECONDS)

    # Interrupts wait until the cluster is complete. Its thread and its processes never receive any. Needed by
    # test_at_any_moment_a_cluster_ends_with_one_line_and_leaves_no_process.
    with blocked_interrupts(), import_module("dask").config.set(_SILENT_WORKERS):
        cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=":0")
        stack.enter_context(cluster)
        stack.push(give_up)
    return cluster


# Processes of the standard library, for systems without a fork server, such as Windows

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
