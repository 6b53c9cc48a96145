"""How the work is done: on how many processes, and what a page may take."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.commands.progress import watched
from pagemeter.commands.strict import refuse
from pagemeter.corpus import Pool, Wanted, Work
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


def runner_of(parsed: argparse.Namespace, pairs: Collection[Pair]) -> Runner:
    """What does the work: a single pair needs no further process, unless it has limits or may take long."""
    memory = None if parsed.page_memory is None else int(parsed.page_memory * _MB)
    pool = Pool(parsed.jobs, seconds=parsed.page_seconds, memory=memory)  # which refuses numbers below 1
    limits = parsed.page_seconds, parsed.page_memory
    if parsed.scheduler:
        return _cluster(parsed, limits)
    alone = len(pairs) < 2 and limits == (None, None) and not any(map(_is_large, pairs))  # noqa: PLR2004
    return InProcess() if alone else pool


def _is_large(pair: Pair) -> bool:
    """Whether a pair may be in the kernel for long, where Ctrl-C does not reach; a process can be ended."""
    paths = (path for path in (pair.gt, pair.hyp) if isinstance(path, Path) and path.is_file())
    return sum(path.stat().st_size for path in paths) > _LARGE


def _cluster(parsed: argparse.Namespace, limits: tuple[float | None, float | None]) -> Runner:
    from pagemeter.corpus.runners.cluster import LOCAL, Cluster  # noqa: PLC0415  (only where asked for)

    if limits != (None, None):
        raise UsageError("--page-seconds and --page-memory are for this machine; set limits of the workers")
    if parsed.jobs and parsed.scheduler != LOCAL:
        raise UsageError("--jobs: a cluster has the workers it has; leave it out")
    return Cluster(parsed.scheduler, parsed.jobs, say=lambda text: print(text, file=sys.stderr))  # noqa: T201
