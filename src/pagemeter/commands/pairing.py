"""Which files a command compares, and what is wrong with that before any is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.commands.guarding import guarded
from pagemeter.commands.progress import waiting
from pagemeter.commands.statistics import check_documents
from pagemeter.commands.strict import refuse_pairs
from pagemeter.corpus import pair

if TYPE_CHECKING:
    import argparse

    from pagemeter.corpus import Pairing, Recipe
    from pagemeter.corpus.urls import Location


def paired(parsed: argparse.Namespace, hyp: Location | None, recipe: Recipe) -> Pairing:
    """The pairs of the ground truth and a hypothesis, or of a table; an error if they cannot be evaluated."""
    suffixes = {"gt_suffixes": parsed.gt_suffix or (), "hyp_suffixes": parsed.hyp_suffix or ()}
    with waiting("pairing files"):
        pairing = pair(parsed.gt, hyp, **suffixes)
    with waiting("checking pairs"):
        pairs = guarded(parsed, pairing.pairs)
        check_documents(pairs, recipe.plan)
        if parsed.strict:
            refuse_pairs(pairs, skip_missing=recipe.skip_missing)
    return replace(pairing, pairs=pairs)
