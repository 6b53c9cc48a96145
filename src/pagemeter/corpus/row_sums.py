"""Rates of the rows of a `ScoreTable`, and their sum, by the denominator and average of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagemeter.measure import Measure
    from pagemeter.settings import Settings

_COUNTS = ("ins", "dels", "sub", "cor")


def row_bases(
    denominator: str,
    ins: NDArray[Any],
    dels: NDArray[Any],
    sub: NDArray[Any],
    cor: NDArray[Any],
) -> NDArray[Any]:
    """Return what errors are divided by, as `Score.base` does."""
    both = cor + sub
    bases: dict[str, NDArray[Any]] = {
        "gt": both + ins,
        "max": both + np.maximum(ins, dels),
        "path": both + ins + dels,
        "both": 2 * both + ins + dels,
    }
    return bases[denominator]


def row_rates(rows: NDArray[Any], settings: Settings | None) -> NDArray[np.float64]:
    """Return the rate of each row, as `Score.rate` does."""
    parts = [rows[name].astype(np.float64) for name in _COUNTS]
    bases = row_bases(settings.denominator if settings else "gt", *parts)
    errors = parts[0] + parts[1] + parts[2]
    empty = {"inf": np.where(errors > 0, np.inf, 0.0), "count": errors, "zero": np.zeros(len(rows))}
    without = empty[settings.empty if settings else "inf"]
    return np.where(bases > 0, errors / np.maximum(bases, 1), without)


def sum_rows(measure: Measure, rows: NDArray[Any], settings: Settings | None = None) -> Score:
    """Return the sum of the rows of a measure."""
    *counts, bound = (int(rows[name].sum(dtype=np.int64)) for name in (*_COUNTS, "lower_bound"))
    ins, dels, sub, cor = (rows[name].astype(np.float64) for name in _COUNTS)
    longer = cor + sub + np.maximum(ins, dels)
    summed_ned = float(((ins + dels + sub) / np.maximum(longer, 1)).sum())
    canonical, interrupted = bool(rows["canonical"].all()), bool(rows["interrupted"].any())
    average = settings.average if settings and len(rows) else "micro"
    return Score(
        measure,
        Counts(*counts),
        bound,
        canonical,
        settings=settings,
        interrupted=interrupted,
        pages=len(rows),
        summed_ned=summed_ned,
        longer=int(longer.sum()),
        summed_rate=float(row_rates(rows, settings).sum()) if average == "macro" else None,
        median_rate=float(np.median(row_rates(rows, settings))) if average == "median" else None,
    )
