"""Plots, and evaluations in a notebook."""

from __future__ import annotations

import math
import re

import pytest
from lxml import etree

import pagemeter as pm
from pagemeter.corpus import PageResult
from pagemeter.errors import UsageError
from pagemeter.report.plots import budget_bar, element, forest, histogram, scatter, ticks
from pagemeter.stats import compare_systems

GT, HYP = ["the old mill", "by the river", "rent 12"], ["rent 12 the old mill", "by the riuer"]
SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>&\"'"


def drawn(picture) -> etree._Element:
    """The picture, which has to be XML."""
    return etree.fromstring(str(picture))


def test_the_parts_of_a_budget_bar_fill_it_in_proportion():
    budget = pm.evaluate(GT, HYP).budget()
    bars = [rect for rect in drawn(budget_bar(budget)).iter(f"{SVG}rect") if rect.get("height") == "28"]
    widths = [float(rect.get("width")) for rect in bars]
    assert sum(widths) == pytest.approx(640, abs=0.1)
    for share, wide in zip(budget.shares, widths, strict=True):
        assert wide == pytest.approx(640 * float(share.errors) / budget.errors, abs=0.01)
    assert len({rect.get("fill") for rect in bars}) == len(bars)


def test_a_budget_without_errors_says_so():
    assert "no errors, no error budget" in str(budget_bar(pm.evaluate("a", "a").budget()))
    assert "no ground truth text, no error budget" in str(budget_bar(pm.evaluate("", "junk").budget()))


def labels(root):
    return [label.text for label in root.iter(f"{SVG}text")]


def test_a_histogram_has_every_page_in_one_bar():
    picture = histogram([0.0, 0.1, 0.1, 0.5, 1.0, math.inf], "CER", bins=10)
    bars = [title.text for title in drawn(picture).iter(f"{SVG}title")][1:]
    assert sum(int(said.rpartition(" ")[2]) for said in bars) == 5
    assert picture.title == "CER of 6 pages, 1 of them infinite"
    assert labels(drawn(picture))[-1] == "not shown: 1 page with an infinite rate"


def test_a_scatter_plot_names_every_page():
    root = drawn(scatter([0.1, 0.4, math.inf], [0.2, 0.0, 0.1], ["p1", EVIL, "gone"], "CER:R", "CER:S"))
    titles = [circle[0].text for circle in root.iter(f"{SVG}circle")]
    assert titles == ["p1: CER:R 10.00 %, CER:S 20.00 %", f"{EVIL}: CER:R 40.00 %, CER:S 0.00 %"]


def test_a_scatter_plot_counts_pages_with_infinite_rates():
    gone = scatter([0.1, 0.4, math.inf, 0], [0.2, math.inf, math.inf, 0], list("abcd"))
    assert labels(drawn(gone))[-1] == "not shown: 2 pages with an infinite rate"
    assert gone.title == "second by first, 2 pages"
    assert not any("not shown" in said for said in labels(drawn(scatter([0.1], [0.2], ["a"]))))


def test_a_forest_plot_has_one_row_per_difference_with_its_interval():
    read = {"A": ["abcd", "abcx", "abcd"], EVIL: ["abxx", "abcd", "xxxx"]}
    results = {
        name: [PageResult(str(i), str(i), "", pm.evaluate("abcd", h, "CER")) for i, h in enumerate(hyp)]
        for name, hyp in read.items()
    }
    found = compare_systems(results).differences
    root = drawn(forest(found))
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert [line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "2"]
    assert f"CER: A → {EVIL}" in labels(root)


@pytest.mark.parametrize("picture", [histogram([]), scatter([], [], []), forest([]), histogram([0.0])])
def test_a_plot_without_data_is_valid(picture):
    assert drawn(picture).tag == f"{SVG}svg"


def test_a_picture_can_be_saved_on_a_white_background(tmp_path):
    histogram([0.1]).save(tmp_path / "rates.svg")
    assert "background:#fff" in etree.parse(tmp_path / "rates.svg").getroot().get("style")


def test_a_picture_shows_itself_in_a_notebook():
    assert histogram([0.1])._repr_html_().startswith("<svg ")


def test_wrong_arguments_of_pictures_are_refused():
    with pytest.raises(UsageError, match="the same number of each"):
        scatter([0.1], [], [])
    with pytest.raises(UsageError, match="1 or more"):
        histogram([0.1], bins=0)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0, 1), (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        ((-0.3, 0.3), (-0.2, 0.0, 0.2)),
        ((0, 7), (0, 2, 4, 6)),
        ((2, 2), (2,)),
    ],
)
def test_ticks_are_round_numbers(ends, expected):
    assert ticks(*ends) == expected


def test_attributes_are_escaped():
    assert element("a", title=EVIL) == '<a title="&lt;script&gt;&amp;&quot;&#x27;"/>'


def test_an_evaluation_is_a_table_with_its_budget():
    root = etree.fromstring(pm.evaluate(GT, HYP)._repr_html_())
    cells = [[cell.text for cell in row] for row in root.iter("tr")]
    assert cells[0][:3] == ["measure", "rate", "errors"]
    assert [row[0] for row in cells[1:]] == ["CER:R", "CER:RS", "CER:S", "WER:R", "WER:S", "BOW"]
    assert len(list(root.iter(f"{SVG}svg"))) == 1
    assert "solver:exact" in root.findtext(".//code")


def test_an_evaluation_shows_no_budget_that_needs_slow_measures():
    assert "<svg" not in pm.evaluate(GT, HYP, "CER:R, CER:S")._repr_html_()
    assert "<svg" not in pm.evaluate(GT, HYP, "WER")._repr_html_()


def test_the_html_has_the_colours_of_the_notebook():
    html = pm.evaluate(GT, HYP)._repr_html_()
    assert set(re.findall(r"(?<!-)(?:background|color):([^;\"]+)", html)) == {"inherit"}


def test_a_signature_with_markup_stays_text():
    html = pm.evaluate("a", "b", "CER", drop_lines="<b>x&y</b>")._repr_html_()
    assert "<b>" not in html
    etree.fromstring(html)
