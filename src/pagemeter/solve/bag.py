"""BOW and BOW:G: words without order and lines."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.matches import Matches
from pagemeter.solve.problem import Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def solve(problem: Problem) -> Solution:
    """The largest matching of equal words, with G between neighbouring lines only."""
    gt, hyp = problem.gt, problem.hyp
    partners = _kernel.bag(gt.tokens, gt.lines, hyp.tokens, hyp.lines, problem.mask, problem.alphabet)
    cor = int(np.count_nonzero(partners >= 0))
    return Solution(Matches(_matches, partners, gt, hyp), cor, 0, used=lambda: _used(partners, gt, hyp))


def _used(partners: Ints, gt: TokenPage, hyp: TokenPage) -> tuple[Ints, Ints]:
    """Of every word that is correct, its GT line and the HYP line of its partner."""
    correct = partners >= 0
    return _line_of(gt)[correct], _line_of(hyp)[partners[correct]]


def _line_of(page: TokenPage) -> Ints:
    """The line of each token, where nothing stands between words."""
    return np.repeat(np.arange(len(page.lines), dtype=np.int32), np.diff(page.lines, axis=1)[:, 0])


def _matches(partners: Ints, gt: TokenPage, hyp: TokenPage) -> Iterator[Match]:
    word_of = np.repeat(np.arange(len(hyp.words)), np.diff(hyp.words, axis=1)[:, 0]).tolist()
    sizes = np.diff(gt.lines, axis=1)[:, 0]
    line_of = _line_of(gt).tolist()
    found = [(token, partner) for token, partner in enumerate(partners.tolist()) if partner >= 0]
    for x, group in groupby(found, lambda pair: line_of[pair[0]]):
        pairs = tuple(group)
        words = tuple(word_of[partner] for _, partner in pairs)
        yield Match(x, None, words, int(sizes[x]) - len(pairs), len(pairs), 0, pairs)
