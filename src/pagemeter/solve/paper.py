"""`solver="paper"`: the algorithms of the paper on the same instance, for comparison."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pagemeter import paper
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Solution

if TYPE_CHECKING:
    from pagemeter.measure import Measure


def solve_by_paper(instance: Instance, measure: Measure) -> Solution:
    """Solve a measure by section III of the paper.

    For R and RG the paper proves that the result is the minimum (Theorems 1 and 2). For the other measures
    the lower bound follows from token counts alone.
    """
    gt, hyp = instance.gt, instance.hyp
    lines: list[list[list[int]]] = [[] for _ in hyp.lines]
    spaces: list[list[int]] = [[] for _ in hyp.lines]
    for (begin, end), line in zip(hyp.words.tolist(), hyp.word_line.tolist(), strict=True):
        if lines[line] and instance.joiner is not None:
            spaces[line].append(int(hyp.tokens[begin - 1]))
        lines[line].append(hyp.tokens[begin:end].tolist())
    result = paper.solve_as_printed(
        [gt.tokens[begin:end].tolist() for begin, end in gt.lines.tolist()],
        lines,
        joiner=instance.joiner,
        order=measure.order,
        segmentation=measure.segmentation,
        neighbours=None if instance.mask is None else instance.mask.tolist(),
        spaces=None if instance.joiner is None else spaces,
    )
    matches = [Match(m.gt, m.hyp_line, m.hyp_words, m.distance, m.cor, m.sub) for m in result.matches]
    exact = measure.order and not measure.segmentation
    return Solution(
        tuple(matches),
        sum(match.cor for match in matches),
        sum(match.sub for match in matches),
        0 if instance.joiner is None else sum(len(match.hyp_words) - 1 for match in matches),
        None if exact else _bound(instance, result.errors),
        exact,
    )


def _bound(instance: Instance, errors: int) -> int:
    """Return a lower bound of the errors of every solution.

    GT tokens that HYP does not have are errors, and so are HYP letters in excess of all GT tokens.
    """
    have = Counter(instance.hyp.tokens.tolist())
    need = Counter(
        t for begin, end in instance.gt.lines.tolist() for t in instance.gt.tokens[begin:end].tolist()
    )
    excess = instance.hyp.word_tokens - instance.gt.line_tokens
    return min(errors, max((need - have).total(), excess, 0))
