"""The totals of a run as Markdown, to paste into a paper or an issue."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pagemeter.atomic_io import encodable
from pagemeter.report.budget_bar import BudgetBar, budgets_to_show
from pagemeter.report.grid import escape_markdown, markdown_code
from pagemeter.report.peer import peer_lines
from pagemeter.report.summary import dominant_pages, summary
from pagemeter.report.tables import EMPTY_GT_TITLE, PageTable, empty_gt_grid, score_grid, score_notes

if TYPE_CHECKING:
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure

MARKDOWN_MARK = "<!-- pagemeter report -->"
"""The first line of a report; it distinguishes reports from pages in Markdown."""


class MarkdownFile:
    """The table of totals and, if `per_page`, of all pages."""

    def __init__(self, file: TextIO, measures: tuple[Measure, ...], *, per_page: bool = False) -> None:
        self._file = file
        self._pages = PageTable(measures, every=True) if per_page else None

    def add(self, result: PageResult) -> None:
        """Add the page if all pages are to be shown."""
        if self._pages:
            self._pages.add(result)

    def finish(self, outcome: Outcome) -> None:
        """Write the tables and their notes."""
        scores = list(outcome.totals.scores.values())
        peer = map(escape_markdown, filter(None, peer_lines(outcome.totals)))
        blocks = [MARKDOWN_MARK, *peer, score_grid(scores, outcome.intervals).markdown()]
        blocks += map(escape_markdown, dominant_pages(outcome.totals))
        if empty_gt := empty_gt_grid(outcome.totals):
            blocks += [EMPTY_GT_TITLE, empty_gt.markdown()]
        blocks += [
            "  \n".join(BudgetBar(budget).lines()) for budget in budgets_to_show(outcome.totals.budgets)
        ]
        if self._pages:
            blocks.append(self._pages.grid().markdown())
        notes = [*score_notes(scores, outcome.intervals), *summary(outcome)]
        blocks += [*map(escape_markdown, notes), markdown_code(outcome.signature)]
        self._file.write(encodable("\n\n".join(blocks)) + "\n")
