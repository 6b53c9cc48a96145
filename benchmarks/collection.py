"""Measure throughput, memory, overhead and cost of many pages for docs/scale.md: `make bench-collection`.

python benchmarks/collection.py            print the table
python benchmarks/collection.py --write    write it to docs/scale.md
python benchmarks/collection.py --small    use few pages, as a quick check
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import corpus
from cases import merged, noisy, text_lines
from document import DOCS, machine
from timing import Usage, used

DOCUMENT = DOCS / "scale.md"
MARKS = "<!-- measured: make bench-collection -->", "<!-- end of what was measured -->"
PRICE = 0.04
"""US dollars per core and hour: roughly the list price of a virtual core with 4 GB in a cloud."""
LIBRARY = 2_000_000
TURNS = 2  # repetitions; the minimum counts
IN_PROCESS = """
import sys
from pathlib import Path
from pagemeter.corpus import Totals
from pagemeter.inputs import pair
from pagemeter.runners import evaluate_pairs
totals = Totals()
top = Path(sys.argv[1])
for result in evaluate_pairs(pair(top / "gt", top / "hyp").pairs, ["CER"]):
    totals.add(result)
assert totals.pages and not totals.failed
"""


def small_pages(folder: Path, count: int) -> Path:
    """Write pages of four lines of plain text."""
    for side in ("gt", "hyp"):
        (folder / side).mkdir(parents=True)
    for number in range(count):
        rng = random.Random(number)
        gt = text_lines(rng, 4, 40)
        write(folder, f"{number:06}.txt", gt, [noisy(rng, line, 0.05) for line in gt])
    return folder


def newspaper_pages(folder: Path, count: int) -> Path:
    """Write copies of a page of 3,000 lines, of which 10 % are merged and 10 % are split."""
    case = merged()
    for side in ("gt", "hyp"):
        (folder / side).mkdir(parents=True)
    for number in range(count):
        write(folder, f"{number:06}.txt", case.gt, case.hyp)
    return folder


def write(folder: Path, name: str, gt: list[str], hyp: list[str]) -> None:
    (folder / "gt" / name).write_text("\n".join(gt), encoding="utf-8")
    (folder / "hyp" / name).write_text("\n".join(hyp), encoding="utf-8")


def pages_of_thirty(folder: Path, count: int) -> Path:
    """Write pages of about thirty lines with polygons and baselines as PAGE XML."""
    folder.mkdir()
    corpus.make(folder, count)
    return folder


def evaluated(folder: Path, count: int, *options: object) -> Usage:
    """Return the cost of a run over all pages, after checking that it evaluated all of them."""
    pagemeter, report = Path(sys.executable).with_name("pagemeter"), folder / "report.json"
    command = [pagemeter, "eval", folder / "gt", folder / "hyp", "--json", report, *options]
    usage = used(list(map(str, command)))
    assert len(json.loads(report.read_text(encoding="utf-8"))["pages"]) == count
    return usage


def by_jobs(folder: Path, count: int) -> list[Usage]:
    """Return the minimum cost of a run with one process and of a run with two, each with a new store."""
    runs = [
        [evaluated(folder, count, "--jobs", jobs, "--store", folder / f"{turn} {jobs}") for jobs in (1, 2)]
        for turn in range(TURNS)
    ]
    return [min(usages, key=lambda usage: usage.clock) for usages in zip(*runs, strict=True)]


def store_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def rows(top: Path, few: int, many: int, papers: int) -> Iterator[tuple[str, str]]:
    """Return the measurements as text."""
    sizes = {few: small_pages(top / "few", few), many: small_pages(top / "many", many)}
    options = "-m", "CER", "--jobs", 1, "--store"
    kept = [evaluated(folder, count, *options, folder / "store") for count, folder in sizes.items()]
    alone = [used([sys.executable, "-c", IN_PROCESS, str(folder)]) for folder in sizes.values()]
    peaks = [f"{usage.peak / 1e6:.0f}" for usage in kept]
    growth = f"{' and '.join(peaks)} MB, {kept[1].peak / kept[0].peak:.2f} ×"
    yield f"memory of the command with {few:,} and {many:,} small pages", growth
    milliseconds = [1000 * (usage[1].cpu - usage[0].cpu) / (many - few) for usage in (kept, alone)]
    yield "pool, store and JSON, per page", f"{milliseconds[0] - milliseconds[1]:.2f} ms of a core"

    pages = 3 * few  # so that start and end take a small share
    thirty = pages_of_thirty(top / "thirty", pages)
    single, double = by_jobs(thirty, pages)
    yield (
        "page of 30 lines with positions, default measures",
        f"{pages / single.cpu:.0f} pages per second and core",
    )
    yield "two processes instead of one, such pages", f"{single.clock / double.clock:.2f} × as fast"
    single, double = by_jobs(sizes[many], many)
    ratio = f"{single.clock / double.clock:.2f} × as fast, {double.clock:.1f} s for {many:,}"
    yield "two processes instead of one, small pages", ratio
    size = store_bytes(thirty / "0 2") / pages
    yield "store, per page", f"{size:.0f} bytes"

    paper = newspaper_pages(top / "papers", papers)
    seconds = evaluated(paper, papers, "--jobs", 2).cpu / papers
    yield "newspaper page of 3,000 lines, default measures", f"{seconds:.1f} s of a core"
    hours = LIBRARY * seconds / 3600
    money = f"${hours * PRICE:,.0f} at ${PRICE} per core-hour"
    yield (
        f"{LIBRARY:,} such pages, extrapolated",
        f"{hours:,.0f} core-hours, {hours / 24 / 1000:.2f} days on 1,000 cores",
    )
    yield "cost of these pages", f"{money}, and a store of {LIBRARY * size / 1e9:.1f} GB"


def table(measured: list[tuple[str, str]]) -> str:
    return "\n".join(["| | |", "|---|---|", *(f"| {what} | {value} |" for what, value in measured)])


def measured_in(text: str) -> str:
    """Return the text between the marks of a document."""
    return text.partition(MARKS[0])[2].partition(MARKS[1])[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    few, many, papers = (300, 3000, 2) if options.small else (2000, 20_000, 8)
    with tempfile.TemporaryDirectory() as name:
        found = f"{machine()}\n\n{table(list(rows(Path(name), few, many, papers)))}"
    print(found)
    if options.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        before = measured_in(text)
        DOCUMENT.write_text(text.replace(MARKS[0] + before, f"{MARKS[0]}\n\n{found}\n\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
