"""Messages between processes: pairs of files to workers, and the results of their pages back.

Objects are sent as their fields, and scores as the rows of a `ScoreTable`: packing and unpacking whole
objects would take longer than evaluating a small page.
"""

from __future__ import annotations

import os
import pickle
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from pagemeter.corpus.page_result import PageResult, evaluation_from_rows
from pagemeter.corpus.score_table import BudgetScores
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.inputs.pairs import Pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.inputs.urls import Location, Url
    from pagemeter.settings import Settings

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
