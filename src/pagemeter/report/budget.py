"""The error budget as one stacked bar, whose parts can be told apart without colour."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pagemeter.report.figures import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.text import Text

    from pagemeter.measure import Measure
    from pagemeter.stats.budget import Budget, Cause, Share

NAMES: dict[Cause, str] = {
    "recognition": "recognition",
    "segmentation": "segmentation",
    "order": "reading order",
    "position": "position",
}
"""The causes as people read them."""

_CELLS: dict[Cause, tuple[str, str]] = {
    "recognition": ("█", "red"),
    "segmentation": ("▓", "yellow"),
    "order": ("▒", "cyan"),
    "position": ("░", "magenta"),
}
_WIDTH = 60


def strictest(budgets: Mapping[Measure, Budget]) -> tuple[Budget, ...]:
    """The budgets to show: one a unit, with position where it can be, and none where there are no errors.

    >>> strictest({})
    ()
    """
    by_unit: dict[str, Budget] = {}
    for measure, found in budgets.items():
        if measure.unit not in by_unit or measure.geometry:
            by_unit[measure.unit] = found
    return tuple(found for found in by_unit.values() if found.errors and found.n_gt)


def apportioned(weights: Sequence[Fraction | int], total: int) -> tuple[int, ...]:
    """Whole numbers in proportion to the weights that sum to the total, by largest remainder.

    >>> apportioned([1, 1, 1], 100)
    (34, 33, 33)
    """
    whole = sum(weights)
    exact = [Fraction(weight * total) / whole if whole else Fraction(0) for weight in weights]
    made = [int(share) for share in exact]
    by_rest = sorted(range(len(made)), key=lambda i: made[i] - exact[i])
    for place in by_rest[: total - sum(made) if whole else 0]:
        made[place] += 1
    return tuple(made)


@dataclass(frozen=True, slots=True)
class BudgetBar:
    r"""A budget drawn in characters; the numbers printed sum to the rate printed.

    >>> import pagemeter as pm
    >>> found = pm.evaluate(["the old mill", "by the river"], ["by the riuer the", "old mill"])
    >>> print("\n".join(BudgetBar(found.budget()).lines(40)))
    CER:R 91.67 % = 4.17 recognition █ + 20.83 segmentation ▓ + 66.67 reading order ▒
    ██▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
    """

    budget: Budget

    @property
    def numbers(self) -> tuple[str, ...]:
        """The shares in per cent with two decimals."""
        hundredths = apportioned(
            self._weights, round(Fraction(10_000 * self.budget.errors, self.budget.n_gt))
        )
        return tuple(f"{number // 100}.{number % 100:02}" for number in hundredths)

    @property
    def sentence(self) -> str:
        """The rate as the sum of its shares."""
        parts = (
            f"{number} {NAMES[share.cause]} {_CELLS[share.cause][0]}"
            for share, number in zip(self.budget.shares, self.numbers, strict=True)
        )
        return f"{self.budget.measure} {percent(self.budget.rate)} = {' + '.join(parts)}"

    @property
    def note(self) -> str:
        """The ranges of shares that are not proven, if there are any."""
        ranges = [
            f"{NAMES[share.cause]} {self._range(share)}" for share in self.budget.shares if not share.proven
        ]
        return f"not all is proven: {', '.join(ranges)}" if ranges else ""

    def cells(self, columns: int | None = None) -> Iterable[tuple[str, str]]:
        """The parts of the bar, each with its colour."""
        width = min(_WIDTH, columns or _WIDTH)
        for share, count in zip(self.budget.shares, apportioned(self._weights, width), strict=True):
            cell, colour = _CELLS[share.cause]
            yield cell * count, colour

    def lines(self, columns: int | None = None) -> list[str]:
        """The budget as plain text."""
        return [self.sentence, "".join(cell for cell, _ in self.cells(columns)), *filter(None, [self.note])]

    def rich(self, columns: int | None = None) -> Text:
        """The budget for a terminal."""
        from rich.text import Text  # noqa: PLC0415  (only where a terminal is)

        bar = Text.assemble(f"{self.sentence}\n", *self.cells(columns))
        return bar.append(f"\n{self.note}") if self.note else bar

    @property
    def _weights(self) -> list[int]:
        return [share.sixths for share in self.budget.shares]

    def _range(self, share: Share) -> str:
        low, high = (100 * bound / (6 * self.budget.n_gt) for bound in (share.low, share.high))
        return f"{low:.2f} … {high:.2f} %"
