"""Results of a benchmark run: seconds and answer of each work on each case, and single numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from answers import check, check_relations
from cases import CASES, Case
from rivals import RIVALS, flat
from timing import Seconds, best

import pagemeter as pm

FLAT = "flat"
IDS = ("CER:R", "CER", "CER:RS", "WER:R", "WER", "WER:RS", "BOW")
SLOW_IDS = ("CER:S", "WER:S")
RIVAL_CASES = ("b", "c", "d", "h")


@dataclass(slots=True)
class Results:
    """Results by (case, work). `scores` are pagemeter's, `numbers` are not CPU times of a case."""

    seconds: dict[tuple[str, str], Seconds] = field(default_factory=dict)
    scores: dict[tuple[str, str], pm.Score] = field(default_factory=dict)
    answers: dict[tuple[str, str], str] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)

    def rows(self) -> Iterator[str]:
        """Return the table rows in the order of the cases."""
        yield "| case | work | CPU ms | × flat | answer |"
        yield "|---|---|---:|---:|---|"
        for name in CASES:
            for (case, work), seconds in self.seconds.items():
                if case == name:
                    yield self.row(case, work, seconds)

    def row(self, case: str, work: str, seconds: Seconds) -> str:
        ratio = seconds / self.seconds[case, FLAT]
        return f"| {case} | {work} | {1000 * seconds:,.1f} | {ratio:.2f} | {self.answers[case, work]} |"

    def add(self, case: str, work: str, seconds: Seconds, answer: str) -> None:
        self.seconds[case, work] = seconds
        self.answers[case, work] = answer
        print(self.row(case, work, seconds), flush=True)


def measure_rivals(results: Results, case: Case) -> None:
    """Time the flat distance by rapidfuzz, the unit of all ratios, and other tools that compute it."""
    seconds, distance = best(flat(case))
    results.add(case.name, FLAT, seconds, f"{distance:,} errors")
    for rival, prepare in RIVALS.items() if case.name in RIVAL_CASES else ():
        seconds, errors = best(prepare(case), 2)
        assert errors == distance, rival
        results.add(case.name, rival, seconds, f"{errors:,} errors")


def measure_ours(results: Results, case: Case, ids: tuple[str, ...]) -> None:
    for measure in ids:
        seconds, score = best(partial(evaluate, case, measure))
        check(case, score)
        results.scores[case.name, measure] = score
        proven = "" if score.optimal else f", proven ≥ {score.lower_bound:,}"
        results.add(case.name, measure, seconds, f"{score.errors:,} errors{proven}")
    check_relations(
        {work: score.errors for (name, work), score in results.scores.items() if name == case.name}
    )


def evaluate(case: Case, measure: str) -> pm.Score:
    return pm.evaluate(case.gt, case.hyp, [measure])[measure]
