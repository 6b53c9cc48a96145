"""Confidence intervals of keyword spotting: a bootstrap over queries.

Queries are drawn with replacement, with all their references and hits. The measures of all hits together are
computed again from the drawn hits, in which those of a query that is drawn twice are tied with themselves.
The bounds are percentiles of the resampled values.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.spotting.measures import average_precision, ndcg, precision_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.run_settings import Resampling
    from pagemeter.spotting.measures import Floats, Indexes, OrderedHits
    from pagemeter.spotting.settings import SpottingSettings

MIN_QUERIES = 5
"""With fewer queries there are no intervals."""
MAX_DRAWN_HITS = 10_000_000
"""For more hits times resamples than this, fewer resamples determine the measures of all hits together."""
MIN_POOLED = 100
"""The number of resamples of these measures if there are very many hits."""
_MEANS = {"AP": "mAP", "NDCG": "mNDCG", "RP": "mRP"}


@dataclass(frozen=True, slots=True)
class QueryPool:
    """All queries with their references and hits, from which queries are drawn.

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
