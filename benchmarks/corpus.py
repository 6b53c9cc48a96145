"""Compare `pagemeter eval` on 1,000 pairs of PAGE XML with reading the files: `python benchmarks/corpus.py`.

The pages are synthetic: about 30 lines, each with a polygon of 24 points and a baseline of 6, as Transkribus
writes them. Both run as separate processes, in turn. The result is the CPU time with children, best of three.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from cases import noisy, text_lines
from timing import Seconds, child

PAGES = 1000
RUNS = 3
# The default measures with positions, without S.
MEASURES = ("CER:R", "CER:RS", "WER:R", "BOW", "CER:RG", "CER:RSG", "WER:RG", "BOW:G")
READ = "import sys; from lxml import etree; [etree.parse(path) for path in sys.stdin.read().split()]"

PAGE = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15">
    <Metadata>
        <Creator>benchmark</Creator>
        <Created>2024-01-01T00:00:00</Created>
        <LastChange>2024-01-01T00:00:00</LastChange>
    </Metadata>
    <Page imageFilename="{name}.jpg" imageWidth="2400" imageHeight="3400">
        <ReadingOrder>
            <OrderedGroup id="order" caption="Regions reading order">
                <RegionRefIndexed index="0" regionRef="r1"/>
            </OrderedGroup>
        </ReadingOrder>
        <TextRegion id="r1" custom="readingOrder {{index:0;}}">
            <Coords points="200,200 2200,200 2200,3300 200,3300"/>
{lines}
        </TextRegion>
    </Page>
</PcGts>
"""
LINE = """\
            <TextLine id="r1l{number}" custom="readingOrder {{index:{number};}}">
                <Coords points="{polygon}"/>
                <Baseline points="{baseline}"/>
                <TextEquiv>
                    <Unicode>{text}</Unicode>
                </TextEquiv>
            </TextLine>"""


def page_xml(rng: random.Random, name: str, lines: list[str]) -> str:
    """Return a page with wavy lines, one below the other."""
    out = []
    for number, text in enumerate(lines):
        y = 300 + 95 * number
        top = [(210 + 170 * i, y - 60 + rng.randint(-9, 9)) for i in range(12)]
        bottom = [(x, y + 25 + rng.randint(-9, 9)) for x, _ in reversed(top)]
        baseline = [(210 + 370 * i, y + rng.randint(-5, 5)) for i in range(6)]
        polygon = points(top + bottom)
        out.append(LINE.format(number=number, polygon=polygon, baseline=points(baseline), text=escape(text)))
    return PAGE.format(name=name, lines="\n".join(out))


def points(pairs: list[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in pairs)


def make(folder: Path, pages: int) -> list[Path]:
    """Write the files of both sides to the folders gt and hyp."""
    paths = []
    for side in ("gt", "hyp"):
        (folder / side).mkdir()
    for number in range(pages):
        rng = random.Random(number)
        gt = text_lines(rng, rng.randint(25, 33), 45)
        for side, lines in (("gt", gt), ("hyp", [noisy(rng, line, 0.05) for line in gt])):
            paths.append(folder / side / f"{number:04}.xml")
            paths[-1].write_text(page_xml(rng, f"{number:04}", lines), encoding="utf-8")
    return paths


def command(folder: Path, report: Path) -> list[str]:
    chosen = [part for measure in MEASURES for part in ("-m", measure)]
    pagemeter = Path(sys.executable).with_name("pagemeter")
    return [
        *map(str, (pagemeter, "eval", folder / "gt", folder / "hyp")),
        *chosen,
        *("--jobs", "1", "--json", str(report)),
    ]


def check(report: Path, pages: int) -> None:
    """Check that all pages were evaluated and proven."""
    found = json.loads(report.read_text(encoding="utf-8"))
    assert len(found["pages"]) == pages
    assert all(found["total"][measure]["optimal"] for measure in MEASURES)


def measure(pages: int = PAGES) -> tuple[Seconds, Seconds]:
    """Return the CPU seconds of reading all files, and of evaluating them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = "\n".join(map(str, make(folder, pages)))
        report = folder / "report.json"
        read, evaluated = [], []
        for _ in range(RUNS):
            read.append(child([sys.executable, "-c", READ], paths))
            evaluated.append(child(command(folder, report)))
            check(report, pages)
    return min(read), min(evaluated)


if __name__ == "__main__":
    reading, evaluating = measure()
    print(
        f"{PAGES} pairs: reading {reading:.2f} s, evaluating {evaluating:.2f} s: {evaluating / reading:.2f} ×"
    )
