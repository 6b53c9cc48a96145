"""The numbers of all pages as the report's scripts read them.

    {"version", "signature", "systems": [name], "notes": […], "failed": [[page, error]],
     "tables": [[title, [heading], [[cell]]]],                          of a comparison
     "measures": [{"id", "meaning"}],
     "totals": [{id: fields of a score}],                               one entry a system, as below
     "budgets": [[{"measure", "rate", "note", "shares": [[cause, name, per cent, share]]}]],
     "intervals": [{id: text}], "confidence": heading of their column,
     "pages": {"name": […], "lines": […], "details": […]},
     "missed": [[…]], "warnings": [[…]],
     "counts": [{id: {"ins": […], "dels": […], "sub": […], "cor": […], "bound": […]}}],
     "confusions": [{id: {"unmatched": [gt, hyp], "substitution": {"total", "top": [[…]]}, …}}]}

A page that was not evaluated by a measure has null there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pagemeter.report.budget import NAMES, BudgetBar, strictest
from pagemeter.report.confusionfile import FAULTS
from pagemeter.report.figures import span
from pagemeter.report.glyphs import named, visible
from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pagemeter.alignment import Confusion, Confusions
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget

TOP = 50
"""How many confusions of each kind are listed."""

_COUNTS = ("ins", "dels", "sub", "cor")
Column = list[int | None]


@dataclass(frozen=True, slots=True)
class SystemTotals:
    """What is shown of one system: its scores in total, its budgets and its intervals."""

    name: str
    scores: Mapping[Measure, Score]
    budgets: Mapping[Measure, Budget]
    intervals: Mapping[Measure, Interval]

    @classmethod
    def of(cls, outcome: Outcome) -> SystemTotals:
        """Those of a run with one system, which needs no name."""
        return cls("", outcome.totals.scores, outcome.totals.budgets, outcome.intervals)


class PageColumns:
    """What the overview knows of each page, column by column, for one system or several."""

    def __init__(self, systems: int = 1) -> None:
        self.name: list[str] = []
        self.lines: list[int] = []
        self.errors: list[int] = []
        self._by_file: dict[str | None, int] = {}
        self._missed: list[Column] = [[] for _ in range(systems)]
        self._warnings: list[Column] = [[] for _ in range(systems)]
        self._counts: list[dict[str, dict[str, Column]]] = [{} for _ in range(systems)]

    def add(self, result: PageResult, lines: int, system: int = 0) -> tuple[int, bool]:
        """Adds a page as one system read it: its number, and whether it is new.

        Systems share a page by its ground truth file.
        """
        is_new = system == 0 or result.gt not in self._by_file
        if is_new:
            self._by_file[result.gt] = len(self.name)
            self.name.append(portable(result.name))
            self.lines.append(lines)
            self.errors.append(0)
        number = self._by_file[result.gt]
        self.errors[number] += next((score.errors for score in result.scores.values()), 0)
        _put(self._missed[system], number, int(result.status == "missed"))
        _put(self._warnings[system], number, len(result.warnings))
        for measure, score in result.scores.items():
            columns = self._counts[system].setdefault(
                str(measure), {name: [] for name in (*_COUNTS, "bound")}
            )
            for name in _COUNTS:
                _put(columns[name], number, getattr(score, name))
            _put(columns["bound"], number, score.lower_bound)
        return number, is_new

    def fields(self, details: Sequence[bool]) -> dict[str, Any]:
        """All columns; what is missing at their ends is not there."""
        pages = {"name": self.name, "lines": self.lines, "details": list(map(int, details))}
        return {"pages": pages, "missed": self._missed, "warnings": self._warnings, "counts": self._counts}


def _put(column: Column, number: int, value: int) -> None:
    column.extend([None] * (number + 1 - len(column)))
    column[number] = value


def confusion_fields(found: Mapping[Measure, Confusions]) -> dict[str, Any]:
    """The confusions of each measure; examples are [page number, line number]."""
    return {
        str(measure): {
            "unmatched": [confusions.unmatched_gt, confusions.unmatched_hyp],
            **{
                fault: {
                    "total": confusions.total(fault),
                    "top": list(map(_confusion, confusions.top(fault, TOP))),
                }
                for fault in FAULTS
            },
        }
        for measure, confusions in found.items()
    }


def budget_fields(budgets: Mapping[Measure, Budget]) -> list[dict[str, Any]]:
    """The error budgets to show; their numbers sum to the rate."""
    bars = map(BudgetBar, strictest(budgets))
    return [
        {
            "measure": str(bar.budget.measure),
            "rate": bar.budget.rate,
            "note": bar.note,
            "shares": [
                [share.cause, NAMES[share.cause], number, float(share.errors / bar.budget.errors)]
                for share, number in zip(bar.budget.shares, bar.numbers, strict=True)
            ],
        }
        for bar in bars
    ]


def interval_fields(intervals: Mapping[Measure, Interval]) -> dict[str, str]:
    """The intervals as they are shown; none if no measure has one to show."""
    if not any(found.telling for found in intervals.values()):
        return {}
    return {str(measure): span(found) for measure, found in intervals.items()}


def confidence(intervals: Mapping[Measure, Interval]) -> str:
    """What the column of intervals is headed by."""
    return next((f"{100 * found.confidence:g} % interval" for found in intervals.values()), "")


def _confusion(one: Confusion) -> list[Any]:
    names = " → ".join(filter(None, (named(one.gt), named(one.hyp))))
    places = [[int(example.page), example.line] for example in one.examples]
    return [visible(one.gt), visible(one.hyp), one.count, names, places]
