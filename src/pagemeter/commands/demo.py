"""`pagemeter demo`: all measures of the example pages that come with the package, and a report of them."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

REPORT = "pagemeter-demo.html"


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Adds the argument to a parser."""
    parser.description = "Measures the example pages, and writes a report of them to look at."
    parser.add_argument(
        "html", nargs="?", default=REPORT, metavar="FILE", help=f"Write the report here (default: {REPORT})."
    )


def run(parsed: argparse.Namespace) -> int:
    """Says what the examples are, prints their table, writes the report and says where it is."""
    from pagemeter.corpus import Outcome, Recipe, Wanted, pair, run  # noqa: PLC0415  (keeps --help quick)
    from pagemeter.demo import GT, HYP, PAGES  # noqa: PLC0415
    from pagemeter.measure import ALL  # noqa: PLC0415
    from pagemeter.report.html import write_report  # noqa: PLC0415
    from pagemeter.report.spelling import shown  # noqa: PLC0415
    from pagemeter.report.terminal import Terminal  # noqa: PLC0415

    wanted, terminal = Wanted(ALL), Terminal(sys.stdout, ALL)
    results, signature = tuple(run(pair(GT, HYP).pairs, wanted)), Recipe(wanted).signature
    totals = write_report(parsed.html, results, signature, embed=True)
    for result in results:
        terminal.add(result)
    sys.stdout.writelines(f"{name}: {about}\n" for name, about in PAGES.items())
    sys.stdout.write(f"\n$ pagemeter eval {quote(str(GT))} {quote(str(HYP))} -m all\n")
    terminal.finish(Outcome(totals, signature))
    sys.stdout.write(f"\nThe report to look at: {shown(str(Path(parsed.html).resolve()))}\n")
    return 0
