"""The result as a person reads it at a glance: drawn on a terminal, plain text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from pagemeter.report.figures import no_intervals, notes
from pagemeter.report.screen import Screen
from pagemeter.report.summary import summary
from pagemeter.report.tables import PageTable, score_grid

if TYPE_CHECKING:
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure
    from pagemeter.report.grid import Grid
    from pagemeter.score import Score

PIPE = 100
"""The columns that the worst pages may take where there is no terminal."""


class Terminal:
    """The table of totals, the worst pages or all of them, and what the numbers mean."""

    def __init__(self, file: TextIO, measures: tuple[Measure, ...], *, per_page: bool = False) -> None:
        self._screen = Screen(file)
        self._pages = PageTable(measures, every=per_page)

    def add(self, result: PageResult) -> None:
        """Keeps the page if it is among those to show."""
        self._pages.add(result)

    def finish(self, outcome: Outcome) -> None:
        """Prints it all."""
        scores, screen = list(outcome.totals.scores.values()), self._screen
        said = summary(outcome)
        if scores:
            grid = self._scores(scores, outcome)
            left_out = score_grid(scores, outcome.intervals).headings[len(grid.headings) :]
            screen.draw(grid, left_out=left_out)
            screen.budgets(outcome.totals.budgets)
            said = [*notes(scores), *no_intervals(outcome.intervals), *said, outcome.signature]
        if self._pages.rows and (outcome.totals.pages > 1 or self._pages.every):
            grid = self._pages.grid(screen.columns)
            shown = grid if self._pages.every else grid.fitted(screen.columns or PIPE)
            screen.draw(shown, self._pages.title, grid.headings[len(shown.headings) :])
        screen.say(said)

    def _scores(self, scores: list[Score], outcome: Outcome) -> Grid:
        """The totals, with precision, recall and F1 where all three find room."""
        grid = score_grid(scores, outcome.intervals, more=True)
        if self._screen.columns is not None and grid.fitted(self._screen.columns) == grid:
            return grid
        return score_grid(scores, outcome.intervals).fitted(self._screen.columns)
