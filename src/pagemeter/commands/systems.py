"""The systems that are compared: the files of each, and the numbers of its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.commands.evaluate import nothing_read
from pagemeter.commands.pairing import paired
from pagemeter.commands.saying import say
from pagemeter.commands.sinks import prepared_html
from pagemeter.commands.working import results
from pagemeter.corpus import Totals
from pagemeter.errors import InputError, UsageError
from pagemeter.report.summary import messages
from pagemeter.stats.systems import SystemPages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from pagemeter.corpus import PageResult, Pairing, Recipe
    from pagemeter.report.html import HtmlFile

_FEWEST = 2


@dataclass(slots=True)
class Run:
    """One system: the pairs of its files, the numbers of its pages and what happened."""

    name: str
    pairing: Pairing
    pages: SystemPages | None = None
    totals: Totals = field(default_factory=Totals)


@dataclass(slots=True)
class Systems:
    """The systems that can be compared, and those of which nothing could be used, by name with the reason.

    One bad system out of many does not keep the others from being compared, unless that is all that was
    asked for: with `--strict`, with fewer than two left, or if it is the one that `--baseline` needs.
    """

    parsed: argparse.Namespace
    recipe: Recipe
    runs: list[Run] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def pair(self) -> None:
        """Pairs the files of all systems, before any is evaluated."""
        names = names_of(self.parsed.systems, self.parsed.name or ())
        for name, system in zip(names, self.parsed.systems, strict=True):
            try:
                self.runs.append(Run(name, paired(self.parsed, system, self.recipe)))
            except InputError as error:
                self._leave_out(name, error, names)

    def evaluate(self, html: HtmlFile | None) -> None:
        """Evaluates all systems one after the other, and gives their pages to the report if there is one."""
        paired, self.runs = self.runs, []
        names = [run.name for run in paired]
        for run in paired:
            show = partial(html.add, system=len(self.runs)) if html else None
            if reason := self._evaluate(run, show):
                said = *messages(run.totals), reason
                self._leave_out(
                    run.name, InputError("\n".join(f"{run.name}: {line}" for line in said)), names
                )
            else:
                self.runs.append(run)

    def _evaluate(self, run: Run, show: Callable[[PageResult], None] | None) -> str | None:
        """Keeps the numbers of every page; the reason if nothing of the system could be used."""
        pairs, what, prepare = run.pairing.pairs, f"evaluating {run.name}", prepared_html(self.parsed)
        done = results(self.parsed, self.recipe, pairs, what, details=False, prepare=prepare)
        run.pages = SystemPages.of(_added(_shown(done, show) if show else done, run.totals))
        return nothing_read(run.totals) if run.totals.pages else "no page of it could be evaluated"

    def _leave_out(self, name: str, error: InputError, names: Sequence[str]) -> None:
        """Goes on without a system, if there is anything left to compare."""
        left = [one for one in names if one != name and one not in self.failed]
        if self.parsed.strict or len(left) < _FEWEST or (self.parsed.baseline and name == names[0]):
            raise error
        self.failed[name] = str(error)
        say(*str(error).split("\n"), f"error: {name} is left out, the others are compared")


def _added(results: Iterator[PageResult], totals: Totals) -> Iterator[PageResult]:
    """The results, each added to the totals."""
    for result in results:
        totals.add(result)
        yield result


def _shown(results: Iterator[PageResult], show: Callable[[PageResult], None]) -> Iterator[PageResult]:
    """The results, each shown as soon as any page of the system turns out to be read."""
    waiting: list[PageResult] = []
    read = False
    for result in results:
        waiting.append(result)
        read = read or result.status == "evaluated"
        while read and waiting:
            show(waiting.pop(0))
        yield result


def names_of(paths: Sequence[Path], given: Sequence[str] = ()) -> tuple[str, ...]:
    """What systems are called: the names given, else the last part of their paths that tells them apart.

    >>> from pathlib import Path
    >>> names_of([Path("a/hyp"), Path("b/hyp")])
    ('a/hyp', 'b/hyp')
    """
    if len(paths) < 2:  # noqa: PLR2004
        raise UsageError("one system alone cannot be compared; give two or more, or use pagemeter eval")
    if given and len(given) != len(paths):
        raise UsageError(f"--name: {len(given)} names for {len(paths)} systems; give one for each")
    depth, made = 1, tuple(given) or tuple(path.name for path in paths)
    while len(set(made)) < len(made) and not given and depth < max(len(path.parts) for path in paths):
        depth += 1
        made = tuple(str(Path(*path.parts[-depth:])) for path in paths)
    if len(set(made)) < len(made):
        raise UsageError(f"two systems are called alike ({', '.join(made)}); tell them apart with --name")
    return made
