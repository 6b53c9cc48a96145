"""Alg. 1 and Alg. 2: what a best path matches, deletes and inserts.

Both are printed with the test q_2 ∈ l_g. A path that deletes the first letters of a HYP line passes such a
point inside that line, where index(l_h; q_1) has no meaning. Here the test is q ∈ l_h × l_g.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.paper.best_path import Path
    from pagemeter.paper.flatten import Flat


@dataclass(frozen=True, slots=True)
class Split:
    """The sets U, V and W of a path, and H', the HYP it speaks of.

    `segments` is H', each entry a range of slots; for Alg. 1 these are the lines themselves. `matched` is W
    as (index into segments, GT line); `unmatched_hyp` is U and `unmatched_gt` is V.
    """

    segments: tuple[range, ...]
    matched: tuple[tuple[int, int], ...]
    unmatched_hyp: tuple[int, ...]
    unmatched_gt: tuple[int, ...]


def split_best_path(path: Path, hyp: Flat, gt: Flat) -> Split:
    """alg:splitbestpath: U, V and W of a path through whole lines.

    On a path with the jumps of E:D_pi only W has a meaning: a jump looks like a deleted line.
    """
    matched, unmatched_hyp, unmatched_gt = [], [], []
    for y, x, y_next, x_next in _cuts_passed(path, hyp, gt):
        if y < y_next:
            if x < x_next:
                matched.append((y, x))
            else:
                unmatched_hyp.append(y)
        else:
            unmatched_gt.append(x)
    lines = tuple(range(y, y + 1) for y in hyp.slots)
    return Split(lines, tuple(matched), tuple(unmatched_hyp), tuple(unmatched_gt))


def split_best_path_with_segmentation(path: Path, hyp: Flat, gt: Flat) -> Split:
    """alg:splitbestpathPhi: the same for a path through words, with the segmentation H' it implies."""
    segments: list[range] = []
    matched, unmatched_hyp, unmatched_gt = [], [], []
    for y, x, y_next, x_next in _cuts_passed(path, hyp, gt):
        if y < y_next:
            segments.append(range(y, y_next))
            if x < x_next:
                matched.append((len(segments) - 1, x))
            else:
                unmatched_hyp.append(len(segments) - 1)
        else:
            unmatched_gt.append(x)
    return Split(tuple(segments), tuple(matched), tuple(unmatched_hyp), tuple(unmatched_gt))


def _cuts_passed(path: Path, hyp: Flat, gt: Flat) -> Iterator[tuple[int, int, int, int]]:
    """y, x, y', x' of all subsequent p, q ∈ l_h × l_g on the path (with segmentation, l̄_h × l_g)."""
    indices = ((hyp.cut_index[i], gt.cut_index[j]) for i, j in path)
    for p, q in pairwise((y, x) for y, x in indices if y >= 0 and x >= 0):
        yield *p, *q
