"""The intervals of a run: from the counts of its pages, within their documents if asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter.stats.bootstrap import intervals
from pagemeter.stats.resampling import MANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.count_table import CountTable
    from pagemeter.measure import Measure
    from pagemeter.plan import Resampling
    from pagemeter.stats.bootstrap import Interval


def intervals_of(table: CountTable, plan: Resampling) -> dict[Measure, Interval]:
    """The interval of every measure that all pages have.

    >>> from pagemeter.corpus.count_table import CountTable
    >>> from pagemeter.plan import Resampling
    >>> intervals_of(CountTable(), Resampling())
    {}
    """
    columns = table.columns()
    if not columns:
        return {}
    documents = table.labels(plan.strata)
    if len(columns[0][1]) * plan.resamples > MANY:  # no draws to share, so as little as possible at once
        return {
            measure: intervals(errors[:, np.newaxis], n_gt[:, np.newaxis], plan, documents=documents)[0]
            for measure, errors, n_gt in columns
        }
    measures, errors, n_gt = zip(*columns, strict=True)
    found = intervals(np.column_stack(errors), np.column_stack(n_gt), plan, documents=documents)
    return dict(zip(measures, found, strict=True))


def documents_of(
    names: Sequence[str], documents: Sequence[str | None], plan: Resampling
) -> Sequence[str] | None:
    """What pages are drawn within: their folder or the document that a table of pairs names; None for all.

    >>> from pagemeter.plan import Resampling
    >>> documents_of(["a/1", "a/b/2"], [None, None], Resampling(strata="folder"))
    ['a', 'a/b']
    """
    if plan.strata == "folder":
        return [name.rpartition("/")[0] for name in names]
    return [document or "" for document in documents] if plan.strata == "document" else None
