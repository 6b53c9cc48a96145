"""The columns of a score, and the formats of their numbers.

`SCORE_COLUMNS` is the only list of columns: tables on terminals and in notebooks, Markdown, LaTeX, HTML,
JSON, CSV and data frames follow it. To add a column, add a property to `Score` and an entry here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval

FieldValue = int | float | bool | None
"""A value of JSON and CSV."""


def format_percent(rate: float) -> str:
    """Return a rate in per cent with two decimals.

    >>> format_percent(0.05413), format_percent(float("inf"))
    ('5.41 %', '∞')
    """
    return f"{100 * rate:.2f} %" if math.isfinite(rate) else "∞"


def format_rate(score: Score) -> str:
    """Return the rate of a score, or the range that is proven to contain it.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> format_rate(Score(Measure("CER"), Counts(sub=5, cor=95), 4))
    '4.00 … 5.00 %'
    """
    base = score.base(score.settings.denominator if score.settings else "gt")
    if score.optimal or not base or score.summed_rate is not None or score.median_rate is not None:
        return format_percent(score.rate)
    return f"{100 * score.lower_bound / base:.2f} … {format_percent(score.rate)}"


def format_errors(score: Score) -> str:
    """Return the number of errors, or the range that is proven to contain it.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> format_errors(Score(Measure("CER"), Counts(sub=1200), 1200))
    '1,200'
    """
    return f"{score.errors:,}" if score.optimal else f"{score.lower_bound:,} … {score.errors:,}"


def format_measure(score: Score) -> str:
    """Return the id of the measure, with a star if the counts are not proven to be the canonical ones."""
    return str(score.measure) if score.canonical else f"{score.measure} *"


def format_interval(interval: Interval | None) -> str:
    """Return the bounds of an interval, a remark if there are too few pages, or a dash if there is none.

    >>> from pagemeter.stats import Interval
    >>> format_interval(Interval((0.0213, 0.034), 0.95, "bootstrap")), format_interval(None)
    ('2.13–3.40 %', '–')
    """
    if interval is None:
        return "–"
    if not interval.shown_bounds:
        from pagemeter.stats.bootstrap import TOO_FEW  # noqa: PLC0415  (loads numpy)

        return TOO_FEW if interval.reason.startswith(TOO_FEW) else "–"
    low, high = interval.shown_bounds
    return f"{100 * low:.2f}–{100 * high:.2f} %"


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """One column of a score.

    Args:
        name: The attribute of `Score`, which is also the field in JSON, CSV and data frames.
        heading: The heading in tables.
        meaning: What the column contains, for notes and tooltips.
        tables: The tables that have the column: all of them, or only wide ones. None means JSON and CSV only.
        kind: A number of tokens, or a share that is shown in per cent.
        formatter: A function that formats the column of a score in tables, if not as its kind.

    """

    name: str
    heading: str
    meaning: str
    tables: Literal["all", "wide"] | None = "all"
    kind: Literal["count", "share"] = "count"
    formatter: Callable[[Score], str] | None = None

    def text(self, score: Score) -> str:
        """Return the column of a score as it is shown in a table."""
        if self.formatter:
            return self.formatter(score)
        value = getattr(score, self.name)
        return format_percent(value) if self.kind == "share" else f"{value:,}"


SCORE_COLUMNS = (
    ScoreColumn("rate", "rate", "errors divided by GT", kind="share", formatter=format_rate),
    ScoreColumn("errors", "errors", "missing + extra + wrong", formatter=format_errors),
    ScoreColumn("ins", "missing", "in the ground truth only"),
    ScoreColumn("dels", "extra", "in the hypothesis only"),
    ScoreColumn("sub", "wrong", "substituted"),
    ScoreColumn("cor", "right", "equal in both"),
    ScoreColumn("n_gt", "GT", "characters or words in the ground truth"),
    ScoreColumn("n_hyp", "HYP", "characters or words in the hypothesis"),
    ScoreColumn("precision", "precision", "right divided by HYP", "wide", "share"),
    ScoreColumn("recall", "recall", "right divided by GT", "wide", "share"),
    ScoreColumn("f1", "F1", "harmonic mean of precision and recall", kind="share"),
    ScoreColumn("ned", "NED", "errors divided by the longer of GT and HYP, page mean", None, "share"),
    ScoreColumn("mer", "MER", "errors divided by the length of the alignment (jiwer)", None, "share"),
    ScoreColumn("wip", "WIP", "recall times precision", None, "share"),
    ScoreColumn("wil", "WIL", "1 - WIP", None, "share"),
    ScoreColumn("path_rate", "path rate", "errors divided by the length of the alignment", None, "share"),
    ScoreColumn("bwe", "BWE", "tokens of one side only, divided by those of both", None, "share"),
    ScoreColumn("accuracy", "accuracy", "1 - rate", None, "share"),
    ScoreColumn("lower_bound", "lower bound", "no solution has fewer errors", None),
    ScoreColumn("optimal", "optimal", "the errors are proven to be the minimum", None),
    ScoreColumn("canonical", "canonical", "missing, extra, wrong and right are proven to be canonical", None),
    ScoreColumn("interrupted", "interrupted", "the time limit ended the search", None),
)
"""All columns of a score, in their order."""

SCORE_FIELDS = tuple(column.name for column in SCORE_COLUMNS)
"""The fields of a score in JSON, CSV and data frames."""

_values = attrgetter(*SCORE_FIELDS)


def score_fields(score: Score) -> dict[str, FieldValue]:
    """Return the fields of a score; an infinite value is None.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> fields = score_fields(Score(Measure("CER"), Counts(dels=2), 2))
    >>> fields["rate"], fields["errors"]
    (None, 2)
    """
    fields = dict(zip(SCORE_FIELDS, _values(score), strict=True))
    return {name: value if math.isfinite(value) else None for name, value in fields.items()}
