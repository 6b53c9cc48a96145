"""The numbers of all pages as the report's scripts read them.

    {"version", "signature", "systems": [name], "notes": […], "failed": [[page, error]],
     "measures": [{"id", "meaning", "unit"}],
     "totals": [{id: fields of a score}],                               one entry a system
     "budgets": [[{"measure", "rate", "note", "shares": [[cause, name, per cent, share]]}]],
     "intervals": [{id: [low, high]}], "confidence": heading of their column,
     "pages": {"name": […], "missed": […], "warnings": […], "lines": […], "details": […]},
     "counts": [{id: {"ins": […], "dels": […], "sub": […], "cor": […], "bound": […]}}],
     "confusions": [{id: {"unmatched": [gt, hyp], "substitution": {"total", "top": [[…]]}, …}}]}

A page that was not evaluated by a measure has null there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pagemeter.report.budget import NAMES, BudgetBar, strictest
from pagemeter.report.confusionfile import FAULTS
from pagemeter.report.glyphs import named, visible
from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pagemeter.alignment import Confusion, Confusions
    from pagemeter.corpus import Outcome, PageResult, Totals
    from pagemeter.measure import Measure
    from pagemeter.score import Score

TOP = 50
"""How many confusions of each kind are listed."""

_COUNTS = ("ins", "dels", "sub", "cor")
Column = list[int | None]


@dataclass(slots=True)
class PageColumns:
    """What the overview knows of each page, column by column, for one system or several."""

    systems: int = 1
    name: list[str] = field(default_factory=list)
    missed: list[list[int]] = field(default_factory=list)
    warnings: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)
    _counts: list[dict[str, dict[str, Column]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._counts = [defaultdict(self._empty) for _ in range(self.systems)]

    def _empty(self) -> dict[str, Column]:
        """Columns of nothing for the pages before the first that a measure has a value on."""
        return {name: [None] * (len(self.name) - 1) for name in (*_COUNTS, "bound")}

    def add(self, results: Sequence[PageResult]) -> int:
        """Adds a page; its number."""
        self.name.append(portable(results[0].name))
        self.missed.append([int(result.status == "missed") for result in results])
        self.warnings.append(sum(len(result.warnings) for result in results))
        self.lines.append(next(len(r.evaluation.gt.lines) for r in results if r.evaluation))
        self.errors.append(sum(next((s.errors for s in r.scores.values()), 0) for r in results))
        for counts, result in zip(self._counts, results, strict=True):
            for measure, score in result.scores.items():
                self._add_score(counts[str(measure)], score)
            self._pad(counts)
        return len(self.name) - 1

    def _add_score(self, columns: dict[str, Column], score: Score) -> None:
        for name in _COUNTS:
            columns[name].append(getattr(score, name))
        columns["bound"].append(score.lower_bound)

    def _pad(self, counts: Mapping[str, dict[str, Column]]) -> None:
        for columns in counts.values():
            for column in columns.values():
                column.extend([None] * (len(self.name) - len(column)))

    @property
    def counts(self) -> list[dict[str, dict[str, Column]]]:
        """The columns of every measure, a dictionary a system."""
        return [dict(counts) for counts in self._counts]

    def fields(self, details: Sequence[bool]) -> dict[str, Any]:
        """The columns that no measure has."""
        return {
            "name": self.name,
            "missed": self.missed,
            "warnings": self.warnings,
            "lines": self.lines,
            "details": list(map(int, details)),
        }


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


def budget_fields(totals: Totals) -> list[dict[str, Any]]:
    """The error budgets to show; their numbers sum to the rate."""
    bars = map(BudgetBar, strictest(totals.budgets))
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


def interval_fields(outcome: Outcome) -> dict[str, tuple[float, float]]:
    """The bounds of the rates that have any."""
    return {str(measure): found.bounds for measure, found in outcome.intervals.items() if found.bounds}


def confidence(outcome: Outcome) -> str:
    """What the column of intervals is headed by."""
    return next((f"{100 * found.confidence:g} % interval" for found in outcome.intervals.values()), "")


def _confusion(one: Confusion) -> list[Any]:
    names = " → ".join(filter(None, (named(one.gt), named(one.hyp))))
    places = [[int(example.page), example.line] for example in one.examples]
    return [visible(one.gt), visible(one.hyp), one.count, names, places]
