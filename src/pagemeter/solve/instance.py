"""The input and the output of every solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pagemeter.errors import InputError
from pagemeter.score import Match

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints
    from pagemeter.text.notations import Notations

# The kernel ranks solutions by LD * 2^40 + COR * 2^20 - SUB in 64 bits; the limits are in kernel/limits.hpp.
MOST_TOKENS = 2**21 - 1


@dataclass(frozen=True, slots=True)
class Instance:
    """Two pages of tokens and, for measures with G, the neighbours of each GT line.

    Attributes:
        gt: The ground truth.
        hyp: The hypothesis.
        alphabet: The number of different tokens; tokens are integers from 0 to `alphabet` - 1.
        joiner: The token between two words, or None if tokens are words. Words can also meet without it.
        mask: `mask[x, y]` is true if HYP line y is a neighbour of GT line x; None allows every pair.
        effort: The work of the search, in units that take about a second each; only S and SG can spend it.
        time_limit: A time limit of the search in seconds; the result then depends on the machine.
        gt_optional: `gt_optional[x]` is true if GT line x is optional; None if no line is.
        hyp_optional: The same for HYP lines.
        notations: The readings of the ground truth, whose first ones are `gt`, if it has notations.

    Raises:
        InputError: If the two pages have more than `MOST_TOKENS` tokens together.

    """

    gt: TokenPage
    hyp: TokenPage
    alphabet: int
    joiner: int | None
    mask: NDArray[np.bool_] | None = None
    effort: float = 2.0
    time_limit: float | None = None
    gt_optional: NDArray[np.bool_] | None = None
    hyp_optional: NDArray[np.bool_] | None = None
    notations: Notations | None = None

    def __post_init__(self) -> None:
        check_token_count(len(self.gt.tokens) + len(self.hyp.tokens))

    @property
    def has_optional(self) -> bool:
        """True if any line is optional."""
        return self.gt_optional is not None or self.hyp_optional is not None

    def gt_lines_with_text(self) -> tuple[Ints | None, Ints, NDArray[np.bool_] | None]:
        """Return the GT lines that have tokens: their indices, their spans, and their rows of the mask.

        A line without tokens costs nothing and matches nothing, so no solver needs it. The indices are None
        if all lines have tokens.
        """
        index = self.gt.lines_with_text
        if index is None:
            return None, self.gt.lines, self.mask
        return index, self.gt.lines[index], None if self.mask is None else self.mask[index]


def check_token_count(tokens: int) -> None:
    """Raise an error if two pages have too many tokens together."""
    if tokens > MOST_TOKENS:
        raise InputError(
            f"the two pages have {tokens} tokens together, more than {MOST_TOKENS}",
            remedy="split them into pages",
        )


def part(flags: NDArray[np.bool_] | None, index: Ints | None) -> NDArray[np.bool_] | None:
    """Return the flags of some lines; an index of None means all lines."""
    return flags if flags is None or index is None else flags[index]


@dataclass(frozen=True, slots=True)
class Solution:
    """A matching, its counts, and whether they are proven.

    Attributes:
        matches: The matched pairs.
        cor: The number of correct tokens in all pairs.
        sub: The number of substituted tokens in all pairs.
        joins: The number of tokens that join two words of one run (measures with S).
        lower_bound: A proven lower bound of the errors; None if the matching is proven to be a minimum.
        canonical: True if the counts are proven to be the canonical ones.
        interrupted: True if the time limit ended the search.
        within: Returns True if a mask allows all matches; None if the lines of some are unknown.
        in_gaps: The number of required HYP words that gaps of a bag take up.

    """

    matches: Sequence[Match]
    cor: int
    sub: int
    joins: int = 0
    lower_bound: int | None = None
    canonical: bool = True
    interrupted: bool = False
    within: Callable[[NDArray[np.bool_]], bool] | None = None
    in_gaps: int = 0

    def matches_only(self, mask: NDArray[np.bool_]) -> bool:
        """Return True if only neighbours are matched.

        A proven minimum without G that matches only neighbours is the minimum with G too.
        """
        return self.within is not None and self.within(mask)


class Matches(Sequence[Match]):
    """A tuple of `Match` that is computed on first access, because most callers only read the rate.

    The first access calls `make(*parts)`. If the first part is the table of a kernel, `rows` returns it.

    >>> Matches(lambda x: [Match(x, 0, (0,), 0, 1, 0)], 7)[0].gt
    7
    """

    __slots__ = ("_items", "_make", "_parts")

    def __init__(self, make: Callable[..., Iterable[Match]], *parts: Any) -> None:  # noqa: ANN401
        self._make, self._parts = make, parts
        self._items: tuple[Match, ...] | None = None

    @property
    def rows(self) -> Ints | None:
        """The rows of the kernel, or None if they are not known, or no longer needed."""
        rows = self._parts[0] if self._parts else None
        return rows if isinstance(rows, np.ndarray) else None

    @property
    def items(self) -> tuple[Match, ...]:
        """The matches as a tuple."""
        if self._items is None:
            self._items = tuple(self._make(*self._parts))
            self._parts = ()
        return self._items

    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Match, ...]: ...
    def __getitem__(self, index: int | slice) -> Match | tuple[Match, ...]:
        return self.items[index]

    def __iter__(self) -> Iterator[Match]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return self.items == (other.items if isinstance(other, Matches) else other)

    def __hash__(self) -> int:
        return hash(self.items)

    def __repr__(self) -> str:
        return repr(self.items)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.items,)
