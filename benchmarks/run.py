"""`make bench`: measures and rivals on the same pages, as ratios to a flat edit distance in the same run.

    python benchmarks/run.py [--cases b,c] [--write]

Answers are asserted before they are timed. With --write the table goes into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import datetime as dt
import platform
import resource
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

from cases import CASES, Case
from rivals import RIVALS, flat
from timing import best

import pagemeter as pm

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
IDS = ("CER:R", "CER", "CER:RS", "CER:S", "WER:R", "WER", "WER:RS", "WER:S", "BOW")
RIVAL_CASES = ("b", "c", "d", "h")


def check(case: Case, score: pm.Score) -> None:
    """What must be true of any answer: a bound that holds, and counts that add up to the page."""
    assert score.lower_bound <= score.errors
    assert score.optimal or "S" in str(score.measure), f"{case.name} {score.measure} is not proven"
    cut = str if score.measure.unit == "CER" else str.split
    assert score.n_gt == sum(len(cut(line)) for line in case.gt)


def evaluate(case: Case, measure: str) -> pm.Score:
    return pm.evaluate(case.gt, case.hyp, [measure])[measure]


def rows(names: list[str]) -> Iterator[tuple[str, str, float, float, str]]:
    """(case, work, seconds, ratio to flat, remark)."""
    for name in names:
        case = CASES[name]()
        unit, distance = best(flat(case))
        yield name, "flat (rapidfuzz)", unit, 1.0, f"{distance} errors"
        if name in RIVAL_CASES:
            for rival, prepare in RIVALS.items():
                seconds, errors = best(prepare(case), 1)
                assert errors == distance, rival
                yield name, rival, seconds, seconds / unit, f"{errors} errors"
        for measure in IDS:
            seconds, score = best(partial(evaluate, case, measure))
            check(case, score)
            remark = f"{score.errors} errors" + ("" if score.optimal else f", proven ≥ {score.lower_bound}")
            yield name, measure, seconds, seconds / unit, remark


def line_of(row: tuple[str, str, float, float, str]) -> str:
    case, work, seconds, ratio, remark = row
    return f"| {case} | {work} | {1000 * seconds:,.1f} | {ratio:.2f} | {remark} |"


HEADER = ["| case | work | CPU ms | × flat | answer |", "|---|---|---:|---:|---|"]


def describe() -> list[str]:
    tools = ", ".join(f"{name} {version(name)}" for name in ("rapidfuzz", "edlib", "jiwer", "dinglehopper"))
    cpu = next((line.partition(":")[2].strip() for line in _cpuinfo() if line.startswith("model name")), "")
    return [
        f"Measured on {dt.datetime.now(tz=dt.UTC).date()}, one thread of {cpu or platform.machine()}.",
        f"pagemeter {pm.__version__}, Python {platform.python_version()}, {tools}.",
        "",
        *(f"- **{name}**: {make().what}" for name, make in CASES.items()),
    ]


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", default=",".join(CASES), help="which cases, comma-separated")
    parser.add_argument("--write", action="store_true", help=f"write the table to {DOCUMENT.name}")
    arguments = parser.parse_args()
    print("\n".join(HEADER))
    table = []
    for row in rows(arguments.cases.split(",")):
        table.append(line_of(row))
        print(table[-1], flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if arguments.write:
        lines = ["# Benchmarks", "", *describe(), "", *HEADER, *table, ""]
        DOCUMENT.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
