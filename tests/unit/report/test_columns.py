"""The columns of a score in all reports, the formats of numbers, and the error budget as a bar."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re

import pytest

import pagemeter as pm
from pagemeter import Page, evaluate
from pagemeter.corpus import PageResult
from pagemeter.measure import ALL, Measure
from pagemeter.report.columns import (
    SCORE_COLUMNS,
    SCORE_FIELDS,
    BudgetBar,
    apportion,
    format_errors,
    format_measure,
    format_percent,
    format_rate,
)
from pagemeter.report.csv import CsvFile
from pagemeter.report.html.overview import Overview, SystemTotals
from pagemeter.report.json import JsonFile
from pagemeter.report.names import ShownPaths
from pagemeter.report.tables import score_grid
from pagemeter.report.text_reports import MarkdownFile, Terminal
from pagemeter.score import Counts, Score
from pagemeter.stats import budget
from reported import MEASURES, report


def score(lower_bound=None, *, canonical=True, **counts):
    made = Counts(**counts)
    return Score(Measure("CER"), made, made.errors if lower_bound is None else lower_bound, canonical)


HEADINGS = [column.heading for column in SCORE_COLUMNS if column.tables == "all"]


def test_files_have_all_columns():
    """JSON, CSV, data frames and the API have the same fields in the same order."""
    total = json.loads(report(JsonFile))["total"]["CER"]
    header = next(csv.reader(io.StringIO(report(CsvFile))))
    assert tuple(total) == SCORE_FIELDS == tuple(score().as_dict())
    assert [name for name in header if name in SCORE_FIELDS] == list(SCORE_FIELDS)


def test_data_frames_have_all_columns():
    pytest.importorskip("pandas")
    assert tuple(pm.evaluate("a", "b", "CER").to_pandas().columns) == SCORE_FIELDS


def test_tables_have_the_columns_of_tables():
    text, markdown = (
        report(lambda file: Terminal(file, MEASURES)),
        report(lambda file: MarkdownFile(file, MEASURES)),
    )
    html = pm.evaluate("a", "b", "CER")._repr_html_()
    assert text.splitlines()[0].split() == ["measure", *HEADINGS]
    assert f"| measure | {' | '.join(HEADINGS)} |" in markdown
    assert [html.index(f">{heading}</th>") for heading in HEADINGS] == sorted(
        html.index(f">{heading}</th>") for heading in HEADINGS
    )


def test_wide_tables_and_the_html_report_have_more_columns():
    more = [column.heading for column in SCORE_COLUMNS if column.tables]
    overview = Overview([SystemTotals("", {}, {}, {})], "", ()).fields(lambda name, _: name, ShownPaths())
    assert score_grid([score()], wide=True).headings == ("measure", *more)
    assert [heading for _, heading, _, _ in overview["columns"]] == more


def test_every_column_is_explained():
    for column in SCORE_COLUMNS:
        assert column.meaning
        assert column.text(score(sub=1, cor=9))


def test_rates_are_per_cent_with_two_decimals():
    assert [format_percent(x) for x in (0, 0.12345, 1.5, float("inf"))] == [
        "0.00 %",
        "12.35 %",
        "150.00 %",
        "∞",
    ]


def test_a_proven_score_is_one_number():
    assert (format_rate(score(sub=5, cor=95)), format_errors(score(sub=5, cor=95))) == ("5.00 %", "5")


def test_a_score_that_is_not_proven_is_a_range():
    unproven = score(4, sub=5, cor=95)
    assert (format_rate(unproven), format_errors(unproven)) == ("4.00 … 5.00 %", "4 … 5")


def test_without_ground_truth_text_a_rate_is_zero_or_infinite():
    assert format_rate(score()) == "0.00 %"
    assert format_rate(score(dels=3)) == "∞"
    assert format_rate(score(2, dels=3)) == "∞"


def test_counts_that_are_not_canonical_are_marked():
    assert format_measure(score(canonical=False)) == "CER *"
    assert format_measure(score()) == "CER"


FOUR = tuple(map(Measure.parse, ("CER:S", "CER", "CER:RS", "CER:R")))
MERGED = ["the old mill", "by the river", "rent 12"], ["rent 12 the old mill", "by the riuer"]


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


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_name_of_a_system_counts_where_the_bar_on_a_terminal_is_wrapped(columns):
    bar = BudgetBar(evaluate(*MERGED, FOUR).budget())
    drawn = re.sub(r"\x1b\[[\d;]*m", "", bar.drawn(columns, "a-system: ")).splitlines()
    assert max(map(len, drawn)) <= columns
    assert " ".join(drawn).startswith(f"a-system: {bar.sentence} ")


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
