"""`pagemeter report`: what a results store says, without a look at the pages."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.commands.evaluate import conclude
from pagemeter.commands.limits import Limit
from pagemeter.commands.sinks import open_files, open_terminal
from pagemeter.commands.statistics import plan_of
from pagemeter.corpus import Outcome, Totals, Wanted
from pagemeter.errors import UsageError
from pagemeter.report.tables import WORST
from pagemeter.stats import intervals_of
from pagemeter.store.part import add_part
from pagemeter.store.reading import StoredResults

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pagemeter.corpus import Recipe
    from pagemeter.measure import Measure
    from pagemeter.report.sink import Sink
    from pagemeter.store.part import Part


def report(parsed: argparse.Namespace) -> int:
    """Reports what is in a store as `eval` would; the exit code is the same too."""
    limits = [Limit.parse(text) for text in parsed.fail_above or ()]
    stored = StoredResults(parsed.stored)
    recipe = replace(stored.recipe, plan=plan_of(parsed))
    wanted, totals = Wanted.of(recipe.measures), Totals()
    _check(limits, wanted, stored)
    with ExitStack() as shown:
        terminal = open_terminal(shown, parsed, wanted)
        with ExitStack() as stack:
            files = open_files(stack, parsed, wanted)
            for part in stored.parts():
                add_part(totals, part)
                _show(part, files, terminal, wanted.measures[0], every=parsed.per_page)
            outcome = _outcome(totals, recipe)
            for sink in files:
                sink.finish(outcome)
        try:
            for sink in terminal:
                sink.finish(outcome)
        finally:  # whoever reads the table may have gone before its end
            code = conclude(totals, limits, skip_missing=recipe.skip_missing, remarks=stored.remarks)
    return code


def _check(limits: Sequence[Limit], wanted: Wanted, stored: StoredResults) -> None:
    for limit in limits:
        if limit.measure not in wanted.measures:
            there = ", ".join(map(str, wanted.measures))
            raise UsageError(f"--fail-above: {limit.measure} is not in {stored.folder}, which has {there}")


def _show(
    part: Part, files: Sequence[Sink], terminal: Sequence[Sink], measure: Measure, *, every: bool
) -> None:
    """Gives pages to the reports; a terminal shows the worst ones, and does not need the others."""
    results = part.results() if files or every else part.worst(measure, WORST)
    for result in results:
        for sink in (*files, *terminal):
            sink.add(result)


def _outcome(totals: Totals, recipe: Recipe) -> Outcome:
    found, named = intervals_of(totals.counts, recipe.plan), recipe.measures != Wanted.of(None)
    return Outcome(totals, recipe.done(totals).signature, (), found, named=named)
