"""`pagemeter demo`: show the default table of the bundled example pages, and write an HTML report."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pagemeter.cli.parser import EXIT_DONE
from pagemeter.cli.setting_options import as_option
from pagemeter.corpus import MeasureSelection, Outcome, RunConfig, Totals
from pagemeter.demo import GT, HYP, PAGES
from pagemeter.errors import InputError
from pagemeter.inputs import pair
from pagemeter.measure import ALL
from pagemeter.report.html import ShownPaths, write_report
from pagemeter.report.names import printable
from pagemeter.report.text_reports import Terminal
from pagemeter.runners import evaluate_pairs
from pagemeter.stats import table_intervals

if TYPE_CHECKING:
    import argparse


def run_demo(parsed: argparse.Namespace) -> int:
    """Print the example pages and their default table, and write a report with all measures."""
    if parsed.pages is not None:
        return _copy_pages(parsed.pages)
    pairs, config = tuple(pair(GT, HYP).pairs), RunConfig(MeasureSelection.of(None))
    write_report(
        parsed.html,
        tuple(evaluate_pairs(pairs, ALL)),
        RunConfig(MeasureSelection(ALL)).signature,
        embed_images=True,
        show_setting=as_option,
        paths=ShownPaths((str(GT), str(HYP))),
    )
    totals, terminal = Totals(), Terminal(sys.stdout, config.selection.measures, show_setting=as_option)
    for result in evaluate_pairs(pairs, config.selection):
        totals.add(result)
        terminal.add(result)
    command = f"pagemeter eval {quote(str(GT))} {quote(str(HYP))}"
    sys.stdout.writelines(f"{name}: {description}\n" for name, description in PAGES.items())
    sys.stdout.write(f"\n$ {command}\n")
    terminal.finish(
        Outcome(totals, config.signature, intervals=table_intervals(totals.table, config.resampling))
    )
    sys.stdout.write(f"\nAll {len(ALL)} measures: {command} -m all\n")
    sys.stdout.write(f"Open this report in a browser: {printable(str(Path(parsed.html).resolve()))}\n")
    return EXIT_DONE


def _copy_pages(folder: Path) -> int:
    """Copy the example pages to a new folder."""
    try:
        folder.mkdir(parents=True)
        for side in (GT, HYP):
            shutil.copytree(side, folder / side.name)
    except OSError as error:
        raise InputError(
            f"the example pages cannot be copied: {error.strerror}",
            source=str(folder),
            remedy="name a folder that does not exist yet",
        ) from error
    sys.stdout.write(f"The example pages are in {printable(str(folder))}. Evaluate them:\n\n")
    sys.stdout.write(f"    pagemeter eval {quote(str(folder / 'gt'))} {quote(str(folder / 'hyp'))}\n")
    return EXIT_DONE
