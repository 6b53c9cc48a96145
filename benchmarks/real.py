"""Measure the time of all measures on real pages next to the clone, in a warm process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from rapidfuzz.distance import Levenshtein
from results import Results
from targets import NEWSPAPER, REAL_PAGE, REAL_WORST
from timing import best

import pagemeter as pm
from pagemeter.formats import load_pages
from pagemeter.inputs.arguments import pair
from pagemeter.measure import ALL, IDS
from pagemeter.preparation import Source

PAGES = Path(__file__).resolve().parents[2] / "shared" / "data" / "pages"
PATIENCE = 10.0  # units of effort for S on one page


@dataclass(slots=True)
class Sums:
    """The number of pages of a set and their CPU seconds."""

    pages: int = 0
    lines: int = 0
    flat: float = 0.0
    quick: float = 0.0
    slow: float = 0.0
    proven: int = 0
    asked: int = 0

    def add(self, gt: pm.Page, hyp: pm.Page, *, with_slow: bool) -> None:
        texts = ["\n".join(line.text for line in page.lines) for page in (gt, hyp)]
        ids = [
            measure
            for measure in ALL
            if not measure.geometry or (Source.of(gt).has_all_positions and Source.of(hyp).has_all_positions)
        ]
        slow = [measure for measure in ids if measure.segmentation and not measure.order and with_slow]
        quick = [measure for measure in ids if not measure.segmentation or measure.order]
        self.pages += 1
        self.lines += len(gt.lines)
        self.flat += best(partial(Levenshtein.distance, *texts), 3)[0]
        self.quick += best(partial(pm.evaluate, gt, hyp, quick), 3)[0]
        if slow:
            seconds, found = best(partial(pm.evaluate, gt, hyp, slow, effort=PATIENCE), 1)
            self.slow += seconds
            self.proven += sum(score.optimal for score in found.values())
            self.asked += len(slow)

    def row(self, name: str) -> str:
        shown = f"{1000 * self.slow:,.0f} | {self.proven} of {self.asked}" if self.asked else " | "
        quick = f"{1000 * self.flat:,.1f} | {1000 * self.quick:,.0f}"
        return f"| {name} | {self.pages} | {self.lines:,} | {quick} | {shown} |"


HEADER = (
    "| set | pairs | GT lines | flat, ms | all but S and SG, ms | S and SG, ms | proven |",
    "|---|---:|---:|---:|---:|---:|---:|",
)


def pages_of(folder: Path) -> Iterator[tuple[pm.Page, pm.Page]]:
    """Return the page pairs of a set; if a hypothesis has several formats, take XML."""
    for hyp in sorted(folder.glob("hyp-*")) if (folder / "gt").is_dir() else ():
        suffixes = (".xml",) if any(hyp.glob("*.xml")) else ()
        for found in pair(folder / "gt", hyp, hyp_suffixes=suffixes).pairs:
            if found.gt and found.hyp:
                yield from zip(load_pages(found.gt), load_pages(found.hyp), strict=False)


def rows(*, with_slow: bool) -> Iterator[str]:
    """Return one row per set."""
    for folder in sorted(PAGES.iterdir()):
        sums = Sums()
        for gt, hyp in pages_of(folder):
            sums.add(gt, hyp, with_slow=with_slow)
        if sums.pages:
            yield sums.row(folder.name)


def measure(results: Results) -> None:
    """Return the numbers for the targets on real pages, in milliseconds."""
    small = [1000 * eighteen(*sides) for sides in pages_of(PAGES / "citlab-error-rate")]
    large = [1000 * eighteen(*sides) for sides in pages_of(PAGES / "citlab-error-rate-atr")]
    assert (len(small), len(large)) == (9, 5)
    results.numbers |= {REAL_PAGE: median(small), REAL_WORST: max(small), NEWSPAPER: max(large)}


def eighteen(gt: pm.Page, hyp: pm.Page) -> float:
    seconds, found = best(partial(pm.evaluate, gt, hyp, IDS))
    assert all(score.optimal for score in found.values())
    return seconds
