"""Matches that are made when somebody looks at them: most scores are only asked for their rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from pagemeter.score import Match


class Matches(Sequence[Match]):
    """What each GT line got, to be used as a tuple of `Match`; `make(*parts)` makes it, once.

    >>> Matches(lambda x: [Match(x, 0, (0,), 0, 1, 0)], 7)[0].gt
    7
    """

    __slots__ = ("_made", "_make", "_parts")

    def __init__(self, make: Callable[..., Iterable[Match]], *parts: Any) -> None:  # noqa: ANN401
        self._make, self._parts = make, parts
        self._made: tuple[Match, ...] | None = None

    @property
    def made(self) -> tuple[Match, ...]:
        """The matches as the tuple they are."""
        if self._made is None:
            self._made = tuple(self._make(*self._parts))
            self._parts = ()
        return self._made

    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Match, ...]: ...
    def __getitem__(self, index: int | slice) -> Match | tuple[Match, ...]:
        return self.made[index]

    def __iter__(self) -> Iterator[Match]:
        return iter(self.made)

    def __len__(self) -> int:
        return len(self.made)

    def __eq__(self, other: object) -> bool:
        return self.made == (other.made if isinstance(other, Matches) else other)

    def __hash__(self) -> int:
        return hash(self.made)

    def __repr__(self) -> str:
        return repr(self.made)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.made,)
