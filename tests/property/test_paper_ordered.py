"""The paper's solver against independent references, on thousands of tiny random pages."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pagemeter.paper import solve_as_printed
from reference import brute
from reference.paper_oracles import join_words, ordered_lines, printed_delta

SEEDS = range(6)
PAGES = 500


def random_words(random: Random, most: int) -> list[tuple]:
    """Return a few words, some of them empty, and sometimes none."""
    count = 0 if random.random() < 0.1 else random.randint(1, most)
    return [tuple(random.choices("ab", k=random.choice((0, 1, 1, 2, 2, 3)))) for _ in range(count)]


def random_page(random: Random, lines: int = 4, words: int = 3) -> list[list[tuple]]:
    return [random_words(random, words) for _ in range(random.randint(0, lines))]


def random_mask(random: Random, gt: list, hyp: list) -> list[list[bool]] | None:
    if random.random() < 0.5:
        return None
    return [[random.random() < 0.6 for _ in hyp] for _ in gt]


def random_cases(seed: int, joiner, **size: int):
    """Yield GT lines, HYP lines of words, and a mask or None."""
    random = Random(seed)
    for _ in range(PAGES):
        gt = [join_words(line, joiner) for line in random_page(random, **size)]
        hyp = random_page(random, **size)
        yield gt, hyp, random_mask(random, gt, hyp)


def check_matching(solution, gt, hyp, joiner, near, *, order: bool, segmentation: bool) -> None:
    """Check that the matching is valid and has the counts of the solution."""
    words = [word for line in hyp for word in line]
    line_of = [y for y, line in enumerate(hyp) for _ in line]
    errors = sum(map(len, gt)) + sum(
        map(len, words if segmentation else [join_words(line, joiner) for line in hyp])
    )
    cor = sub = 0
    for match in solution.matches:
        text = join_words([words[w] for w in match.hyp_words], joiner)
        if segmentation:
            assert match.hyp_line is None
            assert len(match.hyp_words) > 0
            assert near is None or all(near[match.gt][line_of[w]] for w in match.hyp_words)
        else:
            assert text == join_words(hyp[match.hyp_line], joiner)
            assert near is None or near[match.gt][match.hyp_line]
        distance, correct, substituted = brute.pair(text, gt[match.gt])
        assert (match.distance, match.cor, match.sub) == (distance, correct, -substituted)
        own = sum(len(words[w]) for w in match.hyp_words) if segmentation else len(text)
        errors += distance - len(gt[match.gt]) - own
        cor, sub = cor + match.cor, sub + match.sub
    assert (solution.errors, solution.cor, solution.sub) == (errors, cor, sub)
    ins = sum(map(len, gt)) - cor - sub
    assert ins >= 0
    assert errors - sub - ins >= 0
    gts = [match.gt for match in solution.matches]
    assert gts == sorted(set(gts))
    assert max(Counter(w for match in solution.matches for w in match.hyp_words).values(), default=1) == 1
    if not segmentation:
        assert len({match.hyp_line for match in solution.matches}) == len(gts)
    if order:
        places = [match.hyp_words.start if segmentation else match.hyp_line for match in solution.matches]
        assert places == sorted(places)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("joiner", [" ", None])
def test_ordered_lines_are_the_minimum_with_the_fewest_correct(seed, joiner):
    for gt, hyp, near in random_cases(seed, joiner):
        found = solve_as_printed(gt, hyp, joiner=joiner, order=True, segmentation=False, neighbours=near)
        lines = [join_words(line, joiner) for line in hyp]
        assert (found.errors, found.cor) == ordered_lines(gt, lines, near)
        assert found.recursion == found.errors
        check_matching(found, gt, hyp, joiner, near, order=True, segmentation=False)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_path_has_the_cost_of_the_printed_recursion(seed):
    for gt, hyp, near in random_cases(seed, " ", lines=3):
        # A line without words is a line to the recursion without S and nothing to the one with S.
        texts, lines = ["".join(line) for line in gt], ["".join(join_words(line, " ")) for line in hyp]
        plain = solve_as_printed(gt, hyp, joiner=" ", order=True, segmentation=False, neighbours=near)
        assert plain.recursion == printed_delta(texts, lines, near, segmentation=False)
        found = solve_as_printed(gt, hyp, joiner=" ", order=True, segmentation=True, neighbours=None)
        worded = [text for text, line in zip(lines, hyp, strict=True) if line]
        assert found.recursion == printed_delta(texts, worded, segmentation=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_ordered_runs_of_characters_are_at_or_above_the_definition(seed):
    above = 0
    for gt, hyp, near in random_cases(seed, " ", lines=3, words=2):
        found = solve_as_printed(gt, hyp, joiner=" ", order=True, segmentation=True, neighbours=near)
        check_matching(found, gt, hyp, " ", near, order=True, segmentation=True)
        minimum = brute.segments(gt, hyp, " ", order=True, near=near)[0]
        assert minimum <= found.errors <= found.recursion
        above += found.errors > minimum
    assert above, "the printed recursion is known to miss the minimum on such pages"


@pytest.mark.parametrize("seed", SEEDS)
def test_ordered_runs_of_words_are_the_minimum_with_the_fewest_correct(seed):
    """Without a letter for the space, the recursion computes the definition."""
    for gt, hyp, near in random_cases(seed, None, lines=3, words=2):
        found = solve_as_printed(gt, hyp, joiner=None, order=True, segmentation=True, neighbours=near)
        check_matching(found, gt, hyp, None, near, order=True, segmentation=True)
        assert (found.errors, found.cor, -found.sub) == brute.segments(gt, hyp, None, order=True, near=near)
        assert found.recursion == found.errors


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("joiner", [" ", None])
def test_greedy_lines_are_never_below_the_best_assignment(seed, joiner):
    for gt, hyp, near in random_cases(seed, joiner):
        found = solve_as_printed(gt, hyp, joiner=joiner, order=False, segmentation=False, neighbours=near)
        check_matching(found, gt, hyp, joiner, near, order=False, segmentation=False)
        lines = [join_words(line, joiner) for line in hyp]
        assert found.errors >= brute.lines(gt, lines, order=False, near=near)[0]
        if near is None:
            assert len(found.matches) == min(len(gt), len(hyp))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("joiner", [" ", None])
def test_greedy_runs_are_never_below_the_best_choice_of_runs(seed, joiner):
    for gt, hyp, near in random_cases(seed, joiner, lines=3, words=2):
        found = solve_as_printed(gt, hyp, joiner=joiner, order=False, segmentation=True, neighbours=near)
        check_matching(found, gt, hyp, joiner, near, order=False, segmentation=True)
        assert found.errors >= brute.segments(gt, hyp, joiner, order=False, near=near)[0]


@pytest.mark.parametrize("order", [True, False])
@pytest.mark.parametrize("segmentation", [True, False])
def test_a_mask_that_forbids_nothing_changes_nothing(order, segmentation):
    for gt, hyp, _ in random_cases(99, " "):
        mask = [[True] * len(hyp) for _ in gt]
        results = [
            solve_as_printed(gt, hyp, joiner=" ", order=order, segmentation=segmentation, neighbours=near)
            for near in (None, mask)
        ]
        assert results[0] == results[1]
