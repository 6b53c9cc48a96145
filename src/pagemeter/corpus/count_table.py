"""What every page adds to the totals, kept as numbers alone, so that pages can be drawn again and again."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pagemeter.corpus.result import PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score


@dataclass(slots=True)
class CountTable:
    """The errors and the GT tokens of each page, by measure: sixteen bytes each.

    >>> from pagemeter.corpus import PageResult
    >>> from pagemeter import evaluate
    >>> table = CountTable()
    >>> table.add(PageResult("a/1", "gt/a/1.txt", "hyp/a/1.txt", evaluate("one", "ore", ["CER"])))
    >>> [(str(measure), errors.tolist(), n_gt.tolist()) for measure, errors, n_gt in table.columns()]
    [('CER', [1], [3])]
    """

    names: list[str] = field(default_factory=list)
    documents: list[str | None] = field(default_factory=list)
    counts: dict[Measure, array[int]] = field(default_factory=dict, repr=False)

    def add(self, result: PageResult) -> None:
        """Adds a page that was evaluated."""
        self.names.append(result.name)
        self.documents.append(result.document)
        self._add_scores(result.scores)

    def _add_scores(self, scores: Mapping[Measure, Score]) -> None:
        for measure, score in scores.items():
            self.counts.setdefault(measure, array("q")).extend((score.errors, score.n_gt))

    def columns(self) -> list[tuple[Measure, NDArray[np.int64], NDArray[np.int64]]]:
        """The measures that every page has, each with the errors and the GT tokens of all pages."""
        whole = 2 * len(self.names)
        tables = (
            (measure, np.array(counts)) for measure, counts in self.counts.items() if len(counts) == whole
        )
        return [(measure, table[::2], table[1::2]) for measure, table in tables]
