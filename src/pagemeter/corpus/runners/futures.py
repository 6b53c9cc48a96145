"""Any `concurrent.futures.Executor` as the place where pages are evaluated, several pairs at a time."""

from __future__ import annotations

import os
import pickle
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from pagemeter._version import __version__
from pagemeter.corpus.runners.packing import as_bytes, pack, unpack
from pagemeter.corpus.runners.worker import failed, results_of
from pagemeter.errors import PagemeterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.result import PageResult
    from pagemeter.corpus.runners.work import Work

_SECONDS = 0.5  # that a batch should take, so that handing it over costs next to nothing
_MOST = 256  # pairs of a batch
_GLANCE = 5  # seconds after which it is looked again whether there are places
_AHEAD = 2  # batches for every place, so that none has to wait
_DONE = 50  # batches for every place that may be done while an earlier one is not


class Answer(NamedTuple):
    """What became of a batch: a packed result a pair, and how long it took."""

    packed: list[bytes]
    seconds: float


def evaluate_batch(work: Work, pairs: list[Pair]) -> Answer:
    """The results of several pairs, wherever this runs."""
    began = perf_counter()
    packed = [pack(results_of(work, pair), details=work.details) for pair in pairs]
    return Answer(packed, perf_counter() - began)


def evaluate_packed(batch: bytes, version: str) -> Answer:
    """The same of what was packed elsewhere, so that what cannot be unpacked here is an error of this batch.

    >>> evaluate_packed(b"", "0")
    Traceback (most recent call last):
    pagemeter.errors.PagemeterError: a worker has pagemeter ..., and 0 was asked for; install it there
    """
    if version != __version__:
        raise PagemeterError(
            f"a worker has pagemeter {__version__}, and {version} was asked for; install it there"
        )
    return evaluate_batch(*pickle.loads(batch))  # noqa: S301  (from whoever started the run)


class _Batch(NamedTuple):
    pairs: list[Pair]
    future: Future[Answer]


class Futures:
    """Runs pairs on an executor; the results come in the order of the pairs.

    `places` says how many batches can be in work at once, as often as it is asked, for workers may come and
    go. The pairs of a batch that ends in an error are tried again one by one while nothing else is in work,
    so that only the pair at fault fails, and none that was only near it when a worker was lost. Batches are
    `packed` for executors on other machines.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from pagemeter.corpus import Pair, run
    >>> with ThreadPoolExecutor() as executor:
    ...     [r.status for r in run([Pair("1", None, None, error="no files")], ["CER"], on=executor)]
    ['failed']
    """

    def __init__(
        self, executor: Executor, places: Callable[[], int] | None = None, *, packed: bool = False
    ) -> None:
        self._executor, self._packed = executor, packed
        self._places = places or (lambda: getattr(executor, "_max_workers", None) or os.cpu_count() or 1)
        self._pace = _SECONDS

    def map(self, work: Work, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Every pair with the results of its pages."""
        source, window = iter(pairs), deque[_Batch]()
        try:
            while self._submit(work, source, window) or window:
                while window and window[0].future.done():
                    yield from self._results(work, window.popleft(), window)
                pending = [batch.future for batch in window if not batch.future.done()]
                if pending:
                    wait(pending, _GLANCE, FIRST_COMPLETED)
        finally:
            for batch in window:
                batch.future.cancel()

    def _submit(self, work: Work, source: Iterator[Pair], window: deque[_Batch]) -> bool:
        """Hands over what there is room for; says whether there may be more."""
        places = max(1, self._places())
        pending = sum(not batch.future.done() for batch in window)
        while pending < _AHEAD * places and len(window) < _DONE * places:
            size = max(1, min(_MOST, int(_SECONDS / self._pace)))
            pairs = list(islice(source, size))
            if not pairs:
                return False
            window.append(self._batch(work, pairs))
            pending += 1
        return True

    def _batch(self, work: Work, pairs: list[Pair]) -> _Batch:
        try:
            if self._packed:
                data = as_bytes((work, pairs))
                return _Batch(pairs, self._executor.submit(evaluate_packed, data, __version__))
            return _Batch(pairs, self._executor.submit(evaluate_batch, work, pairs))
        except RuntimeError as error:  # BrokenExecutor among them
            raise _ended(error) from None

    def _results(
        self, work: Work, batch: _Batch, window: deque[_Batch]
    ) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        answer = _answer(batch)
        if isinstance(answer, Exception):
            self._drain(window)
            for pair in batch.pairs:
                yield pair, self._alone(work, pair)
            return
        self._pace += (max(1e-6, answer.seconds / len(batch.pairs)) - self._pace) / 4
        for pair, packed in zip(batch.pairs, answer.packed, strict=True):
            yield pair, unpack(packed, work.settings)

    def _drain(self, window: deque[_Batch]) -> None:
        while wait([batch.future for batch in window], _GLANCE).not_done:
            self._places()

    def _alone(self, work: Work, pair: Pair) -> tuple[PageResult, ...]:
        batch = self._batch(work, [pair])
        self._drain(deque([batch]))
        answer = _answer(batch)
        if isinstance(answer, Exception):
            said = f"{type(answer).__name__}: {str(answer).partition('. ')[0]}"
            return (failed(pair, f"{said}; give the workers more memory, or leave the page out"),)
        return unpack(answer.packed[0], work.settings)


def _answer(batch: _Batch) -> Answer | Exception:
    """What became of a batch, or what the executor says of a worker that is gone."""
    try:
        return batch.future.result()
    except PagemeterError:
        raise
    except (BrokenExecutor, CancelledError) as error:
        raise _ended(error) from None
    except ImportError as error:
        raise PagemeterError(f"a worker lacks a package: {error}; install it there") from None
    except Exception as error:  # noqa: BLE001  (whatever it may be)
        return error


def _ended(error: BaseException) -> PagemeterError:
    return PagemeterError(
        f"the executor takes no more work: {error or type(error).__name__}; run again on another one"
    )
