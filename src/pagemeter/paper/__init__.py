"""Section III of the paper as printed: readable, cited and slow.

It is there for comparison with published numbers and as an oracle in tests. What the paper defines is
computed exactly elsewhere; see docs/paper-solver.md for what is printed and what is in its spirit.
"""

from __future__ import annotations

from pagemeter.paper.solution import PaperMatch, PaperSolution, solve

__all__ = ["PaperMatch", "PaperSolution", "solve"]
