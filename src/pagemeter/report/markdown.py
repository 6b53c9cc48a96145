"""The result as Markdown, to paste into a paper or an issue."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pagemeter.report.budget import BudgetBar, strictest
from pagemeter.report.figures import no_intervals, notes
from pagemeter.report.spelling import portable
from pagemeter.report.summary import summary
from pagemeter.report.tables import PageTable, score_grid

if TYPE_CHECKING:
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure

MARK = "<!-- pagemeter report -->"
"""What tells a report from a page in Markdown."""


class MarkdownFile:
    """The table of totals and, if asked for, of all pages."""

    def __init__(self, file: TextIO, measures: tuple[Measure, ...], *, per_page: bool = False) -> None:
        self._file = file
        self._pages = PageTable(measures, every=True) if per_page else None

    def add(self, result: PageResult) -> None:
        """Keeps the page if all are to be shown."""
        if self._pages:
            self._pages.add(result)

    def finish(self, outcome: Outcome) -> None:
        """Writes the tables and what they mean."""
        scores = list(outcome.totals.scores.values())
        blocks = [MARK, score_grid(scores, outcome.intervals).markdown()]
        blocks += ["  \n".join(BudgetBar(found).lines()) for found in strictest(outcome.totals.budgets)]
        if self._pages:
            blocks.append(self._pages.grid().markdown())
        # A star in Markdown begins emphasis.
        said = (*notes(scores), *no_intervals(outcome.intervals), *summary(outcome))
        blocks += [note.replace("*", "\\*") for note in said]
        blocks.append(f"`{outcome.signature}`")
        self._file.write(portable("\n\n".join(blocks)) + "\n")
