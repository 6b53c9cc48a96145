"""Lines from top to bottom, for files whose own order is missing or wrong."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.formats.base import Order
    from pagemeter.page import Line


def arrange(groups: Iterable[Sequence[Line]], order: Order) -> tuple[Line, ...]:
    """The lines of a page, given region by region in the order of the file or document.

    "top-down" sorts the lines in each region and then the regions by their first line; "top-down-lines" sorts
    the lines in each region only; any other order leaves all as it is. Lines of equal height stay as they
    are, for which of them comes first depends on the script.

    >>> from pagemeter.page import Line
    >>> low, high = Line("low", ((0, 90), (9, 90))), Line("high", ((0, 10), (9, 10)))
    >>> [line.text for line in arrange([[low], [high]], "top-down")]
    ['high', 'low']
    """
    if order not in ("top-down", "top-down-lines"):
        return tuple(line for group in groups for line in group)
    ordered = [_top_down(group) for group in groups if group]
    if order == "top-down":
        tops = _tops([group[0] for group in ordered])
        ordered = [ordered[index] for index in sorted(range(len(ordered)), key=tops.__getitem__)]
    return tuple(line for group in ordered for line in group)


def top(line: Line) -> float | None:
    """The height at which a line begins, or None where it has no place.

    >>> from pagemeter.page import Line
    >>> top(Line("a", ((5, 90), (60, 88))))
    88
    """
    points = line.polygon or line.baseline
    return min(y for _, y in points) if points else None


def _top_down(lines: Sequence[Line]) -> list[Line]:
    tops = _tops(lines)
    return [lines[index] for index in sorted(range(len(lines)), key=tops.__getitem__)]


def _tops(lines: Sequence[Line]) -> list[float]:
    """Where each line begins; a line without a place follows the line before it."""
    tops: list[float] = []
    for line in lines:
        found = top(line)
        tops.append(found if found is not None else tops[-1] if tops else -math.inf)
    return tops
