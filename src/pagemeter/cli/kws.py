"""`pagemeter kws`: evaluate keyword spotting."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING

from pagemeter.atomic_io import STDOUT_NAMES, open_atomic
from pagemeter.cli.console import print_message
from pagemeter.cli.outputs import check_outputs, protect_inputs, report_paths
from pagemeter.cli.parser import EXIT_DONE, EXIT_FAILED
from pagemeter.cli.setting_options import as_option
from pagemeter.errors import UsageError
from pagemeter.inputs.locations import as_location
from pagemeter.report.spotting import (
    curve_plot,
    html_page,
    json_text,
    print_result,
    write_curve,
    write_queries,
)
from pagemeter.spotting import SpottingSettings
from pagemeter.spotting.api import kws, read_queries
from pagemeter.spotting.evaluation import DEFAULT_RESAMPLING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import TextIO

    from pagemeter.spotting import SpottingResult

_SETTINGS = tuple(field.name for field in fields(SpottingSettings) if field.name != "preset")
_RESAMPLING = ("confidence", "resamples", "seed")


def run_kws(parsed: argparse.Namespace) -> int:
    """Evaluate the hits, write the reports and return the exit code."""
    check_outputs(parsed)
    inputs = [as_location(path) for path in (parsed.gt, parsed.hyp) if path is not None]
    protect_inputs(parsed, [*inputs, *([parsed.queries] if parsed.queries else [])])
    options = {name: value for name in _SETTINGS if (value := getattr(parsed, name)) is not None}
    if "ranks" in options:
        options["ranks"] = _ranks(options["ranks"])
    given = {name: value for name in _RESAMPLING if (value := getattr(parsed, name)) is not None}
    result = kws(
        parsed.gt,
        parsed.hyp,
        preset=parsed.preset,
        queries=read_queries(parsed.queries) if parsed.queries else None,
        format=parsed.format,
        resampling=replace(DEFAULT_RESAMPLING, **given),
        **options,
    )
    paths = report_paths(parsed)
    writers = _writers(parsed)
    with ExitStack() as stack:
        for kind, path in paths.items():
            writers[kind](result, stack.enter_context(open_atomic(path)))
    if set(STDOUT_NAMES).isdisjoint(paths.values()):
        print_result(result, sys.stdout)
    print_message(*(f"warning: {warning.render(as_option)}" for warning in result.warnings))
    return EXIT_FAILED if result.failed else EXIT_DONE


def _writers(parsed: argparse.Namespace) -> dict[str, Callable[[SpottingResult, TextIO], object]]:
    return {
        "json": lambda result, file: file.write(json_text(result)),
        "csv": partial(write_queries, formulas=parsed.csv_formulas),
        "curve_csv": write_curve,
        "curve_svg": lambda result, file: file.write(curve_plot(result).document()),
        "html": lambda result, file: file.write(html_page(result)),
    }


def _ranks(text: str) -> tuple[int, ...]:
    try:
        return tuple(map(int, text.split(",")))
    except ValueError:
        raise UsageError("give whole numbers, such as 1,5,10", setting=("ranks", text)) from None
