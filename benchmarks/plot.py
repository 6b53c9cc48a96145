"""Draw a log-log plot as SVG with one labelled curve per work."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 460
LEFT, TOP, RIGHT, BOTTOM = 70, 20, 150, 45
COLOURS = (
    "#555555",
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#56b4e9",
    "#d55e00",
    "#cc79a7",
    "#8c6d31",
    "#000000",
    "#7f3fbf",
)
LABEL_HEIGHT = 15

Curves = dict[str, list[tuple[int, float]]]  # x and y, both positive


class Axes:
    """Map numbers to positions; both axes are logarithmic and end at powers of ten."""

    def __init__(self, curves: Curves) -> None:
        points = [point for curve in curves.values() for point in curve]
        self.x, self.y = (_decades([point[i] for point in points]) for i in (0, 1))

    def place(self, x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - self.x[0]) / (self.x[1] - self.x[0])
        up = (math.log10(y) - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def _decades(values: list[float]) -> tuple[int, int]:
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def svg(curves: Curves, x_title: str, y_title: str) -> str:
    """Return the plot; labels have the colour of their curve, so no legend is needed."""
    axes = Axes(curves)
    parts = [*_grid(axes), *_titles(x_title, y_title), *_curves(axes, curves)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="12" role="img">\n'
        f"<title>{escape(y_title)} by {escape(x_title)}</title>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _grid(axes: Axes) -> Iterator[str]:
    for power in range(axes.x[0], axes.x[1] + 1):
        x, _ = axes.place(10**power, 10 ** axes.y[0])
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10**power:,}</text>'
    for power in range(axes.y[0], axes.y[1] + 1):
        _, y = axes.place(10 ** axes.x[0], 10**power)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10**power:g}</text>'


def _titles(x_title: str, y_title: str) -> Iterator[str]:
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_title)}</text>'
    up = (TOP + HEIGHT - BOTTOM) / 2
    yield f'<text transform="translate(16 {up}) rotate(-90)" text-anchor="middle">{escape(y_title)}</text>'


def _curves(axes: Axes, curves: Curves) -> Iterator[str]:
    """Place labels at the ends of their curves, moved apart from top to bottom where they overlap."""
    ends = {name: axes.place(*points[-1]) for name, points in curves.items()}
    colours = dict(zip(curves, COLOURS, strict=False))
    lowest = 0.0
    for name in sorted(curves, key=lambda name: ends[name][1]):
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in (axes.place(*point) for point in curves[name]))
        yield f'<polyline points="{way}" fill="none" stroke="{colours[name]}" stroke-width="2"/>'
        lowest = max(ends[name][1], lowest + LABEL_HEIGHT)
        (end_x, end_y), x = ends[name], WIDTH - RIGHT + 8
        yield f'<path d="M{end_x:.1f} {end_y:.1f}L{x - 2} {lowest:.1f}" stroke="#bbbbbb" stroke-width=".7"/>'
        yield f'<text x="{x}" y="{lowest + 4:.1f}" fill="{colours[name]}">{escape(name)}</text>'


def write(path: Path, curves: Curves, x_title: str, y_title: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(svg(curves, x_title, y_title), encoding="utf-8")
