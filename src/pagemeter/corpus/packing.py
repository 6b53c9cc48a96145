"""Results as bytes between processes: numbers as plain tuples, which is much quicker than whole objects."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from pagemeter.corpus.result import PageResult
from pagemeter.errors import PagemeterError
from pagemeter.evaluation import Evaluation
from pagemeter.measure import ALL, Measure
from pagemeter.page import Warn
from pagemeter.score import Counts, Score
from pagemeter.sources import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pagemeter.settings import Settings

_REST = ("error", "unplaced", "dropped", "document", "has_places", "seconds")
_PLACE = {measure: place for place, measure in enumerate(ALL)}


def pack(results: Sequence[PageResult], *, details: bool) -> bytes:
    """The results of a pair; without `details` only their numbers.

    >>> results = (PageResult("1", "gt.txt", None),)
    >>> unpack(pack(results, details=False), None) == results
    True
    """
    return pickle.dumps(tuple(results) if details else [_plain(result) for result in results])


def unpack(data: bytes, settings: Settings | None) -> tuple[PageResult, ...]:
    """The results that were packed; `settings` are those of the run, which every evaluation refers to.

    An error that was packed in their place is raised.
    """
    found = pickle.loads(data)  # noqa: S301  (made by our own process)
    if isinstance(found, PagemeterError):
        raise found
    return found if isinstance(found, tuple) else tuple(_result(fields, settings) for fields in found)


def _plain(result: PageResult) -> tuple[Any, ...]:
    warnings = [(warn.source, warn.element, warn.reason) for warn in result.warnings]
    scores = None if result.evaluation is None else _numbers(result.scores)
    rest = (getattr(result, name) for name in _REST)
    return (result.name, result.gt, result.hyp, scores, warnings, _numbers(result.extra), *rest)


def _numbers(scores: Mapping[Measure, Score]) -> list[tuple[int, ...]]:
    return [(_PLACE[m], s.ins, s.dels, s.sub, s.cor, s.lower_bound, s.canonical) for m, s in scores.items()]


def _result(fields: tuple[Any, ...], settings: Settings | None) -> PageResult:
    name, gt, hyp, scores, warnings, extra, *rest = fields
    evaluation = None if scores is None else bare(_scores(scores), settings)
    warned = tuple(Warn(*parts) for parts in warnings)
    named = dict(zip(_REST, rest, strict=True))
    return PageResult(name, gt, hyp, evaluation, warned, extra=_scores(extra), **named)


def bare(scores: Mapping[Measure, Score], settings: Any) -> Evaluation:  # noqa: ANN401
    """An evaluation of which only numbers are known."""
    return Evaluation((Source(()), Source(())), settings, scores)


def _scores(numbers: Sequence[tuple[int, ...]]) -> dict[Measure, Score]:
    made = {}
    for place, ins, dels, sub, cor, lower_bound, canonical in numbers:
        measure = ALL[place]
        made[measure] = Score(measure, Counts(ins, dels, sub, cor), lower_bound, bool(canonical))
    return made
