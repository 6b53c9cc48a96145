"""Results as SVG and HTML for notebooks and papers: plots, and evaluations as tables.

The plots are an error budget, a histogram, a scatter plot, a forest plot and a rejection curve. They need no
plotting library. Texts are escaped, and colours are visible on dark and light backgrounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from pagemeter.atomic_io import open_atomic
from pagemeter.errors import UsageError
from pagemeter.measure import DEFAULT_BUDGET_UNIT, budget_measures
from pagemeter.report.columns import BudgetBar, format_percent, format_points
from pagemeter.report.names import shorten
from pagemeter.report.summary import summary
from pagemeter.report.tables import score_grid, score_notes, thinned

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.alignment import WordConfidences
    from pagemeter.corpus import Outcome
    from pagemeter.evaluation import Evaluation
    from pagemeter.report.grid import Grid
    from pagemeter.stats.budget import Budget
    from pagemeter.stats.comparison import Difference

_WIDTH, _HEIGHT = 640.0, 320.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 16.0, 12.0, 44.0
_BLUE = "#3b82c4"  # of medium lightness, visible on dark and light backgrounds
_KEYS_PER_ROW, _KEY_HEIGHT = 4, 22  # of the key of a budget
_MOST_NAME = 38  # characters of a name; longer names are shortened
_FILLS: dict[str, tuple[str, str]] = {
    "recognition": ("#c2572b", ""),
    "misread": ("#c2572b", ""),
    "missed": ("#3b82c4", "M4 0V8"),
    "invented": ("#5c8a3a", "M0 4H8M4 0V8"),
    "replaced": ("#b04a7a", "M0 0L8 8"),
    "segmentation": ("#b8860b", "M0 8L8 0"),
    "order": ("#2f8f83", "M0 4H8"),
    "position": ("#8a63b3", "M0 0L8 8M0 8L8 0"),
}
"""The colours of the parts of an error budget, and the hatching that distinguishes them without colour."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG image that notebooks show and that can be saved; text and lines have the notebook's text colour.

    >>> print(Picture("a dot", 10, 10, (element("circle", cx=5, cy=5, r=1),)))
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" role="img" style="max-width:10px;width:100%;font:12px sans-serif"><title>a dot</title><circle cx="5" cy="5" r="1"/></svg>
    """  # noqa: E501

    title: str
    width: float
    height: float
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return self._svg("")

    def _repr_html_(self) -> str:
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the image to a file, with a white background."""
        with open_atomic(path) as file:
            file.write(self.document())

    def document(self) -> str:
        """Return the content of an image file, with a white background."""
        return self._svg(";background:#fff;color:#222") + "\n"

    def _svg(self, style: str) -> str:
        return element(
            "svg",
            _title(self.title),
            *self.parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {_number(self.width)} {_number(self.height)}",
            role="img",
            style=f"max-width:{_number(self.width)}px;width:100%;font:12px sans-serif{style}",
        )


def budget_bar(budget: Budget) -> Picture:
    """Return an error budget as one stacked bar.

    >>> import pagemeter as pm
    >>> budget_bar(pm.evaluate(["one", "two"], ["two", "one"]).budget()).title
    'CER:R 100.00 % by cause'
    """
    title = f"{budget.measure} {format_percent(budget.rate)} by cause"
    if not budget.errors or not budget.n_gt:
        reason = "no ground truth text" if budget.errors else "no errors"
        return Picture(title, _WIDTH, 24, (_label(0, 16, f"{budget.measure}: {reason}, no error budget"),))
    parts = BudgetBar(budget).parts
    patterns = element("defs", *(_pattern(part.key) for part in parts))
    height = 62 + _KEY_HEIGHT * -(-len(parts) // _KEYS_PER_ROW)
    return Picture(title, _WIDTH, height, (_label(0, 14, title), patterns, *_budget_parts(budget)))


def _pattern(key: str) -> str:
    colour, hatching = _FILLS[key]
    background = element("rect", width=8, height=8, fill=colour)
    lines = [element("path", d=hatching, stroke="#fff", stroke_width=1.5, fill="none")] if hatching else []
    name, units = f"pagemeter-{key}", "userSpaceOnUse"
    return element("pattern", background, *lines, id=name, width=8, height=8, patternUnits=units)


def _budget_parts(budget: Budget) -> Iterator[str]:
    x = 0.0
    for index, part in enumerate(BudgetBar(budget).parts):
        width = _WIDTH * float(part.errors) / budget.errors
        fill, text = f"url(#pagemeter-{part.key})", f"{part.name} {part.number} %"
        row, column = divmod(index, _KEYS_PER_ROW)
        key_x, key_y = _WIDTH / _KEYS_PER_ROW * column, 64.0 + _KEY_HEIGHT * row
        yield element("rect", _title(text), x=x, y=24, width=width, height=28, fill=fill)
        yield element("rect", x=key_x, y=key_y, width=14, height=14, fill=fill)
        yield _label(key_x + 20, key_y + 11, text)
        x += width


def histogram(rates: Sequence[float], name: str = "rate", bins: int = 20) -> Picture:
    """Return a histogram of the rates of pages; infinite rates are counted below it.

    >>> histogram([0.01, 0.02, 0.4], "CER:R").title
    'CER:R of 3 pages'
    """
    finite = [rate for rate in rates if math.isfinite(rate)]
    if bins < 1:
        raise UsageError("give 1 or more", setting=("bins", str(bins)))
    top = max(finite, default=0.0) or 1.0
    counts = [0] * bins
    for rate in finite:
        counts[min(bins - 1, int(bins * rate / top))] += 1
    axes = Axes((0.0, top), (0.0, float(max(*counts, 1))))
    bars = [_bin(axes, index, count, top / bins) for index, count in enumerate(counts) if count]
    infinite = len(rates) - len(finite)
    title = f"{name} of {len(rates):,} pages" + (f", {infinite:,} of them infinite" if infinite else "")
    vertical = axes.vertical("pages", [f"{tick:g}" for tick in ticks(*axes.y)])
    horizontal = axes.horizontal(name, _percent_ticks(axes.x))
    return Picture(title, _WIDTH, _HEIGHT, (*vertical, *bars, *horizontal, *_infinite(infinite)))


def _bin(axes: Axes, index: int, count: int, width: float) -> str:
    low, high = index * width, (index + 1) * width
    x, end, y = axes.at_x(low), axes.at_x(high), axes.at_y(count)
    title = _title(f"{format_percent(low)} to {format_percent(high)}: {count:,}")
    height = axes.at_y(0) - y
    return element("rect", title, x=x + 1, y=y, width=max(1.0, end - x - 2), height=height, fill=_BLUE)


def _infinite(count: int) -> list[str]:
    """Return a label that counts the pages with infinite rates, which are not in the plot."""
    text = f"not shown: {count:,} page{'s' * (count != 1)} with an infinite rate"
    return [_label(0, _HEIGHT - 6, text)] if count else []


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    names: Sequence[str],
    x_name: str = "first",
    y_name: str = "second",
) -> Picture:
    """Return a scatter plot of pages by two rates; infinite rates are counted below it.

    Args:
        x: The rates on the horizontal axis, one per page.
        y: The rates on the vertical axis, one per page.
        names: The names of the pages, which are shown as tooltips.
        x_name: The name of the horizontal axis.
        y_name: The name of the vertical axis.

    >>> scatter([0.1, 0.2], [0.1, 0.3], ["page 1", "page 2"], "CER:R", "CER:S").title
    'CER:S by CER:R, 2 pages'

    """
    if not len(x) == len(y) == len(names):
        raise UsageError(
            f"{len(x)} and {len(y)} rates, but {len(names)} names", remedy="give the same number of each"
        )
    points = [point for point in zip(x, y, names, strict=True) if all(map(math.isfinite, point[:2]))]
    top = max((rate for point in points for rate in point[:2]), default=0.0) or 1.0
    axes = Axes((0.0, top), (0.0, top))
    circles = [
        element(
            "circle",
            _title(f"{page}: {x_name} {format_percent(x_rate)}, {y_name} {format_percent(y_rate)}"),
            cx=axes.at_x(x_rate), cy=axes.at_y(y_rate), r=4, fill=_BLUE, fill_opacity=0.6,
        )
        for x_rate, y_rate, page in points
    ]  # fmt: skip
    ends = axes.at_x(0), axes.at_y(0), axes.at_x(top), axes.at_y(top)
    diagonal = _line(*ends, stroke_dasharray="4 4", stroke_opacity=0.5)
    vertical = axes.vertical(y_name, _percent_ticks(axes.y))
    horizontal = axes.horizontal(x_name, _percent_ticks(axes.x))
    parts = *vertical, *horizontal, diagonal, *circles, *_infinite(len(x) - len(points))
    return Picture(f"{y_name} by {x_name}, {len(points):,} pages", _WIDTH, _HEIGHT, parts)


def forest(differences: Sequence[Difference]) -> Picture:
    """Return a forest plot: one row per difference between systems, with its interval, and a line at zero.

    >>> forest([]).title
    'differences in percentage points'
    """
    shown = [one for one in differences if one.rate is not None]
    ends = [end for one in shown for end in (*(one.interval.bounds or ()), one.rate or 0.0)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    margin = 0.05 * (high - low) or 0.01
    height = 28.0 * len(shown) + _TOP + _BOTTOM
    axes = Axes((low - margin, high + margin), (0.0, 1.0), 260.0, height)
    x = axes.at_x(0)
    zero = _line(x, _TOP, x, height - _BOTTOM, stroke_dasharray="4 4", stroke_opacity=0.6)
    rows = (
        part for index, one in enumerate(shown) for part in _forest_row(axes, one, _TOP + 28 * index + 14)
    )
    title = "differences in percentage points"
    values = [format_points(tick) for tick in ticks(*axes.x)]
    return Picture(title, _WIDTH, height, (zero, *axes.horizontal(title, values), *rows))


def _forest_row(axes: Axes, one: Difference, y: float) -> Iterator[str]:
    name = shorten(f"{one.measure}: {one.first} → {one.second}", _MOST_NAME)
    yield _label(axes.left - 10, y + 4, name, text_anchor="end")
    if one.interval.bounds:
        low, high = map(axes.at_x, one.interval.bounds)
        yield _line(low, y, high, y, stroke_width=2)
    title = _title(f"{format_points(one.rate)}, p = {one.p:.4f}, Holm {one.holm:.4f}")
    yield element("circle", title, cx=axes.at_x(one.rate or 0.0), cy=y, r=5, fill=_BLUE)


def rejection_plot(words: WordConfidences) -> Picture:
    """Return the rejection curve as a picture: the error rate by the share of words that are kept.

    >>> from pagemeter.alignment import WordConfidences
    >>> rejection_plot(WordConfidences({0.9: 3}, {0.5: 1})).title
    'error rate of 4 words by the share that is kept'
    """
    points = thinned(words)
    top = max((point.error_rate for point in points), default=0.0) or 1.0
    axes = Axes((0.0, 1.0), (0.0, top))
    pairs = " ".join(f"{axes.at_x(point.kept):.2f},{axes.at_y(point.error_rate):.2f}" for point in points)
    parts = [
        *axes.vertical("error rate", [f"{100 * tick:g} %" for tick in ticks(*axes.y)]),
        *axes.horizontal("words kept", [f"{100 * tick:g} %" for tick in ticks(*axes.x)]),
        element("polyline", points=pairs, fill="none", stroke="#3b82c4", stroke_width=2),
    ]
    return Picture(f"error rate of {words.words:,} words by the share that is kept", 640, 320, tuple(parts))


@dataclass(frozen=True, slots=True)
class Axes:
    """The two axes of a plot: their ranges, and the coordinates of values.

    >>> axes = Axes((0, 1), (0, 1))
    >>> axes.at_x(0), axes.at_x(1)
    (64.0, 624.0)
    """

    x: tuple[float, float]
    y: tuple[float, float]
    left: float = _LEFT
    height: float = _HEIGHT

    def at_x(self, value: float) -> float:
        """Return the horizontal coordinate of a value."""
        return self.left + (_WIDTH - _RIGHT - self.left) * (value - self.x[0]) / (self.x[1] - self.x[0])

    def at_y(self, value: float) -> float:
        """Return the vertical coordinate of a value."""
        high = self.height - _TOP - _BOTTOM
        return self.height - _BOTTOM - high * (value - self.y[0]) / (self.y[1] - self.y[0])

    def horizontal(self, name: str, values: Sequence[str]) -> list[str]:
        """Return the axis at the bottom, with `values` at its ticks."""
        base = self.height - _BOTTOM
        middle = (self.left + _WIDTH - _RIGHT) / 2
        parts = [
            _line(self.left, base, _WIDTH - _RIGHT, base),
            _label(middle, base + 38, name, text_anchor="middle"),
        ]
        for tick, value in zip(ticks(*self.x), values, strict=True):
            x = self.at_x(tick)
            parts += [_line(x, base, x, base + 5), _label(x, base + 19, value, text_anchor="middle")]
        return parts

    def vertical(self, name: str, values: Sequence[str]) -> list[str]:
        """Return the axis on the left, with `values` at its ticks."""
        rotated = f"rotate(-90 14 {self.height / 2:.0f})"
        parts = [_label(14, self.height / 2, name, text_anchor="middle", transform=rotated)]
        for tick, value in zip(ticks(*self.y), values, strict=True):
            y = self.at_y(tick)
            parts += [
                _line(self.left, y, _WIDTH - _RIGHT, y, stroke_opacity=0.2),
                _label(self.left - 6, y + 4, value, text_anchor="end"),
            ]
        return parts


def ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Return round numbers between two limits; `about` is their approximate number.

    >>> ticks(0, 0.23)
    (0.0, 0.05, 0.1, 0.15, 0.2)
    """
    raw = (high - low) / about
    if not raw > 0 or not math.isfinite(raw):
        return (low,)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(multiple * step, 12) for multiple in range(first, last + 1))


def _percent_ticks(limits: tuple[float, float]) -> list[str]:
    """Return the values at the ticks of an axis of rates."""
    return [f"{100 * tick:g} %" for tick in ticks(*limits)]


def element(name: str, *content: str, **attributes: str | float) -> str:
    """Return an SVG element.

    Args:
        name: The name of the element.
        content: Markup inside the element.
        attributes: The attributes, which are escaped; `_` in a name becomes `-`.

    >>> element("text", "a &lt; b", x=1.50, text_anchor="end")
    '<text x="1.5" text-anchor="end">a &lt; b</text>'

    """
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-") if key != "viewBox" else key}="{_attribute(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{pairs}>{''.join(content)}</{name}>" if content else f"<{name}{pairs}/>"


def _attribute(value: str | float) -> str:
    return escape(value, quote=True) if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    """Return a coordinate, rounded to a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _title(text: str) -> str:
    """Return a title, which browsers show as a tooltip."""
    return element("title", escape(text))


def _label(x: float, y: float, text: str, **attributes: str | float) -> str:
    """Return a text at a position."""
    return element("text", escape(text), x=x, y=y, fill="currentColor", **attributes)


def _line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> str:
    """Return a line in the colour of the text."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", **attributes)


def evaluation_html(evaluation: Evaluation) -> str:
    """Return the scores as a table, the error budget of CER if it is cheap, and the signature.

    >>> import pagemeter as pm
    >>> evaluation_html(pm.evaluate("a", "b", "WER"))[:29]
    '<div class="pagemeter"><table'
    """
    scores = list(evaluation.scores.values())
    parts = [_table(score_grid(scores))]
    if _has_cheap_budget(evaluation):
        parts.append(str(budget_bar(evaluation.budget())))
    return _framed(parts, score_notes(scores), evaluation.signature)


def corpus_html(outcome: Outcome) -> str:
    """Return the totals of a run as a table, its error budgets, notes, and the signature.

    >>> from pagemeter.corpus import Outcome, Totals
    >>> corpus_html(Outcome(Totals(), "measures:CER"))[:29]
    '<div class="pagemeter"><table'
    """
    scores = list(outcome.totals.scores.values())
    parts = [_table(score_grid(scores, outcome.intervals))]
    parts += (str(budget_bar(budget)) for budget in outcome.totals.budgets.values())
    return _framed(parts, [*score_notes(scores, outcome.intervals), *summary(outcome)], outcome.signature)


def _framed(parts: Iterable[str], notes: Iterable[str], signature: str) -> str:
    small = [*map(escape, notes), f'<code style="overflow-wrap:anywhere">{escape(signature)}</code>']
    notes = (f"<p><small>{note}</small></p>" for note in small)
    return f'<div class="pagemeter">{"".join((*parts, *notes))}</div>'


def _has_cheap_budget(evaluation: Evaluation) -> bool:
    """Return True if all scores for the budget are there, or can be evaluated quickly.

    Measures with neither S nor R match whole lines and are quick.
    """
    geometry = any(measure.geometry for measure in evaluation.scores)
    return all(
        measure in evaluation.scores or not (measure.segmentation or measure.order)
        for measure in budget_measures(DEFAULT_BUDGET_UNIT, geometry=geometry)
    )


def _table(grid: Grid) -> str:
    """Return a table in HTML that takes its colours from the notebook."""
    head, rows = _row(grid.headings, "th"), "".join(_row(row, "td") for row in grid.rows)
    # Without a doctype, tables do not inherit the colour of the text around them.
    return f'<table style="color:inherit"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _row(cells: tuple[str, ...], tag: str) -> str:
    sides = ("left", *("right" for _ in cells[1:]))
    columns = (
        f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>'
        for side, cell in zip(sides, cells, strict=True)
    )
    return f"<tr>{''.join(columns)}</tr>"
