"""`pagemeter eval`: measure a hypothesis against its ground truth, one page or many."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pagemeter._version import __version__
from pagemeter.commands.guarding import check_inputs
from pagemeter.commands.keeping import kept
from pagemeter.commands.limits import Limit
from pagemeter.commands.pairing import paired
from pagemeter.commands.saying import say
from pagemeter.commands.settings import mapping_of, settings_of
from pagemeter.commands.sinks import needs_details, open_files, open_terminal, preparations
from pagemeter.commands.statistics import plan_of
from pagemeter.commands.working import begin_processes, check_limits, results
from pagemeter.corpus import Outcome, Reader, Reading, Recipe, Totals, Wanted
from pagemeter.corpus.recipe import version_of
from pagemeter.errors import InputError, PagemeterError
from pagemeter.report.summary import messages
from pagemeter.stats import intervals_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pagemeter.corpus import Pairing
    from pagemeter.corpus.files.names import Side
    from pagemeter.report.sink import Sink

DONE, FAILED = 0, 1


def evaluate(parsed: argparse.Namespace) -> int:
    """Pairs the files, runs over the pages and reports; the exit code says whether anything was wrong."""
    check_limits(parsed)
    check_inputs(parsed, [path for path in (parsed.gt, parsed.hyp) if path])
    limits = [Limit.parse(text) for text in parsed.fail_above or ()]
    recipe = recipe_of(parsed, limits)
    begin_processes(parsed)
    pairing = paired(parsed, parsed.hyp, recipe)
    with ExitStack() as shown:
        terminal = open_terminal(shown, parsed, Wanted.of(recipe.measures))
        outcome = _run(parsed, recipe, pairing, terminal)
        try:
            for sink in terminal:
                sink.finish(outcome)
        finally:  # whoever reads the table may have gone before its end
            code = conclude(outcome.totals, limits, skip_missing=recipe.skip_missing)
    return code


def recipe_of(parsed: argparse.Namespace, limits: Sequence[Limit] = ()) -> Recipe:
    """What the numbers depend on: what a signature says, and what is said besides."""
    base = _base(parsed)
    made_by = version_of(parsed.from_signature or "")
    if made_by not in (None, __version__):
        say(f"warning: the signature is of pagemeter {made_by}, this is {__version__}")
    reading = Reading(reader_of(parsed, "gt", base.reading.gt), reader_of(parsed, "hyp", base.reading.hyp))
    asked = Wanted.of(parsed.measure or base.measures)
    wanted = Wanted.of((*asked.names, *(limit.name for limit in limits)))
    wanted = wanted.with_budget(parsed.budget or ",".join(asked.budget) or "none")
    settings = settings_of(parsed, base.settings)
    skip_missing = parsed.skip_missing or base.skip_missing
    failed_as_missing = parsed.failed_as_missing or base.failed_as_missing
    plan = plan_of(parsed, base.plan)
    return Recipe(wanted, settings, reading, skip_missing, plan, failed_as_missing)


def _base(parsed: argparse.Namespace) -> Recipe:
    """What the signature given says; a mapping given besides stands in for one that cannot be found."""
    if not parsed.from_signature:
        return Recipe()
    try:
        return Recipe.from_signature(parsed.from_signature)
    except PagemeterError:
        if not parsed.mapping:
            raise
        return Recipe.from_signature(parsed.from_signature, mapping=mapping_of(parsed))


def reader_of(parsed: argparse.Namespace, side: Side, base: Reader) -> Reader:
    """How the files of a side are read: an option of that side comes before one of both."""
    names = [field.name for field in fields(Reader)]
    both = {name: getattr(parsed, name) for name in names}
    own = {name: getattr(parsed, f"{side}_{name}") for name in names}
    given = [(name, value) for options in (both, own) for name, value in options.items()]
    made: Reader = replace(base, **{name: value for name, value in given if value is not None})
    return made


def _run(parsed: argparse.Namespace, recipe: Recipe, pairing: Pairing, terminal: Sequence[Sink]) -> Outcome:
    """Runs over all pages and writes the files, which are complete before anything is shown."""
    wanted, totals = Wanted.of(recipe.measures), Totals()
    with ExitStack() as stack:
        store = stack.enter_context(kept(parsed, recipe, wanted))
        files = open_files(stack, parsed, wanted)
        details, prepare, what = needs_details(parsed), preparations(parsed), "evaluating"
        for result in results(
            parsed, recipe, pairing.pairs, what, details=details, prepare=prepare, store=store
        ):
            totals.add(result)
            for sink in (*files, *terminal):
                sink.add(result)
        if reason := nothing_read(totals):
            raise InputError("\n".join((*messages(totals), reason)))
        found = intervals_of(totals.counts, recipe.plan)
        signature = recipe.done(totals).signature
        outcome = Outcome(totals, signature, pairing.passed_over, found, named=bool(parsed.measure))
        for sink in files:
            sink.finish(outcome)
    return outcome


def nothing_read(totals: Totals) -> str | None:
    """What to say if no hypothesis at all could be read: rates would say nothing of a system."""
    if totals.pages and totals.missed == totals.pages:
        return "no hypothesis could be read, so there is nothing to measure; give the right files"
    return None


def conclude(
    totals: Totals, limits: Sequence[Limit], *, skip_missing: bool, remarks: Sequence[str] = ()
) -> int:
    """Says what was wrong, and gives the exit code."""
    said = [*remarks, *messages(totals)]
    exceeded = [text for limit in limits if (text := limit.passed(totals))]
    said += [f"error: {text}" for text in exceeded]
    if not totals.pages:
        said.append("error: no page was evaluated")
    elif not totals.scores and not totals.partial:
        said.append("error: no page could be evaluated by any measure")
    say(*said)
    unpaired = (totals.without_hyp or totals.without_gt) and not skip_missing
    evaluated = totals.scores or totals.partial
    return FAILED if totals.failed or unpaired or exceeded or not evaluated else DONE
