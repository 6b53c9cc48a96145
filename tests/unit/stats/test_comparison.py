"""The comparison of systems: paired, complete and independent of the order of pages."""

from __future__ import annotations

import weakref
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagemeter import Measure, evaluate
from pagemeter.corpus import PageResult
from pagemeter.errors import Problem, UsageError
from pagemeter.measure import ALL
from pagemeter.score import Counts, Score
from pagemeter.stats import Resampling, intervals
from pagemeter.stats import comparison as comparison_module
from pagemeter.stats import resampling as module
from pagemeter.stats.comparison import (
    _MOST_DIFFERENT,
    SystemPages,
    compare_systems,
    letter_groups,
    rank_systems,
)
from reference import drawing

CER, WER = Measure("CER"), Measure("WER")
QUICK = Resampling(resamples=1000)
BLANK = evaluate("", "", ["CER"])


def result(name: str, errors: int | None, n_gt: int = 100, **fields) -> PageResult:
    """Return a page with this number of errors; None for one that failed."""
    if errors is None:
        return PageResult(name, f"gt/{name}", f"hyp/{name}", errors=(Problem("cut off"),))
    scores = {m: Score(m, Counts(ins=errors, cor=n_gt - errors), errors) for m in (CER, WER)}
    return PageResult(name, f"gt/{name}", f"hyp/{name}", replace(BLANK, scores=scores), **fields)


def pages(errors, n_gt=None) -> list[PageResult]:
    sizes = [100] * len(errors) if n_gt is None else n_gt
    return [result(str(i), e, n) for i, (e, n) in enumerate(zip(errors, sizes, strict=True))]


def test_every_two_systems_are_compared_by_every_measure():
    found = compare_systems({"A": pages([1, 2]), "B": pages([3, 2]), "C": pages([0, 0])})
    assert [(str(one.measure), one.first, one.second) for one in found.differences] == [
        (m, *pair) for m in ("CER", "WER") for pair in (("A", "B"), ("A", "C"), ("B", "C"))
    ]


def test_a_baseline_is_compared_with_every_other():
    found = compare_systems({"A": pages([1]), "B": pages([3]), "C": pages([0])}, baseline=True)
    assert {(one.first, one.second) for one in found.differences} == {("A", "B"), ("A", "C")}


def test_a_difference_has_rate_pages_and_those_that_differ_most():
    (found, _) = compare_systems({"A": pages([5, 5, 5, 5, 9]), "B": pages([5, 4, 15, 6, 2])}).differences
    assert found.rate == pytest.approx(3 / 500)
    assert (found.fewer, found.same, found.more) == (2, 1, 2)
    assert found.most == (2, 4, 1, 3)
    assert len(found.most) <= _MOST_DIFFERENT


def test_pages_are_matched_by_their_ground_truth_in_any_order():
    first, second = pages([1, 2, 3]), pages([4, 2, 0])
    assert compare_systems({"A": first, "B": second}) == compare_systems({"A": first, "B": second[::-1]})


def test_a_page_that_failed_for_one_system_is_left_out_for_all():
    found = compare_systems({"A": pages([1, 2, 3]), "B": pages([1, None, 9])})
    assert found.pages == ("0", "2")
    assert found.left_out == (("gt/1", "B", "failed", "cut off"),)
    assert [system.total[CER].errors for system in found.systems] == [4, 10]


def test_a_page_that_one_system_lacks_is_left_out():
    found = compare_systems({"A": pages([1, 2]), "B": pages([1])})
    assert found.left_out == (("gt/1", "B", "no such page", None),)


def test_only_measures_that_all_pages_of_all_systems_have_are_compared():
    without = result("0", 1)
    placed = PageResult("0", "gt/0", "h", evaluate("", "", ALL))
    assert compare_systems({"A": [placed], "B": [without]}).measures == (CER, WER)


def two_systems(count: int, rates: tuple[float, float]):
    """Return errors of two systems on the same pages, the sizes of the pages, and the first difference."""
    rng = np.random.default_rng(count)
    n_gt = rng.integers(100, 900, count)
    a, b = (rng.binomial(n_gt, rate) for rate in rates)
    results = {name: pages(errors.tolist(), n_gt.tolist()) for name, errors in (("A", a), ("B", b))}
    return a, b, n_gt, compare_systems(results, QUICK).differences[0]


def test_the_interval_of_a_difference_is_that_of_its_paired_errors():
    a, b, n_gt, found = two_systems(40, (0.05, 0.07))
    (expected,) = intervals((b - a)[:, None], n_gt[:, None], QUICK, signed=True)
    assert found.interval.bounds == pytest.approx(expected.bounds)
    assert expected.bounds[0] < found.rate < expected.bounds[1]


def test_the_bootstrap_p_value_equals_a_plain_computation():
    a, b, n_gt, found = two_systems(25, (0.05, 0.055))
    observed, hits = (b - a).sum() / n_gt.sum(), 0
    for draw in drawing.resamples(QUICK.seed, 25, QUICK.resamples):
        rate = sum(int(b[i] - a[i]) for i in draw) / sum(int(n_gt[i]) for i in draw)
        hits += abs(rate - observed) >= abs(observed)
    assert found.p_bootstrap == pytest.approx((hits + 1) / (QUICK.resamples + 1))


def test_p_values_of_the_primary_measure_are_corrected_among_themselves_and_others_for_all_tests():
    systems = {"A": pages([0] * 8), "B": pages([5] * 8), "C": pages([0] * 7 + [1])}
    found = compare_systems(systems).differences
    assert [round(one.p * 128) for one in found] == [1, 128, 1] * 2
    assert [one.holm for one in found] == pytest.approx([3 / 128, 1, 3 / 128, 6 / 128, 1, 6 / 128])
    last = found[-1].measure
    found = compare_systems(systems, primary=last).differences
    assert [one.holm for one in found] == pytest.approx([6 / 128, 1, 6 / 128, 3 / 128, 1, 3 / 128])


@pytest.mark.parametrize(("baseline", "groups"), [(False, ["a", "a", "b"]), (True, ["", "", ""])])
def test_ranked_systems_have_groups_if_every_two_were_compared(baseline, groups):
    systems = {"A": pages([0] * 8), "B": pages([5] * 8), "C": pages([0] * 7 + [1])}
    ranked = rank_systems(compare_systems(systems, baseline=baseline))
    assert [(one.rank, one.system.name) for one in ranked] == [(1, "A"), (2, "C"), (3, "B")]
    assert [one.groups for one in ranked] == groups


def test_groups_are_those_of_the_primary_measure():
    def system(*errors: int) -> list[PageResult]:
        return [
            replace(page, evaluation=replace(page.evaluation, scores={**page.evaluation.scores, WER: last}))
            for page, last in zip(pages([0] * 8), system_of_words(errors), strict=True)
        ]

    def system_of_words(errors: tuple[int, ...]) -> list[Score]:
        return [Score(WER, Counts(ins=e, cor=100 - e), e) for e in errors]

    systems = {"A": system(*[0] * 8), "B": system(*[5] * 8)}
    for primary, groups in [(CER, ["a", "a"]), (WER, ["a", "b"])]:
        ranked = rank_systems(compare_systems(systems, primary=primary))
        assert [one.groups for one in ranked] == groups


def test_the_primary_measure_is_cer_with_order_and_segmentation_if_all_systems_have_it():
    names = ["CER", "CER:R", "CER:S", "CER:RS"]
    system = [replace(pages([0])[0], evaluation=evaluate("a", "b", names))]
    assert str(compare_systems({"A": system, "B": system}).primary) == "CER:RS"
    assert compare_systems({"A": pages([0]), "B": pages([1])}).primary == CER


def test_the_primary_measure_must_be_one_of_all_systems():
    with pytest.raises(UsageError, match="primary='BOW:G'"):
        compare_systems({"A": pages([0]), "B": pages([1])}, primary=Measure("BOW", geometry=True))


def test_equal_systems_have_no_interval_and_a_p_value_of_one():
    (found, _) = compare_systems({"A": pages([1, 2, 3]), "B": pages([1, 2, 3])}).differences
    assert (found.rate, found.p, found.p_bootstrap, found.same) == (0.0, 1.0, 1.0, 3)
    assert found.interval.reason == "all pages have the same rate"


def test_without_ground_truth_text_there_is_no_difference():
    (found, _) = compare_systems({"A": pages([0], [0]), "B": pages([0], [0])}).differences
    assert (found.rate, found.p, found.p_bootstrap) == (None, 1.0, 1.0)
    assert found.interval.reason == "no ground truth text"


def test_no_page_in_common_is_an_empty_comparison():
    found = compare_systems({"A": pages([1]), "B": []})
    assert (found.pages, found.measures, found.differences) == ((), (), ())


def test_one_system_alone_cannot_be_compared():
    with pytest.raises(UsageError, match="give two or more"):
        compare_systems({"A": pages([1])})


def test_pages_are_drawn_within_their_documents():
    documents = ["x"] * 20 + ["y"] * 20
    made = {
        name: [result(str(i), e, document=d) for i, (e, d) in enumerate(zip(errors, documents, strict=True))]
        for name, errors in {"A": [1] * 40, "B": [1] * 19 + [2] + [50] * 20}.items()
    }
    wide, narrow = (
        compare_systems(made, Resampling(resamples=500, strata=strata)).differences[0].interval.bounds
        for strata in ("none", "document")
    )
    assert narrow[1] - narrow[0] < (wide[1] - wide[0]) / 10


def test_the_coverage_of_intervals_of_equal_systems_is_about_their_confidence():
    """docs/statistics.md has the coverages of all sizes."""
    rng = np.random.default_rng(8)
    for count, least in ((8, 0.93), (40, 0.93)):
        covered = 0
        for _ in range(400):
            n_gt = np.exp(rng.normal(7, 0.6, count)).astype(int) + 1
            both = rng.binomial(n_gt, rng.beta(2, 40, (2, count)))
            (found,) = intervals((both[1] - both[0])[:, None], n_gt[:, None], QUICK, signed=True)
            covered += found.bounds[0] <= 0 <= found.bounds[1]
        assert least <= covered / 400 <= 0.99


def test_results_are_not_kept_in_memory():
    """Data that was prepared for reports may be megabytes."""

    class Made:
        """An object that weak references can refer to."""

    seen = []

    def results():
        for number in range(4):
            assert not any(one() for one in seen[:-1])
            made = Made()
            seen.append(weakref.ref(made))
            yield result(str(number), 1, prepared={"html": made})

    assert len(SystemPages.of(results()).order) == 4


def test_p_values_by_formula_agree_with_those_by_resampling(monkeypatch):
    rng = np.random.default_rng(1)
    resampling = Resampling(resamples=4000)
    for shift in (0.0, 0.06, 0.12):
        differences = np.rint(rng.normal(1000 * shift, 2000, (3000, 1))).astype(np.int64)
        n_gt = rng.integers(500, 1500, (3000, 1))
        drawn = _p_values(differences, n_gt, resampling)
        monkeypatch.setattr(module, "MAX_DRAWS", 0)
        monkeypatch.setattr(comparison_module, "MAX_DRAWS", 0)
        formula = _p_values(differences, n_gt, resampling)
        monkeypatch.undo()
        assert drawn != formula
        assert formula == pytest.approx(drawn, abs=0.025)


def _p_values(differences, n_gt, resampling):
    by_exchange = module.permutation_test(differences[:, 0], resampling)
    assert not by_exchange.exact
    return by_exchange.p, comparison_module._bootstrap_p_values(differences, n_gt, None, resampling)[0]


@pytest.mark.parametrize(
    ("different", "letters"),
    [
        ([], ("a", "a", "a", "a")),
        (["wx", "wy", "wz", "xy", "xz", "yz"], ("a", "b", "c", "d")),
        (["wz"], ("a", "ab", "ab", "b")),
        (["wy", "wz", "xz"], ("a", "ab", "bc", "c")),
    ],
)
def test_letters_are_in_the_order_of_the_names(different, letters):
    assert letter_groups("wxyz", [frozenset(pair) for pair in different]) == letters


@given(st.sets(st.sampled_from([*map(frozenset, combinations("uvwxyz", 2))])))
def test_two_names_share_a_letter_exactly_if_they_are_not_different(different):
    groups = dict(zip("uvwxyz", letter_groups("uvwxyz", different), strict=True))
    for pair in map(frozenset, combinations("uvwxyz", 2)):
        first, second = pair
        assert (not set(groups[first]) & set(groups[second])) == (pair in different)


def test_more_groups_than_letters_have_numbers():
    names = [str(number) for number in range(30)]
    groups = letter_groups(names, [*map(frozenset, combinations(names, 2))])
    assert (groups[0], groups[25], groups[26]) == ("a", "z", "a1")
