"""Pages of S whose solutions nearly tie, so that bounds alone prove little."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pagemeter import _kernel
from pagemeter.measure import Measure
from pagemeter.solve import matching, score
from pages import expected, problem


def tied_page(seed: int, unit: str, lines: int) -> tuple[list[str], list[str]]:
    """Return two pages of lines from very few words, so that many solutions nearly tie."""
    rng = random.Random(f"{seed} {unit}")
    words = ["".join(rng.choices("ab", k=rng.randint(1, 3))) for _ in range(5)]
    gt, hyp = ([" ".join(rng.choices(words, k=rng.randint(2, 5))) for _ in range(lines)] for _ in range(2))
    return gt, hyp


@pytest.mark.parametrize(("unit", "lines"), [("CER", 10), ("WER", 14)])
def test_tied_pages_have_the_counts_of_the_integer_programme(unit, lines):
    measure = Measure(unit, segmentation=True)
    for seed in range(8):
        pages = tied_page(seed, unit, lines)
        found = score(measure, problem(*pages, measure))
        assert found.optimal
        assert found.canonical
        assert (found.errors, found.cor, found.sub) == expected(*pages, measure)


def test_parts_that_are_far_apart_have_the_counts_of_one_page_each():
    """With G, two pages one below the other are solved independently."""
    measure = Measure("CER", segmentation=True, geometry=True)
    above, below = tied_page(1, "CER", 7), tied_page(2, "CER", 7)
    whole = tuple(a + b for a, b in zip(above, below, strict=True))
    near = [[(x < 7) == (y < 7) for y in range(14)] for x in range(14)]
    found = score(measure, problem(*whole, measure, near))
    everything = [[True] * 7] * 7
    apart = [score(measure, problem(*page, measure, everything)) for page in (above, below)]
    assert found.canonical
    assert found.counts == apart[0].counts + apart[1].counts


def test_the_bound_of_any_effort_is_below_the_minimum(monkeypatch):
    measure = Measure.parse("WER:S")
    pages = tied_page(3, "WER", 14)
    minimum, _, _ = expected(*pages, measure)
    given = problem(*pages, measure)
    for steps in (1e3, 1e4, 1e5, 1e6):
        monkeypatch.setattr(matching, "UNIT", steps)
        found = score(measure, given)
        assert found.lower_bound <= minimum <= found.errors


def test_the_steps_of_a_search_are_reported():
    pages = problem(*tied_page(0, "CER", 10), Measure.parse("CER:S"))
    arrays = pages.gt.tokens, pages.gt.lines, pages.hyp.tokens, pages.hyp.words, pages.hyp.word_line
    *_, interrupted, steps = _kernel.free_segments(*arrays, None, pages.alphabet, 1e9, 1e9)
    assert not interrupted
    assert 0 < steps < 1e9


def test_many_blind_runs_that_tie_end_the_listing():
    count = iter(range(10**6))
    gt = [" ".join(f"g{next(count)}" for _ in range(length)) for length in range(1, 61) for _ in range(4)]
    hyp = [f"h{number}" for number in range(5000)]
    for place in range(715, 4000, 715):  # each of these lines has an extra word
        words = [f"g{next(count)}" for _ in range(4)]
        gt.append(" ".join(words))
        hyp[place : place + 5] = [*words[:2], f"h{place}", *words[2:]]
    pages = problem(gt, [" ".join(hyp)], Measure.parse("WER:S"))
    arrays = pages.gt.tokens, pages.gt.lines, pages.hyp.tokens, pages.hyp.words, pages.hyp.word_line
    rows, _, _, _, steps = _kernel.free_segments(*arrays, None, pages.alphabet, 1e10, 1e9)
    assert rows[:, 4].sum() == 20
    assert steps < 10**9


class TestMatches:
    """Rows of lines: GT line, HYP line, distance, COR, SUB. Rows of runs have the first word and the end."""

    LINES = np.array([[0, 1, 2, 5, 1], [2, 0, 0, 4, 0]], np.int32)
    RUNS = np.array([[1, 0, 2, 3, 7, 2], [0, 3, 4, 0, 3, 0]], np.int32)
    WORDS = np.array([[0, 3], [4, 8], [8, 9], [12, 15]], np.int32)
    WORD_LINE = np.array([0, 1, 1, 2], np.int32)

    def test_sums_are_those_of_the_columns(self):
        assert _kernel.sum_matches(self.LINES, None) == (9, 1, 0)
        assert _kernel.sum_matches(self.RUNS, self.WORDS) == (10, 2, 1)
        assert _kernel.sum_matches(self.RUNS[:0], self.WORDS) == (0, 0, 0)

    @pytest.mark.parametrize(
        ("refused", "within"), [((0, 1), False), ((2, 0), False), ((1, 1), True), ((0, 0), True)]
    )
    def test_lines_are_within_a_mask_that_allows_them(self, refused, within):
        mask = np.ones((3, 2), np.bool_)
        mask[refused] = False
        assert _kernel.matches_within(self.LINES, None, mask) is within

    @pytest.mark.parametrize(
        ("refused", "within"),
        [((1, 0), False), ((1, 1), False), ((0, 2), False), ((1, 2), True), ((0, 1), True)],
    )
    def test_runs_are_within_a_mask_that_allows_the_lines_of_all_words(self, refused, within):
        mask = np.ones((2, 3), np.bool_)
        mask[refused] = False
        assert _kernel.matches_within(self.RUNS, self.WORD_LINE, mask) is within

    def test_matches_are_in_order_if_both_sides_are(self):
        assert _kernel.matches_in_order(np.array([[0, 1, 2, 3, 7, 2], [2, 3, 4, 0, 3, 0]], np.int32))
        assert _kernel.matches_in_order(self.RUNS[:0])
        assert not _kernel.matches_in_order(self.LINES)
        assert not _kernel.matches_in_order(self.RUNS)

    def test_runs_are_lines_if_they_have_all_words_of_one_line(self):
        whole = np.array([[1, 0, 1, 3, 7, 2], [0, 1, 3, 0, 3, 0]], np.int32)
        lines = _kernel.matched_lines(whole, self.WORD_LINE)
        assert lines.tolist() == [[1, 0, 3, 7, 2], [0, 1, 0, 3, 0]]
        for begin, end in ((0, 2), (1, 2), (2, 3), (1, 4)):
            assert (
                _kernel.matched_lines(np.array([[0, begin, end, 0, 1, 0]], np.int32), self.WORD_LINE) is None
            )
        with pytest.raises(ValueError, match="rows of runs"):
            _kernel.matched_lines(self.LINES, self.WORD_LINE)

    @pytest.mark.parametrize(
        "row",
        [[3, 0, 1, 0, 1, 0], [-1, 0, 1, 0, 1, 0], [0, 4, 5, 0, 1, 0], [0, 1, 1, 0, 1, 0], [0, 1, 5, 0, 1, 0]],
    )
    def test_matches_outside_the_pages_are_refused(self, row):
        rows, mask = np.array([row], np.int32), np.ones((3, 3), np.bool_)
        with pytest.raises(ValueError, match="matches must be"):
            _kernel.matches_within(rows, self.WORD_LINE, mask)
        lines = np.array([[0, 1], [1, 2], [2, 3]], np.int32)
        tokens = np.zeros(15, np.int32)
        with pytest.raises(ValueError, match="matches must be"):
            _kernel.error_kinds(tokens, lines, tokens, self.WORDS, rows, 1, None, None, 20, 1000)

    def test_rows_of_other_columns_and_lines_outside_the_mask_are_refused(self):
        mask = np.ones((3, 2), np.bool_)
        with pytest.raises(ValueError, match="rows of lines or of runs"):
            _kernel.sum_matches(self.WORDS, None)
        with pytest.raises(ValueError, match="the mask must"):
            _kernel.matches_within(self.RUNS, self.WORD_LINE, mask)
