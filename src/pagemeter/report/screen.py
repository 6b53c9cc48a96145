"""Where results are shown: drawn to the width of a terminal, plain text in a pipe."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, TextIO

from pagemeter.report.budget import BudgetBar, strictest
from pagemeter.report.grid import GAP
from pagemeter.report.spelling import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table
    from rich.text import Text

    from pagemeter.measure import Measure
    from pagemeter.report.grid import Grid
    from pagemeter.stats.budget import Budget


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can draw."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class Screen:
    """Standard output, usually; `columns` is the width of a terminal, None in a pipe."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.columns = shutil.get_terminal_size().columns if is_terminal(file) else None

    def draw(self, grid: Grid, title: str = "", left_out: tuple[str, ...] = ()) -> None:
        """Shows a table, and which columns found no room."""
        if title:
            self._file.write(f"{shown(title)}\n")
        if self.columns is None:
            self._file.write(f"{grid.plain()}\n")
        else:
            self._print(grid.rich(), max(self.columns, sum(grid.widths) + GAP * len(grid.widths)))
        if left_out:
            self._file.write(f"no room for {', '.join(left_out)}; --csv has all\n")
        self._file.write("\n")

    def budgets(self, budgets: Mapping[Measure, Budget], whose: str = "") -> None:
        """Shows error budgets, each as a bar."""
        for bar in map(BudgetBar, strictest(budgets)):
            if whose:
                self._file.write(f"{whose}: ")
            if self.columns is None:
                self._file.write("\n".join([*bar.lines(), ""]))
            else:
                self._print(bar.rich(self.columns), self.columns)
            self._file.write("\n")

    def say(self, lines: list[str]) -> None:
        """Shows lines, one with several parts in as many lines if it is too long."""
        for line in map(shown, lines):
            long = self.columns is not None and len(line) >= self.columns
            self._file.write(line.replace(" · ", "\n") + "\n" if long else f"{line}\n")

    def _print(self, drawn: Table | Text, columns: int) -> None:
        from rich.console import Console  # noqa: PLC0415  (only where a terminal is)

        Console(file=self._file, width=columns).print(drawn)
