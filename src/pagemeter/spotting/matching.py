"""Match the hits of keyword spotting with the references, by document and position.

Hits are matched in the order of their scores. A hit is right if it fits a reference that is free, or that can
be freed by moving earlier hits to other references that they fit as well (an augmenting path). Earlier hits
stay right. The number of right hits among the first k is therefore the largest possible for every k, whatever
the order of the references.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.geometry import covered_baselines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.formats.coordinates import Rectangle
    from pagemeter.spotting.data import Hit, Place, Reference, Spots
    from pagemeter.spotting.settings import SpottingSettings


class Matched(NamedTuple):
    """The result for one hit: its reference if it is right, and whether it repeats another hit."""

    reference: Reference | None
    repeated: bool


def match(spots: Spots, settings: SpottingSettings) -> list[Matched]:
    """Return the result of each hit, in the order of `spots.hits`."""
    fits = _Fits(spots, settings)
    hits: dict[str, list[int]] = defaultdict(list)
    for index, hit in enumerate(spots.hits):
        hits[hit.query].append(index)
    results = [Matched(None, repeated=False)] * len(spots.hits)
    for ours in hits.values():
        ours.sort(key=lambda index: -spots.hits[index].score)
        candidates = [fits.references(index) for index in ours]
        for index, partner, fitting in zip(ours, augment(candidates), candidates, strict=True):
            if partner is not None:
                results[index] = Matched(spots.references[partner], repeated=False)
            elif fitting:
                results[index] = Matched(None, repeated=True)
    return results


def augment(candidates: Sequence[Sequence[int]]) -> list[int | None]:
    """Match each hit with one of its candidates if possible, in the order of the hits.

    >>> augment([[0, 1], [0]])  # the first hit moves to make room for the second one
    [1, 0]
    >>> augment([[0], [0], [0, 1]])
    [0, None, 1]
    """
    partner: list[int | None] = [None] * len(candidates)
    holder: dict[int, int] = {}
    closed: set[int] = set()  # references from which no search finds a free one any more
    for hit in range(len(candidates)):
        # For each reference that was reached: the hit that fits it, and the reference that this hit gives up.
        came_from: dict[int, tuple[int, int | None]] = {}
        stack: list[tuple[int, int | None]] = [(hit, None)]
        end: int | None = None
        while stack and end is None:
            current, via = stack.pop()
            for reference in candidates[current]:
                if reference in came_from or reference in closed:
                    continue
                came_from[reference] = current, via
                if reference not in holder:
                    end = reference
                    break
                stack.append((holder[reference], reference))
        if end is None:  # all holders of these references fit no others, and will not move
            closed.update(came_from)
        while end is not None:
            current, via = came_from[end]
            holder[end] = current
            partner[current] = end
            end = via
    return partner


class _Fits:
    """Finds the references that a hit fits, by its query, document and position."""

    def __init__(self, spots: Spots, settings: SpottingSettings) -> None:
        self._spots, self._settings = spots, settings
        self._references: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, reference in enumerate(spots.references):
            self._references[reference.query, reference.document].append(index)
        self._covered = _covered(spots, settings)

    def references(self, hit: int) -> Sequence[int]:
        """Return the references that a hit fits, in their order."""
        one = self._spots.hits[hit]
        here = self._references.get((one.query, one.document), [])
        if one.place is None or one.place.is_unknown:
            return here
        return [index for index in here if self._fits(hit, one.place, index)]

    def _fits(self, hit: int, place: Place, index: int) -> bool:
        target = self._spots.references[index].place
        if target is None or target.is_unknown:
            return True
        if place.box is not None and target.box is not None:
            share = overlap(target.box, place.box, self._settings)
            return share > 0 and share >= self._settings.overlap
        return (hit, index) in self._covered


def overlap(gt: Rectangle, hyp: Rectangle, settings: SpottingSettings) -> float:
    """Return the share of an area that two boxes have in common.

    >>> from pagemeter.formats.coordinates import Rectangle
    >>> from pagemeter.spotting.settings import SpottingSettings
    >>> overlap(Rectangle(0, 0, 10, 10), Rectangle(5, 0, 15, 10), SpottingSettings(area="union"))
    0.3333333333333333
    """
    width = min(gt.right, hyp.right) - max(gt.left, hyp.left)
    height = min(gt.bottom, hyp.bottom) - max(gt.top, hyp.top)
    common = max(width, 0) * max(height, 0)
    areas = {"gt": _area(gt), "hyp": _area(hyp)}
    area = areas.get(settings.area, areas["gt"] + areas["hyp"] - common)
    return common / area if area > 0 else 0.0


def _area(box: Rectangle) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


# Baselines


def _covered(spots: Spots, settings: SpottingSettings) -> set[tuple[int, int]]:
    """Return the pairs of hit and reference of one query whose baselines lie on each other."""
    documents: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    sides: tuple[Sequence[Reference | Hit], ...] = spots.references, spots.hits
    for side, items in enumerate(sides):
        for index, item in enumerate(items):
            if item.place is not None and (item.place.baseline or item.place.line):
                documents[item.document][side].append(index)
    pairs: set[tuple[int, int]] = set()
    for name, (references, hits) in documents.items():
        if references and hits:
            pairs |= _covered_on_page(spots, name, references, hits, settings)
    return pairs


def _covered_on_page(
    spots: Spots, name: str, references: list[int], hits: list[int], settings: SpottingSettings
) -> set[tuple[int, int]]:
    """Compare the baselines of one page.

    A hit without a position of its own, which has only that of its line, is compared with the line of the
    reference, because no word covers half of a line.
    """
    places = [spots.references[index].place for index in references]
    lines = [place.line or place.baseline or () for place in places if place]
    words = [place.baseline or line for place, line in zip(places, lines, strict=True) if place]
    if settings.position == "line":
        words = lines
    own = [(hit, place.baseline) for hit in hits if (place := spots.hits[hit].place) and place.baseline]
    own_hits = {hit for hit, _ in own}
    others = [
        (hit, place.line)
        for hit in hits
        if hit not in own_hits and (place := spots.hits[hit].place) and place.line
    ]
    all_lines = tuple(dict.fromkeys([*spots.lines.get(name, ()), *lines]))
    pairs: set[tuple[int, int]] = set()
    for group, targets in ((own, words), (others, lines)):
        if not group:
            continue
        baselines = [baseline for _, baseline in group]
        mask = covered_baselines(
            targets, lines, baselines, lines=all_lines, threshold=settings.overlap, source=name
        )
        for row, column in zip(*map(np.ndarray.tolist, np.nonzero(mask)), strict=True):
            hit, reference = group[column][0], references[row]
            if spots.hits[hit].query == spots.references[reference].query:
                pairs.add((hit, reference))
    return pairs
