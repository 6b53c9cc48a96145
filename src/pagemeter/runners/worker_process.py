"""The child side of the pool: a worker receives pairs, evaluates them, and answers each one.

Also the memory limit of a worker, the result of a pair that could not be evaluated, and the messages between
processes, which other runners use too. Messages have the fields of objects, and scores as the rows of a
`ScoreTable`: packing and unpacking whole objects would take longer than evaluating a small page.
"""

from __future__ import annotations

import errno
import os
import pickle
import signal
import struct
import threading
from dataclasses import fields, replace
from importlib import import_module
from multiprocessing import parent_process
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from pagemeter.corpus import PageResult, evaluate_pair
from pagemeter.corpus.page_result import evaluation_from_rows
from pagemeter.corpus.score_table import BudgetScores
from pagemeter.errors import PagemeterError, Problem, UsageError
from pagemeter.inputs.pairs import Pair
from pagemeter.runners.in_work import CurrentMeasure

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence
    from io import FileIO
    from multiprocessing.connection import Connection

    from pagemeter.corpus import RunConfig
    from pagemeter.inputs.locations import Location, Url
    from pagemeter.measure import Measure
    from pagemeter.settings import Settings


HEADER = struct.Struct("dQ")
"""The header of an answer: the seconds that the pair took, and the number of bytes that follow."""

PIPES = ("/dev/", "/proc/")
"""The beginning of paths that can be read only once, by the process for which a shell opened them."""

# Modules that are imported on first use and would count as memory of the page that uses them first. HiGHS is
# not among them: few pages need it, and loading it takes longer than most pages.
_LAZY_MODULES = ("numpy.ma", "regex", "pagemeter.solve", "pagemeter.geometry", "pagemeter.stats.budget")
_MODULES = 2_000_000_000  # bytes; with a larger limit, loading the modules later does not matter
_DLOPEN_MESSAGES = ("failed to map segment", "cannot allocate", "cannot create")


def serve(
    connection: Connection, packed: bytes, page_memory: int | None, shared: MutableSequence[int]
) -> None:
    """Answer pairs until the parent closes the pipe.

    The first answer is empty and says that the worker is ready. Pairs arrive several at a time, and each is
    answered as soon as it is evaluated.

    Args:
        connection: The pipe to the parent.
        packed: The pickled `RunConfig`.
        page_memory: Memory limit of a page in bytes.
        shared: Memory in which the parent can read the measure that is being computed.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, which ends the pool
    threading.Thread(target=_end_with_parent, daemon=True).start()
    config: RunConfig = pickle.loads(packed)  # noqa: S301  (from our own process)
    current = CurrentMeasure(shared)
    if page_memory is not None:
        limit_memory(page_memory)
    try:
        with (
            open(connection.fileno(), "rb", closefd=False) as requests,
            open(connection.fileno(), "wb", buffering=0, closefd=False) as answers,
        ):
            _write(answers, HEADER.pack(0.0, 0))
            while True:
                for pair in read_pairs(requests):
                    began = perf_counter()
                    current.set(None)
                    answer = _answer(config, pair, current)
                    _write(answers, HEADER.pack(perf_counter() - began, len(answer)) + answer)
    except (EOFError, OSError, pickle.UnpicklingError):  # the parent has closed the pipe
        return


def _end_with_parent() -> None:
    """End this process when its parent has ended, even in the middle of a page."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _write(file: FileIO, data: bytes) -> None:
    """Write all data; a pipe may take only a part at once."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _answer(config: RunConfig, pair: Pair, current: CurrentMeasure) -> bytes:
    try:
        return pack_results(safe_results(config, pair, current.set), details=config.details)
    except PagemeterError as error:
        return pickle.dumps(error)
    except MemoryError as error:  # while packing
        problem = _problem(error)
    return pack_results(results_without_hyp(config, pair, problem), details=config.details)


def safe_results(
    config: RunConfig, pair: Pair, on_measure: Callable[[Measure], object] | None = None
) -> tuple[PageResult, ...]:
    """Return the results of a pair; an unexpected error becomes the error of this pair.

    Args:
        config: The configuration of the run.
        pair: The pair.
        on_measure: As for `evaluate_pair`.

    Raises:
        PagemeterError: The usage is wrong, and every pair would fail.

    """
    try:
        return evaluate_pair(config, pair, on_measure)
    except PagemeterError:
        raise
    except Exception as error:  # noqa: BLE001  (a bug must not end a run over a million pages)
        problem = _problem(error)
    return results_without_hyp(config, pair, problem)


def results_without_hyp(config: RunConfig, pair: Pair, problem: Problem) -> tuple[PageResult, ...]:
    """Return the results of a pair that could not be evaluated: all text counts as missing, or it fails."""
    without = pair_without_hyp(config, pair, problem)
    return safe_results(config, without) if without else (failed_result(pair, problem),)


def next_attempt(config: RunConfig, pair: Pair, problem: Problem) -> Pair | None:
    """Return how a pair that exceeded a limit or ended its process is tried again, None if it fails.

    The first attempt after that prepares nothing for reports, because a report never changes a result.
    """
    if config.prepare and pair.unprepared is None and not _is_read_once(pair):
        return replace(pair, unprepared=problem, seen=None)
    return pair_without_hyp(config, pair, problem)


def _is_read_once(pair: Pair) -> bool:
    return any(str(path).startswith(PIPES) for path in (pair.gt, pair.hyp) if path is not None)


def pair_without_hyp(config: RunConfig, pair: Pair, problem: Problem) -> Pair | None:
    """Return the same pair without its hypothesis, which may be at fault.

    If it can be evaluated without it, all of its text counts as missing. Otherwise it fails. None is returned
    if that is clear at once.
    """
    tried = pair.hyp is None or pair.unusable_hyp is not None
    if config.failed == "exclude" or pair.gt is None or tried or str(pair.gt).startswith(PIPES):
        return None
    return replace(pair, unusable_hyp=problem, seen=None)


def _problem(error: Exception) -> Problem:
    if is_out_of_memory(error):
        settings = (("page_memory", ""),)
        return Problem("not enough memory", remedy="split it, or raise {}", settings=settings, kind="size")
    return Problem(f"{type(error).__name__}: {error}", remedy="please report this with the two files")


def late_problem(limit: float) -> Problem:
    """Return the problem of a page that exceeds the time limit."""
    remedy, settings = "raise {}, or leave the page out", (("page_seconds", ""),)
    return Problem(f"took more than {limit:g} seconds", remedy=remedy, settings=settings, kind="size")


def failed_result(pair: Pair, problem: Problem) -> PageResult:
    """Return the result of a pair that could not be evaluated.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.pairs import Pair
    >>> failed_result(Pair("1", Path("gt/1.xml"), None), Problem("took too long")).error
    'gt/1.xml: took too long'
    """
    gt, hyp = (None if path is None else str(path) for path in (pair.gt, pair.hyp))
    errors = (replace(problem, source=gt or hyp or pair.name),)
    return PageResult(pair.name, gt, hyp, None, pair.warnings, errors, document=pair.document)


def limit_memory(page_memory: int) -> None:
    """Limit the memory that this process can still allocate, after loading the modules that pages need."""
    import resource  # noqa: PLC0415  (not on all systems)

    if page_memory < _MODULES:
        _load_modules()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = _address_space() + page_memory
    resource.setrlimit(
        resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard)
    )


def _load_modules() -> None:
    from pagemeter.formats.registry import import_readers  # noqa: PLC0415  (only if memory is limited)

    import_readers()
    for name in _LAZY_MODULES:
        import_module(name)


def _address_space() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def is_out_of_memory(error: BaseException) -> bool:
    """Return True if an error means that memory ran out, also while a library was loaded.

    >>> is_out_of_memory(MemoryError()), is_out_of_memory(OSError(errno.ENOMEM, ""))
    (True, True)
    >>> is_out_of_memory(ImportError("no module"))
    False
    """
    if isinstance(error, ImportError):
        return any(message in str(error).lower() for message in _DLOPEN_MESSAGES)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


_SENT = [field.name for field in fields(PageResult) if field.name not in ("evaluation", "extra")]
_sent_values = attrgetter(*_SENT)


def pack_results(results: Sequence[PageResult], *, details: bool) -> bytes:
    """Return the results of a pair as bytes; without `details`, only their numbers.

    >>> results = (PageResult("1", "gt.txt", None),)
    >>> unpack_results(pack_results(results, details=False), None) == results
    True
    """
    return pickle.dumps(tuple(results) if details else [_page_fields(result) for result in results])


def unpack_results(data: bytes, settings: Settings | None) -> tuple[PageResult, ...]:
    """Return the results that were packed.

    Args:
        data: The packed results, or a pickled error.
        settings: The settings of the run, which are not packed.

    Raises:
        PagemeterError: The error that was packed instead of results.

    """
    results: Any = pickle.loads(data)  # noqa: S301  (from our own process)
    if isinstance(results, PagemeterError):
        raise results
    if isinstance(results, tuple):  # with details
        return results
    return tuple([_page_result(rows, values, settings) for rows, values in results])


def _page_fields(result: PageResult) -> tuple[bytes | None, tuple[Any, ...]]:
    """Return the scores of a result as rows, and its other fields."""
    return None if result.evaluation is None else result.rows, _sent_values(result)


def _page_result(rows: bytes | None, values: tuple[Any, ...], settings: Settings | None) -> PageResult:
    page = dict(zip(_SENT, values, strict=True))
    if rows is None:
        return PageResult(**page)
    evaluation = evaluation_from_rows(rows, settings, page["flags"])
    return PageResult(**page, evaluation=evaluation, extra=BudgetScores(rows))


def pack_pairs(pairs: Sequence[Pair]) -> bytes:
    """Return pairs of files as bytes.

    >>> from io import BytesIO
    >>> from pagemeter.inputs.pairs import Pair
    >>> pairs = [Pair("1", Path("gt/1.xml"), None)]
    >>> read_pairs(BytesIO(pack_pairs(pairs))) == pairs
    True
    """
    return pickle.dumps(
        [
            (
                *(p.name, _text(p.gt), _text(p.hyp), p.warnings, p.errors),
                *(p.document, p.seen, p.unusable_hyp, p.unprepared, p.pages, p.known),
            )
            for p in pairs
        ]
    )


def read_pairs(file: BinaryIO) -> list[Pair]:
    """Read the next packed pairs from a pipe, which may deliver them in pieces."""
    pairs = pickle.load(file)  # noqa: S301  (from our own process)
    return [Pair(name, _path(gt), _path(hyp), *rest) for name, gt, hyp, *rest in pairs]


def _text(path: Location | None) -> str | None:
    return None if path is None else os.fspath(path)  # a Url is a str and stays one


def _path(text: str | None) -> Location | None:
    return Path(text) if type(text) is str else cast("Url | None", text)


def as_bytes(value: Any) -> bytes:  # noqa: ANN401
    """Pickle an object for another process.

    Raises:
        UsageError: It cannot be pickled, for example a function that was defined in a session.

    >>> as_bytes(lambda: 0)
    Traceback (most recent call last):
    pagemeter.errors.UsageError: ...cannot be sent to other processes...

    """
    try:
        return pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"{error}: it cannot be sent to other processes",
            remedy="define it in a module, or use one process",
        ) from None
