"""BOW and BOW:G: words without order and lines."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.problem import Problem, Solution

if TYPE_CHECKING:
    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def solve(problem: Problem) -> Solution:
    """The largest matching of equal words, with G between neighbouring lines only."""
    gt_line = _line_of_tokens(problem.gt)
    hyp_line = _line_of_tokens(problem.hyp)
    partners = _kernel.bag(problem.gt.tokens, gt_line, problem.hyp.tokens, hyp_line, problem.mask)[:, 0]
    word_sizes = np.diff(problem.hyp.words, axis=1)[:, 0]
    word_of_token = np.repeat(np.arange(len(problem.hyp.words)), word_sizes).tolist()
    got: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for gt_token, (x, token) in enumerate(zip(gt_line.tolist(), partners.tolist(), strict=True)):
        if token >= 0:
            got[x].append((gt_token, token))
    sizes = np.diff(problem.gt.lines, axis=1)[:, 0]
    return Solution(
        [
            Match(
                x,
                None,
                tuple(word_of_token[token] for _, token in pairs),
                int(sizes[x]) - len(pairs),
                len(pairs),
                0,
                tuple(pairs),
            )
            for x, pairs in sorted(got.items())
        ]
    )


def _line_of_tokens(page: TokenPage) -> Ints:
    return np.repeat(np.arange(len(page.lines), dtype=np.int32), np.diff(page.lines, axis=1)[:, 0])
