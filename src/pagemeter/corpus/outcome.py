"""What is said of a run as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus.files.folders import PassedOver
    from pagemeter.corpus.totals import Totals
    from pagemeter.measure import Measure
    from pagemeter.stats.bootstrap import Interval


@dataclass(frozen=True, slots=True)
class Outcome:
    """The totals of a run, the line that reproduces them, the files that are no pages, and intervals.

    `named` says whether measures were asked for by name, so that one without total has to be explained.

    >>> from pagemeter.corpus import Totals
    >>> Outcome(Totals(pages=2), "measures:CER|version:0.1.0").totals.pages
    2
    """

    totals: Totals
    signature: str
    passed_over: tuple[PassedOver, ...] = ()
    intervals: Mapping[Measure, Interval] = field(default_factory=dict)
    named: bool = False
