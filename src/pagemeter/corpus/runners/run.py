"""From pairs of files to results."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING

from pagemeter.corpus.measures import Wanted
from pagemeter.corpus.reading import Reading
from pagemeter.corpus.runners.work import InProcess, Work
from pagemeter.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.result import PageResult
    from pagemeter.corpus.runners.work import Runner
    from pagemeter.measure import Measure


def run(
    pairs: Iterable[Pair],
    measures: Iterable[str | Measure] | Wanted | None = None,
    settings: Settings | None = None,
    *,
    reading: Reading | None = None,
    skip_missing: bool = False,
    details: bool = True,
    on: Runner | Executor | None = None,
) -> Iterator[PageResult]:
    """The results of all pages in the order of the pairs, each as soon as it is there; none is kept.

    `measures` are those of `Wanted.of`. A GT page without HYP is evaluated against an empty page, so that all
    of it is missing, unless `skip_missing`. A file that cannot be read, and a page that lacks the positions
    that a G measure needs, give a result with an error and touch no other page; a G measure that is wanted
    only where there are positions (`CER:G?`, and those of the default) is left out of that page instead.

    The work is done in this process, or `on` a `Pool` of processes or any `concurrent.futures.Executor`.
    Without `details` results have numbers only, which is quicker where they come from other processes.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair
    >>> from pagemeter.measure import Measure
    >>> path = Path(tempfile.mkdtemp(), "page.txt")
    >>> _ = path.write_text("a line")
    >>> [result.scores[Measure("CER")].errors for result in run([Pair("page", path, None)], ["CER"])]
    [6]
    """
    work = Work(Wanted.of(measures), settings or Settings(), reading or Reading(), skip_missing, details)
    for _, results in runner_of(on).map(work, pairs):
        yield from results


def runner_of(on: Runner | Executor | None) -> Runner:
    """What does the work, whatever is given for it."""
    if on is None:
        return InProcess()
    if isinstance(on, Executor):
        from pagemeter.corpus.runners.futures import Futures  # noqa: PLC0415  (only where asked for)

        return Futures(on)
    return on
