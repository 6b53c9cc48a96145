"""The totals of a run as text: tables on standard output, and Markdown to paste into a paper or an issue.

Tables are as wide as the terminal; in a pipe they are plain text.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, TextIO

from pagemeter.atomic_io import encodable
from pagemeter.errors import Problem, as_keyword
from pagemeter.report.columns import BudgetBar, budgets_to_show
from pagemeter.report.grid import escape_markdown, markdown_code
from pagemeter.report.names import printable, wrapped
from pagemeter.report.summary import dominant_pages, summary
from pagemeter.report.tables import (
    EMPTY_GT_TITLE,
    PageTable,
    empty_gt_grid,
    fitted_score_grid,
    peer_lines,
    score_grid,
    score_notes,
)
from pagemeter.report.terminal import draws_lines, is_terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure
    from pagemeter.report import ShowSetting
    from pagemeter.report.grid import Grid
    from pagemeter.stats.budget import Budget


class Screen:
    """Standard output or another text file; `columns` is the width of a terminal, and None in a pipe.

    `complete` is the setting of an output that has all columns.
    """

    def __init__(self, file: TextIO, show_setting: ShowSetting = as_keyword, complete: str = "csv") -> None:
        self._file, self._show_setting, self._complete = file, show_setting, complete
        self.columns = shutil.get_terminal_size().columns if is_terminal(file) else None
        self._rule = "─" if draws_lines(file) else "-"

    def draw(self, grid: Grid, omitted: Sequence[str] = (), title: str = "") -> None:
        """Print a table, and name the columns that were omitted because they do not fit."""
        if title:
            self._file.write(f"{printable(title)}\n")
        if self.columns is None:
            self._file.write(f"{grid.plain()}\n")
        else:
            self._file.write(f"{grid.drawn(self._rule)}\n")
        if omitted:
            problem = Problem(
                f"columns that do not fit: {', '.join(omitted)}",
                remedy="use {} to get all columns",
                settings=((self._complete, ""),),
            )
            self.write_notes([problem.render(self._show_setting)])
        self._file.write("\n")

    def draw_budgets(self, budgets: Mapping[Measure, Budget], system: str = "") -> None:
        """Print error budgets, each as a bar."""
        prefix = f"{system}: " if system else ""
        for bar in map(BudgetBar, budgets_to_show(budgets)):
            if self.columns is None:
                text = prefix + "\n".join(bar.lines())
            else:
                text = bar.drawn(self.columns, prefix)
            self._file.write(f"{text}\n\n")

    def write_notes(self, notes: Sequence[str]) -> None:
        """Print notes, one per line; a terminal gets them wrapped at words."""
        for note in map(printable, notes):
            self._file.write(f"{wrapped(note, self.columns, '  ') if self.columns else note}\n")


class Terminal:
    """The totals, the worst pages or all pages, and the notes that explain the numbers."""

    def __init__(
        self,
        file: TextIO,
        measures: tuple[Measure, ...],
        *,
        per_page: bool = False,
        show_setting: ShowSetting = as_keyword,
    ) -> None:
        self._screen = Screen(file, show_setting)
        self._pages = PageTable(measures, every=per_page)

    def add(self, result: PageResult) -> None:
        """Add the page if it is among those to show."""
        self._pages.add(result)

    def finish(self, outcome: Outcome) -> None:
        """Print the tables and notes."""
        scores, screen = list(outcome.totals.scores.values()), self._screen
        notes = summary(outcome)
        screen.write_notes(peer_lines(outcome.totals))
        if scores:
            screen.draw(*fitted_score_grid(scores, outcome.intervals, screen.columns))
            if dominant := dominant_pages(outcome.totals):
                screen.write_notes([*dominant, ""])
            if empty_gt := empty_gt_grid(outcome.totals):
                screen.draw(empty_gt, title=EMPTY_GT_TITLE)
            screen.draw_budgets(outcome.totals.budgets)
            notes = [*score_notes(scores, outcome.intervals), *notes, outcome.signature]
        if self._pages.rows and (outcome.totals.pages > 1 or self._pages.every):
            grid = self._pages.grid(screen.columns)
            fitted = grid if self._pages.every else grid.fitted(screen.columns)
            screen.draw(fitted, grid.headings[len(fitted.headings) :], self._pages.title)
        screen.write_notes(notes)


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
