"""Confidence intervals of keyword spotting: a bootstrap over queries.

Queries are drawn with replacement, with all their references and hits. The measures of all hits together are
computed anew from the drawn hits, in which those of a query that is drawn twice are tied with themselves. The
bounds are percentiles of the resampled values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter.spotting.measures import average_precision, ndcg, precision_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pagemeter.settings import Resampling
    from pagemeter.spotting.measures import Floats, OrderedHits
    from pagemeter.spotting.settings import SpottingSettings

MIN_QUERIES = 5
"""With fewer queries there are no intervals."""
_MEANS = {"AP": "mAP", "NDCG": "mNDCG", "RP": "mRP"}


def bootstrap(
    hits: OrderedHits,
    hit_queries: Sequence[int],
    reference_queries: Sequence[int],
    values: Mapping[int, Mapping[str, float]],
    queries: int,
    settings: SpottingSettings,
    resampling: Resampling,
) -> dict[str, tuple[float, float]]:
    """Return the interval of each measure by its name, none if there are too few queries.

    Args:
        hits: All hits and references.
        hit_queries: The number of the query of each hit.
        reference_queries: The number of the query of each reference.
        values: The measures of each query that counts in means, by its number.
        queries: The number of queries.
        settings: The settings.
        resampling: The confidence, the number of resamples and the seed.

    """
    if len(values) < MIN_QUERIES:
        return {}
    of_hits, of_references = np.array(hit_queries, np.intp), np.array(reference_queries, np.intp)
    per_query = {
        _MEANS.get(name, name): _column(values, name, queries)
        for name in next(iter(values.values()))
        if name != "recall"
    }
    counts = np.zeros(queries)
    counts[list(values)] = 1
    weights = np.bincount(of_references, minlength=queries).astype(np.float64)
    draw = np.random.Generator(np.random.PCG64(resampling.seed))
    resampled: dict[str, list[float]] = {}
    for _ in range(resampling.resamples):
        drawn = draw.multinomial(queries, np.full(queries, 1 / queries)).astype(np.float64)
        for name, value in _resample(
            drawn, hits, of_hits, of_references, per_query, counts, weights, settings
        ).items():
            resampled.setdefault(name, []).append(value)
    levels = [resampling.tail, 1 - resampling.tail]
    bounds = {name: np.quantile(column, levels).tolist() for name, column in resampled.items()}
    return {name: (low, high) for name, (low, high) in bounds.items()}


def _column(values: Mapping[int, Mapping[str, float]], name: str, queries: int) -> Floats:
    column = np.zeros(queries)
    for number, measures in values.items():
        column[number] = measures[name]
    return column


def _resample(
    drawn: Floats,
    hits: OrderedHits,
    of_hits: Floats,
    of_references: Floats,
    per_query: Mapping[str, Floats],
    counts: Floats,
    weights: Floats,
    settings: SpottingSettings,
) -> dict[str, float]:
    """Return the measures of one resample; `drawn` is how often each query was drawn."""
    number, references = drawn @ counts, drawn @ weights
    measures = {name: _ratio(drawn @ column, number) for name, column in per_query.items()}
    measures["wmAP"] = _ratio((drawn * weights) @ per_query["mAP"], references)
    ranking = hits.ranking(settings, drawn[of_hits], drawn[of_references])
    found, ends = np.cumsum(ranking.right), np.cumsum(ranking.sizes)
    right, listed = float(ranking.right.sum()), float(ranking.sizes.sum())
    return measures | {
        "gAP": average_precision(ranking, settings),
        "gRP": precision_at(ranking, ranking.references),
        "gNDCG": ndcg(ranking, settings),
        "precision": _ratio(right, listed),
        "recall": _ratio(right, references),
        "F1": float((2 * found / np.maximum(ends + references, 1)).max(initial=0)),
    }


def _ratio(above: float, below: float) -> float:
    return float(above / below) if below else 0.0
