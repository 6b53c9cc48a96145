"""The pages that a runner is working on, for progress reports: `PageInWork` and `pages_in_work`."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from pagemeter.measure import EVERY

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence

    from pagemeter.inputs.pairs import Pair
    from pagemeter.measure import Measure
    from pagemeter.runners.in_process import Runner

_CODES = {measure: code for code, measure in enumerate(EVERY, 1)}


@dataclass(frozen=True, slots=True)
class PageInWork:
    """A page that is being evaluated.

    Args:
        name: The name of the page.
        measure: The measure that is being computed; None before the first one.
        seconds: How long the page has been evaluated so far.

    >>> print(PageInWork("0013", EVERY[0], 12.4))
    CER:R of 0013 (12 s)

    """

    name: str
    measure: Measure | None
    seconds: float

    def __str__(self) -> str:
        what = f"{self.measure} of {self.name}" if self.measure else self.name
        return f"{what} ({self.seconds:.0f} s)"


class CurrentMeasure:
    """The measure that a process is computing, in one byte that its parent process can read.

    Args:
        shared: A sequence of bytes, of which the first is used; it may be shared memory.

    >>> current = CurrentMeasure(bytearray(1))
    >>> current.set(EVERY[2])
    >>> str(current.get())
    'CER:RS'

    """

    __slots__ = ("_shared",)

    def __init__(self, shared: MutableSequence[int]) -> None:
        self._shared = shared

    def set(self, measure: Measure | None) -> None:
        """Set the measure that is being computed; None if there is none."""
        self._shared[0] = _CODES[measure] if measure else 0

    def get(self) -> Measure | None:
        """Return the measure that is being computed."""
        code = self._shared[0]
        return EVERY[code - 1] if code else None


class PairInWork:
    """The pair that this process is evaluating, and when it began; it may be read by another thread."""

    __slots__ = ("_current", "_pair", "_since")

    def __init__(self) -> None:
        self._pair: Pair | None = None
        self._since = 0.0
        self._current = CurrentMeasure(bytearray(1))

    def begin(self, pair: Pair) -> Callable[[Measure], None]:
        """Record the start of a pair, and return the function that records its measures."""
        self._current.set(None)
        self._since, self._pair = monotonic(), pair
        return self._current.set

    def end(self) -> None:
        """Record the end of the pair."""
        self._pair = None

    def get(self) -> tuple[PageInWork, ...]:
        """Return the page that is being evaluated, or nothing."""
        pair = self._pair
        return (PageInWork(pair.name, self._current.get(), monotonic() - self._since),) if pair else ()


def pages_in_work(runner: Runner) -> tuple[PageInWork, ...]:
    """Return the pages that a runner is working on, the longest first; none if it does not know.

    >>> from pagemeter.runners import InProcess
    >>> pages_in_work(InProcess())
    ()
    """
    in_work: Callable[[], tuple[PageInWork, ...]] = getattr(runner, "in_work", tuple)
    return tuple(sorted(in_work(), key=lambda page: -page.seconds))
