"""A table of texts, and its renderings: for a terminal, as plain text, in Markdown and in LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.report.names import display_width, printable
from pagemeter.report.terminal import styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_GAP = "  "  # between two columns


@dataclass(frozen=True, slots=True)
class Grid:
    """Headings and rows of texts; the first column contains names, the others contain numbers.

    `best` are the cells, by row and column, that are marked as the best of their column: bold in Markdown and
    LaTeX, and with a star elsewhere.

    >>> print(Grid(("measure", "rate"), (("CER:R", "5.00 %"), ("BOW", "12.00 %"))).plain())
    measure     rate
    CER:R     5.00 %
    BOW      12.00 %
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()

    @property
    def starred(self) -> Grid:
        """The same table with a star before each of the best cells."""
        rows = tuple(
            tuple(f"* {cell}" if (row, column) in self.best else cell for column, cell in enumerate(cells))
            for row, cells in enumerate(self.rows)
        )
        return Grid(self.headings, rows)

    @property
    def widths(self) -> list[int]:
        """The width of each column on a terminal."""
        grid = self.starred if self.best else self
        return [max(map(display_width, cells)) for cells in zip(grid.headings, *grid.rows, strict=True)]

    def fitted(self, columns: int | None) -> Grid:
        """Return the table without the last columns that do not fit; the first two always stay."""
        if columns is None:
            return self
        count, used = 0, -len(_GAP)
        for width in self.widths:
            used += width + len(_GAP)
            count += used <= columns
        count = max(2, count)
        return Grid(self.headings[:count], tuple(row[:count] for row in self.rows), self.best)

    def without(self, heading: str) -> Grid:
        """Return the table without the column of this heading."""
        kept = [number for number, one in enumerate(self.headings) if one != heading]
        headings, *rows = (tuple(row[number] for number in kept) for row in (self.headings, *self.rows))
        best = ((row, kept.index(column)) for row, column in self.best if column in kept)
        return Grid(headings, tuple(rows), frozenset(best))

    def plain(self) -> str:
        """Return the table as lines of text without rules or colours."""
        return "\n".join(_GAP.join(cells).rstrip() for cells in self._padded())

    def drawn(self, rule: str = "─") -> str:
        """Return the table for a terminal: names in bold, the first numbers in bold cyan, and a rule.

        Args:
            rule: The character of the rule below the headings.

        """
        headings, *rows = self._padded()
        lines = [_GAP.join(styled(cell, bold=True) for cell in headings)]
        lines.append(rule * display_width(_GAP.join(headings)))
        for name, *numbers in rows:
            first = [styled(cell, "cyan", bold=True) for cell in numbers[:1]]
            lines.append(_GAP.join((styled(name, bold=True), *first, *numbers[1:])))
        return "\n".join(lines)

    def _padded(self) -> Iterator[list[str]]:
        """Yield the headings and rows with cells as wide as their columns."""
        widths, grid = self.widths, self.starred if self.best else self
        for row in (grid.headings, *grid.rows):
            blanks = [" " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
            numbers = (blank + cell for cell, blank in zip(row[1:], blanks[1:], strict=True))
            yield [row[0] + blanks[0], *numbers]

    def markdown(self) -> str:
        """Return the table in Markdown."""
        rule = ("---", *("---:" for _ in self.headings[1:]))
        rows = self._bold(escape_markdown, "**{}**")
        first, *others = (f"| {' | '.join(row)} |" for row in rows)
        return "\n".join((first, f"|{'|'.join(rule)}|", *others))

    def latex(self) -> str:
        r"""Return the table as a LaTeX tabular with the rules of booktabs.

        >>> print(Grid(("measure", "rate"), (("CER:R", "5.00 %"),)).latex())
        \begin{tabular}{lr}
        \toprule
        measure & rate \\
        \midrule
        CER:R & 5.00 \% \\
        \bottomrule
        \end{tabular}
        """
        columns = "l" + "r" * (len(self.headings) - 1)
        head, *rows = (" & ".join(row) + r" \\" for row in self._bold(escape_latex, r"\textbf{{{}}}"))
        lines = (rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule")
        return "\n".join((*lines, r"\end{tabular}"))

    def _bold(self, escape: Callable[[str], str], bold: str) -> Iterator[tuple[str, ...]]:
        """Yield the headings and rows as escaped texts, the best cells in bold."""
        for number, row in enumerate((self.headings, *self.rows), -1):
            yield tuple(
                bold.format(escape(cell)) if (number, column) in self.best else escape(cell)
                for column, cell in enumerate(row)
            )


# An underscore inside a word is not emphasis.
_MARKDOWN_SPECIAL = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])|^[#+=-](?![\d.])")
_ENTITY = re.compile(r"&(?=#?\w+;)")


def escape_markdown(text: str) -> str:
    r"""Return a text for one line of Markdown that is shown unchanged: no HTML, no link, no emphasis.

    >>> print(escape_markdown("kant_0017 <b> [a](javascript:b) *"))
    kant_0017 &lt;b&gt; \[a\](javascript:b) \*
    """
    text = _ENTITY.sub("&amp;", printable(text))
    return _MARKDOWN_SPECIAL.sub(r"\\\g<0>", text).replace("<", "&lt;").replace(">", "&gt;")


def markdown_code(text: str) -> str:
    """Return a text as code in Markdown, between more backticks than it has in a row.

    >>> markdown_code("a`b")
    '``a`b``'
    """
    text = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


_LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "|": r"\textbar{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "−": "$-$",
        "→": r"$\to$",
        "∞": r"$\infty$",
        "–": "--",
        "…": r"\dots{}",
        "·": r"\textperiodcentered{}",
        '"': r"\char34{}",  # a shorthand of babel
        "[": "{[}",  # an optional argument at the start of a row
        "]": "{]}",
        "*": "{*}",
        "\0": "{}",
    }
)
_LATEX_LIGATURES = re.compile(r"([-`',?!])(?=[-`',])")
_LAST_LATIN = "\u017f"


def escape_latex(text: str) -> str:
    r"""Return a text that LaTeX prints unchanged.

    >>> print(escape_latex("a_b & 5 %"))
    a\_b \& 5 \%
    >>> print(escape_latex("a--b"))
    a-{}-b
    """
    return _LATEX_LIGATURES.sub("\\1\0", printable(text)).translate(_LATEX_ESCAPES)


def latex_preamble(*tables: str) -> str:
    r"""Return LaTeX comments that list the packages these tables need.

    >>> print(latex_preamble("measure & rate"))
    % \usepackage{booktabs}
    """
    lines = [r"% \usepackage{booktabs}"]
    if any(letter > _LAST_LATIN for letter in "".join(tables) if letter.isalpha()):
        lines.append("% non-Latin letters: compile with LuaLaTeX or XeLaTeX, and a font that contains them")
    return "\n".join(lines)
