"""The minimum of every measure: integers in, matchings with their proof out.

Each module solves one family and has one function `solve(problem) -> Solution`. They open no file, print
nothing and know no text; CER and WER differ by their tokens only.
"""

from pagemeter.solve.problem import Problem, Solution
from pagemeter.solve.score import add_up, score, solve

__all__ = ["Problem", "Solution", "add_up", "score", "solve"]
