"""Speed targets: each row has a number, its limit, and whether it was met."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from results import FLAT, Results

# Milliseconds of a proven score of CER:S; half of them for WER:S.
CERTIFIED = {"b": 2, "c": 50, "d": 1000, "d-cols": 1500, "d-merge": 1500}


@dataclass(frozen=True, slots=True)
class Target:
    """A number with an upper limit."""

    what: str
    limit: float
    unit: str
    value: float
    met: bool

    def row(self) -> str:
        limit, value = f"≤ {self.limit:g} {self.unit}", f"{self.value:,.2f}"
        return f"| {self.what} | {limit} | {value} | {'yes' if self.met else '**no**'} |"


def targets(results: Results) -> Iterator[Target]:
    """Return all targets whose numbers were measured."""
    for case, work, against, limit in _ratios():
        if (case, work) in results.seconds and (case, against) in results.seconds:
            value = results.seconds[case, work] / results.seconds[case, against]
            certified = work == "CER:S"
            met = value <= limit and (not certified or results.scores[case, work].optimal)
            yield Target(f"{work} on {case}" + certified * ", certified", limit, f"× {against}", value, met)
    for work, share in (("CER:S", 1.0), ("WER:S", 0.5)):
        for case, limit in CERTIFIED.items():
            if (case, work) in results.seconds:
                yield _certified(results, case, work, share * limit)
    for what, limit, unit in _NUMBERS:
        if what in results.numbers:
            value = results.numbers[what]
            yield Target(what, limit, unit, value, value <= limit)


def _ratios() -> Iterator[tuple[str, str, str, float]]:
    """Return the targets as (case, work, rival, limit)."""
    yield from (("b", "CER:R", FLAT, 1), ("c", "CER:R", FLAT, 1), ("d", "CER:R", FLAT, 0.3))
    yield from ((case, "CER", FLAT, 1) for case in ("b", "c", "d", "d-cols"))
    yield from (("c", "CER:RS", FLAT, 1), ("d", "CER:RS", FLAT, 1), ("d", "CER:RS", "edlib", 2))
    yield from ((case, "CER:RS", FLAT, 2) for case in ("d-cols", "d-merge"))
    yield from ((case, "CER:S", "CER:RS", 30) for case in ("b", "h"))
    for letters in (":R", "", ":RS", ":S"):
        for case in ("b", "c", "d", "d-cols", "d-merge", "h"):
            yield case, f"WER{letters}", f"CER{letters}", 1
    yield from ((case, "BOW", "CER", 1) for case in ("b", "c", "d", "d-cols", "d-merge", "h"))


def _certified(results: Results, case: str, work: str, limit: float) -> Target:
    """Return the target for the time of a proven score of S."""
    score, milliseconds = results.scores[case, work], 1000 * results.seconds[case, work]
    gap = (score.errors - score.lower_bound) / score.n_gt
    what = f"{work} on {case}, {'certified' if score.optimal else f'gap {gap:.2%} of GT'}"
    return Target(what, limit, "ms", milliseconds, score.optimal and milliseconds <= limit)


REAL_PAGE = "all eighteen on a real page of 26 to 41 lines, median of 9"
REAL_WORST = "all eighteen on a real page of 26 to 41 lines, worst of 9"
NEWSPAPER = "all eighteen on a real newspaper page of 87 lines, worst of 5"
MEMORY = "peak memory of {} on d"
CORPUS = "`pagemeter eval` of 1,000 page pairs"
LOADING = "loading the real files"

_NUMBERS = (
    (REAL_PAGE, 25, "ms"),
    (REAL_WORST, 25, "ms"),
    (NEWSPAPER, 1000, "ms"),
    *((MEMORY.format(name), 150, "MB") for name in ("CER:R", "CER", "CER:RS", "WER:RS", "BOW")),
    (MEMORY.format("CER:S"), 100, "MB"),
    (CORPUS, 2, "× reading the files with lxml"),
    (LOADING, 2, "× parsing them with lxml"),
)
HEADER = ("| what | target | measured | met |", "|---|---:|---:|---|")
