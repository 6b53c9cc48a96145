"""Write docs/benchmarks.md and its plot from one run."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

import growth
import plot
import real
import targets
from cases import CASES
from results import Results

import pagemeter as pm

DOCS = Path(__file__).resolve().parents[1] / "docs"
DOCUMENT = DOCS / "benchmarks.md"
PICTURE = DOCS / "images" / "growth.svg"
TOOLS = ("rapidfuzz", "edlib", "jiwer", "dinglehopper", "lxml", "numpy", "highspy")

INTRODUCTION = """\
# Benchmarks

`make bench` writes this page. `make bench ARGS=--quick` prints the tables without the slow rows of `S`.
Every answer is checked before it is timed: bounds hold, the reported matching has the reported errors
according to rapidfuzz, and rivals agree with each other. Times are CPU times of one thread, the minimum of
several runs, so other load on the machine has little effect. Ratios compare times of the same run.

*flat* is `rapidfuzz.distance.Levenshtein` on both pages, each joined into one string. This is the number
that other tools compute.
"""


def machine() -> str:
    """Return the processor and the date of the run."""
    path = Path("/proc/cpuinfo")
    cpu = re.search(r"model name\s*: (.*)", path.read_text(encoding="utf-8")) if path.exists() else None
    name = cpu[1] if cpu else platform.machine()
    today = dt.datetime.now(tz=dt.UTC).date()
    return f"Measured on {today} on {name}, {os.cpu_count()} cores, {platform.system()}."


def versions() -> str:
    tools = ", ".join(f"{name} {version(name)}" for name in TOOLS)
    return f"pagemeter {pm.__version__}, Python {platform.python_version()}, {tools}."


def write(results: Results, grown: dict[str, growth.Points], real_rows: list[str]) -> None:
    """Write the page and its plot."""
    plot.write(PICTURE, grown, "lines on the page", "CPU seconds")
    lines = [
        INTRODUCTION,
        *(machine(), versions(), ""),
        *("## Targets", "", *targets.HEADER, *(t.row() for t in targets.targets(results)), "", LIMITS, ""),
        *("## Cases", "", *(f"- **{name}**: {make().what}" for name, make in CASES.items()), ""),
        *(*results.rows(), ""),
        *("## Growth", "", f"![CPU time by lines on the page, both logarithmic](images/{PICTURE.name})", ""),
        GROWTH,
        *("", *growth.table(grown), ""),
    ]
    if real_rows:
        lines += ["## Real pages", "", REAL, "", *real.HEADER, *real_rows, ""]
    DOCUMENT.write_text("\n".join(lines), encoding="utf-8")


LIMITS = """\
Where the time goes: `CER:R` and `CER` compute the distances of all line pairs that a solution could use.
`CER:RS` makes one sweep over the cells within the budget; with permuted columns these are nearly all cells.
`CER:S` proves a clean page by one sweep over all lines and words; noisy pages take tens to hundreds. `WER:S`
takes longer than that on a large page: half of its time are sweeps with fractional multipliers.
On a small page, most of the time is the conversion of texts to tokens. `pagemeter eval` of many pages
cannot be as fast as parsing with lxml: reading takes about as long, neighbours and eight measures take
twice as long, and the rest is start-up, intervals and communication between processes."""
GROWTH = f"""\
Lines of 40 characters with 5 % errors; CPU milliseconds by the number of lines. The exponent is fitted from
{growth.FITTED_FROM} lines on. `S` has the default effort, so its largest pages are not proven."""
REAL = f"""\
All pairs of the sets of real pages next to the clone, with CPU time summed over pages. Measures with G are
evaluated if both sides have positions. `S` and `SG` have an effort of {real.PATIENCE:g} per measure and
page; *proven* is the number of scores with a proof."""
