"""Numbers as people read them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pagemeter.stats.bootstrap import TOO_FEW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval

MEANING = "INS: in the ground truth, missing in the hypothesis · DEL: in the hypothesis only"
RANGE = "a … b: no solution has fewer errors than a, the best one found has b"
UNPROVEN = "*: other solutions with as many errors may have other INS, DEL, SUB and COR"


def percent(rate: float) -> str:
    """A rate as per cent with two decimals.

    >>> percent(0.05413), percent(float("inf"))
    ('5.41 %', '∞')
    """
    return f"{100 * rate:.2f} %" if math.isfinite(rate) else "∞"


def rate(score: Score) -> str:
    """The rate, or the range it is proven to lie in.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> rate(Score(Measure("CER"), Counts(sub=5, cor=95), 4))
    '4.00 … 5.00 %'
    """
    if score.optimal or not score.n_gt:
        return percent(score.rate)
    return f"{100 * score.lower_bound / score.n_gt:.2f} … {percent(score.rate)}"


def errors(score: Score) -> str:
    """The number of errors, or the range it is proven to lie in.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> errors(Score(Measure("CER"), Counts(sub=1200), 1200))
    '1,200'
    """
    return f"{score.errors:,}" if score.optimal else f"{score.lower_bound:,} … {score.errors:,}"


def measure(score: Score) -> str:
    """The id of the measure, marked where the counts are not proven to be the canonical ones."""
    return str(score.measure) if score.canonical else f"{score.measure} *"


COLUMNS: dict[str, Callable[[Score], str]] = {
    "measure": measure,
    "rate": rate,
    "errors": errors,
    "INS": lambda score: f"{score.ins:,}",
    "DEL": lambda score: f"{score.dels:,}",
    "SUB": lambda score: f"{score.sub:,}",
    "COR": lambda score: f"{score.cor:,}",
    "GT": lambda score: f"{score.n_gt:,}",
    "HYP": lambda score: f"{score.n_hyp:,}",
}
MORE_COLUMNS: dict[str, Callable[[Score], str]] = {
    "precision": lambda score: percent(score.precision),
    "recall": lambda score: percent(score.recall),
    "F1": lambda score: percent(score.f1),
}
"""The columns of the table of totals: always, and where there is room."""
PROOF_COLUMNS: dict[str, Callable[[Score], str]] = {
    "measure": measure,
    "rate": rate,
    "errors": errors,
    "proven": lambda score: "yes" if score.optimal else "no",
}
"""The columns of a table at a glance."""


def span(interval: Interval | None) -> str:
    """The ends of an interval, a dash where there is none, and words where they would say too little.

    >>> from pagemeter.stats import Interval
    >>> span(Interval((0.0213, 0.034), 0.95, "bootstrap")), span(None)
    ('2.13–3.40 %', '–')
    """
    if interval is None or interval.bounds is None:
        return "–"
    if not interval.telling:
        return TOO_FEW
    low, high = interval.telling
    return f"{100 * low:.2f}–{100 * high:.2f} %"


def no_intervals(intervals: Mapping[Measure, Interval]) -> list[str]:
    """Why measures have no interval to show, a line a reason."""
    reasons: dict[str, list[str]] = {}
    for measure, found in intervals.items():
        if found.telling is None:
            reasons.setdefault(found.reason, []).append(str(measure))
    whose = {
        reason: "" if len(ids) == len(intervals) else f" of {', '.join(ids)}"
        for reason, ids in reasons.items()
    }
    return [f"no interval{whose[reason]}: {reason}" for reason in reasons]


def notes(scores: list[Score]) -> list[str]:
    """What has to be said below a table of these scores."""
    said = [MEANING]
    if not all(score.optimal for score in scores):
        said.append(RANGE)
    if not all(score.canonical for score in scores):
        said.append(UNPROVEN)
    return said
