"""Results as bytes between processes: numbers as plain tuples, which is much quicker than whole objects."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from pagemeter.corpus.result import PageResult
from pagemeter.errors import PagemeterError, UsageError
from pagemeter.evaluation import Evaluation
from pagemeter.measure import ALL, Measure
from pagemeter.page import Warn
from pagemeter.score import Counts, Score
from pagemeter.sources import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pagemeter.settings import Settings

Numbers = tuple[int, int, int, int, int, int, bool, float]
"""The place of a measure among all, INS, DEL, SUB, COR, the bound, whether it is canonical, and seconds."""

_REST = ("error", "unplaced", "dropped", "document", "has_places", "seconds", "inputs", "lines", "prepared")
_PLACE = {measure: place for place, measure in enumerate(ALL)}


def pack(results: Sequence[PageResult], *, details: bool) -> bytes:
    """The results of a pair; without `details` only their numbers.

    >>> results = (PageResult("1", "gt.txt", None),)
    >>> unpack(pack(results, details=False), None) == results
    True
    """
    return pickle.dumps(tuple(results) if details else [_plain(result) for result in results])


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
    scores = None if result.evaluation is None else _numbers(result, result.scores)
    rest = (getattr(result, name) for name in _REST)
    return (result.name, result.gt, result.hyp, scores, warnings, _numbers(result, result.extra), *rest)


def _numbers(result: PageResult, scores: Mapping[Measure, Score]) -> list[Numbers]:
    seconds = result.evaluation.seconds if result.evaluation else {}
    return [
        (_PLACE[m], s.ins, s.dels, s.sub, s.cor, s.lower_bound, s.canonical, seconds.get(m, 0.0))
        for m, s in scores.items()
    ]


def result_of(fields: tuple[Any, ...], settings: Settings | None) -> PageResult:
    """The result of a page from its plain fields; the last ones may be lacking."""
    name, gt, hyp, scores, warnings, extra, *rest = fields
    seconds = {ALL[numbers[0]]: numbers[-1] for numbers in (*(scores or ()), *extra)}
    evaluation = None if scores is None else bare(_scores(scores), settings, seconds)
    warned = tuple(Warn(*parts) for parts in warnings)
    named = dict(zip(_REST, rest, strict=False))
    return PageResult(name, gt, hyp, evaluation, warned, extra=_scores(extra), **named)


def bare(scores: Mapping[Measure, Score], settings: Any, seconds: Mapping[Measure, float]) -> Evaluation:  # noqa: ANN401
    """An evaluation of which only numbers are known."""
    return Evaluation((Source(()), Source(())), settings, scores, (), seconds)


def _scores(numbers: Sequence[Numbers]) -> dict[Measure, Score]:
    made = {}
    for place, ins, dels, sub, cor, lower_bound, canonical, _ in numbers:
        measure = ALL[place]
        made[measure] = Score(measure, Counts(ins, dels, sub, cor), lower_bound, bool(canonical))
    return made
