"""The tables of a run: the totals, and the pages that stand out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.report.figures import COLUMNS, MORE_COLUMNS, PROOF_COLUMNS, rate, span
from pagemeter.report.grid import Grid
from pagemeter.report.spelling import shortened, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval

WORST = 5
NONE = "–"
"""What stands for a measure that a page could not be evaluated by."""
_NAME = 0.5  # of the width at most


def score_grid(
    scores: Iterable[Score], intervals: Mapping[Measure, Interval] | None = None, *, more: bool = False
) -> Grid:
    """Measures down; rate, interval where any measure has one to show, errors and counts across.

    >>> from pagemeter import evaluate
    >>> print(score_grid(evaluate("a line", "a lime", ["CER"]).scores.values()).plain())
    measure     rate  errors  INS  DEL  SUB  COR  GT  HYP
    CER      16.67 %       1    0    0    1    5   6    6
    """
    columns = COLUMNS | (MORE_COLUMNS if more else {})
    found = intervals or {}
    if any(one.telling for one in found.values()):
        heading = f"{100 * next(iter(found.values())).confidence:g} % interval"
        first = {name: columns[name] for name in ("measure", "rate")}
        columns = {**first, heading: lambda score: span(found.get(score.measure)), **columns}
    return _grid(scores, columns)


def proof_grid(scores: Iterable[Score]) -> Grid:
    """Measures down; rate and errors across, and whether they are proven to be the minimum.

    >>> from pagemeter import evaluate
    >>> print(proof_grid(evaluate("a line", "a lime", ["CER"]).scores.values()).plain())
    measure     rate  errors  proven
    CER      16.67 %       1     yes
    """
    return _grid(scores, PROOF_COLUMNS)


def _grid(scores: Iterable[Score], columns: Mapping[str, Callable[[Score], str]]) -> Grid:
    return Grid(tuple(columns), tuple(tuple(cell(score) for cell in columns.values()) for score in scores))


@dataclass(frozen=True, slots=True)
class PageRow:
    """What a table shows of a page."""

    name: str
    rates: Mapping[Measure, str]
    rank: tuple[float, int]
    remark: str


@dataclass(slots=True)
class PageTable:
    """The pages with the highest rate of the first measure, or all pages in their order."""

    measures: Sequence[Measure]
    every: bool = False
    rows: list[PageRow] = field(default_factory=list)

    def add(self, result: PageResult) -> None:
        """Keeps a page if it is among those to show."""
        if result.evaluation is None:
            return
        first = result.scores.get(self.measures[0])
        rank = (first.rate, first.errors) if first else (-1.0, 0)
        if not self.every and len(self.rows) == WORST and rank <= self.rows[-1].rank:
            return
        rates = {measure: rate(score) for measure, score in result.scores.items()}
        self.rows.append(PageRow(shown(result.name), rates, rank, _remark(result)))
        if not self.every:
            self.rows.sort(key=lambda row: row.rank, reverse=True)
            del self.rows[WORST:]

    @property
    def title(self) -> str:
        """What the table shows."""
        return "Pages" if self.every else f"Worst pages by {self.measures[0]}"

    def grid(self, columns: int | None = None) -> Grid:
        """The table, names shortened to leave room for numbers where the width is limited."""
        name_width = max(12, int(columns * _NAME)) if columns else None
        remarks = any(row.remark for row in self.rows)
        measures = [measure for measure in self.measures if any(measure in row.rates for row in self.rows)]
        rows = tuple(
            (
                shortened(row.name, name_width) if name_width else row.name,
                *((row.remark,) if remarks else ()),
                *(row.rates.get(measure, NONE) for measure in measures),
            )
            for row in self.rows
        )
        return Grid(("page", *(("",) if remarks else ()), *map(str, measures)), rows)


def _remark(result: PageResult) -> str:
    has_text = any(score.n_gt for score in result.scores.values())
    parts = [] if result.status != "missed" else ["missed"] if has_text else ["no text, no hypothesis"]
    if result.warnings:
        parts.append(f"{len(result.warnings)} warning{'s' * (len(result.warnings) > 1)}")
    return ", ".join(parts)
