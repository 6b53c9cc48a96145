"""`pagemeter report`: report the content of a results store."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from pagemeter.cli.eval import RateLimit, print_problems
from pagemeter.cli.execution import resampling
from pagemeter.cli.outputs import check_outputs, html_preparations, open_files, open_terminal
from pagemeter.corpus import MeasureSelection, Outcome, Totals
from pagemeter.corpus.page_result import evaluation_from_lines
from pagemeter.errors import UsageError
from pagemeter.inputs.page_files import natural_sort
from pagemeter.report.names import ShownPaths, printable
from pagemeter.report.tables import MAX_WORST_PAGES
from pagemeter.stats import table_intervals
from pagemeter.store.reading import StoredResults, add_part, worst_pages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.report import Sink
    from pagemeter.store.schema import StoredPart


def run_report(parsed: argparse.Namespace) -> int:
    """Report a store as `pagemeter eval` would report its pages, and return the same exit code."""
    check_outputs(parsed)
    limits = [RateLimit.parse(text) for text in parsed.fail_above or ()]
    stored = StoredResults(parsed.stored)
    if parsed.html:
        parsed.shown_paths = _shown_paths(stored, full=parsed.full_paths)
    config = replace(stored.config, resampling=resampling(parsed))
    selection, totals = config.selection, Totals(settings=config.settings)
    _check_measures(limits, selection, stored)
    with ExitStack() as terminal_stack:
        terminal = open_terminal(terminal_stack, parsed, selection)
        with ExitStack() as stack:
            files = open_files(stack, parsed, selection)
            for part in stored.parts():
                add_part(totals, part)
                if not parsed.per_page:
                    results = _results(stored, part, parsed) if files else ()
                    _add_pages(part, results, files, terminal, selection.measures[0])
            every = chain.from_iterable(_results(stored, part, parsed) for part in stored.parts())
            for result in _in_natural_order(every) if parsed.per_page else ():
                for sink in (*files, *terminal):
                    sink.add(result)
            outcome = Outcome(
                totals,
                config.with_evaluated_measures(totals).signature,
                (),
                table_intervals(totals.table, config.resampling),
                named=config.measures != MeasureSelection.of(None),
            )
            for sink in files:
                sink.finish(outcome)
        try:
            for sink in terminal:
                sink.finish(outcome)
        finally:  # the reader of the table may have closed it
            code = print_problems(totals, limits, skip_missing=config.skip_missing, warnings=stored.warnings)
    return code


def _shown_paths(stored: StoredResults, *, full: bool) -> ShownPaths:
    """Return how paths are shown: relative to the folders of the pages, because no others are given."""
    gts = chain.from_iterable(part.column("gt") for part in stored.parts())
    hyps = chain.from_iterable(part.column("hyp") for part in stored.parts())
    return ShownPaths.of_files(gts, hyps, full=full)


def _check_measures(limits: Sequence[RateLimit], selection: MeasureSelection, stored: StoredResults) -> None:
    for limit in limits:
        if limit.measure not in selection.measures:
            raise UsageError(
                f"{stored.folder} does not contain this measure",
                setting=("fail_above", str(limit.measure)),
                remedy=f"use one of {', '.join(map(str, selection.measures))}",
            )


def _in_natural_order(results: Iterable[PageResult]) -> list[PageResult]:
    """Return pages sorted by their names; a store has them in the order in which they were written."""
    pages = list(results)
    order = {name: number for number, name in enumerate(natural_sort(page.name for page in pages))}
    return sorted(pages, key=lambda page: order[page.name])


def _results(stored: StoredResults, part: StoredPart, parsed: argparse.Namespace) -> Iterator[PageResult]:
    """Yield the pages of a part; for an HTML report, they have their lines."""
    if not parsed.html:
        yield from part.results()
        return
    prepare = html_preparations(parsed)
    for result, lines in zip(part.results(), stored.lines(part), strict=True):
        if result.evaluation is None:
            yield result
        elif lines is None:
            raise UsageError(
                f"{stored.folder} does not contain the lines of the page {printable(result.name)}",
                setting=("html", parsed.html),
                remedy="run the evaluation again with {}",
                settings=(("store_lines", ""),),
            )
        else:
            page = replace(result, evaluation=evaluation_from_lines(lines, stored.config.settings))
            yield replace(result, prepared={kind: function(page) for kind, function in prepare.items()})


def _add_pages(
    part: StoredPart,
    results: Iterable[PageResult],
    files: Sequence[Sink],
    terminal: Sequence[Sink],
    measure: Measure,
) -> None:
    """Add pages to the reports; a terminal that shows the worst pages needs no others."""
    for result in results if files else worst_pages(part, measure, MAX_WORST_PAGES):
        for sink in (*files, *terminal):
            sink.add(result)
