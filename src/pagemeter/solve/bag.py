"""BOW and BOW:G: match words one to one, without order and without lines."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Matches, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def solve_bag(instance: Instance) -> Solution:
    """Match words at the lowest cost; with G, only words of neighbouring lines.

    An equal pair costs 0, an unequal pair 1, an unmatched word 1. Among all solutions with the fewest errors,
    the result has the most equal pairs. The matches are the equal pairs; unequal pairs are only counted,
    because any of the other words could form them.
    """
    gt, hyp = instance.gt, instance.hyp
    partners, sub = _kernel.bag(
        gt.tokens, gt.lines, hyp.tokens, hyp.lines, instance.mask, instance.alphabet,
        instance.gt_optional, instance.hyp_optional,
    )  # fmt: skip
    cor = int(np.count_nonzero(partners >= 0))
    # Which words form unequal pairs is not determined, so their lines are unknown.
    used = None if sub else partial(_used, partners, gt, hyp)
    return Solution(Matches(_matches, partners, gt, hyp), cor, sub, used=used)


def _used(partners: Ints, gt: TokenPage, hyp: TokenPage) -> tuple[Ints, Ints]:
    """Return the GT line of every correct word and the HYP line of its partner."""
    correct = partners >= 0
    return _line_of(gt)[correct], _line_of(hyp)[partners[correct]]


def _line_of(page: TokenPage) -> Ints:
    """Return the line of each token. Tokens are words here, so a line has no tokens between its words."""
    return np.repeat(np.arange(len(page.lines), dtype=np.int32), np.diff(page.lines, axis=1)[:, 0])


def _matches(partners: Ints, gt: TokenPage, hyp: TokenPage) -> Iterator[Match]:
    """Yield one match per GT line that has a correct word."""
    word_of = np.repeat(np.arange(len(hyp.words)), np.diff(hyp.words, axis=1)[:, 0]).tolist()
    sizes = np.diff(gt.lines, axis=1)[:, 0]
    line_of = _line_of(gt).tolist()
    matched = [(token, partner) for token, partner in enumerate(partners.tolist()) if partner >= 0]
    for x, group in groupby(matched, lambda pair: line_of[pair[0]]):
        pairs = tuple(group)
        words = tuple(word_of[partner] for _, partner in pairs)
        yield Match(x, None, words, int(sizes[x]) - len(pairs), len(pairs), 0, pairs)
