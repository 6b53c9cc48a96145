"""A table of texts, drawn for a terminal, for a pipe or in Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.report.spelling import width

if TYPE_CHECKING:
    from rich.table import Table

GAP = 2


@dataclass(frozen=True, slots=True)
class Grid:
    """Headings and rows; the first column is of names, the others are of numbers.

    >>> print(Grid(("measure", "rate"), (("CER:R", "5.00 %"), ("BOW", "12.00 %"))).plain())
    measure     rate
    CER:R     5.00 %
    BOW      12.00 %
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def widths(self) -> list[int]:
        """The columns of a terminal that each column of the table takes."""
        return [max(map(width, cells)) for cells in zip(self.headings, *self.rows, strict=True)]

    def fitted(self, columns: int | None) -> Grid:
        """The table without the last columns that find no room; the first two always stay."""
        if columns is None:
            return self
        count, used = 0, -GAP
        for wide in self.widths:
            used += wide + GAP
            count += used <= columns
        count = max(2, count)
        return Grid(self.headings[:count], tuple(row[:count] for row in self.rows))

    def plain(self) -> str:
        """The table as lines of text without any drawing."""
        widths = self.widths
        return "\n".join(_line(row, widths) for row in (self.headings, *self.rows))

    def markdown(self) -> str:
        """The table in Markdown."""
        rule = ("---", *("---:" for _ in self.headings[1:]))
        rows = (tuple(cell.replace("|", "\\|") for cell in row) for row in (self.headings, *self.rows))
        first, *others = (f"| {' | '.join(row)} |" for row in rows)
        return "\n".join((first, f"|{'|'.join(rule)}|", *others))

    def rich(self) -> Table:
        """The table for a terminal."""
        from rich.box import SIMPLE_HEAD  # noqa: PLC0415  (only where a terminal is)
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        # One column of padding and one of the box make the gap that `fitted` reckons with.
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
        for number, heading in enumerate(self.headings):
            style = ("bold", "bold cyan")[number] if number < 2 else None  # noqa: PLR2004
            table.add_column(Text(heading), justify="right" if number else "left", style=style, no_wrap=True)
        for row in self.rows:
            table.add_row(*map(Text, row))
        return table


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    first, *numbers = (
        " " * (wide - width(cell)) + cell if number else cell + " " * (wide - width(cell))
        for number, (cell, wide) in enumerate(zip(row, widths, strict=True))
    )
    return (" " * GAP).join((first, *numbers)).rstrip()
