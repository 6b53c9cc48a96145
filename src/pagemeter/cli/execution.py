"""From the arguments of a command to the results of pages: configuration, pairs, runner and results store."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagemeter._version import __version__
from pagemeter.cli.console import print_message, progress, status
from pagemeter.cli.outputs import line_measure, needs_texts, protected_pairs
from pagemeter.cli.setting_options import SETTING_OPTIONS
from pagemeter.corpus import MeasureSelection, Reader, Readers, RunConfig
from pagemeter.corpus.run_config import signature_version
from pagemeter.corpus.verdicts import Verdicts
from pagemeter.errors import ClusterError, InputError, PagemeterError, UsageError
from pagemeter.inputs import pair as pair_files
from pagemeter.inputs.lists import LIST_SUFFIXES
from pagemeter.inputs.locations import Url
from pagemeter.inputs.pairs import check_documents
from pagemeter.inputs.tables import TABLE_SUFFIXES
from pagemeter.run_settings import Resampling
from pagemeter.runners.in_process import InProcess
from pagemeter.runners.in_work import pages_in_work
from pagemeter.runners.pool import Pool
from pagemeter.runners.processes import start_fork_server
from pagemeter.settings import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.corpus.run_config import Preparations
    from pagemeter.inputs.locations import Location
    from pagemeter.inputs.page_files import Side
    from pagemeter.inputs.pairs import Pair, Pairing
    from pagemeter.runners.in_process import Runner
    from pagemeter.store import Store, StoringRunner

_MB = 1_000_000
_LARGE = 200_000  # bytes of both files
_ENDLESS = 1e9  # seconds or megabytes that mean no limit; the operating system does not accept as many


# Configuration


def configuration(parsed: argparse.Namespace, more_measures: Sequence[str] = ()) -> RunConfig:
    """Return the configuration of the run: that of a signature, changed by the options.

    Args:
        parsed: The parsed arguments.
        more_measures: Measures that are evaluated in addition.

    """
    base = _signature_configuration(parsed)
    settings = base.settings.with_(**_given_settings(parsed))
    asked = MeasureSelection.of(parsed.measure or base.measures or settings.preset_measures)
    measures = MeasureSelection.of((*asked.ids, *more_measures))
    return RunConfig(
        measures.with_budget(parsed.budget or ",".join(asked.budget) or "none"),
        settings,
        Readers(_reader(parsed, "gt", base.readers.gt), _reader(parsed, "hyp", base.readers.hyp)),
        parsed.skip_missing or base.skip_missing,
        resampling(parsed, base.resampling),
        parsed.failed or base.failed,
        parsed.refusals or base.refusals,
        parsed.empty_gt or base.empty_gt,
        _verdicts(parsed, base.verdicts),
    )


def _verdicts(parsed: argparse.Namespace, named: Verdicts | None) -> Verdicts | None:
    """Return the verdicts of the given file, which must be those that the signature names."""
    path = parsed.verdicts
    if path is None:
        if named is None:
            return None
        detail = f"the signature names verdicts with the digest {named.digest}"
        raise UsageError(detail, remedy="give their file with {}", settings=(("verdicts", ""),))
    try:
        given = Verdicts.parse(path.read_bytes(), str(path))
    except OSError as error:
        detail = f"cannot be read: {error.strerror or error}"
        raise InputError(detail, source=str(path), remedy="check the path and its permissions") from None
    if named is not None and given != named:
        detail = f"these verdicts have the digest {given.digest}, but the signature names {named.digest}"
        raise UsageError(detail, setting=("verdicts", str(path)), remedy="give the file of the signature")
    return given


def resampling(parsed: argparse.Namespace, base: Resampling | None = None) -> Resampling:
    """Return how pages are resampled: as in `base`, changed by the options.

    >>> import argparse
    >>> names = ("confidence", "resamples", "seed", "strata")
    >>> resampling(argparse.Namespace(**dict.fromkeys(names) | {"seed": 7})).seed
    7
    """
    given = {field.name: getattr(parsed, field.name) for field in fields(Resampling)}
    given = {name: value for name, value in given.items() if value is not None}
    return replace(base or Resampling(), **given)


def _signature_configuration(parsed: argparse.Namespace) -> RunConfig:
    line = parsed.from_signature
    if not line:
        return RunConfig()
    version = signature_version(line)
    if version not in (None, __version__):
        print_message(f"warning: the signature was made by pagemeter {version}, this is {__version__}")
    try:
        return RunConfig.from_signature(line)
    except PagemeterError:
        if not parsed.mapping:
            raise
        # The file of a mapping may have moved; its digest in the signature is checked.
        mapping = Settings(mapping=_given_settings(parsed)["mapping"]).mapping
        return RunConfig.from_signature(line, mapping=mapping)


def _given_settings(parsed: argparse.Namespace) -> dict[str, Any]:
    given = ((option, getattr(parsed, option.field)) for option in SETTING_OPTIONS)
    return {option.field: option.value(value) for option, value in given if value is not None}


def _reader(parsed: argparse.Namespace, side: Side, base: Reader) -> Reader:
    """Return how the files of a side are read; an option for one side overrides the option for both."""
    names = [field.name for field in fields(Reader)]
    both = {name: getattr(parsed, name) for name in names}
    own = {name: getattr(parsed, f"{side}_{name}") for name in names}
    given = [(name, value) for options in (both, own) for name, value in options.items()]
    try:
        reader: Reader = replace(base, **{name: value for name, value in given if value is not None})
    except UsageError as error:
        name, value = error.problem.setting or ("", "")
        if own.get(name) is None:
            raise
        raise UsageError(replace(error.problem, setting=(f"{side}_{name}", value))) from None
    return reader


def check_limits(parsed: argparse.Namespace) -> None:
    """Raise an error if a number of processes, seconds or megabytes is not positive."""
    for name, unit in (("jobs", "processes"), ("page_seconds", "seconds"), ("page_memory", "megabytes")):
        value = getattr(parsed, name)
        if value is not None and not value > 0:
            raise UsageError(f"give a number of {unit} above 0", setting=(name, f"{value:g}"))


# Pairs


def pair_sides(
    parsed: argparse.Namespace, hyp: Location | None, config: RunConfig, hyp_group: str | None = None
) -> Pairing:
    """Pair the ground truth with a hypothesis, or read a table of pairs, and check the pairs."""
    suffixes = {"gt_suffixes": parsed.gt_suffix or (), "hyp_suffixes": parsed.hyp_suffix or ()}
    with status("pairing files"):
        pairing = pair_files(parsed.gt, hyp, gt_group=parsed.gt_group, hyp_group=hyp_group, **suffixes)
    with status("checking pairs"):
        pairs = protected_pairs(parsed, pairing.pairs)
        check_documents(pairs, config.resampling)
        if parsed.strict:
            for pair in pairs:
                check_strict(pair, skip_missing=config.skip_missing)
    return replace(pairing, pairs=pairs)


def check_strict(page: Pair | PageResult, *, skip_missing: bool) -> None:
    """Raise an error if a page of a strict run has a warning, failed, or lacks a side.

    >>> from pagemeter.corpus import PageResult
    >>> check_strict(PageResult("0001", "gt/0001.xml", None), skip_missing=False)
    Traceback (most recent call last):
    pagemeter.errors.InputError: gt/0001.xml: no hypothesis. Add it, or leave the page out with skip_missing.
    """
    for error in page.errors:
        raise InputError(error)
    for warning in page.warnings:
        remedy, settings = "correct it, or leave out {}", (("strict", ""),)
        raise InputError(warning if warning.remedy else replace(warning, remedy=remedy, settings=settings))
    for present, missing in ((page.gt, "hypothesis"), (page.hyp, "ground truth")):
        if present is not None and None in (page.gt, page.hyp) and not skip_missing:
            raise InputError(
                f"no {missing}",
                source=str(present),
                remedy="add it, or leave the page out with {}",
                settings=(("skip_missing", ""),),
            )


# Runners


def page_results(
    parsed: argparse.Namespace,
    config: RunConfig,
    pairs: Collection[Pair],
    description: str,
    *,
    details: bool,
    prepare: Preparations,
    store: OpenStore | None = None,
) -> Iterator[PageResult]:
    """Evaluate pairs and yield the results of their pages in order, with progress on a terminal.

    Args:
        parsed: The parsed arguments.
        config: The configuration of the run.
        pairs: The pairs of files.
        description: The text in front of the progress bar.
        details: Whether results have texts and matches.
        prepare: Functions that prepare data for reports in the process that evaluates a page.
        store: The results store, if there is one.

    """
    config = replace(config, details=details, prepare=prepare)
    runner = choose_runner(parsed, config, pairs)
    evaluated = (store.wrap(runner) if store else runner).map(config, pairs)
    for _, results in progress(evaluated, len(pairs), description, partial(pages_in_work, runner)):
        for result in results:
            if parsed.strict:
                check_strict(result, skip_missing=config.skip_missing)
            yield result


def start_processes(parsed: argparse.Namespace) -> None:
    """Start worker processes before files are paired, if there may be many pairs, to save time."""
    listed = parsed.gt.suffix.lower() in (*LIST_SUFFIXES, *TABLE_SUFFIXES)
    listed = listed or parsed.gt_group is not None
    if not parsed.scheduler and (listed or (isinstance(parsed.gt, Path) and parsed.gt.is_dir())):
        start_fork_server()


def choose_runner(parsed: argparse.Namespace, config: RunConfig, pairs: Collection[Pair]) -> Runner:
    """Return the runner: this process for a single small pair without limits, otherwise a pool or cluster.

    This process can enforce the default time limit, but no limits that the user gives.
    """
    limits = [
        inf if given and given >= _ENDLESS else given for given in (parsed.page_seconds, parsed.page_memory)
    ]
    limited = any(given and given < inf for given in limits)
    if parsed.scheduler:
        return _cluster(parsed, limited=limited)
    if len(pairs) < 2 and not limited and not any(map(_is_large, pairs)):  # noqa: PLR2004
        return InProcess(page_seconds=config.page_seconds if parsed.page_seconds is None else None)
    seconds, memory = limits
    return Pool(parsed.jobs, page_seconds=seconds, page_memory=memory and memory * _MB)


def _is_large(pair: Pair) -> bool:
    """Return True if the kernel may need long for a pair, which only the end of the process interrupts."""
    paths = (path for path in (pair.gt, pair.hyp) if isinstance(path, Path) and path.is_file())
    return sum(path.stat().st_size for path in paths) > _LARGE


def _cluster(parsed: argparse.Namespace, *, limited: bool) -> Runner:
    from pagemeter.runners.executor import LOCAL_CLUSTER, Cluster  # noqa: PLC0415  (only if asked for)

    if limited:
        raise UsageError(
            "a cluster does not limit single pages",
            setting=("scheduler", parsed.scheduler),
            remedy="leave out {} and {}, and limit the workers of the cluster",
            settings=(("page_seconds", ""), ("page_memory", "")),
        )
    if parsed.jobs and parsed.scheduler != LOCAL_CLUSTER:
        raise UsageError(
            "a cluster has its own number of workers",
            setting=("jobs", str(parsed.jobs)),
            remedy="leave it out",
        )
    return Cluster(parsed.scheduler, parsed.jobs, notify=print_message)


# Results store


class InterruptedRunError(KeyboardInterrupt):
    """A run with a results store was interrupted."""


@dataclass(slots=True)
class OpenStore:
    """A results store that is open for a run, and the runner that uses it."""

    store: Store
    force: bool
    runner: StoringRunner | None = None

    def wrap(self, runner: Runner) -> Runner:
        """Return a runner that takes results from the store and evaluates the others with `runner`."""
        from pagemeter.store import StoringRunner  # noqa: PLC0415  (only if asked for)

        self.runner = StoringRunner(self.store, runner, force=self.force)
        return self.runner

    def finish(self, *, prune: bool) -> None:
        """Print how many pages were evaluated and reused, and remove other pages if `prune`."""
        unused = self.store.index.unused
        text = f"{self.store.folder}: {self._counts()}"
        if unused and prune:
            self.store.prune()
            text += f", {unused:,} others removed"
        elif unused:
            text += f", {unused:,} others kept (--prune removes them)"
        print_message(text)

    def _counts(self) -> str:
        if self.runner is None:
            return "nothing evaluated"
        failed, unpaired = self.runner.failed, self.runner.unpaired
        parts = [
            f"{self.runner.evaluated - failed - unpaired:,} evaluated",
            self.runner.extended and f"{self.runner.extended:,} evaluated by further measures",
            failed and f"{failed:,} failed",
            unpaired and f"{unpaired:,} without ground truth or left out",
            f"{self.runner.reused:,} reused",
        ]
        return ", ".join(part for part in parts if part)


@contextmanager
def open_store(parsed: argparse.Namespace, config: RunConfig) -> Iterator[OpenStore | None]:
    """Open the results store for the duration of the run, if one is given."""
    if parsed.store is None:
        for name in ("store_lines", "force", "prune"):
            if getattr(parsed, name):
                raise UsageError(
                    "there is no store", setting=(name, ""), remedy="add {}", settings=(("store", "DIR"),)
                )
        yield None
        return
    if isinstance(parsed.store, Url):
        setting = "store", str(parsed.store)
        raise UsageError("a store is a folder on this machine", setting=setting, remedy="give its path")
    from pagemeter.store import Store  # noqa: PLC0415  (only if asked for)

    folder: Path = parsed.store
    per_line = line_measure(config.selection, "store_lines") if parsed.store_lines else None
    note = f"the results so far are in {folder}; the same command continues from there"
    with Store(folder, config, per_line=per_line, force=parsed.force) as store:
        opened = OpenStore(store, parsed.force or needs_texts(parsed))
        try:
            yield opened
        except KeyboardInterrupt:
            raise InterruptedRunError(f"interrupted; {note}") from None
        except ClusterError as error:
            problem = error.problem
            detail = f"{problem.detail}; {note}"
            raise ClusterError(replace(problem, detail=detail)) from None
        opened.finish(prune=parsed.prune)
