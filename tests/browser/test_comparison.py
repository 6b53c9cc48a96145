"""The report of several systems, in a browser."""

from __future__ import annotations

import pytest

from pagemeter.cli import main


@pytest.fixture(scope="module")
def incomplete(tmp_path_factory):
    """Two pages by two systems, of which the first lacks the worst page."""
    folder = tmp_path_factory.mktemp("incomplete")
    for side, texts in {"gt": ("one line", "two"), "a": ("one lime",), "b": ("one line", "xyz")}.items():
        (folder / side).mkdir()
        for number, text in enumerate(texts, 1):
            (folder / side / f"p{number}.txt").write_text(text)
    paths = [str(folder / side) for side in ("gt", "a", "b")]
    assert main(["compare", *paths, "-m", "CER:R", "--skip-missing", "--html", str(folder / "r.html")]) == 0
    return (folder / "r.html").as_uri()


def test_a_page_that_a_system_lacks_is_not_compared(browser, incomplete):
    browser.open(incomplete)
    assert "1 of 2 pages compared · 1 line · " in browser.texts("#story .about")[0]
    assert browser.texts(".thumbnails bdi") == ["p1"]
    assert browser.texts("#page-table tbody td:last-child") == ["12.50 %", "–"]


def test_a_page_has_the_numbers_of_the_first_system_that_has_it(browser, incomplete):
    browser.open(f"{incomplete}#page=p2")
    browser.wait("document.querySelector('.page-head .figures')")
    assert browser.texts(".page-head .figures")[0].startswith("CER:R 100.00 %")


def test_all_systems_are_shown_beside_each_other(browser, compared):
    browser.open(compared)
    assert browser.texts("#page-table thead th")[2:] == ["rough ▾", "perfect", "difference"]
    assert browser.texts("#totals figcaption") == ["Ranking by CER:R", "All measures", "Differences in CER:R"]
    assert browser.texts(".plain-table tbody th") == [
        "1  perfect",
        "2  rough",
        "perfect",
        "rough",
        "rough → perfect",
    ]


def test_the_system_is_switched(browser, compared):
    browser.open(compared)
    assert browser.texts("tr[data-measure='CER:R'] .rate") == [], "all systems are shown first"
    browser.choose("#system", "0")
    browser.wait("document.querySelector(\"tr[data-measure='CER:R'] .rate\")")
    assert browser.texts("tr[data-measure='CER:R'] .rate") != ["0.00 %"]
    browser.choose("#system", "1")
    browser.wait("document.querySelector(\"tr[data-measure='CER:R'] .rate\")?.textContent === '0.00 %'")
    assert browser.texts("#charts figcaption")[0] == "Number of pages by CER:R of perfect"


def test_two_systems_are_read_side_by_side(browser, compared):
    browser.open(f"{compared}#page=1&measure=CER:S")
    browser.wait("document.querySelectorAll('#line4 .hyp').length === 2")
    browser.click("#systems input[value='1']")
    browser.wait("document.querySelectorAll('#line4 .hyp').length === 1")
    browser.click("#systems input[value='1']")
    browser.wait("document.querySelectorAll('#line4 .hyp').length === 2")
    assert browser.texts("#line4 .hyp") == [
        "letters, he leams of letters only; if he count",
        "letters, he learns of letters only; if he count",
    ]
    assert browser.texts("#rows .head span")[1:] == ["ground truth, marked for rough", "rough", "perfect"]


def test_a_point_above_the_line_is_a_page_that_the_chosen_system_reads_worse(browser, compared):
    browser.open(f"{compared}#system=rough")
    points = browser.js("return [...document.querySelectorAll('circle')].map(c => c.getAttribute('cx'))")
    assert len(points) == 3
    assert len(set(points)) == 1  # without errors by the other


def test_a_comparison_opens_with_the_measure_of_its_ranking(browser, compared):
    browser.open(compared)
    measure = browser.js("return document.querySelector('#measure').value")
    assert browser.texts("#ranking h2") == [f"Ranking by {measure}"]


def test_systems_are_named_on_a_phone(browser, compared):
    browser.emulate(390)
    browser.open(f"{compared}#page=book")
    names = browser.js(
        "return [...document.querySelectorAll('#line0 .hyp')]"
        ".map(cell => getComputedStyle(cell, '::before').content)"
    )
    assert names == ['"rough"', '"perfect"']
