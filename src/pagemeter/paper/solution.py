"""The door to the paper's solver: lines in, matching and counts out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pagemeter.paper.align import align
from pagemeter.paper.best_path import page_path
from pagemeter.paper.flatten import flatten
from pagemeter.paper.greedy import greedy_pairs
from pagemeter.paper.problem import Problem
from pagemeter.paper.recursion import Prices, Recursion

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pagemeter.paper.problem import Mask, Pair, Tokens


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """What one GT line got: a HYP line or, with segmentation, a run of the page's words.

    `hyp_words` counts the words through all lines of the page; `hyp_line` is None with segmentation.
    """

    gt: int
    hyp_line: int | None
    hyp_words: range
    distance: int
    cor: int
    sub: int


@dataclass(frozen=True, slots=True)
class PaperSolution:
    """What Section III finds on a page.

    `errors`, `cor` and `sub` re-score the matching pair by pair and add what is unmatched. `recursion` is
    Δ_{|h|,|g|} of the best path, None without reading order, where Alg. 3 has no such value. Without
    segmentation it equals `errors`; with it, it can be larger, because E:d_phi substitutes no space.
    """

    errors: int
    cor: int
    sub: int
    matches: tuple[PaperMatch, ...]
    recursion: int | None = None


def solve(
    gt: Sequence[Tokens],
    hyp: Sequence[Sequence[Tokens]],
    *,
    joiner: Hashable | None,
    order: bool,
    segmentation: bool,
    neighbours: Mask | None,
    blanks: Sequence[Tokens] | None = None,
) -> PaperSolution:
    """Section III as printed, for GT lines of tokens and HYP lines of words of tokens.

    `joiner` is the space, None where words are tokens; it stands between the words of a HYP line unless
    `blanks` have other letters for each line. `neighbours[x][y]` says whether HYP line y is near GT line x;
    None leaves geometry out.

    >>> solve(["cdef"], [["cd"], ["ef"]], joiner=" ", order=True, segmentation=True, neighbours=None).errors
    4
    >>> swapped = [["a"], ["b"]], {"joiner": " ", "segmentation": False, "neighbours": None}
    >>> [solve(["b", "a"], swapped[0], order=order, **swapped[1]).errors for order in (True, False)]
    [2, 0]
    """
    problem = Problem.of(
        gt, hyp, joiner=joiner, segmentation=segmentation, neighbours=neighbours, blanks=blanks
    )
    recursion, pairs = _ordered_pairs(problem) if order else (None, greedy_pairs(problem))
    taken = {slot for slots, _ in pairs for slot in slots}
    unmatched_hyp = sum(problem.hyp.length(slot) for slot in problem.hyp.slots if slot not in taken)
    unmatched_gt = sum(map(len, gt)) - sum(len(gt[x]) for _, x in pairs)
    matches = _matches(problem, hyp, pairs)
    return PaperSolution(
        errors=sum(match.distance for match in matches) + unmatched_hyp + unmatched_gt,
        cor=sum(match.cor for match in matches),
        sub=sum(match.sub for match in matches),
        matches=matches,
        recursion=recursion,
    )


def _ordered_pairs(problem: Problem) -> tuple[int, tuple[Pair, ...]]:
    """Δ_{|h|,|g|} and W by E:D_vanilla, E:D_geom and Alg. 1 or, with segmentation, E:D_phi and Alg. 2."""
    gt = flatten(problem.gt)
    prices = Prices.of(problem.hyp, gt)
    distance, path = page_path(Recursion(problem.hyp, gt, prices, problem.space, problem.near))
    split = problem.split(path, gt)
    return distance, tuple((split.segments[y], x) for y, x in split.matched)


def _matches(
    problem: Problem, hyp: Sequence[Sequence[Tokens]], pairs: Sequence[Pair]
) -> tuple[PaperMatch, ...]:
    """The pairs in the order of the GT lines, with the counts of their canonical alignments."""
    words_of_line = [range(*ends) for ends in pairwise(accumulate(map(len, hyp), initial=0))]
    matches = []
    for slots, x in sorted(pairs, key=lambda pair: pair[1]):
        line = slots.start if problem.space is None else None
        words = slots if line is None else words_of_line[line]
        alignment = align(problem.hyp.read(slots, problem.space), problem.gt[x])
        matches.append(PaperMatch(x, line, words, *alignment))
    return tuple(matches)
