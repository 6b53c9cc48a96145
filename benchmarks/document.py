"""docs/benchmarks.md and its picture, from one run."""

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

`make bench` writes this page; `make bench ARGS=--quick` prints the tables without the slow rows of `S`. Every
answer is checked before its time counts: bounds hold, the reported matching makes the reported errors by
rapidfuzz, rivals agree with each other. Times are CPU time of one thread, the least of several runs, so that
what else runs on the machine matters little; ratios are of times in the same run.

*flat* is `rapidfuzz.distance.Levenshtein` on the two pages as one string each: the one number that other
tools compute.
"""


def machine() -> str:
    """Processor and date of the run."""
    path = Path("/proc/cpuinfo")
    cpu = re.search(r"model name\s*: (.*)", path.read_text(encoding="utf-8")) if path.exists() else None
    name = cpu[1] if cpu else platform.machine()
    today = dt.datetime.now(tz=dt.UTC).date()
    return f"Measured on {today} on {name}, {os.cpu_count()} cores, {platform.system()}."


def versions() -> str:
    tools = ", ".join(f"{name} {version(name)}" for name in TOOLS)
    return f"pagemeter {pm.__version__}, Python {platform.python_version()}, {tools}."


def write(results: Results, grown: dict[str, growth.Points], real_rows: list[str]) -> None:
    """The page and its picture."""
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
What limits each: `CER:R` and `CER` the distances of the pairs of lines that a solution could use;
`CER:RS` one sweep over the cells that the budget leaves, on permuted columns nearly all; `S` sweeps over
all lines and words, some tens of them; a small page the way from texts to tokens. `pagemeter eval` of
many pages cannot come near a bare parse by lxml: taking lines and positions out of the parsed tree, in
Python, costs as much again, neighbours of lines and eight measures about as much as both, and beginning,
intervals and passing results between processes the rest."""
GROWTH = f"""\
Lines of 40 characters with 5 % errors; CPU milliseconds by the number of lines. The exponent is fitted from
{growth.FITTED_FROM} lines on. `S` ends at its time limit of 60 s at the latest."""
REAL = f"""\
All pairs of the sets of real pages that lie beside the clone, CPU time summed over pages; measures with G
where both sides have positions. `S` and `SG` may take {real.PATIENCE:g} s a measure and page; *proven* counts
those that end with a proof."""
