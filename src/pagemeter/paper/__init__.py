"""Section III of the paper as printed: readable, with citations, and slow.

It exists for comparison with published numbers, and as an oracle in tests. The exact solvers compute what the
paper defines; docs/paper-solver.md lists where the printed algorithms needed an interpretation.

This module has the entry point and matching without reading order (Alg. 3, by E:D_pi and greedy choice).
`recursion` has the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.paper.recursion import BestPath, FlatPair, Prices, Recursion, best_path, flatten, page_path

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pagemeter.paper.recursion import Mask, Tokens

__all__ = ["PaperMatch", "PaperSolution", "solve_as_printed"]

SlotMatch = tuple[range, int]
"""Slots of HYP, and the GT line that they are matched with."""


def greedy_matches(pair: FlatPair) -> tuple[SlotMatch, ...]:
    """Return the matches whose LD is added up by alg:greedyLDcalculation.

    The recursive call is the last step of the algorithm, so it is a loop here. It ends when G or H is empty,
    or when nothing more can be matched.

    >>> greedy_matches(FlatPair(["ab", "c"], flatten(["c", "a"]), space=None, near=None))
    ((range(0, 1), 1), (range(1, 2), 0))
    """
    matches: list[SlotMatch] = []
    remainder = _Remainder([True] * len(pair.hyp.slots), list(range(len(pair.gt))))
    while remainder.gt_lines and any(remainder.free):
        candidates = _best_for_each(pair, remainder)
        if not candidates:
            break
        for slots, x in sorted(candidates, key=lambda match: _cer(pair, *match)):
            if all(remainder.free[slot] for slot in slots):
                remainder.take(slots, x)
                matches.append((slots, x))
    return tuple(matches)


@dataclass(frozen=True, slots=True)
class _Remainder:
    """The slots of H that are free, and the GT lines of G that are left, after some calls of Alg. 3.

    HYP is never flattened again. A taken slot is closed to all GT lines, so no path can join the fragments on
    its two sides.
    """

    free: list[bool]
    gt_lines: list[int]

    def take(self, slots: range, x: int) -> None:
        """Remove the matched slots from H and the GT line from G."""
        for slot in slots:
            self.free[slot] = False
        self.gt_lines.remove(x)

    def open_slots(self, near: Mask | None) -> Mask:
        """Return for each remaining GT line the slots that it can be matched with."""
        if near is None:
            return [self.free] * len(self.gt_lines)
        return [[free and near[x][slot] for slot, free in enumerate(self.free)] for x in self.gt_lines]


def _best_for_each(pair: FlatPair, remainder: _Remainder) -> list[SlotMatch]:
    """Return W of one call of Alg. 3; the same slots may be matched with several GT lines."""
    gt = flatten([pair.gt[x] for x in remainder.gt_lines])
    open_slots = remainder.open_slots(pair.near)
    recursion = Recursion(pair.hyp, gt, Prices.of(pair.hyp, gt), pair.space, open_slots, skips=False)
    split = pair.split(_path_with_jumps(recursion, open_slots), gt)
    return [(split.segments[y], remainder.gt_lines[x]) for y, x in split.matched]


def _path_with_jumps(recursion: Recursion, open_slots: Mask) -> BestPath:
    """Return the best path of E:D_pi.

    A jump costs no error, so Δ is the same in all points of l_h × {l_g^x}, and the path can be found one GT
    line after the other. If staying is as good as jumping, the path stays. A GT line without open slots is
    passed by the third row of E:D_vanilla; E:D_pi does not need this, because it is printed without geometry.
    """
    hyp, gt = recursion.hyp, recursion.gt
    goals = frozenset(hyp.cuts)
    path = [(1, 1)]
    for x in gt.slots:
        here, rows = path[-1][0], range(gt.cuts[x], gt.cuts[x + 1] + 1)
        starts = [
            (0 if hyp.cuts[slot] == here else recursion.prices.jump, hyp.cuts[slot])
            for slot in hyp.slots
            if open_slots[x][slot]
        ]
        path += best_path(recursion, starts, rows, goals)[1] if starts else ((here, rows[-1]),)
    return tuple(path)


def _cer(pair: FlatPair, slots: range, x: int) -> float:
    """Return CER(H_y, G_x), by which Alg. 3 sorts, with 0/0 = 0 and n/0 = ∞."""
    distance = line_distance(pair.hyp.read(slots, pair.space), pair.gt[x]).distance
    if pair.gt[x]:
        return distance / len(pair.gt[x])
    return math.inf if distance else 0.0


class LineDistance(NamedTuple):
    """The distance of two lines, and the right and wrong tokens of the canonical alignment."""

    distance: int
    cor: int
    sub: int


def line_distance(h: Tokens, g: Tokens) -> LineDistance:
    """Return LD(h, g) by E:D_classic; among all alignments, the one with the fewest COR has the most SUB.

    >>> line_distance("abc", "bcd")
    LineDistance(distance=2, cor=2, sub=0)
    >>> line_distance("ab", "ba")
    LineDistance(distance=2, cor=0, sub=2)
    """
    error = min(len(h), len(g)) + 1  # more than the number of letters that can be correct
    above = [error * j for j in range(len(g) + 1)]
    for i, letter in enumerate(h, start=1):
        row = [error * i]
        for j, other in enumerate(g, start=1):
            mapped = above[j - 1] + (1 if letter == other else error)
            row.append(min(mapped, above[j] + error, row[j - 1] + error))
        above = row
    distance, cor = divmod(above[-1], error)
    # |h| + |g| counts COR and SUB twice, INS and DEL once.
    return LineDistance(distance, cor, len(h) + len(g) - distance - 2 * cor)


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """The HYP line or, with segmentation, the run of words that is matched with one GT line.

    Args:
        gt: The index of the GT line.
        hyp_line: The index of the HYP line; None with segmentation.
        hyp_words: Indices of words, counted through all lines of the page.
        distance: The errors.
        cor: The right tokens.
        sub: The wrong tokens.

    """

    gt: int
    hyp_line: int | None
    hyp_words: range
    distance: int
    cor: int
    sub: int


@dataclass(frozen=True, slots=True)
class PaperSolution:
    """The result of Section III for a page.

    Args:
        errors: The errors of all matched pairs, plus all unmatched tokens.
        cor: The right tokens.
        sub: The wrong tokens.
        matches: The matched pairs, in the order of the GT lines.
        recursion: Δ_{|h|,|g|} of the best path; None without reading order, because Alg. 3 has no such value.
            Without segmentation it equals `errors`. With segmentation it can be larger, because E:d_phi does
            not substitute spaces.

    """

    errors: int
    cor: int
    sub: int
    matches: tuple[PaperMatch, ...]
    recursion: int | None = None


def solve_as_printed(
    gt: Sequence[Tokens],
    hyp: Sequence[Sequence[Tokens]],
    *,
    joiner: Hashable | None,
    order: bool,
    segmentation: bool,
    neighbours: Mask | None,
    spaces: Sequence[Tokens] | None = None,
) -> PaperSolution:
    """Solve one measure by Section III as printed.

    Args:
        gt: GT lines of tokens.
        hyp: HYP lines of words of tokens.
        joiner: The space, or None if words are tokens.
        order: True for a measure with R.
        segmentation: True for a measure with S.
        neighbours: neighbours[x][y] is True if HYP line y is near GT line x; None for a measure without G.
        spaces: The letters between the words of each HYP line; the default is the joiner.

    >>> config = {"joiner": " ", "segmentation": True, "neighbours": None}
    >>> solve_as_printed(["cdef"], [["cd"], ["ef"]], order=True, **config).errors
    4
    >>> config = {"joiner": " ", "segmentation": False, "neighbours": None}
    >>> [solve_as_printed(["b", "a"], [["a"], ["b"]], order=r, **config).errors for r in (True, False)]
    [2, 0]

    """
    pair = FlatPair.of(
        gt, hyp, joiner=joiner, segmentation=segmentation, neighbours=neighbours, spaces=spaces
    )
    recursion, slot_matches = _ordered_matches(pair) if order else (None, greedy_matches(pair))
    taken = {slot for slots, _ in slot_matches for slot in slots}
    unmatched_hyp = sum(pair.hyp.length(slot) for slot in pair.hyp.slots if slot not in taken)
    unmatched_gt = sum(map(len, gt)) - sum(len(gt[x]) for _, x in slot_matches)
    matches = _with_counts(pair, hyp, slot_matches)
    return PaperSolution(
        errors=sum(match.distance for match in matches) + unmatched_hyp + unmatched_gt,
        cor=sum(match.cor for match in matches),
        sub=sum(match.sub for match in matches),
        matches=matches,
        recursion=recursion,
    )


def _ordered_matches(pair: FlatPair) -> tuple[int, tuple[SlotMatch, ...]]:
    """Return Δ_{|h|,|g|} and W by E:D_vanilla, E:D_geom and Alg. 1, or E:D_phi and Alg. 2."""
    gt = flatten(pair.gt)
    prices = Prices.of(pair.hyp, gt)
    distance, path = page_path(Recursion(pair.hyp, gt, prices, pair.space, pair.near))
    split = pair.split(path, gt)
    return distance, tuple((split.segments[y], x) for y, x in split.matched)


def _with_counts(
    pair: FlatPair, hyp: Sequence[Sequence[Tokens]], slot_matches: Sequence[SlotMatch]
) -> tuple[PaperMatch, ...]:
    """Return the matches in the order of the GT lines, with the counts of their canonical alignments."""
    words_of_line = [range(*ends) for ends in pairwise(accumulate(map(len, hyp), initial=0))]
    matches = []
    for slots, x in sorted(slot_matches, key=lambda match: match[1]):
        line = slots.start if pair.space is None else None
        words = slots if line is None else words_of_line[line]
        counts = line_distance(pair.hyp.read(slots, pair.space), pair.gt[x])
        matches.append(PaperMatch(x, line, words, *counts))
    return tuple(matches)
