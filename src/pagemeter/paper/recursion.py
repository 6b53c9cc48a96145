"""The recursions of Section III, read forwards: from a point, which points follow at what price."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from pagemeter.paper.flatten import Flat, Mark

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence


class Move(IntEnum):
    """The row of a recursion by which a point was reached; 0 is left for points not reached."""

    START = 1
    MATCH = 2  # from (i-1, j-1)
    DELETE = 3  # from (i-1, j)
    INSERT = 4  # from (i, j-1)
    SKIP_HYP = 5  # from the cut before i
    SKIP_GT = 6  # from the line break before j


@dataclass(frozen=True, slots=True)
class Prices:
    """What an edit operation costs, in whole numbers.

    Each error costs `unit`. What is added decides between paths of equal LD: INS 1 and DEL 4 parts, so that
    a substitution goes before an insertion and a deletion (the order of SUB + (1+2^-20) INS + (1+2^-18) DEL),
    and after that half a part for a jump of E:D_pi. `unit` exceeds all that a path can gather of these.
    """

    unit: int
    ins: int
    dels: int
    jump: int = 1

    @classmethod
    def of(cls, hyp: Flat, gt: Flat) -> Prices:
        """Prices for paths through these two sequences."""
        unit = 8 * (hyp.last + gt.last + 1)
        return cls(unit, ins=unit + 2, dels=unit + 8)


Step = tuple[int, Move, int, int]


@dataclass(frozen=True, slots=True)
class Recursion:
    """Δ as E:D_vanilla / E:D_vanilla2, E:D_geom, E:D_phi or E:D_pi define it.

    `space` is None without segmentation; with it, it is the letter of Σ that a line break may stand for, or
    Mark.GAP where words are tokens and no such letter exists. `near[x][slot]` says whether a path may pass
    the slot while inside GT line x (None: always). `skips` allows the second and third row of E:D_vanilla and
    E:D_phi; E:D_pi has none.
    """

    hyp: Flat
    gt: Flat
    prices: Prices
    space: Hashable | None = None
    near: Sequence[Sequence[bool]] | None = None
    skips: bool = True

    def steps(self, i: int, j: int) -> Iterator[Step]:
        """Price, row of the recursion and place of every point that follows (i, j)."""
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

    def _skips(self, i: int, j: int) -> Iterator[Step]:
        """The second and third row of E:D_vanilla, E:D_geom and E:D_phi: a line or word is left out."""
        y, x = self.hyp.cut_index[i], self.gt.cut_index[j]
        if i < self.hyp.last:
            yield self.hyp.length(y) * self.prices.dels, Move.SKIP_HYP, self.hyp.cuts[y + 1], j
        if j < self.gt.last:
            yield self.gt.length(x) * self.prices.ins, Move.SKIP_GT, i, self.gt.cuts[x + 1]

    def _may_pass(self, i: int, j: int) -> bool:
        """The condition of E:D_geom on the slot of h_i and the GT line of g_j.

        The paper asks it once, when the line is left. Here it is asked at every step, which gives the same Δ
        on l_h × l_g for whole lines, and for a segment covers each of its words.
        """
        return self.near is None or self.near[self.gt.slot_of[j]][self.hyp.slot_of[i]]

    def _deletion(self, i: int, j: int) -> int | None:
        """The second row of E:D_vanilla2: the price of deleting h_i in row j, None where it is forbidden."""
        h = self.hyp.letters[i]
        if self.hyp.cut_index[i] >= 0 and self.gt.cut_index[j] >= 0:
            return None  # a point of l_h × l_g: E:D_vanilla knows no deletion of a letter
        if self.space is Mark.GAP and (h is Mark.GAP or h is Mark.BREAK):
            return 0  # a boundary that may stand for a space, where a space is nothing
        return None if h is Mark.BREAK else self.prices.dels

    def _delta(self, i: int, j: int) -> int | None:
        """The first row of the recursions: δ_{i,j}, None for ∞."""
        if self.gt.cut_index[j] >= 0:
            return 0 if self.hyp.cut_index[i] >= 0 else None
        if self.space is None:
            return self._delta_vanilla(self.hyp.letters[i], self.gt.letters[j])
        return self._delta_phi(self.hyp.letters[i], self.gt.letters[j])

    def _delta_vanilla(self, h: Hashable, g: Hashable) -> int | None:
        """E:d_vanilla: a line break maps to nothing but a line break."""
        if h == g:
            return 0
        return None if h is Mark.BREAK else self.prices.unit

    def _delta_phi(self, h: Hashable, g: Hashable) -> int | None:
        """E:d_phi: a line break maps to a space; neither is ever substituted."""
        if h == g or (h is Mark.BREAK and g == self.space):
            return 0
        return None if h is Mark.BREAK or self.space in (h, g) else self.prices.unit
