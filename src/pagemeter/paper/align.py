"""E:D_classic for two lines, with the counts of the canonical alignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


class Alignment(NamedTuple):
    """The distance of two lines and what it leaves correct and substituted."""

    distance: int
    cor: int
    sub: int


def align(h: Sequence[Hashable], g: Sequence[Hashable]) -> Alignment:
    """LD(h, g) and, of all alignments with that distance, the fewest COR, which are the most SUB.

    >>> align("abc", "bcd")
    Alignment(distance=2, cor=2, sub=0)
    >>> align("ab", "ba")
    Alignment(distance=2, cor=0, sub=2)
    """
    error = min(len(h), len(g)) + 1  # more than all that can be correct
    above = [error * j for j in range(len(g) + 1)]
    for i, letter in enumerate(h, start=1):
        row = [error * i]
        for j, other in enumerate(g, start=1):
            mapped = above[j - 1] + (1 if letter == other else error)
            row.append(min(mapped, above[j] + error, row[j - 1] + error))
        above = row
    distance, cor = divmod(above[-1], error)
    # |h| + |g| counts COR and SUB twice, INS and DEL once.
    return Alignment(distance, cor, len(h) + len(g) - distance - 2 * cor)
