"""Run batches of pairs on any `concurrent.futures.Executor`."""

from __future__ import annotations

import os
import pickle
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from pagemeter._version import __version__
from pagemeter.errors import PagemeterError, Problem
from pagemeter.runners.messages import as_bytes, pack_results, unpack_results
from pagemeter.runners.worker_process import failed_result, next_attempt, safe_results

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
