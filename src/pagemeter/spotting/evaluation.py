"""The evaluation of keyword spotting: matching, measures per query and over all, and their intervals."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from pagemeter.atomic_io import write_atomic
from pagemeter.errors import NotEvaluatedError, Problem, did_you_mean
from pagemeter.run_settings import Resampling
from pagemeter.spotting.matching import match
from pagemeter.spotting.measures import (
    CurvePoint,
    OrderedHits,
    Ranking,
    average_precision,
    curve,
    ndcg,
    precision_at,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from pagemeter.spotting.matching import Matched, Spots
    from pagemeter.spotting.measures import Floats, Indexes
    from pagemeter.spotting.settings import SpottingSettings

DEFAULT_RESAMPLING = Resampling(resamples=1000)
"""How intervals are computed by default; all hits are evaluated again for each resample."""
MIN_QUERIES = 5
"""With fewer queries there are no intervals."""
MAX_DRAWN_HITS = 10_000_000
"""For more hits times resamples than this, fewer resamples determine the measures of all hits together."""
MIN_POOLED = 100
"""The number of resamples of these measures if there are very many hits."""
_MEANS = {"AP": "mAP", "NDCG": "mNDCG", "RP": "mRP"}
_ALIASES = {"wmap": "wmAP", "r-precision": "mRP", "rprec": "mRP", "ndcg": "mNDCG", "f1": "F1", "ap": "mAP"}


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of one query.

    Args:
        query: The query.
        ranking: Its hits in order, without repeats that are ignored.
        repeated: The number of hits on a reference that another hit has.
        values: The measures by name: AP, NDCG, RP, recall and P@k.

    """

    query: str
    ranking: Ranking
    repeated: int
    values: Mapping[str, float]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        counts = {
            "references": self.ranking.references,
            "hits": self.ranking.hits,
            "true_positives": self.ranking.true_positives,
            "repeated": self.repeated,
        }
        return {"query": self.query, **counts, **self.values}


class SpottingResult(Mapping[str, float]):
    """The measures of keyword spotting over all queries, by name.

    Attributes:
        queries: The result of each query that counts.
        curve: The points of the curve of precision and recall of all hits together, from the highest score.
        settings: The settings.
        warnings: What was skipped or guessed, and why files could not be read.
        failed: The files that could not be read.

    """

    def __init__(
        self,
        values: Mapping[str, float],
        queries: tuple[QueryResult, ...],
        points: tuple[CurvePoint, ...],
        *,
        settings: SpottingSettings,
        intervals: Callable[[], dict[str, tuple[float, float]]],
        warnings: tuple[Problem, ...] = (),
        failed: tuple[Problem, ...] = (),
    ) -> None:
        self._values = dict(values)
        self.queries, self.curve, self.settings = queries, points, settings
        self.warnings, self.failed = warnings, failed
        self._intervals = intervals

    def __getitem__(self, name: str) -> float:
        """Return a measure; a few other names of measures are known, such as WMAP and R-precision."""
        known = {key.casefold(): key for key in self._values} | _ALIASES
        key = known.get(str(name).casefold())
        if key not in self._values:
            raise NotEvaluatedError(
                f"there is no measure {name!r}{did_you_mean(str(name), self._values)}",
                remedy=f"use one of {', '.join(self._values)}",
            )
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {self._values[name]:.4f}" for name in ("mAP", "gAP"))
        count = len(self.queries)
        return f"<SpottingResult of {count:,} quer{'y' if count == 1 else 'ies'}: {shown}>"

    @property
    def signature(self) -> str:
        """The settings as one line, with which the numbers can be reproduced."""
        return self.settings.signature

    @property
    def interpolated(self) -> tuple[float, ...]:
        """The largest precision at the recall of each point of the curve, or at a higher one."""
        return tuple(accumulate((point.precision for point in reversed(self.curve)), max))[::-1]

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The confidence intervals of the measures, from a bootstrap over queries; empty for few queries."""
        return self._intervals()

    def worst(self, count: int = 20) -> tuple[QueryResult, ...]:
        """Return the queries that lower the mean average precision most, worst first."""
        answerable = [one for one in self.queries if one.ranking.references or one.ranking.hits]
        ordered = sorted(answerable, key=lambda one: (one.values["AP"], -one.ranking.references, one.query))
        return tuple(ordered[:count])

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write the JSON of the command to a file, or return it if no path is given."""
        from pagemeter.report.spotting import json_text  # noqa: PLC0415

        text = json_text(self)
        if path is None:
            return text
        write_atomic(path, text.encode())
        return None

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the HTML report."""
        from pagemeter.report.spotting import html_page  # noqa: PLC0415

        write_atomic(path, html_page(self).encode())


def evaluate_spots(
    spots: Spots, settings: SpottingSettings, resampling: Resampling | None = None
) -> SpottingResult:
    """Match the hits with the references and compute all measures.

    >>> from pagemeter.spotting.matching import Hit, Reference, Spots
    >>> from pagemeter.spotting.settings import SpottingSettings
    >>> spots = Spots((Reference("a", "1"), Reference("a", "2")), (Hit("a", "1", 0.9), Hit("a", "3", 0.5)))
    >>> evaluate_spots(spots, SpottingSettings())["mAP"]
    0.5
    """
    matched = match(spots, settings)
    kept = [index for index, one in enumerate(matched) if not (one.repeated and settings.repeats == "ignore")]
    hits: dict[str, list[int]] = defaultdict(list)
    for index in kept:
        hits[spots.hits[index].query].append(index)
    references: dict[str, list[int]] = defaultdict(list)
    for index, reference in enumerate(spots.references):
        references[reference.query].append(index)
    repeated = Counter(spots.hits[index].query for index, one in enumerate(matched) if one.repeated)
    counted = []
    for name in spots.names:
        if references[name] or settings.unanswerable != "skip":
            ordered = _ordered(spots, matched, hits[name], references[name], settings)
            counted.append(_query(name, ordered.ranking(settings), repeated[name], settings))
    everything = _ordered(spots, matched, kept, range(len(spots.references)), settings)
    right = [matched[index].reference is not None for index in kept]
    points = curve([spots.hits[index].score for index in kept], right, len(spots.references))
    place = {name: number for number, name in enumerate(spots.names)}

    pool = QueryPool(
        everything,
        np.array([place[spots.hits[index].query] for index in kept], np.intp),
        np.array([place[reference.query] for reference in spots.references], np.intp),
        {place[one.query]: one.values for one in counted},
        len(place),
        settings,
    )
    return SpottingResult(
        _totals(counted, everything.ranking(settings), points, settings),
        tuple(counted),
        points,
        settings=settings,
        intervals=partial(pool.intervals, resampling or DEFAULT_RESAMPLING),
        warnings=(*spots.warnings, *_notes(spots, counted)),
        failed=spots.failed,
    )


def _ordered(
    spots: Spots,
    matched: Sequence[Matched],
    hits: Sequence[int],
    references: Sequence[int],
    settings: SpottingSettings,
) -> OrderedHits:
    gains = [0.0 if (one := matched[index].reference) is None else one.gain for index in hits]
    return OrderedHits.of(
        [spots.hits[index].score for index in hits],
        gains,
        [spots.references[index].gain for index in references],
        settings,
        [spots.hits[index].document for index in hits],
    )


def _query(name: str, ranking: Ranking, repeated: int, settings: SpottingSettings) -> QueryResult:
    silent = settings.unanswerable == "silence" and not ranking.references and not ranking.hits
    values = {
        "AP": 1.0 if silent else average_precision(ranking, settings),
        "NDCG": 1.0 if silent else ndcg(ranking, settings),
        "RP": precision_at(ranking, ranking.references),
        "recall": ranking.true_positives / ranking.references if ranking.references else 0.0,
    }
    values |= {f"P@{first}": precision_at(ranking, first) for first in settings.ranks}
    if settings.gain != "signed":
        values |= {f"NDCG@{first}": ndcg(ranking, settings, first) for first in settings.ranks}
    return QueryResult(name, ranking, repeated, values)


def _totals(
    queries: list[QueryResult],
    everything: Ranking,
    points: tuple[CurvePoint, ...],
    settings: SpottingSettings,
) -> dict[str, float]:
    """Return the measures over all queries: means (m), of all hits together (g), and weighted (w)."""

    def mean(name: str) -> float:
        return math.fsum(one.values[name] for one in queries) / len(queries) if queries else 0.0

    weights = [one.ranking.references for one in queries]
    weighted = math.fsum(
        one.values["AP"] * weight for one, weight in zip(queries, weights, strict=True) if weight
    )
    best = max(points, key=lambda point: point.f1, default=None)
    right = everything.true_positives
    return {
        "mAP": mean("AP"),
        "gAP": average_precision(everything, settings),
        "wmAP": weighted / sum(weights) if sum(weights) else 0.0,
        "mRP": mean("RP"),
        "gRP": precision_at(everything, everything.references),
        **{f"P@{first}": mean(f"P@{first}") for first in settings.ranks},
        **{name: mean(name) for name in (queries[0].values if queries else ()) if name.startswith("NDCG@")},
        "precision": right / everything.hits if everything.hits else 0.0,
        "recall": right / everything.references if everything.references else 0.0,
        "mNDCG": mean("NDCG"),
        "gNDCG": ndcg(everything, settings),
        "F1": best.f1 if best else 0.0,
        "threshold": best.threshold if best and best.f1 else math.nan,
        "queries": len(queries),
        "references": everything.references,
        "hits": everything.hits,
        "true_positives": right,
    }


def _notes(spots: Spots, counted: list[QueryResult]) -> tuple[Problem, ...]:
    left_out = len(spots.names) - len(counted)
    if not left_out:
        return ()
    known = {one.query for one in counted}
    first = next(name for name in spots.names if name not in known)
    detail = f"{left_out:,} of {len(spots.names):,} queries have no reference and are not in the means"
    return (Problem(f"{detail}, first {first!r:.80}", kind="usage"),)


# Intervals


@dataclass(frozen=True, slots=True)
class QueryPool:
    """All queries with their references and hits, from which a bootstrap draws queries.

    Queries are drawn with replacement, with all their references and hits. The measures of all hits together
    are computed again from the drawn hits, in which those of a query that is drawn twice are tied with
    themselves. The bounds are percentiles of the resampled values.

    Args:
        hits: All hits and references.
        hit_queries: The number of the query of each hit.
        reference_queries: The number of the query of each reference.
        values: The measures of each query that counts in means, by its number.
        queries: The number of queries.
        settings: The settings.

    """

    hits: OrderedHits
    hit_queries: Indexes
    reference_queries: Indexes
    values: Mapping[int, Mapping[str, float]]
    queries: int
    settings: SpottingSettings

    def intervals(self, resampling: Resampling) -> dict[str, tuple[float, float]]:
        """Return the interval of each measure by its name, none if there are too few queries."""
        if len(self.values) < MIN_QUERIES:
            return {}
        counts = np.zeros(self.queries)
        counts[list(self.values)] = 1
        names = [name for name in next(iter(self.values.values())) if name != "recall"]
        columns = {_MEANS.get(name, name): self._column(name) for name in names}
        random = np.random.Generator(np.random.PCG64(resampling.seed))
        evenly = np.full(self.queries, 1 / self.queries)
        resampled: dict[str, list[float]] = defaultdict(list)
        pooled = max(MIN_POOLED, MAX_DRAWN_HITS // max(1, len(self.hit_queries)))
        for number in range(resampling.resamples):
            drawn = random.multinomial(self.queries, evenly).astype(np.float64)
            values = self._means(drawn, columns, counts)
            if number < pooled:
                values |= self._pooled(drawn)
            for name, value in values.items():
                resampled[name].append(value)
        levels = resampling.tail, 1 - resampling.tail
        bounds = {name: np.quantile(column, levels) for name, column in resampled.items()}
        return {name: (float(low), float(high)) for name, (low, high) in bounds.items()}

    def _column(self, name: str) -> Floats:
        column = np.zeros(self.queries)
        for number, measures in self.values.items():
            column[number] = measures[name]
        return column

    def _means(self, drawn: Floats, columns: Mapping[str, Floats], counts: Floats) -> dict[str, float]:
        """Return the means of one resample; `drawn` is how often each query was drawn."""
        weights = np.bincount(self.reference_queries, minlength=self.queries)
        counted = float(drawn @ counts)
        measures = {name: _ratio(float(drawn @ column), counted) for name, column in columns.items()}
        weighted = _ratio(float((drawn * weights) @ columns["mAP"]), float(drawn @ weights))
        return measures | {"wmAP": weighted}

    def _pooled(self, drawn: Floats) -> dict[str, float]:
        """Return the measures of all hits of one resample together."""
        ranking = self.hits.ranking(self.settings, drawn[self.hit_queries], drawn[self.reference_queries])
        found, ends = np.cumsum(ranking.right), np.cumsum(ranking.sizes)
        references = ranking.references
        return {
            "gAP": average_precision(ranking, self.settings),
            "gRP": precision_at(ranking, ranking.references),
            "gNDCG": ndcg(ranking, self.settings),
            "precision": _ratio(ranking.true_positives, ranking.hits),
            "recall": _ratio(ranking.true_positives, references),
            "F1": float((2 * found / np.maximum(ends + references, 1)).max(initial=0)),
        }


def _ratio(above: float, below: float) -> float:
    return above / below if below else 0.0
