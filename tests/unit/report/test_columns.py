"""The columns of a score, in all reports, and the formats of numbers."""

from __future__ import annotations

import csv
import io
import json

import pytest

import pagemeter as pm
from pagemeter.measure import Measure
from pagemeter.report.columns import (
    SCORE_COLUMNS,
    SCORE_FIELDS,
    format_errors,
    format_measure,
    format_percent,
    format_rate,
)
from pagemeter.report.csv import CsvFile
from pagemeter.report.html.overview import Overview, SystemTotals
from pagemeter.report.json import JsonFile
from pagemeter.report.markdown import MarkdownFile
from pagemeter.report.names import ShownPaths
from pagemeter.report.tables import score_grid
from pagemeter.report.terminal import Terminal
from pagemeter.score import Counts, Score
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
