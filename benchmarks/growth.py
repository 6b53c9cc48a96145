"""Measure how time grows with the number of lines (10 to 10,000), and fit the exponent."""

from __future__ import annotations

import math
from collections.abc import Iterable

from answers import check
from cases import growing
from results import FLAT, IDS, SLOW_IDS, evaluate
from rivals import flat
from timing import best

Points = list[tuple[int, float]]  # lines, CPU seconds
LONGEST = 20.0  # seconds; a work that took longer is not tried on larger pages
FITTED_FROM = 100  # lines; on smaller pages the fixed cost of a call dominates


def measure(*, with_slow: bool) -> dict[str, Points]:
    """Return the times of each work."""
    found: dict[str, Points] = {work: [] for work in (FLAT, *IDS, *(SLOW_IDS if with_slow else ()))}
    for case in growing():
        for work, points in found.items():
            if points and points[-1][1] > LONGEST:
                continue
            if work == FLAT:
                seconds, _ = best(flat(case), 3)
            else:
                seconds, score = best(lambda work=work: evaluate(case, work), 3)  # noqa: B023  (called at once)
                check(case, score)
            points.append((len(case.gt), seconds))
            print(f"{work} on {len(case.gt)} lines: {1000 * seconds:,.1f} ms", flush=True)
    return found


def exponent(points: Iterable[tuple[int, float]]) -> float:
    """Return the exponent: the slope of the least-squares line through the logarithms."""
    logs = [(math.log(lines), math.log(seconds)) for lines, seconds in points if lines >= FITTED_FROM]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    over = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return over / sum((x - mean_x) ** 2 for x, _ in logs)


def table(found: dict[str, Points]) -> list[str]:
    """Return a table of milliseconds by number of lines, with the exponents."""
    sizes = sorted({lines for points in found.values() for lines, _ in points})
    head = "".join(f" {size:,} |" for size in sizes)
    rows = [f"| work |{head} exponent |", "|---|" + "---:|" * (len(sizes) + 1)]
    for work, points in found.items():
        times = dict(points)
        cells = "".join(f" {1000 * times[size]:,.1f} |" if size in times else " |" for size in sizes)
        rows.append(f"| {work} |{cells} {exponent(points):.2f} |")
    return rows
