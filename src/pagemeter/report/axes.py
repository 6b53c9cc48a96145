"""The axes of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.report.svg import label, line, ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 640.0, 320.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 12.0, 44.0


@dataclass(frozen=True, slots=True)
class Axes:
    """Where numbers lie on a picture.

    >>> axes = Axes((0, 1), (0, 1))
    >>> axes.at_x(0), axes.at_x(1)
    (64.0, 624.0)
    """

    x: tuple[float, float]
    y: tuple[float, float]
    left: float = LEFT
    height: float = HEIGHT

    def at_x(self, value: float) -> float:
        """The place of a number across."""
        return self.left + (WIDTH - RIGHT - self.left) * (value - self.x[0]) / (self.x[1] - self.x[0])

    def at_y(self, value: float) -> float:
        """The place of a number upwards."""
        high = self.height - TOP - BOTTOM
        return self.height - BOTTOM - high * (value - self.y[0]) / (self.y[1] - self.y[0])

    def across(self, name: str, values: Sequence[str]) -> list[str]:
        """The axis at the bottom; `values` are those at its ticks."""
        base = self.height - BOTTOM
        middle = (self.left + WIDTH - RIGHT) / 2
        made = [
            line(self.left, base, WIDTH - RIGHT, base),
            label(middle, base + 38, name, text_anchor="middle"),
        ]
        for tick, shown in zip(ticks(*self.x), values, strict=True):
            x = self.at_x(tick)
            made += [line(x, base, x, base + 5), label(x, base + 19, shown, text_anchor="middle")]
        return made

    def upwards(self, name: str, values: Sequence[str]) -> list[str]:
        """The axis on the left."""
        turned = f"rotate(-90 14 {self.height / 2:.0f})"
        made = [label(14, self.height / 2, name, text_anchor="middle", transform=turned)]
        for tick, shown in zip(ticks(*self.y), values, strict=True):
            y = self.at_y(tick)
            made += [
                line(self.left, y, WIDTH - RIGHT, y, stroke_opacity=0.2),
                label(self.left - 6, y + 4, shown, text_anchor="end"),
            ]
        return made


def percents(ends: tuple[float, float]) -> list[str]:
    """The ticks of an axis of rates.

    >>> percents((0, 0.23))
    ['0 %', '5 %', '10 %', '15 %', '20 %']
    """
    return [f"{100 * tick:g} %" for tick in ticks(*ends)]
