"""`pagemeter compare`: whether several systems differ on the same pages."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.commands.evaluate import DONE, FAILED, recipe_of, refuse_nothing
from pagemeter.commands.guarding import check_inputs, check_pairs
from pagemeter.commands.sinks import check_paths, open_html, prepared_html
from pagemeter.commands.statistics import check_documents
from pagemeter.commands.strict import refuse_pairs
from pagemeter.commands.working import results
from pagemeter.corpus import Outcome, Totals, Wanted, pair
from pagemeter.corpus.kinds import is_store
from pagemeter.errors import UsageError
from pagemeter.report.comparison_files import WRITERS, Compared, findings, show
from pagemeter.report.output import STDOUT, whole
from pagemeter.report.spelling import shown
from pagemeter.report.summary import listed, messages, summary
from pagemeter.stats.comparison import compare_pages
from pagemeter.stats.systems import SystemPages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from pagemeter.corpus import PageResult, Pairing, Recipe


@dataclass(slots=True)
class Run:
    """One system: the pairs of its files, the numbers of its pages and what happened."""

    name: str
    pairing: Pairing
    pages: SystemPages | None = None
    totals: Totals = field(default_factory=Totals)


def compare(parsed: argparse.Namespace) -> int:
    """Evaluates every system, compares them and reports; the exit code is that of an evaluation of all."""
    if is_store(parsed.gt):
        from pagemeter.commands.compare_stores import compare_stores  # noqa: PLC0415  (stores load much)

        return compare_stores(parsed)
    check_inputs(parsed, [parsed.gt, *parsed.systems])
    recipe = recipe_of(parsed)
    runs = _runs(parsed, recipe)
    paths = {kind: path for kind in (*WRITERS, "html") if (path := getattr(parsed, kind))}
    check_paths(list(paths.values()))
    with ExitStack() as stack:
        files = {kind: stack.enter_context(whole(path)) for kind, path in paths.items() if kind in WRITERS}
        html = open_html(stack, parsed, len(runs)) if parsed.html else None
        for number, one in enumerate(runs):
            _evaluate(one, parsed, recipe, partial(html.add, system=number) if html else None)
        compared = compared_of(runs, recipe, parsed)
        for kind, file in files.items():
            WRITERS[kind](file, compared)
        if html:
            html.write(findings(compared, [page for one in runs for page in one.totals.failed]))
    if not set(STDOUT) & set(paths.values()):
        try:
            show(sys.stdout, compared)
        except BrokenPipeError:
            conclude(runs, compared, skip_missing=recipe.skip_missing)
            raise
    return conclude(runs, compared, skip_missing=recipe.skip_missing)


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


def _runs(parsed: argparse.Namespace, recipe: Recipe) -> list[Run]:
    """Pairs the files of all systems, before any is evaluated."""
    suffixes = {"gt_suffixes": parsed.gt_suffix or (), "hyp_suffixes": parsed.hyp_suffix or ()}
    made = []
    for name, system in zip(names_of(parsed.systems, parsed.name or ()), parsed.systems, strict=True):
        pairing = pair(parsed.gt, system, **suffixes)
        check_pairs(parsed, pairing.pairs)
        check_documents(pairing.pairs, recipe.plan)
        if parsed.strict:
            refuse_pairs(pairing.pairs, skip_missing=recipe.skip_missing)
        made.append(Run(name, pairing))
    return made


def _evaluate(
    one: Run, parsed: argparse.Namespace, recipe: Recipe, show_page: Callable[[PageResult], None] | None
) -> None:
    """Keeps the numbers of every page, and gives the page itself to the report if there is one."""
    kept = []
    pairs, what = one.pairing.pairs, f"evaluating {one.name}"
    for result in results(parsed, recipe, pairs, what, details=False, prepare=prepared_html(parsed)):
        one.totals.add(result)
        if show_page:
            show_page(result)
        kept.append(result.numbers)
    one.pages = SystemPages.of(kept)
    refuse_nothing(one.totals, one.name)


def compared_of(runs: Sequence[Run], recipe: Recipe, parsed: argparse.Namespace) -> Compared:
    """What is reported of systems whose pages are known."""
    pages = {one.name: one.pages for one in runs if one.pages}
    found = compare_pages(pages, recipe.plan, baseline=parsed.baseline)
    wanted = Wanted(found.measures, budget=Wanted.of(recipe.measures).budget)
    said = [
        f"{shown(one.name)}: {line}"
        for one in runs
        for line in summary(Outcome(one.totals, "", one.pairing.passed_over))
    ]
    count = len(found.pages)
    said.append(f"{count:,} page{'s' * (count != 1)} compared")
    said += listed("not compared", [f"{gap.page}: {gap.reason} ({gap.system})" for gap in found.left_out])
    done = replace(recipe, measures=wanted) if found.measures else recipe
    return Compared(found, said, done.signature, parsed.per_page)


def conclude(runs: Sequence[Run], compared: Compared, *, skip_missing: bool) -> int:
    """Says what was wrong with any system, and gives the exit code."""
    wrong = not compared.comparison.pages
    for one in runs:
        for line in messages(one.totals):
            print(f"{shown(one.name)}: {line}", file=sys.stderr)  # noqa: T201
        unpaired = (one.totals.without_hyp or one.totals.without_gt) and not skip_missing
        wrong = wrong or bool(one.totals.failed or unpaired)
    if not compared.comparison.pages:
        print("error: no page was evaluated for all systems", file=sys.stderr)  # noqa: T201
    return FAILED if wrong else DONE
