"""Evaluate pairs of files: `evaluate_pairs`, the interface of a runner, and the runner of this process."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from pagemeter.corpus import MeasureSelection, Readers, RunConfig
from pagemeter.runners.in_work import PairInWork
from pagemeter.runners.worker_process import failed_result, late_problem, next_attempt, safe_results
from pagemeter.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.corpus.page_result import PageResult
    from pagemeter.inputs.pairs import Pair
    from pagemeter.measure import Measure
    from pagemeter.run_settings import Failed
    from pagemeter.runners.in_work import PageInWork


class Runner(Protocol):
    """Evaluates many pairs of files and returns their results in the order of the pairs."""

    def map(self, config: RunConfig, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield each pair with the results of its pages."""


class InProcess:
    """Evaluates pairs in this process, one after the other.

    Args:
        page_seconds: Time limit of a pair in seconds; by default there is none. It needs signals of Unix and
            the main thread. The kernel checks it where it checks for Ctrl-C.

    >>> list(InProcess().map(RunConfig(), []))
    []

    """

    def __init__(self, *, page_seconds: float | None = None) -> None:
        self.page_seconds = page_seconds
        self._in_work = PairInWork()

    def in_work(self) -> tuple[PageInWork, ...]:
        """Return the page that is being evaluated; it can be called from another thread."""
        return self._in_work.get()

    def map(self, config: RunConfig, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield each pair with the results of its pages."""
        for pair in pairs:
            results = self._results(config, pair)
            self._in_work.end()
            yield pair, results

    def _results(self, config: RunConfig, pair: Pair) -> tuple[PageResult, ...]:
        on_measure = self._in_work.begin(pair)
        if self.page_seconds is None:
            return safe_results(config, pair, on_measure)
        try:
            with time_limit(self.page_seconds):
                return safe_results(config, pair, on_measure)
        except OutOfTimeError:
            problem = late_problem(self.page_seconds)
        attempt = next_attempt(config, pair, problem)
        return self._results(config, attempt) if attempt else (failed_result(pair, problem),)


class OutOfTimeError(BaseException):
    """A block took longer than its limit; no handler of ordinary errors may catch this."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` in a block that takes too long, if this is the main thread of a Unix process.

    >>> try:
    ...     with time_limit(0.01):
    ...         while True: pass
    ... except OutOfTimeError:
    ...     print("ended")
    ended
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(_number: int, _frame: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def evaluate_pairs(
    pairs: Iterable[Pair],
    measures: Iterable[str | Measure] | MeasureSelection | None = None,
    settings: Settings | None = None,
    *,
    readers: Readers | None = None,
    skip_missing: bool = False,
    failed: Failed = "missing",
    details: bool = True,
    on: Runner | Executor | None = None,
) -> Iterator[PageResult]:
    """Yield the results of all pages in the order of the pairs, each as soon as it is complete.

    A file that cannot be read, and a page without the positions that a G measure needs, affect no other page.
    If the hypothesis is at fault, all text of the page counts as missing, and a warning has the reason.
    Otherwise the result has an error. A page without positions lacks the G measures that are optional
    (`CER:G?`), without an error.

    Args:
        pairs: Pairs of files; they may be endless, because only a few are taken in advance.
        measures: Measures or their ids, as `MeasureSelection.of` takes them; None for the default.
        settings: How pages are evaluated.
        readers: How files are read.
        skip_missing: Leave out a ground-truth page without hypothesis. Otherwise it is evaluated against an
            empty page, and all of its text counts as missing.
        failed: `missing` if all text of a page counts as missing when its hypothesis cannot be used,
            `exclude` if such a page has an error and no scores.
        details: Return texts and alignments too. Numbers alone are faster to send between processes.
        on: Where pages are evaluated: a runner such as `Pool`, any `concurrent.futures.Executor`, or None for
            this process.

    Returns:
        An iterator of results; none is kept in memory.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from pagemeter.inputs.pairs import Pair
    >>> from pagemeter.measure import Measure
    >>> path = Path(tempfile.mkdtemp(), "page.txt")
    >>> _ = path.write_text("a line")
    >>> [r.scores[Measure("CER")].errors for r in evaluate_pairs([Pair("page", path, None)], ["CER"])]
    [6]

    """
    config = RunConfig(
        MeasureSelection.of(measures),
        settings or DEFAULT_SETTINGS,
        readers or Readers(),
        skip_missing,
        failed=failed,
        details=details,
    )
    for _, results in as_runner(on).map(config, pairs):
        yield from results


def as_runner(on: Runner | Executor | None) -> Runner:
    """Return the runner for the argument of `evaluate_pairs`: a runner, an executor, or None."""
    if on is None:
        return InProcess()
    if isinstance(on, Executor):
        from pagemeter.runners.executor import ExecutorRunner  # noqa: PLC0415  (only where it is needed)

        return ExecutorRunner(on)
    return on
