"""Evaluation of many pages in Python: `evaluate_corpus`, and `CorpusEvaluation` with its results.

The work is that of `pagemeter eval`: `inputs` pairs files and pages, `runners` evaluate the pairs, `corpus`
adds them up, `stats` computes intervals and budgets, and `report` writes files.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from pagemeter.atomic_io import open_atomic
from pagemeter.corpus import MeasureSelection, Outcome, Reader, Readers, RunConfig, Totals
from pagemeter.errors import IncompleteWarning, NotEvaluatedError, Problem, UsageError, did_you_mean, warn
from pagemeter.evaluation import checked_settings, find_score, has_score
from pagemeter.inputs import pair as pair_files
from pagemeter.inputs.locations import Url
from pagemeter.inputs.pairs import ACCEPTED, check_documents, pair_pages
from pagemeter.measure import Measure
from pagemeter.report.columns import format_rate
from pagemeter.run_settings import Resampling
from pagemeter.runners.in_process import InProcess, as_runner
from pagemeter.runners.pool import Pool
from pagemeter.settings import DEFAULT_SETTINGS, SETTING_NAMES
from pagemeter.stats import table_intervals

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from pagemeter.alignment import ErrorKinds
    from pagemeter.corpus import PageResult, ScoreTable
    from pagemeter.inputs import Pairing
    from pagemeter.preparation import PageLike
    from pagemeter.report import Sink
    from pagemeter.runners.in_process import Runner
    from pagemeter.score import Score
    from pagemeter.settings import Settings
    from pagemeter.stats import Budget, Interval

Pages = Path | str | Mapping[str, "PageLike | None"] | Iterable["PageLike | None"]
"""One side of a collection: the path of a folder, list or table; pages by name; or pages in order."""

_SHOWN_TOTALS = 3  # totals in the short form of a result
_READER = tuple(field.name for field in fields(Reader))
_RESAMPLING = tuple(field.name for field in fields(Resampling))
_RUN = tuple(
    field.name
    for field in fields(RunConfig)
    if field.name not in {"measures", "settings", "readers", "resampling"}
    and field.name not in {"details", "inputs", "per_line", "prepare", "folder"}
)
_FILES = ("gt_suffix", "hyp_suffix")
_GROUPS = ("gt_group", "hyp_group")
_LIMITS = ("page_seconds", "page_memory")
_MB = 1_000_000


def evaluate_corpus(
    gt: Pages | Iterable[tuple[PageLike, PageLike | None]],
    hyp: Pages | None = None,
    measures: str | Iterable[str] | None = None,
    solver: str | None = None,
    *,
    settings: Settings | None = None,
    budget: str | None = None,
    jobs: int | None = 1,
    on: Runner | Executor | None = None,
    details: bool = True,
    **options: Any,  # noqa: ANN401
) -> CorpusEvaluation:
    """Evaluate many pages, and add up their scores.

    Args:
        gt: The ground truth. A str or pathlib.Path is a folder, a list of files (.lst), a table of pairs, or
            a file of texts, as for the command. Otherwise it is a list of pages, where every page is anything
            that `evaluate` takes, or a dictionary of pages by name, or, without `hyp`, a list of pairs.
        hyp: The hypotheses in the same form. Files are paired by name, lists by position, and dictionaries by
            key. A page that is None or not in the dictionary is missing.
        measures: The measures, as for `evaluate`.
        solver: "exact" or "paper".
        settings: Settings of normalisation, tokens and solver.
        budget: The units of error budgets, "CER", "WER" or "CER,WER"; "none" for none. The default is CER if
            no measures are given.
        jobs: The number of worker processes. 1 evaluates in this process, None uses all cores.
        on: A runner or a `concurrent.futures.Executor`, on which pages are evaluated instead.
        details: Keep texts and alignments of all pages, which `to_html` needs. Large collections need less
            memory without them.
        **options: Single settings, such as ``case="fold"``, and the options of the command as keywords:
            ``skip_missing``, ``failed``, ``gt_suffix``, ``hyp_suffix``, for METS files ``gt_group`` and
            ``hyp_group``, those for reading files such as
            ``level`` or ``gt_encoding``, those of intervals such as ``strata`` or ``seed``, and with worker
            processes the limits ``page_seconds`` and ``page_memory`` (in megabytes).

    Returns:
        Totals, intervals, the error budget, and the results of all pages.

    Raises:
        UsageError: An argument is not valid, or pages cannot be paired.
        InputError: A folder, list or table cannot be read.

    >>> result = evaluate_corpus(["one line", "another"], ["one lime", "another"], ["CER:R", "WER:R"])
    >>> result
    <CorpusEvaluation of 2 pages: CER:R 6.67 %, WER:R 33.33 %>
    >>> result.totals["CER:R"].errors, [page.scores["CER:R"].errors for page in result.pages]
    (1, [1, 0])

    """
    suffixes = {f"{name}es": _as_tuple(options.pop(name, ())) for name in _FILES}
    groups = {name: options.pop(name, None) for name in _GROUPS}
    if solver is not None:
        options["solver"] = solver
    runner = _runner(jobs, on, **{name: options.pop(name, None) for name in _LIMITS})
    config = run_config(measures, settings, budget, options, details=details)
    pairing = _pairing(gt, hyp, suffixes, groups)
    check_documents(pairing.pairs, config.resampling)
    pages = tuple(result for _, results in runner.map(config, pairing.pairs) for result in results)
    return corpus_evaluation(config, pages, pairing, named=measures is not None)


def corpus_evaluation(
    config: RunConfig, pages: Sequence[PageResult], pairing: Pairing | None = None, *, named: bool = True
) -> CorpusEvaluation:
    """Add up the results of pages, and warn if some could not be evaluated.

    Args:
        config: The configuration with which the pages were evaluated.
        pages: The results of the pages.
        pairing: The pairs of files, if there are files.
        named: True if measures were named by the user.

    """
    totals = Totals(settings=config.settings)
    for page in pages:
        totals.add(page)
    intervals = _LazyIntervals(totals.table, config.resampling)
    signature = config.with_evaluated_measures(totals).signature
    passed_over = pairing.passed_over if pairing else ()
    result = CorpusEvaluation(tuple(pages), Outcome(totals, signature, passed_over, intervals, named), config)
    if totals.failed:
        first = totals.failed.items[0]
        count = f"{totals.failed.count:,} of {len(pages):,} pages"
        problem = Problem(f"{count} failed and are not in the totals, first {first.name}: {first.error}")
        warn(str(problem), IncompleteWarning)
    return result


class _LazyIntervals(Mapping[Measure, "Interval"]):
    """Confidence intervals that are computed when they are first used, which takes seconds for many pages."""

    def __init__(self, table: ScoreTable, resampling: Resampling) -> None:
        self._table, self._resampling = table, resampling

    @cached_property
    def _known(self) -> dict[Measure, Interval]:
        return table_intervals(self._table, self._resampling)

    def __getitem__(self, measure: Measure) -> Interval:
        return self._known[measure]

    def __iter__(self) -> Iterator[Measure]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CorpusEvaluation(Mapping[str, "Score"]):
    """The total scores of many pages by measure id, and everything else that a run has as a result.

    `print` shows the tables of the command.

    Args:
        pages: The result of each page, with `name`, `scores`, `flags`, `warnings`, `errors` and `status`.
        outcome: The totals, intervals and signature in the form that reports take.
        config: The configuration of the run.

    >>> result = evaluate_corpus({"a": "one", "b": "two"}, {"a": "one"}, "CER:R")
    >>> [(page.name, page.status) for page in result.pages]
    [('a', 'evaluated'), ('b', 'missed')]
    >>> result["CER:R"].rate
    0.5

    """

    pages: tuple[PageResult, ...]
    outcome: Outcome
    config: RunConfig

    def __getitem__(self, name: str | Measure) -> Score:
        return find_score(self.outcome.totals.scores, name, self.config.settings)

    def __contains__(self, name: object) -> bool:
        return has_score(self.outcome.totals.scores, name)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.outcome.totals.scores)

    def __len__(self) -> int:
        return len(self.outcome.totals.scores)

    @property
    def totals(self) -> dict[str, Score]:
        """The sums over all pages by measure id; measures that only some pages have are left out."""
        return dict(self)

    @property
    def intervals(self) -> dict[str, Interval]:
        """The confidence intervals of the rates in `totals`, by measure id."""
        return {str(measure): interval for measure, interval in self.outcome.intervals.items()}

    @property
    def budgets(self) -> dict[str, Budget]:
        """The error budgets by the id of the measure that is divided."""
        return {str(measure): budget for measure, budget in self.outcome.totals.budgets.items()}

    @property
    def budget(self) -> Budget:
        r"""The errors of the strictest measure divided by cause.

        Raises:
            NotEvaluatedError: No budget was asked for.

        >>> evaluate_corpus(["left\nright"], ["right\nleft"]).budget["order"].errors
        Fraction(8, 1)

        """
        for budget in self.outcome.totals.budgets.values():
            return budget
        raise NotEvaluatedError("there is no error budget of all pages", remedy="give budget='CER'")

    @property
    def kinds(self) -> dict[str, ErrorKinds]:
        """The errors by kind, such as misread and invented, of the measures for which they are known."""
        return {str(measure): kinds for measure, kinds in self.outcome.totals.kinds.items()}

    @property
    def peer(self) -> dict[str, float | int]:
        """The numbers in the terms of the tool that the preset is of; empty without a preset.

        >>> evaluate_corpus(["one", "two"], ["ore", "two"], preset="dinglehopper").peer["cer"]
        0.16666666666666666
        """
        return self.outcome.totals.peer

    @property
    def flags(self) -> dict[str, tuple[str, ...]]:
        """The names of the flagged pages by flag, such as loop or refusal.

        >>> evaluate_corpus({"a": "one line"}, {"a": "and so on " * 20}, "CER:R").flags["loop"]
        ('a',)
        """
        named = sorted({flag for page in self.pages for flag in page.flags})
        return {flag: tuple(page.name for page in self.pages if flag in page.flags) for flag in named}

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The warnings of all pages, and of pages that are probably wrong pairs."""
        of_pages = (warning for page in self.pages for warning in page.warnings)
        return (*of_pages, *self.outcome.totals.wrong_pairs)

    @property
    def failed(self) -> tuple[PageResult, ...]:
        """The pages that could not be evaluated and are not in the totals."""
        return tuple(page for page in self.pages if page.errors)

    @property
    def signature(self) -> str:
        """The measures and settings as one line, with which the numbers can be reproduced."""
        return self.outcome.signature

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: str | os.PathLike[str]) -> None: ...
    def to_json(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write the same JSON as the command to a file, or return it if no path is given.

        >>> import json
        >>> json.loads(evaluate_corpus(["one"], ["ore"], "CER:R").to_json())["total"]["CER:R"]["errors"]
        1
        """
        from pagemeter.report.json import JsonFile  # noqa: PLC0415  (only if asked for)

        if path is None:
            with closing(JsonFile(text := io.StringIO())) as report:
                self._write(report)
            return text.getvalue()
        with open_atomic(path) as file, closing(JsonFile(file)) as report:
            self._write(report)
        return None

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write one row per page and measure, and the totals, as the command does."""
        from pagemeter.report.csv import CsvFile  # noqa: PLC0415

        with open_atomic(path) as file:
            self._write(CsvFile(file))

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:  # noqa: ANN401
        """Write the HTML report.

        Args:
            path: The file to write.
            **options: Options of `pagemeter.report.html.write_report`: ``images``, ``embed_images``,
                ``images_from_anywhere``, ``html_size`` and ``paths``.

        Raises:
            UsageError: The pages were evaluated without details.

        """
        from pagemeter.report.html import ShownPaths, write_report  # noqa: PLC0415

        if not self.config.details:
            raise UsageError(
                "the HTML report needs the texts of pages", remedy="evaluate the pages with details=True"
            )
        paths = ShownPaths.of_files((page.gt for page in self.pages), (page.hyp for page in self.pages))
        write_report(Path(path), self.pages, **{"outcome": self.outcome, "paths": paths, **options})

    def to_pandas(self) -> Any:  # noqa: ANN401  (pandas is optional)
        """Return the scores as a pandas data frame, one row per page and measure.

        >>> frame = evaluate_corpus(["one", "two"], ["ore", "two"], "CER:R, WER:R").to_pandas()
        >>> frame.groupby("measure").errors.sum().to_dict()
        {'CER:R': 1, 'WER:R': 1}
        """
        from pagemeter.report.csv import corpus_frame  # noqa: PLC0415

        return corpus_frame(self.pages)

    def __repr__(self) -> str:
        totals, count = self.totals, self.outcome.totals.pages
        shown = [f"{name} {format_rate(score)}" for name, score in list(totals.items())[:_SHOWN_TOTALS]]
        if len(totals) > _SHOWN_TOTALS:
            shown.append(f"and {len(totals) - _SHOWN_TOTALS} more")
        return f"<CorpusEvaluation of {count:,} page{'s' * (count != 1)}: {', '.join(shown) or 'no totals'}>"

    def __str__(self) -> str:
        from pagemeter.report.text_reports import Terminal  # noqa: PLC0415

        self._write(Terminal(text := io.StringIO(), self.config.selection.measures))
        return text.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        from pagemeter.report.plots import corpus_html  # noqa: PLC0415

        return corpus_html(self.outcome)

    def _write(self, report: Sink) -> None:
        for page in self.pages:
            report.add(page)
        report.finish(self.outcome)


# Options


def _selection(
    measures: str | Iterable[str] | None, budget: str | None, settings: Settings
) -> MeasureSelection:
    if measures is not None:
        measures = [measures] if isinstance(measures, str) else list(measures)
        for name in measures:
            if not isinstance(name, str):
                Measure.parse(name)  # raises the error
    selection = MeasureSelection.of(settings.preset_measures if measures is None else measures)
    return selection if budget is None else selection.with_budget(budget)


def run_config(
    measures: str | Iterable[str] | None,
    settings: Settings | None,
    budget: str | None,
    options: Mapping[str, Any],
    *,
    details: bool,
) -> RunConfig:
    """Return the configuration of a run from the arguments of `evaluate_corpus`."""
    readers = {}
    for side in ("gt", "hyp"):
        both = {name: options[name] for name in _READER if name in options}
        own = {name: options[f"{side}_{name}"] for name in _READER if f"{side}_{name}" in options}
        readers[side] = Reader(**(both | own))
    reading = [f"{side}{name}" for side in ("", "gt_", "hyp_") for name in _READER]
    resampling = {name: options[name] for name in _RESAMPLING if name in options}
    run = {name: options[name] for name in _RUN if name in options}
    known = {*reading, *_RESAMPLING, *_RUN}
    single = {name: value for name, value in options.items() if name not in known}
    for name in single.keys() - SETTING_NAMES:
        known |= {*SETTING_NAMES, *_FILES, *_GROUPS, *_LIMITS}
        raise UsageError(
            f"unknown option {name!r}{did_you_mean(name, known)}",
            remedy=f"use one of {', '.join(sorted(known))}",
        )
    changed = (DEFAULT_SETTINGS if settings is None else checked_settings(settings)).with_(**single)
    return RunConfig(
        _selection(measures, budget, changed),
        changed,
        Readers(readers["gt"], readers["hyp"]),
        resampling=Resampling(**resampling),
        details=details,
        **run,
    )


def _runner(
    jobs: int | None, on: Runner | Executor | None, page_seconds: float | None, page_memory: float | None
) -> Runner:
    """Return the runner: the one that is given, this process for one job, or else worker processes."""
    limits = {"page_seconds": page_seconds, "page_memory": page_memory}
    for name, value in limits.items():
        if value is not None and (on is not None or jobs == 1):
            raise UsageError(
                "pages are limited only in worker processes",
                setting=(name, f"{value:g}"),
                remedy="give jobs=2",
            )
    if on is not None:
        return as_runner(on)
    if jobs == 1:
        return InProcess()
    return Pool(jobs, page_seconds=page_seconds, page_memory=page_memory and page_memory * _MB)


def _as_tuple(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


# Pairs


def _pairing(
    gt: Any,  # noqa: ANN401
    hyp: Any,  # noqa: ANN401
    suffixes: dict[str, Any],
    groups: dict[str, Any],
) -> Pairing:
    """Return the pairs of two collections in any form."""
    located = [isinstance(side, str | Path | Url) for side in (gt, hyp)]
    if located[0] and (located[1] or hyp is None):
        for side, name in ((gt, "gt"), (hyp, "hyp")):
            if isinstance(side, str) and "\n" in side:
                raise UsageError(f"{name} is the text of one page", remedy=f"{ACCEPTED}, or use evaluate()")
        return pair_files(gt, hyp, **suffixes, **groups)
    if any(located):
        remedy = "give two folders, or the files of the folder by name: {path.stem: path for path in ...}"
        raise UsageError("one side is a path and the other is not", remedy=remedy)
    for name, values in suffixes.items():
        if values:
            reason = "suffixes choose files in folders, and none is given"
            raise UsageError(reason, setting=(name.removesuffix("es"), values[0]))
    for name, group in groups.items():
        if group is not None:
            raise UsageError("there is no METS file", setting=(name, group), remedy="give its path as gt")
    return pair_pages(gt, hyp)
