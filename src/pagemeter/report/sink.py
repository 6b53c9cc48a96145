"""What every kind of report offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pagemeter.corpus import Outcome, PageResult


class Sink(Protocol):
    """A report in the making: it keeps no more of a page than it shows."""

    def add(self, result: PageResult) -> None:
        """Takes one page."""

    def finish(self, outcome: Outcome) -> None:
        """Takes the whole, after the last page."""
