"""The overview of the report: the numbers of all pages as the report's scripts read them.

    {"version", "date", "signature", "reproduce": how to use the signature,
     "gt", "hyps": [name], "lines": GT lines of the compared pages, "types": [type of lines],
     "systems": [name], "notes": […], "failed": [[page, error]],
     "story": {"measure", "rate", "interval", "sentences"},             of all systems, null if there is one
     "stories": [the same],                                             one entry per system, as below
     "worst": [page],                                                   those with most errors of the compared
     "ranking": {"measure", "rows": [[system, rank, rate, low, high, groups]]},
     "tables": [[title, [heading], [[cell]]]],                          of a comparison
     "sections": [{"id", "title", "notes", "tables", "curves": [{"name", "x", "y", "points"}]}],
     "measures": [{"id", "meaning", "default"}],
     "columns": [[field of a score, heading, meaning, kind]],
     "totals": [{id: fields of a score}],
     "budgets": [[{"measure", "rate", "note", "shares": [[cause or kind, name, per cent, share, remark]]}]],
     "intervals": [{id: text}], "confidence": heading of their column,
     "pages": {"name": […], "lines": […], "details": […]},
     "missed": [[…]], "warnings": [[…]],
     "counts": [{id: {"ins": […], "dels": […], "sub": […], "cor": […], "bound": […]}}],
     "confusions": [{id: {"unmatched": [gt, hyp], "substitution": {"total", "top": [[…]]}, …}}]}

A page that was not evaluated by a measure has null there.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pagemeter._version import __version__
from pagemeter.atomic_io import encodable
from pagemeter.corpus.score_table import COUNT_COLUMNS, ScoreTable
from pagemeter.errors import Problem
from pagemeter.measure import DEFAULT
from pagemeter.page import LINE_TYPES
from pagemeter.report.alignments import FAULTS, confusion_names
from pagemeter.report.columns import SCORE_COLUMNS, BudgetBar, budgets_to_show, format_interval
from pagemeter.report.json import measure_fields
from pagemeter.report.names import make_visible, printable
from pagemeter.report.tables import interval_heading

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pagemeter.alignment import Confusion, Confusions
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Comparing, Measure
    from pagemeter.report import ShowSetting
    from pagemeter.report.grid import Grid
    from pagemeter.report.names import ShownPaths
    from pagemeter.report.summary import Story
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget
    from pagemeter.stats.comparison import RankedSystem


_MOST_CONFUSIONS = 50
"""The number of confusions of each kind that are listed."""
_COUNT_NAMES = ("ins", "dels", "sub", "cor", "bound")  # of `COUNT_COLUMNS`
_REPRODUCE = Problem(
    "this line reproduces the numbers", remedy="give it as {}", settings=(("from_signature", ""),)
)


@dataclass(frozen=True, slots=True)
class SystemTotals:
    """The totals of one system: its scores, its error budgets and its intervals."""

    name: str
    scores: Mapping[Measure, Score]
    budgets: Mapping[Measure, Budget]
    intervals: Mapping[Measure, Interval]

    @classmethod
    def of(cls, outcome: Outcome) -> SystemTotals:
        """Return the totals of a run with one system, which needs no name."""
        return cls("", outcome.totals.scores, outcome.totals.budgets, outcome.intervals)


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of a section: points with numbers on both axes, and the names of the axes."""

    name: str
    x: str
    y: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Section:
    """An additional section of the report, such as a calibration table.

    Args:
        id: The id of its element, unique in the report.
        title: Its heading.
        notes: Sentences that explain it.
        tables: Its tables by title.
        curves: Its curves.

    """

    id: str
    title: str
    notes: Sequence[str] = ()
    tables: Mapping[str, Grid] = field(default_factory=dict)
    curves: Sequence[Curve] = ()

    def fields(self) -> dict[str, Any]:
        """Return the data for the scripts."""
        return {
            "id": self.id,
            "title": printable(self.title),
            "notes": list(map(printable, self.notes)),
            "tables": _table_fields(self.tables),
            "curves": [
                {"name": printable(one.name), "x": one.x, "y": one.y, "points": [list(p) for p in one.points]}
                for one in self.curves
            ],
        }


@dataclass(frozen=True, slots=True)
class Overview:
    """The results over all pages.

    Args:
        systems: The totals of each system.
        signature: The line that reproduces the numbers.
        notes: Notes that explain the numbers, and notes about the run.
        failed: The pages that failed.
        tables: More tables by title, those of a comparison.
        ranking: The systems of a comparison, the best first.
        primary: The measure of the ranking.
        sections: Additional sections.

    """

    systems: Sequence[SystemTotals]
    signature: str
    notes: Sequence[str]
    failed: Sequence[PageResult] = ()
    tables: dict[str, Grid] = field(default_factory=dict)
    ranking: Sequence[RankedSystem] = ()
    primary: Measure | None = None
    sections: Sequence[Section] = ()

    def fields(self, show_setting: ShowSetting, paths: ShownPaths) -> dict[str, Any]:
        """Return the data for the scripts, without those of single pages."""
        gt, *hyps = paths.names or ("",)
        measures = dict.fromkeys(measure for system in self.systems for measure in system.scores)
        return {
            "version": __version__,
            "date": _date(),
            "gt": gt,
            "hyps": hyps,
            "types": LINE_TYPES,
            "signature": self.signature,
            "reproduce": _reproduce(show_setting),
            "systems": [printable(system.name) for system in self.systems],
            "measures": [
                {"id": str(m), "meaning": measure_meaning(m), "default": m in DEFAULT} for m in measures
            ],
            "columns": [[c.name, c.heading, c.meaning, c.kind] for c in SCORE_COLUMNS if c.tables],
            "totals": [measure_fields(system.scores) for system in self.systems],
            "budgets": [_budget_fields(system.budgets) for system in self.systems],
            "intervals": [_interval_fields(system.intervals) for system in self.systems],
            "confidence": interval_heading(self.systems[0].intervals),
            "notes": list(map(paths.text, self.notes)),
            "ranking": _ranking_fields(self.ranking, self.primary) if self.primary else None,
            "tables": _table_fields(self.tables),
            "sections": [section.fields() for section in self.sections],
            "failed": [[printable(page.name), _errors(page, show_setting, paths)] for page in self.failed],
        }


def _reproduce(show_setting: ShowSetting) -> str:
    """Return the sentence above the signature."""
    text = _REPRODUCE.render(show_setting)
    return text[:1].upper() + text[1:]


def _date() -> str:
    """Return the date of the report, in UTC; `SOURCE_DATE_EPOCH` sets it for reproducible builds."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    time = datetime.fromtimestamp(int(seconds), UTC) if seconds.isdigit() else datetime.now(UTC)
    return time.date().isoformat()


def _errors(page: PageResult, show_setting: ShowSetting, paths: ShownPaths) -> str:
    return "\n".join(paths.text(error.render(show_setting), page.gt, page.hyp) for error in page.errors)


def _table_fields(tables: Mapping[str, Grid]) -> list[Any]:
    return [[title, grid.headings, grid.rows] for title, grid in tables.items()]


def _ranking_fields(ranking: Sequence[RankedSystem], measure: Measure) -> dict[str, Any]:
    """Return the systems by rank with their intervals; an infinite rate is null."""
    return {
        "measure": str(measure),
        "rows": [
            [
                printable(one.system.name),
                one.rank,
                _finite(one.system.total[measure].rate),
                *map(_finite, one.system.intervals[measure].shown_bounds or (math.nan, math.nan)),
                one.groups,
            ]
            for one in ranking
        ],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def story_fields(story: Story) -> dict[str, Any]:
    """Return a story for the scripts."""
    return {
        "measure": story.measure and str(story.measure),
        "rate": story.rate,
        "interval": story.interval,
        "sentences": list(story.sentences),
    }


@dataclass(slots=True)
class _SystemPages:
    """The pages of one system: their numbers in the report, and a value of each."""

    numbers: list[int] = field(default_factory=list)
    missed: list[int] = field(default_factory=list)
    warnings: list[int] = field(default_factory=list)
    scores: ScoreTable = field(default_factory=ScoreTable)

    def counts(self) -> dict[str, dict[str, list[int | None]]]:
        """Return the counts of all pages by measure id and name."""
        return {str(measure): self._counts_of(measure) for measure in self.scores.measures}

    def _counts_of(self, measure: Measure) -> dict[str, list[int | None]]:
        pages, rows = self.scores.rows_of(measure)
        numbers = [self.numbers[page] for page in pages.tolist()]
        return {
            name: _column(numbers, rows[column].tolist())
            for name, column in zip(_COUNT_NAMES, COUNT_COLUMNS, strict=True)
        }


class OverviewPages:
    """The pages of the report; systems share a page by its ground-truth file."""

    def __init__(self, systems: int = 1) -> None:
        self.names: list[str] = []
        self.errors: list[int] = []  # by the first measure, summed over systems
        self._lines: list[int] = []
        self._by_file: dict[str | None, int] = {}
        self._systems = [_SystemPages() for _ in range(systems)]

    def add(self, result: PageResult, lines: int, system: int = 0) -> int:
        """Add a page of a system; return its number."""
        if system == 0 or result.gt not in self._by_file:
            self._by_file[result.gt] = len(self.names)
            self.names.append(encodable(result.name))
            self.errors.append(0)
            self._lines.append(lines)
        number, pages = self._by_file[result.gt], self._systems[system]
        self._lines[number] = max(self._lines[number], lines)
        self.errors[number] += next((score.errors for score in result.scores.values()), 0)
        pages.numbers.append(number)
        pages.missed.append(int(result.status == "missed"))
        pages.warnings.append(len(result.warnings))
        pages.scores.append(result.rows)
        return number

    def compared(self, systems: int) -> set[int]:
        """Return the numbers of the pages that all of the first systems have."""
        return set.intersection(*(set(pages.numbers) for pages in self._systems[:systems]))

    def scores_of(self, system: int, chosen: Collection[int]) -> ScoreTable:
        """Return the scores of some pages of a system."""
        pages = self._systems[system]
        if len(chosen) == len(pages.numbers):
            return pages.scores
        return pages.scores.select([page for page, number in enumerate(pages.numbers) if number in chosen])

    def n_lines(self, chosen: Collection[int]) -> int:
        """Return the number of ground-truth lines of some pages."""
        return sum(self._lines[page] for page in chosen)

    def fields(self, details: Sequence[bool]) -> dict[str, Any]:
        """Return the data for the scripts; `details` are the pages whose details are in the report."""
        return {
            "pages": {"name": self.names, "lines": self._lines, "details": list(map(int, details))},
            "missed": [_column(pages.numbers, pages.missed) for pages in self._systems],
            "warnings": [_column(pages.numbers, pages.warnings) for pages in self._systems],
            "counts": [pages.counts() for pages in self._systems],
        }


def _column(numbers: Sequence[int], values: Sequence[int]) -> list[int | None]:
    """Return the values by page number, None for pages without one; the last value ends the column."""
    column: list[int | None] = [None] * (max(numbers, default=-1) + 1)
    for number, value in zip(numbers, values, strict=True):
        column[number] = value
    return column


_WHOLE_PAGE: dict[Comparing, str] = {
    "distance": "{} errors of the page as one text, with its line ends.",
    "bag": "Missing, extra and wrong {1}, anywhere on the page.",
    "subsequence": "Missing and extra {1}: those outside the longest common subsequence of the page.",
    "assignment": "Missing, extra and wrong {1}, each matched with a similar one nearby in the text.",
}


def measure_meaning(measure: Measure) -> str:
    """Return the meaning of a measure in one sentence.

    >>> from pagemeter.measure import Measure
    >>> measure_meaning(Measure.parse("CER:RS"))
    'Character errors: lines in reading order, split or merged at no cost.'
    >>> measure_meaning(Measure.parse("BOW:G"))
    'Missing, extra and wrong words, anywhere in lines nearby.'
    """
    if measure.whole:
        return _WHOLE_PAGE[measure.method].format(measure.label.removesuffix("s"), measure.label.lower())
    if measure.is_bag:
        where = "in lines nearby" if measure.geometry else "on the page"
        return f"Missing, extra and wrong words, anywhere {where}."
    order = "lines in reading order" if measure.order else "lines in any order"
    segmentation = "split or merged at no cost" if measure.segmentation else "matched as a whole"
    position = ", only with lines nearby" if measure.geometry else ""
    return f"{measure.label.removesuffix('s')} errors: {order}, {segmentation}{position}."


def confusion_fields(by_measure: Mapping[Measure, Confusions]) -> dict[str, Any]:
    """Return the confusions by measure id; examples are [page number, line number]."""
    return {
        str(measure): {
            "unmatched": [confusions.unmatched_gt, confusions.unmatched_hyp],
            **{
                fault: {
                    "total": confusions.total(fault),
                    "top": list(map(_confusion_fields, confusions.top(fault, _MOST_CONFUSIONS))),
                }
                for fault in FAULTS
            },
        }
        for measure, confusions in by_measure.items()
    }


def _confusion_fields(one: Confusion) -> list[Any]:
    examples = [[int(example.page), example.line] for example in one.examples]
    return [make_visible(one.gt), make_visible(one.hyp), one.count, confusion_names(one), examples]


def _budget_fields(budgets: Mapping[Measure, Budget]) -> list[dict[str, Any]]:
    return [
        {
            "measure": str(bar.budget.measure),
            "rate": bar.budget.rate,
            "note": bar.note,
            "shares": [
                [part.key, part.name, part.number, float(part.errors / bar.budget.errors), part.remark]
                for part in bar.parts
            ],
        }
        for bar in map(BudgetBar, budgets_to_show(budgets))
    ]


def _interval_fields(intervals: Mapping[Measure, Interval]) -> dict[str, str]:
    """Return the intervals as they are shown; none if no measure has one to show."""
    if not any(interval.shown_bounds for interval in intervals.values()):
        return {}
    return {str(measure): format_interval(interval) for measure, interval in intervals.items()}
