"""What runs in a process of the pool: take a pair, evaluate it, answer, until nobody asks any more."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import threading
from multiprocessing import parent_process
from time import perf_counter
from typing import TYPE_CHECKING

from pagemeter.corpus.result import PageResult
from pagemeter.corpus.runners.memory import is_short, limit
from pagemeter.corpus.runners.packing import pack, read_pairs
from pagemeter.errors import PagemeterError

if TYPE_CHECKING:
    from io import FileIO
    from multiprocessing.connection import Connection

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.runners.work import Work

HEAD = struct.Struct("dQ")
"""What an answer begins with: how long it took, and how many bytes follow."""


def serve(connection: Connection, packed: bytes, memory: int | None) -> None:
    """Answers every pair with the results of its pages, after an empty answer: it is ready.

    Pairs come several at a time, and each is answered as soon as it is done. `packed` is the work, and
    `memory`, in bytes, what a page may take beyond what the process has, so that one that needs more fails by
    itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is asked as well and ends the pool
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work: Work = pickle.loads(packed)  # noqa: S301  (from our own process)
    if memory is not None:
        limit(memory)
    try:
        with (
            open(connection.fileno(), "rb", closefd=False) as asked,
            open(connection.fileno(), "wb", buffering=0, closefd=False) as answers,
        ):
            _write(answers, HEAD.pack(0.0, 0))
            while True:
                for pair in read_pairs(asked):
                    began = perf_counter()
                    answer = _answer(work, pair)
                    _write(answers, HEAD.pack(perf_counter() - began, len(answer)) + answer)
    except (EOFError, OSError, pickle.UnpicklingError):  # nobody asks any more, or stopped in the middle
        return


def _write(file: FileIO, data: bytes) -> None:
    """All of it, for a pipe may take only a part at once."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _answer(work: Work, pair: Pair) -> bytes:
    try:
        return pack(results_of(work, pair), details=work.details)
    except PagemeterError as error:
        return pickle.dumps(error)
    except MemoryError as error:
        return pack((failed(pair, _why(error)),), details=work.details)


def results_of(work: Work, pair: Pair) -> tuple[PageResult, ...]:
    """The results of a pair; what goes wrong is the error of this pair alone, except wrong usage."""
    try:
        return work(pair)
    except PagemeterError:
        raise
    except Exception as error:  # noqa: BLE001  (a fault of ours must not end a run over a million pages)
        return (failed(pair, _why(error)),)


def _why(error: Exception) -> str:
    if is_short(error):
        return "not enough memory for it; split it, or raise --page-memory"
    return f"{type(error).__name__}: {error}; please report this with the two files"


def failed(pair: Pair, reason: str) -> PageResult:
    """The result of a pair that could not be evaluated.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair
    >>> failed(Pair("1", Path("gt/1.xml"), None), "took too long").error
    'gt/1.xml: took too long'
    """
    gt, hyp = (None if path is None else str(path) for path in (pair.gt, pair.hyp))
    error = f"{gt or hyp or pair.name}: {reason}"
    return PageResult(pair.name, gt, hyp, None, pair.warnings, error, document=pair.document)


def _end_with_parent() -> None:
    """Ends this process when its parent is gone, though a page may be in work for long."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
