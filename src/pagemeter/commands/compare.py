"""`pagemeter compare`: whether several systems differ on the same pages."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.commands.evaluate import DONE, FAILED, recipe_of
from pagemeter.commands.guarding import check_inputs
from pagemeter.commands.saying import say
from pagemeter.commands.sinks import check_paths, open_html
from pagemeter.commands.systems import Systems
from pagemeter.commands.working import check_limits
from pagemeter.corpus import Outcome, Wanted
from pagemeter.corpus.files.kinds import is_store
from pagemeter.report.comparison_files import WRITERS, Compared, findings, show
from pagemeter.report.output import STDOUT, whole
from pagemeter.report.spelling import shown
from pagemeter.report.summary import listed, messages, summary
from pagemeter.stats.comparison import compare_pages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from pagemeter.commands.systems import Run
    from pagemeter.corpus import Recipe


def compare(parsed: argparse.Namespace) -> int:
    """Evaluates every system, compares them and reports; the exit code is that of an evaluation of all."""
    if is_store(parsed.gt):
        from pagemeter.commands.compare_stores import compare_stores  # noqa: PLC0415  (stores load much)

        return compare_stores(parsed)
    check_limits(parsed)
    check_inputs(parsed, [parsed.gt, *parsed.systems])
    recipe = recipe_of(parsed)
    systems = Systems(parsed, recipe)
    systems.pair()
    paths = {kind: path for kind in (*WRITERS, "html") if (path := getattr(parsed, kind))}
    check_paths(list(paths.values()))
    with ExitStack() as stack:
        files = {kind: stack.enter_context(whole(path)) for kind, path in paths.items() if kind in WRITERS}
        html = open_html(stack, parsed, len(systems.runs)) if parsed.html else None
        systems.evaluate(html)
        runs, compared = systems.runs, compared_of(systems.runs, recipe, parsed, systems.failed)
        for kind, file in files.items():
            WRITERS[kind](file, compared)
        if html:
            html.write(findings(compared, [page for one in runs for page in one.totals.failed.first]))
    if not set(STDOUT) & set(paths.values()):
        try:
            show(sys.stdout, compared)
        except BrokenPipeError:
            conclude(runs, compared, skip_missing=recipe.skip_missing)
            raise
    return conclude(runs, compared, skip_missing=recipe.skip_missing)


def compared_of(
    runs: Sequence[Run], recipe: Recipe, parsed: argparse.Namespace, failed: Mapping[str, str]
) -> Compared:
    """What is reported of systems whose pages are known, and of those that failed."""
    pages = {one.name: one.pages for one in runs if one.pages}
    found = compare_pages(pages, recipe.plan, baseline=parsed.baseline)
    wanted = Wanted(found.measures, budget=Wanted.of(recipe.measures).budget)
    said = [
        f"{shown(one.name)}: {line}"
        for one in runs
        for line in summary(Outcome(one.totals, "", one.pairing.passed_over))
    ]
    said += [f"{shown(name)}: left out, nothing of it could be used" for name in failed]
    count = len(found.pages)
    said.append(f"{count:,} page{'s' * (count != 1)} compared")
    said += listed("not compared", [f"{gap.page}: {gap.reason} ({gap.system})" for gap in found.left_out])
    done = replace(recipe, measures=wanted) if found.measures else recipe
    return Compared(found, said, done.signature, parsed.per_page, failed)


def conclude(runs: Sequence[Run], compared: Compared, *, skip_missing: bool) -> int:
    """Says what was wrong with any system, and gives the exit code."""
    wrong = not compared.comparison.pages or bool(compared.failed)
    for one in runs:
        say(*(f"{one.name}: {line}" for line in messages(one.totals)))
        unpaired = (one.totals.without_hyp or one.totals.without_gt) and not skip_missing
        wrong = wrong or bool(one.totals.failed or unpaired)
    if not compared.comparison.pages:
        say("error: no page was evaluated for all systems")
    return FAILED if wrong else DONE
