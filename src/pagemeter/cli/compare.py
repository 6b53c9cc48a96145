"""`pagemeter compare`: compare several systems on the same pages, or results stores."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from pagemeter.atomic_io import open_atomic
from pagemeter.cli.console import print_message
from pagemeter.cli.eval import nothing_recognised
from pagemeter.cli.execution import check_limits, configuration, page_results, pair_sides, resampling
from pagemeter.cli.outputs import (
    check_outputs,
    html_preparations,
    on_standard_output,
    open_html,
    protect_inputs,
    report_paths,
)
from pagemeter.cli.parser import EXIT_DONE, EXIT_FAILED
from pagemeter.cli.setting_options import as_option
from pagemeter.corpus import MeasureSelection, Outcome, Totals
from pagemeter.errors import InputError, StoreError, UsageError
from pagemeter.inputs.arguments import is_store
from pagemeter.inputs.pairs import Pairing
from pagemeter.measure import Measure
from pagemeter.report.comparison import (
    COMPARISON_WRITERS,
    ComparisonReport,
    comparison_overview,
    print_comparison,
)
from pagemeter.report.names import printable
from pagemeter.report.summary import list_names, messages, summary
from pagemeter.run_settings import Resampling
from pagemeter.stats.comparison import SystemPages, compare_pages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pagemeter.corpus import PageResult, RunConfig
    from pagemeter.report.html import HtmlFile
    from pagemeter.store.reading import StoredResults

_FEWEST = 2  # systems in a comparison
_STORE_OPTIONS = {
    "load",
    "gt",
    "systems",
    "baseline",
    "name",
    "per_page",
    "skip_missing",
    "primary",
    "all_tests",
    "html_size",
    "csv_formulas",
    *COMPARISON_WRITERS,
}
_STORE_OPTIONS |= {field.name for field in fields(Resampling)}


def run_compare(parsed: argparse.Namespace) -> int:
    """Evaluate and compare the systems, or compare results stores, and return the exit code."""
    if is_store(parsed.gt):
        return _compare_stores(parsed)
    if stored := next(filter(is_store, parsed.systems), None):
        raise UsageError(
            f"this is not a results store, but {stored} is",
            source=str(parsed.gt),
            remedy="give only stores, or only page files",
        )
    check_limits(parsed)
    check_outputs(parsed)
    protect_inputs(parsed, [parsed.gt, *parsed.systems])
    config = configuration(parsed, [parsed.primary] if parsed.primary else ())
    _check_rates(config)
    systems = _Systems(parsed, config)
    systems.pair()
    paths = report_paths(parsed, (*COMPARISON_WRITERS, "html"))
    with ExitStack() as stack:
        files = {
            kind: stack.enter_context(open_atomic(path))
            for kind, path in paths.items()
            if kind in COMPARISON_WRITERS
        }
        html = open_html(stack, parsed, len(systems.runs)) if "html" in paths else None
        systems.evaluate(html)
        runs = systems.runs
        compared = _compare_runs(runs, config, parsed, systems.failed)
        for kind, file in files.items():
            _write_file(parsed, kind, file, compared)
        if html:
            html.write(
                comparison_overview(compared, [page for run in runs for page in run.totals.failed.items])
            )
    return _print_result(parsed, runs, compared, skip_missing=config.skip_missing)


@dataclass(slots=True)
class _SystemRun:
    """One system: the pairs of its files, the counts of its pages, and its totals."""

    name: str
    pairing: Pairing
    pages: SystemPages | None = None
    totals: Totals = field(default_factory=Totals)


@dataclass(slots=True)
class _Systems:
    """The systems to compare, and the systems without usable pages, each with the reason.

    A system without usable pages is left out, and the others are compared. It is an error with
    `--strict`, if fewer than two systems remain, or if `--baseline` needs the system.
    """

    parsed: argparse.Namespace
    config: RunConfig
    runs: list[_SystemRun] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def pair(self) -> None:
        """Pair the files of all systems, before any is evaluated."""
        sides = _system_sides(self.parsed)
        paths = [system or Path(group or "") for system, group in sides]
        names = system_names(paths, self.parsed.name or ())
        for name, (system, group) in zip(names, sides, strict=True):
            try:
                self.runs.append(_SystemRun(name, pair_sides(self.parsed, system, self.config, group)))
            except InputError as error:
                self._leave_out(name, error, names)

    def evaluate(self, html: HtmlFile | None) -> None:
        """Evaluate the systems one after the other, and add their pages to the HTML report."""
        paired, self.runs = self.runs, []
        names = [run.name for run in paired]
        for run in paired:
            add = partial(html.add, system=len(self.runs)) if html else None
            results = page_results(
                self.parsed,
                self.config,
                run.pairing.pairs,
                f"evaluating {run.name}",
                details=False,
                prepare=html_preparations(self.parsed),
            )
            run.pages = SystemPages.of(_add_to_totals(_add_to_report(results, add), run.totals))
            if run.totals.pages and not nothing_recognised(run.totals):
                self.runs.append(run)
                continue
            reason = "no hypothesis could be used" if run.totals.pages else "no page could be evaluated"
            lines = [f"{run.name}: {line}" for line in messages(run.totals, as_option)]
            error = InputError(reason, source=run.name, remedy="check the messages above and its files")
            self._leave_out(run.name, error, names, lines)

    def _leave_out(
        self, name: str, error: InputError, names: Sequence[str], lines: Sequence[str] = ()
    ) -> None:
        """Continue without a system, or raise its error if nothing useful would remain."""
        print_message(*lines)
        remaining = [one for one in names if one != name and one not in self.failed]
        if self.parsed.strict or len(remaining) < _FEWEST or (self.parsed.baseline and name == names[0]):
            raise error
        text = error.problem.render(as_option)
        self.failed[name] = "\n".join((*lines, text))
        print_message(text, f"error: {name} is left out, the others are compared")


def _system_sides(parsed: argparse.Namespace) -> list[tuple[Path | None, str | None]]:
    """Return the path of each system, or None and its file group in the METS file of the ground truth."""
    groups = parsed.hyp_group or ()
    if groups and parsed.systems:
        raise UsageError(
            "systems are given both as paths and as file groups",
            source=str(parsed.systems[0]),
            remedy="give one METS file and {} for each system",
            settings=(("hyp_group", "GROUP"),),
        )
    return [(None, group) for group in groups] or [(system, None) for system in parsed.systems]


def _check_rates(config: RunConfig) -> None:
    """Raise an error if rates are not errors divided by ground-truth tokens, which the tests compare."""
    for name, known in (("denominator", "gt"), ("average", "micro")):
        if (value := getattr(config.settings, name)) != known:
            raise UsageError(
                "systems are compared by all errors divided by all tokens of the ground truth",
                setting=(name, value),
                remedy="use {}, or evaluate the systems one by one",
                settings=((name, known),),
            )


def _add_to_totals(results: Iterator[PageResult], totals: Totals) -> Iterator[PageResult]:
    for result in results:
        totals.add(result)
        yield result


def _add_to_report(
    results: Iterator[PageResult], add: Callable[[PageResult], None] | None
) -> Iterator[PageResult]:
    """Yield the results, and add them to the report once a page of the system has been evaluated."""
    waiting: list[PageResult] = []
    evaluated = False
    for result in results:
        if add:
            waiting.append(result)
            evaluated = evaluated or result.status == "evaluated"
            while evaluated and waiting:
                add(waiting.pop(0))
        yield result


def system_names(paths: Sequence[Path], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of the systems: those given, or the shortest ends of their paths that differ.

    >>> from pathlib import Path
    >>> system_names([Path("a/hyp"), Path("b/hyp")])
    ('a/hyp', 'b/hyp')
    """
    if len(paths) < _FEWEST:
        raise UsageError(
            "one system alone cannot be compared", remedy="give two or more, or use pagemeter eval"
        )
    if given and len(given) != len(paths):
        raise UsageError(
            f"{len(given)} names for {len(paths)} systems", setting=("name", ""), remedy="give one for each"
        )
    depth, names = 1, tuple(given) or tuple(path.name for path in paths)
    while len(set(names)) < len(names) and not given and depth < max(len(path.parts) for path in paths):
        depth += 1
        names = tuple(str(Path(*path.parts[-depth:])) for path in paths)
    if len(set(names)) < len(names):
        raise UsageError(
            f"two systems have the same name: {', '.join(names)}",
            remedy="give different names with {}",
            settings=(("name", ""),),
        )
    return names


def _compare_runs(
    runs: Sequence[_SystemRun], config: RunConfig, parsed: argparse.Namespace, failed: Mapping[str, str]
) -> ComparisonReport:
    """Compare systems whose pages have been evaluated; `failed` are those that were left out."""
    pages = {run.name: run.pages for run in runs if run.pages}
    primary = Measure.parse(parsed.primary) if parsed.primary else None
    comparison = compare_pages(pages, config.resampling, baseline=parsed.baseline, primary=primary)
    measures = MeasureSelection(comparison.measures, budget=config.selection.budget)
    compared = {system.name: system.pages for system in comparison.systems}
    notes = [
        f"{printable(run.name)}: {line}"
        for run in runs
        for line in summary(Outcome(run.totals, "", run.pairing.passed_over), compared.get(run.name))
    ]
    notes += [f"{printable(name)}: left out, because no page could be evaluated" for name in failed]
    count = len(comparison.pages)
    notes.append(f"{count:,} page{'s' * (count != 1)} compared")
    gaps = [f"{gap.page}: {gap.reason} ({gap.system})" for gap in comparison.left_out]
    notes += list_names("not compared", gaps, show_setting=as_option)
    compared_config = replace(config, measures=measures) if comparison.measures else config
    return ComparisonReport(
        comparison, notes, compared_config.signature, parsed.per_page, parsed.all_tests, failed
    )


def _print_result(
    parsed: argparse.Namespace, runs: Sequence[_SystemRun], compared: ComparisonReport, *, skip_missing: bool
) -> int:
    """Print the tables and the problems of all systems, and return the exit code."""
    try:
        if not on_standard_output(parsed):
            print_comparison(sys.stdout, compared, as_option)
    finally:  # the reader of the tables may have closed them
        failed = not compared.comparison.pages or bool(compared.failed)
        for run in runs:
            print_message(*(f"{run.name}: {line}" for line in messages(run.totals, as_option)))
            unpaired = (run.totals.without_hyp or run.totals.without_gt) and not skip_missing
            failed = failed or bool(run.totals.failed or run.totals.unusable_hyp or unpaired)
        if not compared.comparison.pages:
            print_message("error: no page was evaluated for all systems")
    return EXIT_FAILED if failed else EXIT_DONE


def _write_file(parsed: argparse.Namespace, kind: str, file: TextIO, report: ComparisonReport) -> None:
    """Write a report of this kind."""
    options = {"formulas": parsed.csv_formulas} if kind == "csv" else {}
    COMPARISON_WRITERS[kind](file, report, **options)


def _compare_stores(parsed: argparse.Namespace) -> int:
    """Compare results stores, whose pages are not evaluated again; the exit code is that of their pages."""
    from pagemeter.store.reading import PageMatcher, StoredResults  # noqa: PLC0415  (needs pyarrow)

    check_outputs(parsed)
    _check_store_options(parsed)
    folders = [parsed.gt, *parsed.systems]
    stores = [StoredResults(folder) for folder in folders]
    warnings = [warning for store in stores for warning in store.warnings]
    print_message(*(f"warning: {warning.render(as_option)}" for warning in warnings))
    config = replace(_common_configuration(stores, parsed), resampling=resampling(parsed))
    paths = report_paths(parsed, tuple(COMPARISON_WRITERS))
    with ExitStack() as stack:
        files = {kind: stack.enter_context(open_atomic(path)) for kind, path in paths.items()}
        names = system_names(folders, parsed.name or ())
        matcher, runs = PageMatcher(), []
        for name, store in zip(names, stores, strict=True):
            totals, pages = store.pages(matcher, skip_missing=config.skip_missing)
            runs.append(_SystemRun(name, Pairing(()), pages, totals))
        compared = _compare_runs(runs, config, parsed, {})
        for kind, file in files.items():
            _write_file(parsed, kind, file, compared)
    return _print_result(parsed, runs, compared, skip_missing=config.skip_missing)


def _check_store_options(parsed: argparse.Namespace) -> None:
    for folder in parsed.systems:
        if not is_store(folder):
            raise UsageError(
                f"this is not a results store, but {parsed.gt} is",
                source=str(folder),
                remedy="give only stores",
            )
    for name, value in vars(parsed).items():
        if name not in _STORE_OPTIONS and value not in (None, False):
            raise UsageError(
                "the results in a store cannot be changed", setting=(name, ""), remedy="leave it out"
            )


def _common_configuration(stores: Sequence[StoredResults], parsed: argparse.Namespace) -> RunConfig:
    """Return the configuration of the stores, which must be the same, changed by the options."""
    from pagemeter.store.files import describe_difference, store_options  # noqa: PLC0415  (needs pyarrow)

    configs = [store.config for store in stores]
    if parsed.skip_missing:
        configs = [replace(config, skip_missing=True) for config in configs]
    first, *others = configs
    for store, other in zip(stores[1:], others, strict=True):
        if differs := describe_difference(store_options(first, None), store_options(other, None)):
            raise StoreError(
                f"{stores[0].folder} and {store.folder} cannot be compared, because the first has {differs}",
                remedy="evaluate both with the same settings",
            )
    return first
