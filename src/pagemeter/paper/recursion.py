"""The recursions of Section III: the page pair, the best path by Dijkstra, and the lines that it matches.

A page is flattened by E:f to one sequence of letters, with line breaks before, between and after its lines. A
recursion is a set of steps from a point (i, j) to the next. Alg. 1 and Alg. 2 find the lines that a best
path matches, deletes and inserts. Both are printed with the test q_2 ∈ l_g. A path that deletes the first
letters of a HYP line passes such a point inside that line, where index(l_h; q_1) is undefined. Here the test
is q ∈ l_h × l_g.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from heapq import heapify, heappop, heappush
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from pagemeter.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

Tokens = Sequence[Hashable]
Mask = Sequence[Sequence[bool]]

MOST_POINTS = 1 << 32
"""The largest table of a search, in bytes; only the part that the search reaches needs memory."""


class Mark(Enum):
    """A letter outside the alphabet Σ; it differs from every token."""

    PAD = "position 0, which no sequence has, because the paper counts from 1"
    BREAK = "↵"
    GAP = "the boundary between two words of a line if words are tokens"


@dataclass(frozen=True, slots=True)
class Flat:
    """A flattened page.

    The letters between two subsequent cuts are a *slot*: a line or, with segmentation, a word.

    Args:
        letters: h_i, counted from 1 as in the paper.
        cuts: The positions where the page may be cut: l_h (line breaks) or, with segmentation, l̄_h (line
            breaks and spaces).
        slot_of: For each position, the slot that has the letter, or that the cut closes.
        cut_index: For each position, index(l_h; i) counted from 0, or -1 if it is not a cut.

    """

    letters: tuple[Hashable, ...]
    cuts: tuple[int, ...]
    slot_of: tuple[int, ...]
    cut_index: tuple[int, ...]

    @property
    def last(self) -> int:
        """|h|, the position of the last line break."""
        return len(self.letters) - 1

    @property
    def slots(self) -> range:
        """The lines or words of the page."""
        return range(len(self.cuts) - 1)

    def length(self, slot: int) -> int:
        """Return the number of letters of a line, |H_y|, or of a word, l̄_h^y - l̄_h^{y-1} - 1 in E:D_phi."""
        return self.cuts[slot + 1] - self.cuts[slot] - 1

    def read(self, slots: range, space: Hashable) -> tuple[Hashable, ...]:
        """Return the text of subsequent slots, h' in Alg. 2; a line break in it becomes a space."""
        letters = self.letters[self.cuts[slots.start] + 1 : self.cuts[slots.stop]]
        replaced = (space if letter is Mark.BREAK else letter for letter in letters)
        return tuple(letter for letter in replaced if letter is not Mark.GAP)


def flatten(lines: Sequence[Sequence[Hashable]]) -> Flat:
    """Flatten lines by E:f; each line is a slot.

    >>> flat = flatten(["ab", "cd", "ef"])
    >>> "".join("↵" if letter is Mark.BREAK else letter for letter in flat.letters[1:])
    '↵ab↵cd↵ef↵'
    >>> flat.cuts
    (1, 4, 7, 10)
    """
    return _flat((line, Mark.BREAK) for line in lines)


def flatten_words(
    lines: Sequence[Sequence[Sequence[Hashable]]], spaces: Sequence[Sequence[Hashable]]
) -> Flat:
    """Flatten lines of words by E:f with l̄_h; each word is a slot, and lines without words are left out.

    `spaces` are the letters between the words of each line.

    >>> flatten_words([["ab", "c"], [], ["d"]], [[" "], [], []]).cuts
    (1, 4, 6, 8)
    """
    return _flat(
        pair
        for line, between in zip(lines, spaces, strict=True)
        if line
        for pair in zip(line, (*between, Mark.BREAK), strict=True)
    )


def line_tokens(words: Sequence[Sequence[Hashable]], spaces: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Return the tokens of a line: its words with the spaces between them, if there are any.

    >>> line_tokens(["ab", "c"], " ")
    ('a', 'b', ' ', 'c')
    """
    parts = zip_longest(words, ((space,) for space in spaces), fillvalue=())
    return tuple(token for word, space in parts for token in (*word, *space))


def _flat(slots: Iterable[tuple[Sequence[Hashable], Hashable]]) -> Flat:
    letters: list[Hashable] = [Mark.PAD, Mark.BREAK]
    cuts = [1]
    for slot, closing in slots:
        letters += (*slot, closing)
        cuts.append(len(letters) - 1)
    slot_of, cut_index = [-1, -1], [-1, 0]
    for slot_index, (opening, end) in enumerate(pairwise(cuts)):
        slot_of += [slot_index] * (end - opening)
        cut_index += [-1] * (end - opening - 1) + [slot_index + 1]
    return Flat(tuple(letters), tuple(cuts), tuple(slot_of), tuple(cut_index))


class Move(IntEnum):
    """The row of a recursion by which a point was reached; 0 means not reached."""

    START = 1
    MATCH = 2  # from (i-1, j-1)
    DELETE = 3  # from (i-1, j)
    INSERT = 4  # from (i, j-1)
    SKIP_HYP = 5  # from the cut before i
    SKIP_GT = 6  # from the line break before j


@dataclass(frozen=True, slots=True)
class Prices:
    """The costs of edit operations, as integers.

    Each error costs `unit`. Small additions decide between paths of equal LD. An insertion costs 2 more and a
    deletion 8 more, so a substitution is preferred to an insertion and a deletion (the order of
    SUB + (1+2^-20) INS + (1+2^-18) DEL). A jump of E:D_pi costs 1. `unit` exceeds the sum of all additions on
    a path.
    """

    unit: int
    ins: int
    dels: int
    jump: int = 1

    @classmethod
    def of(cls, hyp: Flat, gt: Flat) -> Prices:
        """Return prices for paths through these two sequences."""
        unit = 8 * (hyp.last + gt.last + 1)
        return cls(unit, ins=unit + 2, dels=unit + 8)


_Step = tuple[int, Move, int, int]


@dataclass(frozen=True, slots=True)
class Recursion:
    """Δ as E:D_vanilla / E:D_vanilla2, E:D_geom, E:D_phi or E:D_pi define it.

    Args:
        hyp: The flattened HYP.
        gt: The flattened GT.
        prices: The costs of edit operations.
        space: None without segmentation. With it, the letter of Σ that can replace a line break, or Mark.GAP
            if words are tokens and there is no such letter.
        near: near[x][slot] is True if a path may pass the slot inside GT line x; None if always.
        skips: True to allow the second and third row of E:D_vanilla and E:D_phi; E:D_pi has none.

    """

    hyp: Flat
    gt: Flat
    prices: Prices
    space: Hashable | None = None
    near: Sequence[Sequence[bool]] | None = None
    skips: bool = True

    def steps(self, i: int, j: int) -> Iterator[_Step]:
        """Yield the cost, the row of the recursion and the position of each point that follows (i, j)."""
        if self.skips and self.hyp.cut_index[i] >= 0 and self.gt.cut_index[j] >= 0:
            yield from self._skips(i, j)
        if j == self.gt.last:
            return
        if self.gt.letters[j + 1] is not Mark.BREAK:
            yield self.prices.ins, Move.INSERT, i, j + 1
        if i < self.hyp.last and self._may_pass(i + 1, j + 1):
            if (price := self._deletion(i + 1, j)) is not None:
                yield price, Move.DELETE, i + 1, j
            if (price := self._delta(i + 1, j + 1)) is not None:
                yield price, Move.MATCH, i + 1, j + 1

    def _skips(self, i: int, j: int) -> Iterator[_Step]:
        """Yield the second and third row of E:D_vanilla, E:D_geom and E:D_phi: a line or word is skipped."""
        y, x = self.hyp.cut_index[i], self.gt.cut_index[j]
        if i < self.hyp.last:
            yield self.hyp.length(y) * self.prices.dels, Move.SKIP_HYP, self.hyp.cuts[y + 1], j
        if j < self.gt.last:
            yield self.gt.length(x) * self.prices.ins, Move.SKIP_GT, i, self.gt.cuts[x + 1]

    def _may_pass(self, i: int, j: int) -> bool:
        """Return the condition of E:D_geom on the slot of h_i and the GT line of g_j.

        The paper checks it once, at the end of a line. Here it is checked at each step, which gives the same
        Δ on l_h × l_g for whole lines, and for a segment covers each of its words.
        """
        return self.near is None or self.near[self.gt.slot_of[j]][self.hyp.slot_of[i]]

    def _deletion(self, i: int, j: int) -> int | None:
        """Return the second row of E:D_vanilla2: the cost of deleting h_i in row j, or None if forbidden."""
        h = self.hyp.letters[i]
        if self.hyp.cut_index[i] >= 0 and self.gt.cut_index[j] >= 0:
            return None  # a point of l_h × l_g: E:D_vanilla has no deletion of a letter
        if self.space is Mark.GAP and (h is Mark.GAP or h is Mark.BREAK):
            return 0  # a boundary that can be a space, if a space is nothing
        return None if h is Mark.BREAK else self.prices.dels

    def _delta(self, i: int, j: int) -> int | None:
        """Return the first row of the recursions: δ_{i,j}, or None for ∞."""
        if self.gt.cut_index[j] >= 0:
            return 0 if self.hyp.cut_index[i] >= 0 else None
        if self.space is None:
            return self._delta_vanilla(self.hyp.letters[i], self.gt.letters[j])
        return self._delta_phi(self.hyp.letters[i], self.gt.letters[j])

    def _delta_vanilla(self, h: Hashable, g: Hashable) -> int | None:
        """Return E:d_vanilla: a line break maps only to a line break."""
        if h == g:
            return 0
        return None if h is Mark.BREAK else self.prices.unit

    def _delta_phi(self, h: Hashable, g: Hashable) -> int | None:
        """Return E:d_phi: a line break maps to a space; neither is ever substituted."""
        if h == g or (h is Mark.BREAK and g == self.space):
            return 0
        return None if h is Mark.BREAK or self.space in (h, g) else self.prices.unit


_Point = tuple[int, int]
BestPath = tuple[_Point, ...]


def page_path(recursion: Recursion) -> tuple[int, BestPath]:
    """Return Δ_{|h|,|g|} and the best path to it, without P_1 = (0, 0), which only leads to (1, 1).

    >>> from pagemeter.paper.recursion import Prices
    >>> hyp, gt = flatten(["a"]), flatten(["a", "b"])
    >>> page_path(Recursion(hyp, gt, Prices.of(hyp, gt)))
    (1, ((1, 1), (2, 2), (3, 3), (3, 5)))
    """
    hyp, gt = recursion.hyp, recursion.gt
    cost, path = best_path(recursion, [(0, 1)], range(1, gt.last + 1), (hyp.last,))
    return cost // recursion.prices.unit, path


def best_path(
    recursion: Recursion, starts: Iterable[tuple[int, int]], rows: range, goals: Container[int]
) -> tuple[int, BestPath]:
    """Return the cheapest path from the first to the last of the rows, with its cost.

    `starts` are pairs (cost, i) in the first row; `goals` are the i in the last row that end the search. Of
    equally cheap points, the one with the smallest i is settled first, so the result is deterministic.

    Raises:
        InputError: The pages are too large for the table of the search.

    """
    width = len(rows)
    points = (recursion.hyp.last + 1) * width
    if points > MOST_POINTS:
        raise InputError(
            f"the paper's search needs a table of {points} points, more than {MOST_POINTS}",
            remedy="split them into pages, or use the exact solver",
        )
    reached_by = bytearray(points)
    heap = [(cost, i, rows[0], Move.START) for cost, i in starts]
    heapify(heap)
    while heap:
        cost, i, j, move = heappop(heap)
        cell = i * width + j - rows[0]
        if reached_by[cell]:
            continue
        reached_by[cell] = move
        if j == rows[-1] and i in goals:
            return cost, _trace(recursion, reached_by, rows, (i, j))
        for price, by, to_i, to_j in recursion.steps(i, j):
            if not reached_by[to_i * width + to_j - rows[0]]:
                heappush(heap, (cost + price, to_i, to_j, by))
    raise AssertionError("every start has a path to a goal: an open slot, or lines to skip")


def _trace(recursion: Recursion, reached_by: bytearray, rows: range, end: _Point) -> BestPath:
    """Return the points of a path, traced back from its end."""
    path = [end]
    while (move := reached_by[path[-1][0] * len(rows) + path[-1][1] - rows[0]]) != Move.START:
        path.append(_before(recursion, Move(move), *path[-1]))
    return tuple(reversed(path))


def _before(recursion: Recursion, move: Move, i: int, j: int) -> _Point:
    if move is Move.MATCH:
        return i - 1, j - 1
    if move is Move.DELETE:
        return i - 1, j
    if move is Move.INSERT:
        return i, j - 1
    if move is Move.SKIP_HYP:
        return recursion.hyp.cuts[recursion.hyp.cut_index[i] - 1], j
    return i, recursion.gt.cuts[recursion.gt.cut_index[j] - 1]


@dataclass(frozen=True, slots=True)
class FlatPair:
    """The GT lines and the flattened HYP of a page.

    Args:
        gt: The GT lines.
        hyp: The flattened HYP.
        space: None without segmentation. With it, the letter of Σ that can replace a line break, or Mark.GAP
            if words are tokens and there is no such letter.
        near: near[x][slot] is True if a line or word can be matched with GT line x; None if always.

    """

    gt: Sequence[Tokens]
    hyp: Flat
    space: Hashable | None
    near: Mask | None

    @classmethod
    def of(
        cls,
        gt: Sequence[Tokens],
        hyp: Sequence[Sequence[Tokens]],
        *,
        joiner: Hashable | None,
        segmentation: bool,
        neighbours: Mask | None,
        spaces: Sequence[Tokens] | None = None,
    ) -> FlatPair:
        """Return the pair of GT lines of tokens and HYP lines of words of tokens.

        `spaces` are the letters between the words of each HYP line; the default is the joiner.
        """
        _check_shape(neighbours, len(gt), len(hyp))
        lines = range(len(hyp))
        line_of_slot = [y for y in lines for _ in hyp[y]] if segmentation else lines
        near = None if neighbours is None else [[bool(row[y]) for y in line_of_slot] for row in neighbours]
        space = Mark.GAP if joiner is None else joiner
        spaces = spaces or [[space] * (len(line) - 1) for line in hyp]
        if not segmentation:
            between = [()] * len(hyp) if joiner is None else spaces
            return cls(gt, flatten(list(map(line_tokens, hyp, between))), None, near)
        return cls(gt, flatten_words(hyp, spaces), space, near)

    def split(self, path: BestPath, gt: Flat) -> PathSplit:
        """Split a path by Alg. 1 or, with segmentation, by Alg. 2."""
        if self.space is None:
            return split_best_path(path, self.hyp, gt)
        return split_best_path_with_segmentation(path, self.hyp, gt)


def _check_shape(neighbours: Mask | None, n_gt: int, n_hyp: int) -> None:
    if neighbours is None:
        return
    if len(neighbours) != n_gt or any(len(row) != n_hyp for row in neighbours):
        raise UsageError(
            f"neighbours: expected one row for each of {n_gt} GT lines with an entry for each of {n_hyp} HYP "
            "lines",
            remedy="give a mask of this shape, or None to ignore geometry",
        )


@dataclass(frozen=True, slots=True)
class PathSplit:
    """The sets U, V and W of a path, and the segmentation H' of HYP.

    Args:
        segments: H', each entry a range of slots; for Alg. 1 these are the lines.
        matched: W as pairs (index into segments, GT line).
        unmatched_hyp: U.
        unmatched_gt: V.

    """

    segments: tuple[range, ...]
    matched: tuple[tuple[int, int], ...]
    unmatched_hyp: tuple[int, ...]
    unmatched_gt: tuple[int, ...]


def split_best_path(path: BestPath, hyp: Flat, gt: Flat) -> PathSplit:
    """Return U, V and W of a path through whole lines (alg:splitbestpath).

    On a path with the jumps of E:D_pi, only W is meaningful, because a jump looks like a deleted line.
    """
    matched, unmatched_hyp, unmatched_gt = [], [], []
    for y, x, y_next, x_next in _passed_cuts(path, hyp, gt):
        if y < y_next:
            if x < x_next:
                matched.append((y, x))
            else:
                unmatched_hyp.append(y)
        else:
            unmatched_gt.append(x)
    lines = tuple(range(y, y + 1) for y in hyp.slots)
    return PathSplit(lines, tuple(matched), tuple(unmatched_hyp), tuple(unmatched_gt))


def split_best_path_with_segmentation(path: BestPath, hyp: Flat, gt: Flat) -> PathSplit:
    """Return U, V and W of a path through words, and the segmentation it implies (alg:splitbestpathPhi)."""
    segments: list[range] = []
    matched, unmatched_hyp, unmatched_gt = [], [], []
    for y, x, y_next, x_next in _passed_cuts(path, hyp, gt):
        if y < y_next:
            segments.append(range(y, y_next))
            if x < x_next:
                matched.append((len(segments) - 1, x))
            else:
                unmatched_hyp.append(len(segments) - 1)
        else:
            unmatched_gt.append(x)
    return PathSplit(tuple(segments), tuple(matched), tuple(unmatched_hyp), tuple(unmatched_gt))


def _passed_cuts(path: BestPath, hyp: Flat, gt: Flat) -> Iterator[tuple[int, int, int, int]]:
    """Yield y, x, y', x' of all subsequent p, q ∈ l_h × l_g on the path (with segmentation, l̄_h × l_g)."""
    indices = ((hyp.cut_index[i], gt.cut_index[j]) for i, j in path)
    for p, q in pairwise((y, x) for y, x in indices if y >= 0 and x >= 0):
        yield *p, *q
