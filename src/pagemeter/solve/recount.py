"""The counts of matched lines by the alignment of another tool, instead of the canonical one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel

if TYPE_CHECKING:
    from pagemeter.score import Match
    from pagemeter.solve.instance import Instance, Solution


def recounted(instance: Instance, solution: Solution, rule: str) -> Solution:
    """Return a solution with the same matches, whose right and wrong tokens are counted by another rule."""
    gt, hyp, matches = instance.gt, instance.hyp, solution.matches
    if not matches:
        return solution
    gt_spans = np.ascontiguousarray(gt.lines[[match.gt for match in matches]])
    hyp_spans = np.array([_span(instance, match) for match in matches], np.int32)
    rows = _kernel.pair_counts(gt.tokens, gt_spans, hyp.tokens, hyp_spans, instance.alphabet, rule)
    new = tuple(
        replace(match, cor=cor, sub=sub) for match, (_, cor, sub) in zip(matches, rows.tolist(), strict=True)
    )
    cor, sub = rows[:, 1:].sum(axis=0).tolist()
    return replace(solution, matches=new, cor=cor, sub=sub, canonical=False)


def _span(instance: Instance, match: Match) -> tuple[int, int]:
    """Return the HYP tokens of a match."""
    hyp = instance.hyp
    if match.hyp_line is not None:
        begin, end = hyp.lines[match.hyp_line].tolist()
    else:
        begin, end = int(hyp.words[match.hyp_words[0], 0]), int(hyp.words[match.hyp_words[-1], 1])
    return begin, end
