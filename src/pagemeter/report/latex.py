r"""Tables for papers: LaTeX with booktabs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagemeter.report.grid import Grid

_ESCAPES = str.maketrans(
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
        "\0": "{}",
    }
)
_LIGATURES = re.compile(r"([-`',?!])(?=[-`',])")
PREAMBLE = r"% \usepackage{booktabs}"
_OTHER_LETTERS = (
    "% letters that are not Latin: compile this with LuaLaTeX or XeLaTeX, and a font that has them"
)
_LAST_LATIN = "\u017f"


def escaped(text: str) -> str:
    r"""A text that LaTeX prints as it is.

    >>> print(escaped("a_b & 5 %"))
    a\_b \& 5 \%
    >>> print(escaped("a--b"))
    a-{}-b
    """
    return _LIGATURES.sub("\\1\0", text).translate(_ESCAPES)


def preamble(*tables: str) -> str:
    r"""Comments that say what a document needs to show these tables.

    >>> print(preamble("measure & rate"))
    % \usepackage{booktabs}
    """
    other = any(letter > _LAST_LATIN for letter in "".join(tables) if letter.isalpha())
    return "\n".join([PREAMBLE, *([_OTHER_LETTERS] if other else ())])


def tabular(grid: Grid) -> str:
    r"""A table between booktabs' rules, names to the left and numbers to the right.

    >>> from pagemeter.report.grid import Grid
    >>> print(tabular(Grid(("measure", "rate"), (("CER:R", "5.00 %"),))))
    \begin{tabular}{lr}
    \toprule
    measure & rate \\
    \midrule
    CER:R & 5.00 \% \\
    \bottomrule
    \end{tabular}
    """
    columns = "l" + "r" * (len(grid.headings) - 1)
    head, *rows = (" & ".join(map(escaped, row)) + r" \\" for row in (grid.headings, *grid.rows))
    lines = (rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule")
    return "\n".join((*lines, r"\end{tabular}"))
