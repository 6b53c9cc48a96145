"""Compare the kernel with independent solvers on random pages (`make fuzz-kernel`).

With tests in PYTHONPATH:

    python -m fuzz.kernel [--seconds T] [--cases N] [--seed S] [--only CASE] [--verbose]

Every measure of every page is compared with an independent solver if the page is small enough. Its matching
is scored again, and its bound is checked, also with an effort of 0. A failing page is reduced and printed
with the command that repeats it. If the kernel crashes, --verbose shows the case as its last line.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from dataclasses import replace

from fuzz.shapes import Shape, shape
from pagemeter.measure import ALL, Measure
from pagemeter.score import Score
from pagemeter.solve import score
from pages import expected, problem
from reference.rescore import rescored

MOST_CELLS = 60_000  # of a plain dynamic programme: tenths of a second
MOST_RUNS = 1500  # columns of an integer programme


def judgeable(page: Shape, measure: Measure) -> bool:
    """Return True if the independent solvers are fast enough for this page."""
    if measure.order:
        return page.cells() <= MOST_CELLS
    if measure.is_bag:
        return sum(len(line.split()) for line in page.gt) * page.words() <= MOST_RUNS
    runs = len(page.gt) * page.words() ** 2 // 2 if measure.segmentation else len(page.gt) * len(page.hyp)
    return runs <= MOST_RUNS and page.cells() <= MOST_CELLS


def examine(page: Shape, measure: Measure) -> str:
    """Raise AssertionError if the score is wrong, and return how it was checked."""
    given = problem(page.gt, page.hyp, measure, page.near)
    found = score(measure, given)
    hasty = score(measure, replace(given, effort=0.0)) if measure.segmentation else found
    for each in (found, hasty):
        check(each, page)
        assert hasty.lower_bound <= each.errors
    assert found.lower_bound <= hasty.errors
    if not judgeable(page, measure):
        return "bounds"
    counts = expected(page.gt, page.hyp, measure, page.near)
    assert hasty.lower_bound <= counts[0], (
        f"proved {hasty.lower_bound} without effort, minimum is {counts[0]}"
    )
    assert (found.errors, found.cor, found.sub) == counts, f"found {found.counts}, expected {counts}"
    assert found.optimal
    assert found.canonical
    return "counts"


def check(found: Score, page: Shape) -> None:
    """Check what holds for any score: its bound, and that its matching has its counts."""
    assert 0 <= found.lower_bound <= found.errors
    again = rescored(found, page.gt, page.hyp, page.near)
    assert again == (found.errors, found.cor, found.sub), f"{found.counts}, but its matching makes {again}"


def fails(page: Shape, measure: Measure) -> AssertionError | None:
    try:
        examine(page, measure)
    except AssertionError as error:
        return error
    return None


def smaller(page: Shape, measure: Measure) -> Shape:
    """Return the page with as many lines removed as possible while it still fails."""
    tries = [page.without_gt(x) for x in range(len(page.gt))]
    tries += [page.without_hyp(y) for y in range(len(page.hyp))]
    for less in tries:
        if fails(less, measure):
            return smaller(less, measure)
    return page


def run_case(seed: str, number: int) -> Counter[str]:
    """Check all measures of one page; the page depends only on its number and the seed."""
    page = shape(random.Random(f"{seed}/{number}"))
    tally: Counter[str] = Counter()
    for measure in ALL:
        try:
            tally[examine(page, measure)] += 1
        except AssertionError:
            least = smaller(page, measure)
            print(f"{measure} fails on case {number} of seed {seed}: {fails(least, measure)}\n{least}")
            print(f"again: python -m fuzz.kernel --seed {seed} --only {number}")
            raise
    return tally


def run(
    seed: str, *, cases: float = math.inf, seconds: float = math.inf, verbose: bool = False
) -> Counter[str]:
    """Run cases until there are enough or the time is over; return how often each check was used."""
    tally: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while tally["cases"] < cases and time.monotonic() < end:
        if verbose:
            print(f"case {tally['cases']}", flush=True)
        tally += run_case(seed, tally["cases"])
        tally["cases"] += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=math.inf, help="how long (default: until a failure)")
    parser.add_argument("--cases", type=float, default=math.inf, help="how many pages")
    parser.add_argument(
        "--seed", default=f"{random.randrange(16**8):08x}", help="any word (default: by chance)"
    )
    parser.add_argument("--only", type=int, metavar="CASE", help="this case alone")
    parser.add_argument("--verbose", action="store_true", help="name each case before it is run")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    try:
        if asked.only is not None:
            tally = run_case(asked.seed, asked.only)
        else:
            tally = run(asked.seed, cases=asked.cases, seconds=asked.seconds, verbose=asked.verbose)
    except AssertionError:
        return 1
    print(", ".join(f"{count:,} {what}" for what, count in sorted(tally.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
