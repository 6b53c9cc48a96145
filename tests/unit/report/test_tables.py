"""Tables of texts, the table of pages, and the notes below tables."""

from __future__ import annotations

import re

import pytest

from pagemeter.measure import Measure
from pagemeter.report.grid import Grid
from pagemeter.report.tables import (
    MAX_WORST_PAGES,
    PageTable,
    fitted_score_grid,
    order_notes,
    score_notes,
)
from pagemeter.score import Counts, Score
from pagemeter.stats import Interval
from reported import MEASURES, page


def score(lower_bound=None, *, canonical=True, **counts):
    made = Counts(**counts)
    return Score(
        Measure("CER", order=True), made, made.errors if lower_bound is None else lower_bound, canonical
    )


def test_notes_explain_the_counts_and_only_what_applies():
    assert score_notes([score()]) == [
        (
            "missing: in the ground truth only · extra: in the hypothesis only · "
            "wrong: substituted · right: equal in both"
        )
    ]
    assert len(score_notes([score(sub=1), score(0, sub=1)])) == 2
    assert len(score_notes([score(0, sub=1, canonical=False)])) == 3


@pytest.mark.parametrize(
    ("ids", "noted"),
    [
        ("CER", ["CER"]),
        ("CER:G,WER", ["CER:G", "WER"]),
        ("CER,CER:RS", ["CER"]),
        ("CER,CER:R", []),
        ("CER,CER:RG", []),
        ("CER:S,BOW", []),
    ],
)
def test_a_rate_without_reading_order_is_noted_unless_one_with_it_is_shown(ids, noted):
    notes = order_notes([Measure.parse(name) for name in ids.split(",")])
    assert [note.partition(": the order of lines does not count; ")[0] for note in notes] == noted


def test_a_narrow_table_keeps_the_errors_and_their_kinds():
    scores = [score(ins=12345, dels=1234, sub=12345, cor=1234567)]
    interval = {scores[0].measure: Interval((0.01, 0.03), 0.95, "bootstrap")}
    grid, omitted = fitted_score_grid(scores, interval, 80)
    assert sum(grid.widths) + 2 * (len(grid.widths) - 1) <= 80
    assert grid.headings[3:] == ("errors", "missing", "extra", "wrong", "F1")
    assert omitted == ("right", "GT", "HYP")
    grid, omitted = fitted_score_grid(scores, interval, 60)
    assert sum(grid.widths) + 2 * (len(grid.widths) - 1) <= 60
    assert grid.headings[3:] == ("errors", "missing", "extra")
    assert omitted == ("wrong", "right", "GT", "HYP", "F1")
    assert fitted_score_grid(scores, interval, 200)[0].headings[-3:] == ("precision", "recall", "F1")
    assert fitted_score_grid(scores, interval, None)[1] == ()


def test_a_table_drops_the_last_columns_that_do_not_fit():
    grid = Grid(("a", "b", "c"), (("1", "22", "333"),))
    assert grid.fitted(10).headings == ("a", "b", "c")
    assert grid.fitted(9).headings == ("a", "b")
    assert grid.fitted(1).headings == ("a", "b")
    assert grid.fitted(None) == grid


def test_the_best_cells_have_a_star_and_numbers_stay_aligned():
    grid = Grid(("system", "CER"), (("a", "5.00 %"), ("b", "15.00 %")), frozenset([(0, 1)]))
    assert grid.plain().splitlines() == ["system       CER", "a       * 5.00 %", "b        15.00 %"]
    assert without_styles(grid.drawn()).splitlines()[2:] == ["a       * 5.00 %", "b        15.00 %"]
    assert "| a | **5.00 %** |\n| b | 15.00 % |" in grid.markdown()
    assert "a & \\textbf{5.00 \\%}" in grid.latex()
    assert grid.without("system").best == {(0, 0)}


def test_a_plain_table_has_no_rules_and_no_spaces_at_line_ends():
    lines = Grid(("name", "n"), (("漢字", "1"), ("a", "10"))).plain().splitlines()
    assert lines == ["name   n", "漢字   1", "a     10"]


def without_styles(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.mark.parametrize("cells", [("漢字", "1", "22"), ("a\u0308", "", "333"), ("only",)])
def test_a_drawn_table_is_the_plain_one_with_a_rule_and_styles(cells):
    grid = Grid(("name", "n", "more")[: len(cells)], (cells,))
    headings, rule, *rows = map(str.rstrip, without_styles(grid.drawn()).splitlines())
    assert [headings, *rows] == grid.plain().splitlines()
    assert rule == "─" * (sum(grid.widths) + 2 * len(grid.widths) - 2)


def test_names_are_bold_and_the_first_numbers_bold_cyan(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    grid = Grid(("a", "b", "c"), (("x", "1", "2"),))
    bold = "\x1b[1m{}\x1b[0m".format
    assert grid.drawn("-").splitlines() == [
        f"{bold('a')}  {bold('b')}  {bold('c')}",
        "-------",
        f"{bold('x')}  \x1b[1;36m1\x1b[0m  2",
    ]
    monkeypatch.setenv("NO_COLOR", "1")
    assert grid.drawn().splitlines()[-1] == f"{bold('x')}  {bold('1')}  2"


def test_bars_in_markdown_cells_are_escaped():
    assert Grid(("a", "b"), (("x|y", "1"),)).markdown().splitlines() == [
        "| a | b |",
        "|---|---:|",
        "| x\\|y | 1 |",
    ]


def test_only_the_worst_pages_are_kept():
    table = PageTable(MEASURES)
    for number in range(100):
        table.add(page(f"p{number}", "a" * 100, "a" * number + "b" * (100 - number)))
        assert len(table.rows) <= MAX_WORST_PAGES
    assert [row.name for row in table.rows] == ["p0", "p1", "p2", "p3", "p4"]
