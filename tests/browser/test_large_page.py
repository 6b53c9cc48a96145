"""A newspaper page of a thousand lines, in a browser."""

from __future__ import annotations

import pytest

from browser.driving import write
from browser.made_pages import newspaper, table
from pagemeter import evaluate
from pagemeter.corpus import PageResult


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    made = {"newspaper": newspaper(), "table": table()}
    results = [
        PageResult(name, f"gt/{name}", f"hyp/{name}", evaluate(gt, hyp, ["CER:R", "CER:RS", "BOW"]))
        for name, (gt, hyp) in made.items()
    ]
    return write(tmp_path_factory.mktemp("large") / "report.html", results)


def test_a_thousand_lines_are_shown(browser, pages):
    browser.open(pages)
    browser.js("location.hash = '#page=1&measure=CER:RS'")
    browser.wait("document.querySelectorAll('#rows > li[data-gt]').length === 1000")
    assert len(browser.all("#picture .gts .line")) == 1000


def test_a_line_far_down_is_highlighted(browser, pages):
    browser.open(f"{pages}#page=1&measure=CER:RS&line=901")
    browser.hover("#line901")
    assert browser.js("return document.querySelector('#picture .gt.lit').dataset.gt") == "901"


def test_the_order_of_a_thousand_lines_is_drawn(browser, pages):
    browser.open(f"{pages}#page=1&measure=CER:RS&view=order")
    assert len(browser.all("#order .band")) > 500


def test_rows_of_a_table_that_were_taken_for_lines_are_parts(browser, pages):
    browser.open(f"{pages}#page=2&measure=CER:RS")
    assert "part" in browser.texts("#rows .badge")
