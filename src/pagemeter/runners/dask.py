"""Run pairs on a Dask cluster, whose workers may be added or lost during the run."""

from __future__ import annotations

import logging
import os
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import active_children
from multiprocessing.connection import wait
from time import monotonic
from typing import TYPE_CHECKING, Any

from pagemeter._version import __version__
from pagemeter.errors import ClusterError, DependencyError, PagemeterError, PagemeterWarning, UsageError, warn
from pagemeter.runners.executor import ExecutorRunner
from pagemeter.runners.processes import available_cores, blocked_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pagemeter.corpus import RunConfig
    from pagemeter.corpus.page_result import PageResult
    from pagemeter.inputs.pairs import Pair


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
                wait([process.sentinel], _CONNECT_SECONDS)

    # Interrupts wait until the cluster is complete. Its thread and its processes never receive any. Needed by
    # test_at_any_moment_a_cluster_ends_with_one_line_and_leaves_no_process.
    with blocked_interrupts(), import_module("dask").config.set(_SILENT_WORKERS):
        cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=":0")
        stack.enter_context(cluster)
        stack.push(give_up)
    return cluster
