"""How the work is done: on how many processes, and what a page may take."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.commands.progress import watched
from pagemeter.commands.saying import say
from pagemeter.commands.strict import refuse
from pagemeter.corpus import Pool, Wanted, Work
from pagemeter.corpus.files.lists import LISTS
from pagemeter.corpus.files.tables import TABLES
from pagemeter.corpus.runners.crew import warm_up
from pagemeter.corpus.runners.work import InProcess
from pagemeter.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator

    from pagemeter.commands.keeping import KeptIn
    from pagemeter.corpus import PageResult, Pair, Recipe
    from pagemeter.corpus.runners.work import Preparations, Runner

_MB = 1_000_000
_LARGE = 200_000  # bytes of both files
_ENDLESS = 1e9  # seconds or megabytes that are no limit, and too many for the system's own


def results(
    parsed: argparse.Namespace,
    recipe: Recipe,
    pairs: Collection[Pair],
    what: str,
    *,
    details: bool,
    prepare: Preparations,
    store: KeptIn | None = None,
) -> Iterator[PageResult]:
    """The results of all pages, in the order of the pairs; with `--strict` an error for the first bad one."""
    work = Work(
        Wanted.of(recipe.measures),
        recipe.settings,
        recipe.reading,
        recipe.skip_missing,
        details=details,
        prepare=prepare,
        failed_as_missing=recipe.failed_as_missing,
    )
    runner = runner_of(parsed, pairs)
    done = (store.around(runner) if store else runner).map(work, pairs)
    for _, made in watched(done, len(pairs), what):
        for result in made:
            if parsed.strict:
                refuse(result, skip_missing=recipe.skip_missing)
            yield result


def check_limits(parsed: argparse.Namespace) -> None:
    """Raises an error if a number of processes, seconds or megabytes is none."""
    for name, what in (("jobs", "processes"), ("page_seconds", "seconds"), ("page_memory", "megabytes")):
        value = getattr(parsed, name)
        if value is not None and not value > 0:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} {value:g}: give a number of {what} above 0")


def begin_processes(parsed: argparse.Namespace) -> None:
    """Lets processes load what they need while files are paired, where there may be many pairs."""
    listed = parsed.gt.suffix.lower() in (*LISTS, *TABLES)
    if not parsed.scheduler and (listed or (isinstance(parsed.gt, Path) and parsed.gt.is_dir())):
        warm_up()


def runner_of(parsed: argparse.Namespace, pairs: Collection[Pair]) -> Runner:
    """What does the work: a single pair needs no further process, unless it has limits or may take long."""
    seconds = parsed.page_seconds if parsed.page_seconds and parsed.page_seconds < _ENDLESS else None
    memory = parsed.page_memory if parsed.page_memory and parsed.page_memory < _ENDLESS else None
    if parsed.scheduler:
        return _cluster(parsed, limited=bool(seconds or memory))
    alone = len(pairs) < 2 and not (seconds or memory or any(map(_is_large, pairs)))  # noqa: PLR2004
    return InProcess() if alone else Pool(parsed.jobs, seconds=seconds, memory=memory and ceil(memory * _MB))


def _is_large(pair: Pair) -> bool:
    """Whether a pair may be in the kernel for long, where Ctrl-C does not reach; a process can be ended."""
    paths = (path for path in (pair.gt, pair.hyp) if isinstance(path, Path) and path.is_file())
    return sum(path.stat().st_size for path in paths) > _LARGE


def _cluster(parsed: argparse.Namespace, *, limited: bool) -> Runner:
    from pagemeter.corpus.runners.cluster import LOCAL, Cluster  # noqa: PLC0415  (only where asked for)

    if limited:
        raise UsageError("--page-seconds and --page-memory are for this machine; set limits of the workers")
    if parsed.jobs and parsed.scheduler != LOCAL:
        raise UsageError("--jobs: a cluster has the workers it has; leave it out")
    return Cluster(parsed.scheduler, parsed.jobs, say=say)
