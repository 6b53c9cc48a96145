"""Pictures as SVG, drawn without any library: escaped, readable on dark and on light ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from pagemeter.report.output import whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a notebook shows and that can be saved; text and lines have the colour of its surroundings.

    >>> print(Picture("a dot", 10, 10, (element("circle", cx=5, cy=5, r=1),)))
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" role="img" style="max-width:10px;width:100%;font:12px sans-serif"><title>a dot</title><circle cx="5" cy="5" r="1"/></svg>
    """  # noqa: E501

    title: str
    width: float
    height: float
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return self._drawn("")

    def _repr_html_(self) -> str:
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file, on white ground."""
        with whole(str(path)) as file:
            file.write(self._drawn(";background:#fff;color:#222") + "\n")

    def _drawn(self, style: str) -> str:
        return element(
            "svg",
            element("title", text(self.title)),
            *self.parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            role="img",
            style=f"max-width:{number(self.width)}px;width:100%;font:12px sans-serif{style}",
        )


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """An element; what is inside is markup already, attributes are escaped, `_` in a name stands for `-`.

    >>> element("text", text("a < b"), x=1.50, text_anchor="end")
    '<text x="1.5" text-anchor="end">a &lt; b</text>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-") if key != "viewBox" else key}="{_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{shown}>{''.join(inside)}</{name}>" if inside else f"<{name}{shown}/>"


def text(shown: str) -> str:
    """A text as markup.

    >>> text("<script>")
    '&lt;script&gt;'
    """
    return escape(shown)


def label(x: float, y: float, shown: str, **attributes: str | float) -> str:
    """A text at a place."""
    return element("text", text(shown), x=x, y=y, fill="currentColor", **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> str:
    """A line in the colour of the text."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", **attributes)


def ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Round numbers between two others, about so many.

    >>> ticks(0, 0.23)
    (0.0, 0.05, 0.1, 0.15, 0.2)
    """
    raw = (high - low) / about
    if not raw > 0 or not math.isfinite(raw):
        return (low,)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(place * step, 12) for place in range(first, last + 1))


def number(value: float) -> str:
    """A coordinate, to a hundredth of a pixel.

    >>> number(3.14159), number(2.0)
    ('3.14', '2')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _value(value: str | float) -> str:
    return escape(value, quote=True) if isinstance(value, str) else number(value)


def joined(parts: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Parts of parts in one row."""
    return tuple(part for several in parts for part in several)
