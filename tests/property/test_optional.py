"""Pages with optional lines: every measure equals the brute force, and relations that minima must satisfy."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from collected import exhaustive
from pagemeter.measure import ALL, Measure
from pagemeter.score import Counts
from pagemeter.settings import Settings
from pagemeter.solve import Instance, score
from pages import noisy, problem, runs_of, text_lines, tiny_pages, tokens_of
from reference import optional as brute
from reference.encode import words_of_page


def with_optional(instance: Instance, gt: list[bool], hyp: list[bool]) -> Instance:
    """Return an instance with optional lines."""
    return replace(instance, gt_optional=np.array(gt, bool), hyp_optional=np.array(hyp, bool))


def judge(gt, hyp, measure: Measure, near, flags) -> tuple[int, int, int]:
    near = near if measure.geometry else None
    g, h = tokens_of(gt, measure), tokens_of(hyp, measure)
    if measure.is_bag:
        errors, cor, minus_sub = brute.bag(g, h, *flags, near=near)
    elif measure.segmentation:
        errors, cor, minus_sub = brute.segments(
            g, *runs_of(hyp, measure), *flags, order=measure.order, near=near
        )
    else:
        errors, cor, minus_sub = brute.lines(g, h, *flags, order=measure.order, near=near)
    return errors, cor, -minus_sub


def tiny(rng: random.Random, letters: str, most_words: int):
    gt, hyp = tiny_pages(rng, letters)
    for lines in (gt, hyp):
        while len(words_of_page(lines, Settings())[0]) > most_words:
            lines.pop()
    share = rng.choice((0.3, 0.6, 1.0))
    flags = [[rng.random() < share for _ in lines] for lines in (gt, hyp)]
    flags = [[False] * len(some) if rng.random() < 0.2 else some for some in flags]
    return gt, hyp, [[rng.random() < 0.6 for _ in hyp] for _ in gt], flags


@pytest.mark.parametrize("letters", ["a漢", *exhaustive("ab")])
@pytest.mark.parametrize("measure", ALL, ids=str)
def test_equals_brute_force_on_tiny_pages(measure: Measure, letters: str):
    rng = random.Random(f"optional {letters} {measure}")
    for _ in range(400):
        gt, hyp, near, flags = tiny(rng, letters, 5 if measure.is_bag else 6)
        found = score(measure, with_optional(problem(gt, hyp, measure, near), *flags))
        assert (found.errors, found.cor, found.sub) == judge(gt, hyp, measure, near, flags), (
            gt,
            hyp,
            near,
            flags,
        )
        assert found.n_gt == sum(
            len(line) for line, of in zip(tokens_of(gt, measure), flags[0], strict=True) if not of
        )
        assert found.optimal
        assert found.canonical


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_nothing_changes_without_optional_text_and_more_of_it_never_raises_errors(measure: Measure):
    rng = random.Random(f"more {measure}")
    for size in (3, 8, 15):
        gt = text_lines(rng, size, 30)
        hyp = noisy(rng, gt[size // 3 :] + gt[: size // 3] + text_lines(rng, 3, 25), 0.15)
        near = [[rng.random() < 0.8 for _ in hyp] for _ in gt]
        instance = problem(gt, hyp, measure, near)
        plain = score(measure, instance)
        flags = [[False] * len(gt), [False] * len(hyp)]
        none = score(measure, with_optional(instance, *flags))
        assert (none.errors, none.cor, none.sub, none.n_gt, none.n_hyp) == (
            plain.errors, plain.cor, plain.sub, plain.n_gt, plain.n_hyp,
        )  # fmt: skip
        assert none.optional == Counts()
        before = plain.errors
        for side in rng.choices((0, 1), k=6):
            flags[side][rng.randrange(len(flags[side]))] = True
            found = score(measure, with_optional(instance, *flags))
            assert found.lower_bound <= found.errors <= before
            before = found.errors
        partial = score(measure, with_optional(instance, [False] * len(gt), [True] * len(hyp)))
        assert partial.errors <= min(plain.errors, plain.n_gt)
