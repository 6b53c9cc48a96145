"""The error budget as a stacked bar of characters, whose parts can be distinguished without colour.

If the kinds of errors are known, the part of recognition is replaced by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.report.columns import format_percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.text import Text

    from pagemeter.measure import Measure
    from pagemeter.stats.budget import Budget, Cause, Share


CAUSE_NAMES: dict[Cause, str] = {
    "recognition": "recognition",
    "segmentation": "segmentation",
    "order": "reading order",
    "position": "position",
}
"""The names of the causes in reports."""
_NAMES: dict[str, str] = {str(cause): name for cause, name in CAUSE_NAMES.items()}
_KINDS = ("misread", "missed", "invented", "replaced")

_CELLS: dict[str, tuple[str, str]] = {
    "recognition": ("█", "red"),
    "misread": ("█", "red"),
    "missed": ("▄", "blue"),
    "invented": ("▀", "green"),
    "replaced": ("▚", "bright_red"),
    "segmentation": ("▓", "yellow"),
    "order": ("▒", "cyan"),
    "position": ("░", "magenta"),
}
_WIDTH = 60


class BudgetPart(NamedTuple):
    """One part of the bar.

    Args:
        key: The cause, or the kind of errors of recognition.
        name: Its name in reports.
        number: Its share in per cent with two decimals.
        errors: Its errors.
        remark: A remark on it: how much of the invented text is repeated.

    """

    key: str
    name: str
    number: str
    errors: Fraction
    remark: str = ""

    @property
    def text(self) -> str:
        """The number, the name and the remark."""
        return f"{self.number} {self.name}{self.remark and f' ({self.remark})'}"


def budgets_to_show(budgets: Mapping[Measure, Budget]) -> tuple[Budget, ...]:
    """Return one budget per unit that has errors, the one with position if there is one.

    >>> budgets_to_show({})
    ()
    """
    by_unit: dict[str, Budget] = {}
    for measure, budget in budgets.items():
        if measure.unit not in by_unit or measure.geometry:
            by_unit[measure.unit] = budget
    return tuple(budget for budget in by_unit.values() if budget.errors and budget.n_gt)


def apportion(weights: Sequence[Fraction | int], total: int) -> tuple[int, ...]:
    """Return integers in proportion to the weights that sum to the total, by the largest-remainder method.

    >>> apportion([1, 1, 1], 100)
    (34, 33, 33)
    """
    weight_sum = sum(weights)
    exact = [Fraction(weight * total) / weight_sum if weight_sum else Fraction(0) for weight in weights]
    parts = [int(share) for share in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: parts[i] - exact[i])
    for index in by_remainder[: total - sum(parts) if weight_sum else 0]:
        parts[index] += 1
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class BudgetBar:
    r"""A budget drawn in characters; the printed numbers sum exactly to the printed rate.

    >>> import pagemeter as pm
    >>> evaluation = pm.evaluate(["the old mill", "by the river"], ["by the riuer the", "old mill"])
    >>> print("\n".join(BudgetBar(evaluation.budget()).lines(40)))
    CER:R 91.67 % = 4.17 misread █ + 20.83 segmentation ▓ + 66.67 reading order ▒
    ██▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
    """

    budget: Budget

    @property
    def parts(self) -> tuple[BudgetPart, ...]:
        """The parts with their numbers. Kinds of errors that do not occur are left out, except misread."""
        errors = self._errors
        return tuple(
            BudgetPart(key, _NAMES.get(key, key), number, errors[key], self._remark(key))
            for key, number in zip(errors, self._numbers([*errors.values()]), strict=True)
        )

    @property
    def cause_numbers(self) -> tuple[str, ...]:
        """The share of each cause in per cent with two decimals; recognition is not divided into kinds."""
        return self._numbers([share.errors for share in self.budget.shares])

    @property
    def sentence(self) -> str:
        """The rate as the sum of its parts."""
        parts = " + ".join(f"{part.text} {_CELLS[part.key][0]}" for part in self.parts)
        return f"{self.budget.measure} {format_percent(self.budget.rate)} = {parts}"

    @property
    def note(self) -> str:
        """The proven ranges of the shares that are not exact; empty if all are."""
        ranges = [
            f"{CAUSE_NAMES[share.cause]} {self._range(share)}"
            for share in self.budget.shares
            if not share.proven
        ]
        return f"proven ranges: {', '.join(ranges)}" if ranges else ""

    def cells(self, columns: int | None = None) -> Iterable[tuple[str, str]]:
        """Yield the parts of the bar, each with its colour."""
        width = min(_WIDTH, columns or _WIDTH)
        for key, count in zip(self._errors, apportion([*self._errors.values()], width), strict=True):
            cell, colour = _CELLS[key]
            yield cell * count, colour

    def lines(self, columns: int | None = None) -> list[str]:
        """Return the budget as plain text."""
        return [self.sentence, "".join(cell for cell, _ in self.cells(columns)), *filter(None, [self.note])]

    def rich(self, columns: int | None = None) -> Text:
        """Return the budget for a terminal."""
        from rich.text import Text  # noqa: PLC0415  (only on a terminal)

        bar = Text.assemble(f"{self.sentence}\n", *self.cells(columns))
        return bar.append(f"\n{self.note}") if self.note else bar

    @property
    def _errors(self) -> dict[str, Fraction]:
        """The errors of each part. Kinds are scaled to the share of recognition if that is smaller."""
        errors: dict[str, Fraction] = {}
        kinds = self.budget.kinds
        for share in self.budget.shares:
            if share.cause == "recognition" and kinds is not None and kinds.errors:
                scale = share.errors / kinds.errors
                errors |= {name: scale * kinds[name] for name in _KINDS if kinds[name] or name == "misread"}
            else:
                errors[share.cause] = share.errors
        return errors

    def _numbers(self, errors: Sequence[Fraction]) -> tuple[str, ...]:
        """Return errors in per cent with two decimals that sum to the printed rate."""
        hundredths = apportion(errors, round(self._per_cent(self.budget.errors) * 100))
        return tuple(f"{number // 100}.{number % 100:02}" for number in hundredths)

    def _remark(self, key: str) -> str:
        kinds = self.budget.kinds
        if key != "invented" or kinds is None or not kinds.repeated:
            return ""
        return f"{float(self._per_cent(self._errors[key] * kinds.repeated / kinds.invented)):.2f} repeated"

    def _per_cent(self, errors: Fraction | int) -> Fraction:
        return Fraction(100 * errors) / self.budget.n_gt

    def _range(self, share: Share) -> str:
        low, high = (float(self._per_cent(Fraction(bound, 6))) for bound in (share.low, share.high))
        return f"{low:.2f} … {high:.2f} %"
