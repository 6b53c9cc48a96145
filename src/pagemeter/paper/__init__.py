"""Section III of the paper as printed: readable, with citations, and slow.

It exists for comparison with published numbers, and as an oracle in tests. The exact solvers compute what the
paper defines; docs/paper-solver.md lists where the printed algorithms needed an interpretation.
"""

from __future__ import annotations

from pagemeter.paper.solution import PaperMatch, PaperSolution, solve_as_printed

__all__ = ["PaperMatch", "PaperSolution", "solve_as_printed"]
