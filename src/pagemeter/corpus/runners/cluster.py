"""Many machines: pages on the workers of a Dask cluster, which may come and go."""

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
from pagemeter.corpus.runners.cores import cores
from pagemeter.corpus.runners.futures import Futures
from pagemeter.corpus.runners.interrupts import deferred, withheld
from pagemeter.errors import ClusterError, DependencyError, PagemeterError, PagemeterWarning, UsageError, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.process import BaseProcess

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.result import PageResult
    from pagemeter.corpus.runners.work import Work

LOCAL = "local"
"""The address of a cluster that is started on this machine, for trying."""
_RUNNING = "running"  # what a client says of itself while it has its scheduler
_LOGGERS = ("distributed", "tornado", "asyncio")
_SECONDS = 15  # to find the scheduler
_ALONE = 4  # without a worker before it is said


class Cluster:
    """Runs pairs on a Dask cluster; the results come in the order of the pairs.

    `address` is that of a scheduler, such as `tcp://host:8786`, the path of a scheduler file, or `local`. A
    worker that is lost has its pairs done by another, and `say` is told if there is none. Relative paths are
    those of the working folder of this process, which the workers have to see under the same name.

    >>> Cluster("tcp//host")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: --scheduler tcp//host: give an address such as tcp://host:8786, ...
    """

    def __init__(
        self, address: str, jobs: int | None = None, *, say: Callable[[str], None] | None = None
    ) -> None:
        if address != LOCAL and "://" not in address and not os.path.isfile(address):  # noqa: PTH113
            raise UsageError(
                f"--scheduler {address}: give an address such as tcp://host:8786, the path of a scheduler "
                f"file, or {LOCAL}"
            )
        self._address, self._jobs = address, jobs
        self._say = say or (lambda text: warn(text, PagemeterWarning))

    def map(self, work: Work, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Every pair with the results of its pages."""
        with ExitStack() as stack:
            client = _client(stack, self._address, self._jobs or cores())
            place = client.scheduler.address
            try:
                _check(client)
                executor = stack.enter_context(client.get_executor(pure=False))
                runner = Futures(executor, _Places(client, self._address, self._say), packed=True)
                yield from runner.map(replace(work, folder=os.getcwd()), pairs)  # noqa: PTH109
            except Exception:
                if client.status == _RUNNING:
                    raise
                raise ClusterError(f"the scheduler at {place} is gone; start one, and run again") from None


class _Places:
    """How many pages the workers of a cluster can do at once; says so where there is no worker for long."""

    def __init__(self, client: Any, address: str, say: Callable[[str], None]) -> None:  # noqa: ANN401
        self._client, self._address, self._say = client, address, say
        self._seen = monotonic()
        self._said = False

    def __call__(self) -> int:
        if self._client.status != _RUNNING:  # asking would take until it is given up
            raise ClusterError("no scheduler")
        count: int = sum(self._client.ncores().values())
        if count:
            self._seen, self._said = monotonic(), False
        elif monotonic() - self._seen > _ALONE and not self._said:
            if self._address == LOCAL:
                raise ClusterError("the cluster has lost all its workers; run again")
            self._said = True
            self._say(f"--scheduler {self._address}: waiting, for there is no worker; start one: dask worker")
        return count


def _check(client: Any) -> None:  # noqa: ANN401
    """Raises an error if a worker lacks this version of pagemeter, for it could not say so later."""
    for worker, found in client.run(version, "pagemeter", on_error="return").items():
        if found != __version__:
            has = "no pagemeter" if isinstance(found, PackageNotFoundError) else f"pagemeter {found}"
            raise PagemeterError(f"{worker}: it has {has}; install pagemeter {__version__} there")


def _client(stack: ExitStack, address: str, jobs: int) -> Any:  # noqa: ANN401
    try:
        with deferred():
            distributed: Any = import_module("distributed")  # optional, slow to load, and untyped
    except ImportError as error:
        raise DependencyError(f"--scheduler: {error}; pip install 'pagemeter[dask]'") from None
    stack.enter_context(_silent())
    if address == LOCAL:
        return stack.enter_context(distributed.Client(_local(stack, distributed, jobs)))
    where = {"address": address} if "://" in address else {"scheduler_file": address}
    try:
        return stack.enter_context(distributed.Client(**where, timeout=_SECONDS))
    # MemoryError where another kind of server answers, and its words are taken for a size.
    except (OSError, ValueError, MemoryError) as error:
        raise UsageError(
            f"--scheduler {address}: no scheduler answers ({error}); start one with: dask scheduler"
        ) from None


@contextmanager
def _silent() -> Iterator[None]:
    """Keeps what Dask says of lost workers and connections from the terminal, for we say it in a line."""
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if name.partition(".")[0] in _LOGGERS and isinstance(logger, logging.Logger) and not logger.disabled
    ]
    for logger in loggers:
        logger.disabled = True
    interrupted = False
    try:
        yield
    except KeyboardInterrupt:  # threads of a cluster that was only half there go on
        interrupted = True
        raise
    finally:
        for logger in loggers:
            logger.disabled = interrupted


def _local(stack: ExitStack, distributed: Any, jobs: int) -> Any:  # noqa: ANN401
    """A cluster of so many processes that ends at once when a run is given up, even while it starts."""
    before = set(active_children())
    runner = distributed.utils.LoopRunner()
    with withheld():
        runner.start()
    stack.callback(runner.stop)
    options: dict[str, Any] = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": ":0"}
    try:
        cluster = stack.enter_context(distributed.LocalCluster(loop=runner.loop, **options))
    except BaseException:
        runner.stop()
        _kill(before)
        raise

    def give_up(kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            for nanny in cluster.workers.values():
                nanny.close_gracefully()  # it would start another worker
            _kill(before)

    stack.push(give_up)
    return cluster


def _kill(before: set[BaseProcess]) -> None:
    """Ends all processes but those; they cannot be asked, for they may be inside a page for long."""
    ours = set(active_children()) - before
    for process in ours:
        process.kill()
    for process in ours:
        wait([process.sentinel], _SECONDS)  # Dask itself asks how they ended, which can be done but once
