"""`pagemeter compare STORE STORE`: whether systems differ, from results stores alone."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pagemeter.commands.compare import compared_of, conclude
from pagemeter.commands.saying import say
from pagemeter.commands.sinks import check_paths
from pagemeter.commands.statistics import plan_of
from pagemeter.commands.systems import Run, names_of
from pagemeter.corpus.files.kinds import is_store
from pagemeter.corpus.pairs import Pairing
from pagemeter.errors import StoreError, UsageError
from pagemeter.plan import Resampling
from pagemeter.report.comparison_files import WRITERS, show
from pagemeter.report.output import STDOUT, whole
from pagemeter.store.known_pages import KnownPages
from pagemeter.store.manifest import difference, parts_of
from pagemeter.store.reading import StoredResults

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pagemeter.corpus import Recipe

_HAVE_MEANING = {"load", "gt", "systems", "baseline", "name", "per_page", "html_size", *WRITERS}
_HAVE_MEANING |= {field.name for field in fields(Resampling)}


def compare_stores(parsed: argparse.Namespace) -> int:
    """Compares what is in several stores and reports; the exit code is that of a comparison of the pages."""
    _check(parsed)
    folders = [parsed.gt, *parsed.systems]
    stores = [StoredResults(folder) for folder in folders]
    say(*(remark for store in stores for remark in store.remarks))
    recipe = replace(_recipe(stores), plan=plan_of(parsed))
    paths = {kind: path for kind in WRITERS if (path := getattr(parsed, kind))}
    check_paths(list(paths.values()))
    with ExitStack() as stack:
        files = {kind: stack.enter_context(whole(path)) for kind, path in paths.items()}
        names = names_of(folders, parsed.name or ())
        known = KnownPages()
        runs = [_run(name, store, known) for name, store in zip(names, stores, strict=True)]
        compared = compared_of(runs, recipe, parsed, {})
        for kind, file in files.items():
            WRITERS[kind](file, compared)
    if not set(STDOUT) & set(paths.values()):
        show(sys.stdout, compared)
    return conclude(runs, compared, skip_missing=recipe.skip_missing)


def _check(parsed: argparse.Namespace) -> None:
    for folder in parsed.systems:
        if not is_store(folder):
            raise UsageError(f"{folder}: no results store, though {parsed.gt} is one; give stores only")
    for name, value in vars(parsed).items():
        if name not in _HAVE_MEANING and value not in (None, False):
            option = name.replace("_", "-")
            raise UsageError(f"--{option}: the numbers of a store are made already; leave it out")


def _recipe(stores: Sequence[StoredResults]) -> Recipe:
    """What the numbers of all stores depend on, which has to be the same."""
    first, *others = (store.recipe for store in stores)
    for store, other in zip(stores[1:], others, strict=True):
        if differs := difference(parts_of(first, None), parts_of(other, None)):
            raise StoreError(
                f"{stores[0].folder} and {store.folder} cannot be compared: {differs} ({store.folder}); "
                "evaluate both in one way"
            )
    return first


def _run(name: str, store: StoredResults, known: KnownPages) -> Run:
    totals, pages = store.pages(known)
    return Run(name, Pairing(()), pages, totals)
