"""The error budget in reports: one bar, exact sums, and none without errors."""

from __future__ import annotations

import io
import itertools
import json
import re

import pytest

from pagemeter import Measure, Page, Score, evaluate
from pagemeter.corpus import Outcome, PageResult, Totals
from pagemeter.measure import ALL
from pagemeter.report.budget_bar import BudgetBar, apportion
from pagemeter.report.json import JsonFile
from pagemeter.report.markdown import MarkdownFile
from pagemeter.report.terminal import Terminal
from pagemeter.score import Counts
from pagemeter.stats import budget

FOUR = tuple(map(Measure.parse, ("CER:S", "CER", "CER:RS", "CER:R")))
MERGED = ["the old mill", "by the river", "rent 12"], ["rent 12 the old mill", "by the riuer"]


def report(make, results):
    """The text that a sink writes."""
    file, totals = io.StringIO(), Totals()
    sink = make(file)
    for result in results:
        totals.add(result)
        sink.add(result)
    sink.finish(Outcome(totals, "the|signature"))
    return file.getvalue()


def as_json(results):
    return json.loads(report(JsonFile, results))


def budgeted(*pairs):
    return [PageResult(str(i), "gt", "hyp", evaluate(gt, hyp, FOUR)) for i, (gt, hyp) in enumerate(pairs)]


def test_the_budget_is_one_bar_below_the_totals_whose_numbers_sum_to_the_rate():
    text = report(lambda file: Terminal(file, FOUR), budgeted(MERGED))
    sentence, bar = next((a, b) for a, b in itertools.pairwise(text.splitlines()) if " = " in a)
    numbers = [float(number) for number in re.findall(r"\d+\.\d\d", sentence)]
    assert sentence.startswith("CER:R ")
    assert sum(numbers[1:]) == pytest.approx(numbers[0])
    assert len(bar) == 60
    assert list(dict.fromkeys(bar)) == ["█", "▓", "▒"]


def test_the_numbers_of_causes_sum_to_the_rate_and_do_not_divide_recognition():
    bar = BudgetBar(evaluate(*MERGED, FOUR).budget())
    assert len(bar.cause_numbers) == len(bar.budget.shares)
    assert sum(map(float, bar.cause_numbers)) == pytest.approx(100 * bar.budget.rate, abs=0.005)


def test_a_run_without_errors_has_no_budget():
    assert "█" not in report(lambda file: Terminal(file, FOUR), budgeted(("a", "a")))


def test_json_has_the_budgets_of_pages_and_their_sum():
    made = as_json(budgeted(MERGED, ("one line", "one lime")))
    pages = [page["budgets"]["CER:R"] for page in made["pages"]]
    total = made["budgets"]["CER:R"]
    assert total["errors"] == sum(page["errors"] for page in pages) == made["total"]["CER:R"]["errors"]
    for cause, share in total["shares"].items():
        assert share["sixths"] == sum(page["shares"][cause]["sixths"] for page in pages)


def test_with_a_page_without_positions_the_total_budget_has_no_position():
    """As with scores, there is no total of a budget that only some pages have."""
    placed = PageResult("placed", "gt", "hyp", evaluate(Page(), Page(), ALL))
    made = as_json([placed, *budgeted(MERGED)])
    assert set(made["pages"][0]["budgets"]) == {"CER:RG", "CER:R", "WER:RG", "WER:R"}
    assert set(made["budgets"]) == {"CER:R"}


def test_markdown_has_the_budget():
    assert "recognition █ + " in report(lambda file: MarkdownFile(file, FOUR), budgeted(MERGED))


def test_the_bar_has_the_ranges_of_shares_that_are_not_proven():
    counts = {measure: Counts(sub=10, cor=90) for measure in FOUR}
    scores = {m: Score(m, counts[m], 10 - 4 * (str(m) == "CER:S")) for m in FOUR}
    lines = BudgetBar(budget(scores)).lines()
    assert lines[-1] == (
        "proven ranges: recognition 6.00 … 10.00 %, segmentation 0.00 … 2.00 %, reading order 0.00 … 2.00 %"
    )


@pytest.mark.parametrize(
    ("weights", "total", "expected"),
    [([1, 1, 1], 10, (4, 3, 3)), ([0, 0], 5, (0, 0)), ([3, 0, 1], 60, (45, 0, 15))],
)
def test_integers_are_apportioned_by_the_largest_remainder(weights, total, expected):
    assert apportion(weights, total) == expected
