"""The result as a person reads it at a glance: drawn on a terminal, plain text in a pipe."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, TextIO

from pagemeter.report.budget import BudgetBar, strictest
from pagemeter.report.figures import no_intervals, notes
from pagemeter.report.grid import GAP, Grid
from pagemeter.report.summary import summary
from pagemeter.report.tables import PageTable, score_grid

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure
    from pagemeter.score import Score

PIPE = 100
"""The columns that the worst pages may take where there is no terminal."""


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can draw."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class Terminal:
    """The table of totals, the worst pages or all of them, and what the numbers mean."""

    def __init__(self, file: TextIO, measures: tuple[Measure, ...], *, per_page: bool = False) -> None:
        self._file = file
        self._pages = PageTable(measures, every=per_page)
        self._columns = shutil.get_terminal_size().columns if is_terminal(file) else None

    def add(self, result: PageResult) -> None:
        """Keeps the page if it is among those to show."""
        self._pages.add(result)

    def finish(self, outcome: Outcome) -> None:
        """Prints it all."""
        scores = list(outcome.totals.scores.values())
        said = summary(outcome)
        if scores:
            grid = self._scores(scores, outcome)
            self._draw(grid, left_out=score_grid(scores, outcome.intervals).headings[len(grid.headings) :])
            self._budgets(outcome)
            said = [*no_intervals(outcome.intervals), *said]
            said = [*map(self._fitted, notes(scores)), *said, outcome.signature]
        if self._pages.rows and (outcome.totals.pages > 1 or self._pages.every):
            grid = self._pages.grid(self._columns)
            shown = grid if self._pages.every else grid.fitted(self._columns or PIPE)
            self._draw(shown, self._pages.title, grid.headings[len(shown.headings) :])
        self._file.write("\n".join(said) + "\n")

    def _scores(self, scores: list[Score], outcome: Outcome) -> Grid:
        """The totals, with precision, recall and F1 where all three find room."""
        grid = score_grid(scores, outcome.intervals, more=True)
        if self._columns is not None and grid.fitted(self._columns) == grid:
            return grid
        return score_grid(scores, outcome.intervals).fitted(self._columns)

    def _budgets(self, outcome: Outcome) -> None:
        for bar in map(BudgetBar, strictest(outcome.totals.budgets)):
            if self._columns is None:
                self._file.write("\n".join([*bar.lines(), "", ""]))
            else:
                self._print(bar.rich(self._columns), self._columns)
                self._file.write("\n")

    def _fitted(self, note: str) -> str:
        """A note in as many lines as it has parts, if one line is too long."""
        return note if self._columns is None or len(note) < self._columns else note.replace(" · ", "\n")

    def _draw(self, grid: Grid, title: str = "", left_out: tuple[str, ...] = ()) -> None:
        if title:
            self._file.write(f"{title}\n")
        if self._columns is None:
            self._file.write(f"{grid.plain()}\n")
        else:
            self._print(grid.rich(), max(self._columns, sum(grid.widths) + GAP * len(grid.widths)))
        if left_out:
            self._file.write(f"no room for {', '.join(left_out)}; --csv has all\n")
        self._file.write("\n")

    def _print(self, drawn: Table | Text, columns: int) -> None:
        from rich.console import Console  # noqa: PLC0415  (only where a terminal is)

        Console(file=self._file, width=columns).print(drawn)
