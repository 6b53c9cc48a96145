"""References and hits of keyword spotting, and their matching by document and position.

Hits are matched in the order of their scores. A hit is right if it fits a reference that is free, or that can
be freed by moving earlier hits to other references that they fit as well (an augmenting path). Earlier hits
stay right. The number of right hits among the first k is therefore the largest possible for every k, whatever
the order of the references.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.errors import UsageError
from pagemeter.geometry import covered_baselines

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pagemeter.errors import Problem
    from pagemeter.formats.coordinates import Rectangle
    from pagemeter.page import Points
    from pagemeter.spotting.settings import SpottingSettings


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a word in a document.

    Args:
        box: The box of the word.
        baseline: The baseline of the word.
        line: The baseline of the line that the word is in.

    """

    box: Rectangle | None = None
    baseline: Points | None = None
    line: Points | None = None

    @property
    def is_unknown(self) -> bool:
        """True if the place has no position, so that the document is all that is known."""
        return self.box is None and not self.baseline and not self.line


@dataclass(frozen=True, slots=True)
class Reference:
    """An occurrence of a query in the ground truth.

    Args:
        query: The query.
        document: The page, line or other document that it is in.
        place: Its position in the document; None if documents are retrieved as a whole.
        gain: The relevance, which is 1 unless judgements are graded.

    """

    query: str
    document: str
    place: Place | None = None
    gain: float = 1.0


@dataclass(frozen=True, slots=True)
class Hit:
    """An occurrence of a query that a system found, and its score: higher is more certain."""

    query: str
    document: str
    score: float
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Spots:
    """The references and hits of all queries.

    Args:
        references: The references.
        hits: The hits, in the order of the file.
        queries: The queries that are evaluated. Hits and references of others are left out. None stands for
            all queries that have a reference or a hit.
        lines: The baselines of all ground-truth lines by document, on which the tolerance of positions
            depends.
        warnings: What was skipped or guessed.
        failed: The files that could not be read.

    """

    references: tuple[Reference, ...]
    hits: tuple[Hit, ...]
    queries: tuple[str, ...] | None = None
    lines: Mapping[str, tuple[Points, ...]] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    failed: tuple[Problem, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The queries: those that are asked for, or those of the references and then of the hits.

        >>> Spots((Reference("a", "1"),), (Hit("b", "1", 0.5), Hit("a", "2", 0.4))).names
        ('a', 'b')
        """
        if self.queries is not None:
            return self.queries
        return tuple(
            dict.fromkeys([*(one.query for one in self.references), *(one.query for one in self.hits)])
        )

    def restricted(self, queries: Collection[str] | None) -> Spots:
        """Return the references and hits of some queries; None keeps those of `queries`.

        >>> Spots((Reference("a", "1"),), (Hit("b", "1", 0.5),)).restricted(["b"]).references
        ()
        """
        kept = self.queries if queries is None else tuple(dict.fromkeys(queries))
        if kept is None:
            return self
        if not kept:
            raise UsageError("there are no queries", remedy="give at least one")
        known = frozenset(kept)
        return replace(
            self,
            references=tuple(one for one in self.references if one.query in known),
            hits=tuple(one for one in self.hits if one.query in known),
            queries=kept,
        )


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
