"""Make the screenshots of the report in docs/images: `make screenshots` in the clone."""

from __future__ import annotations

import io
import os
import random
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from PIL import Image  # noqa: E402

from browser.driving import Browser, chromium, write  # noqa: E402
from browser.made_pages import WORDS, misread, newspaper, table  # noqa: E402
from pagemeter import evaluate  # noqa: E402
from pagemeter.cli import main as main_command  # noqa: E402
from pagemeter.corpus import MeasureSelection, PageResult  # noqa: E402
from pagemeter.demo import GT, HYP  # noqa: E402
from pagemeter.inputs import pair  # noqa: E402
from pagemeter.measure import ALL  # noqa: E402
from pagemeter.report.html import ShownPaths  # noqa: E402
from pagemeter.runners import evaluate_pairs  # noqa: E402

# The report, the address in it, width, height, and dark or light of each picture.
BOOK = "#page=1&measure=CER:SG"
SHOTS = {
    "report-book": ("demo", BOOK, 1400, 860, "light"),
    "report-book-dark": ("demo", BOOK, 1400, 860, "dark"),
    "report-book-phone": ("demo", BOOK, 390, 844, "light"),
    "report-order": ("demo", "#page=2&measure=CER:S&view=order", 1400, 640, "light"),
    "report-overview": ("demo", "", 1400, 1300, "light"),
    "report-overview-phone": ("demo", "", 390, 844, "dark"),
    "report-newspaper": ("made", "#page=1&measure=CER&line=264", 1400, 860, "light"),
    "report-newspaper-phone": ("made", "#page=1&measure=CER&line=264", 390, 844, "dark"),
    "report-newspaper-order": ("made", "#page=1&measure=CER&view=order", 1400, 860, "dark"),
    "report-letter": ("demo", "#page=letter&measure=CER:S", 1400, 860, "light"),
    "report-compare": ("five", "", 1400, 1060, "light"),
    "report-compare-phone": ("five", "", 390, 844, "dark"),
    "report-side-by-side": ("five", "#page=page-04&line=3", 1200, 860, "dark"),
    "report-table": ("made", "#page=2&measure=CER:S&line=3", 1400, 860, "light"),
    "report-table-phone": ("made", "#page=2&measure=CER:S&line=3", 390, 844, "light"),
}
WORST = 4  # the page that all systems read worse
POINTED = "document.querySelector('#line11')?.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))"
KEPT = (
    *("report-book", "report-order", "report-overview", "report-newspaper", "report-book-phone"),
    "report-compare",
)
"""Those in docs/images; all others are made to be looked at."""


def reports(folder: Path) -> dict[str, str]:
    """The addresses of the reports."""
    made = {"newspaper": newspaper(), "table": table()}
    results = [
        PageResult(
            name, f"{name}.gt.xml", f"{name}.xml", evaluate(*pages, ["CER:R", "CER:RS", "CER", "CER:S"])
        )
        for name, pages in made.items()
    ]
    demo = pair(GT, HYP)
    paths = ShownPaths((str(GT), str(HYP)))
    return {
        "demo": write(folder / "demo.html", evaluate_pairs(demo.pairs, MeasureSelection(ALL)), paths=paths),
        "made": write(folder / "made.html", results),
        "five": five_systems(folder),
    }


def five_systems(folder: Path) -> str:
    """Write the report of five systems on twelve pages, and return its address."""
    rng, names = (
        random.Random(3),
        {"alpha": 0.02, "beta": 0.022, "gamma": 0.06, "delta": 0.065, "epsilon": 0.3},
    )
    for side in ("gt", *names):
        (folder / side).mkdir()
    for number in range(12):
        lines = [" ".join(rng.choices(WORDS, k=7)) for _ in range(20)]
        (folder / "gt" / f"page-{number:02}.txt").write_text("\n".join(lines))
        for name, rate in names.items():
            own = 3 * rate if number == WORST else rate
            read = "\n".join(misread(rng, line, own) for line in lines)
            (folder / name / f"page-{number:02}.txt").write_text(read)
    sides = [str(folder / side) for side in ("gt", *names)]
    with redirect_stdout(io.StringIO()):
        main_command(["compare", *sides, "--html", str(folder / "five.html")])
    return (folder / "five.html").as_uri()


def main(everything: Path | None) -> None:
    """Write the pictures of the documentation, and all pictures to a folder if one is given."""
    os.chdir(ROOT)
    kept = ROOT / "docs" / "images"
    kept.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as driver:
        browser, addresses = Browser(driver), reports(Path(folder))
        for name, (report, address, width, height, scheme) in SHOTS.items():
            browser.emulate(width, height, scheme)
            browser.open(addresses[report] + address)
            browser.js(POINTED)
            browser.settle()
            picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
            for target in (kept if name in KEPT else None, everything):
                if target:
                    picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
                        target / f"{name}.png", optimize=True
                    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
