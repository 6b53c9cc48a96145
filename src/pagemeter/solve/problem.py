"""What a solver is given and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.score import Match
    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints

# The kernel ranks solutions by LD * 2^42 + COR * 2^21 - SUB in 64 bits.
MOST_TOKENS = 2**21 - 1


@dataclass(frozen=True, slots=True)
class Problem:
    """Two pages of tokens and, for measures with G, which lines are neighbours: `mask[x, y]` for y ∈ N(x).

    `joiner` is the token between two words of a line, None where words join with nothing.
    """

    gt: TokenPage
    hyp: TokenPage
    alphabet: int
    joiner: int | None
    mask: NDArray[np.bool_] | None = None
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        size = len(self.gt.tokens) + len(self.hyp.tokens)
        if size > MOST_TOKENS:
            raise InputError(
                f"the two pages have {size} tokens together, more than {MOST_TOKENS}; split them into pages"
            )


@dataclass(frozen=True, slots=True)
class Solution:
    """A matching, what it adds up to, a proven lower bound of the errors (None: the matching is the minimum),
    and whether its counts are proven to be the canonical ones.

    `boundaries` are those between two words of one run: joining blanks, where words are joined by one.
    `used` gives the GT and the HYP line of all that is matched; None where nobody knows.
    """

    matches: Sequence[Match]
    cor: int
    sub: int
    boundaries: int = 0
    lower_bound: int | None = None
    canonical: bool = True
    used: Callable[[], tuple[Ints, Ints]] | None = None

    def keeps_to(self, mask: NDArray[np.bool_]) -> bool:
        """Whether only neighbours are matched, so that a proven minimum without G is one with G as well."""
        return self.used is not None and bool(mask[self.used()].all())
