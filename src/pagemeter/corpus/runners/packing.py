"""Results as bytes between processes: numbers as plain bytes, which is much quicker than whole objects."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from pagemeter.corpus.pairs import Pair
from pagemeter.corpus.result import PageResult
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.evaluation import Evaluation
from pagemeter.page import Warn
from pagemeter.plain_scores import PlainScores, PlainSeconds
from pagemeter.sources import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.urls import Location, Url
    from pagemeter.settings import Settings

_FIELDS = (
    ("name", "gt", "hyp"),
    ("error", "unplaced", "dropped", "document"),
    ("has_places", "seconds", "inputs", "lines", "prepared"),
)
"""Those of a result, in its order: scores and warnings follow the first, further scores the second."""
_NO_SOURCES = (Source(()), Source(()))


def pack(results: Sequence[PageResult], *, details: bool) -> bytes:
    """The results of a pair; without `details` only their numbers.

    >>> results = (PageResult("1", "gt.txt", None),)
    >>> unpack(pack(results, details=False), None) == results
    True
    """
    return pickle.dumps(tuple(results) if details else [_plain(result) for result in results])


def pack_pairs(pairs: Sequence[Pair]) -> bytes:
    """Pairs of files; paths as texts, which is much quicker.

    >>> from io import BytesIO
    >>> from pagemeter.corpus import Pair
    >>> pairs = [Pair("1", Path("gt/1.xml"), None)]
    >>> read_pairs(BytesIO(pack_pairs(pairs))) == pairs
    True
    """
    return pickle.dumps(
        [(p.name, _text(p.gt), _text(p.hyp), p.warnings, p.error, p.document, p.seen) for p in pairs]
    )


def read_pairs(file: BinaryIO) -> list[Pair]:
    """The next pairs that were packed; a pipe may give them piece by piece."""
    found = pickle.load(file)  # noqa: S301  (made by our own process)
    return [Pair(name, _path(gt), _path(hyp), *rest) for name, gt, hyp, *rest in found]


def _text(path: Location | None) -> str | None:
    return None if path is None else os.fspath(path)  # a URL is a text of its own kind and stays one


def _path(text: str | None) -> Location | None:
    return Path(text) if type(text) is str else cast("Url | None", text)


def as_bytes(what: Any) -> bytes:  # noqa: ANN401
    """What is sent to other processes, or a clear error if it cannot be.

    >>> as_bytes(lambda: 0)
    Traceback (most recent call last):
    pagemeter.errors.UsageError: ...: it cannot be sent to other processes; define it in a module, or ...
    """
    try:
        return pickle.dumps(what)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"{error}: it cannot be sent to other processes; define it in a module, or use one process"
        ) from None


def unpack(data: bytes, settings: Settings | None) -> tuple[PageResult, ...]:
    """The results that were packed; `settings` are those of the run, which every evaluation refers to.

    An error that was packed in their place is raised.
    """
    found = pickle.loads(data)  # noqa: S301  (made by our own process)
    if isinstance(found, PagemeterError):
        raise found
    return found if isinstance(found, tuple) else tuple(result_of(fields, settings) for fields in found)


def _plain(result: PageResult) -> tuple[Any, ...]:
    warnings = [(warn.source, warn.element, warn.reason) for warn in result.warnings]
    own, extra = result.plain
    scores = None if result.evaluation is None else (own.layout, own.numbers)
    first, middle, last = ([getattr(result, name) for name in names] for names in _FIELDS)
    return (*first, scores, warnings, *middle, (extra.layout, extra.numbers), *last)


def result_of(fields: tuple[Any, ...], settings: Settings | None) -> PageResult:
    """The result of a page from its plain fields, which have their order; the last ones may be lacking."""
    name, gt, hyp, scores, warnings, error, unplaced, dropped, document, more, *rest = fields
    extra = PlainScores(*more)
    evaluation = None if scores is None else _bare(PlainScores(*scores), extra, settings)
    warned = tuple([Warn(*parts) for parts in warnings])
    return PageResult(name, gt, hyp, evaluation, warned, error, unplaced, dropped, document, extra, *rest)


def _bare(scores: PlainScores, extra: PlainScores, settings: Any) -> Evaluation:  # noqa: ANN401
    """An evaluation of which only numbers are known."""
    return Evaluation(_NO_SOURCES, settings, scores, (), PlainSeconds(scores, extra))
