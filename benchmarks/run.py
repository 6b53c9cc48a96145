"""Time measures and rivals on the same pages, as ratios to a flat edit distance (`make bench`).

    python benchmarks/run.py [--cases b,c] [--quick] [--write]

--quick omits S on the larger pages. --write updates docs/benchmarks.md.
"""

from __future__ import annotations

import argparse

import corpus
import document
import growth
import load
import memory
import real
import targets
from cases import CASES
from results import IDS, SLOW_IDS, Results, measure_ours, measure_rivals

SMALL = ("b", "h")  # where S is quick


def measure_cases(results: Results, names: list[str], *, quick: bool) -> None:
    """Run all works on all cases, slow ones last."""
    cases = [CASES[name]() for name in names]
    for case in cases:
        measure_rivals(results, case)
        measure_ours(results, case, IDS + (SLOW_IDS if case.name in SMALL else ()))
    for case in cases:
        if case.name not in SMALL and not quick:
            measure_ours(results, case, SLOW_IDS)


def measure_numbers(results: Results, *, quick: bool) -> None:
    """Measure the numbers that are not CPU times of a case."""
    for name in ("CER:R", "CER", "CER:RS", "WER:RS", "BOW", *(() if quick else ("CER:S",))):
        results.numbers[targets.MEMORY.format(name)] = memory.growth("d", name)
    reading, evaluating = corpus.measure()
    results.numbers[targets.CORPUS] = evaluating / reading
    if real.PAGES.is_dir():
        results.numbers[targets.LOADING] = load.ratio()
        real.measure(results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--cases", default=",".join(CASES), help="which cases, comma-separated; no other numbers"
    )
    parser.add_argument("--quick", action="store_true", help="leave out S on the larger pages")
    parser.add_argument("--write", action="store_true", help=f"write docs/{document.DOCUMENT.name}")
    asked = parser.parse_args()
    results = Results()
    names = asked.cases.split(",")
    measure_cases(results, names, quick=asked.quick)
    grown: dict[str, growth.Points] = {}
    rows: list[str] = []
    if names == list(CASES):
        measure_numbers(results, quick=asked.quick)
        grown = growth.measure(with_slow=not asked.quick)
        rows = list(real.rows(with_slow=not asked.quick)) if real.PAGES.is_dir() else []
    print(*targets.HEADER, *(target.row() for target in targets.targets(results)), sep="\n")
    print(*growth.table(grown) if grown else (), *real.HEADER, *rows, sep="\n")
    if asked.write and grown:
        document.write(results, grown, rows)


if __name__ == "__main__":
    main()
