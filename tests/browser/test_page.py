"""One page in a browser: text, picture, and the links between them."""

from __future__ import annotations

import re

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

from browser.driving import write
from pagemeter import evaluate
from pagemeter.corpus import PageResult

BOOK, COLUMNS = "#page=1&measure=CER:S", "#page=2&measure=CER:S"


def lit(browser):
    """Return the highlighted lines in the picture: ground truth and hypothesis."""
    return [
        sorted(int(value) for value in browser.js(
            f"return [...document.querySelectorAll('#picture .{side}.lit')].map(e => e.dataset.{side})"))
        for side in ("gt", "hyp")
    ]  # fmt: skip


def test_every_line_of_the_ground_truth_is_shown_with_its_match(browser, demo):
    browser.open(demo + BOOK)
    assert len(browser.all("#rows > li[data-gt]")) == 21
    assert browser.texts("#line4 .gt") == ["letters, he learns of letters only; if he count"]
    assert browser.texts("#line4 .hyp") == ["letters, he leams of letters only; if he count"]


def test_kinds_of_errors_differ_without_colour(browser, demo):
    browser.open(f"{demo}#page=1&measure=CER:SG")
    line = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    assert "wavy" in browser.js(line, "#rows mark", "textDecorationLine") + browser.js(
        line, "#rows mark", "textDecorationStyle"
    )
    assert browser.js(line, "#rows ins", "outlineStyle") == "solid"
    assert browser.js(line, ".legend del", "textDecorationLine") == "line-through"


def test_splits_and_merges_and_moves_are_named(browser, demo):
    browser.open(demo + BOOK)
    assert browser.texts("#line11 .badge") == ["split"]
    assert browser.texts("#line11 .break") == [" ⏎ "]
    assert browser.texts("#line6 .badge") == ["part"]
    browser.open(demo + COLUMNS)
    assert len(browser.all("#rows li.moved")) == 8


def test_lines_without_a_match_are_marked(browser, demo):
    browser.open(f"{demo}#page=1&measure=CER:SG")
    assert "lost" in browser.one("#line1").get_attribute("class")
    assert browser.texts("#line1 .hyp") == ["no match"]
    assert browser.texts("#rows li.left .badge") == ["extra"]


def test_pointing_at_a_line_marks_it_and_its_partner_in_the_picture(browser, demo):
    browser.open(demo + BOOK)
    browser.hover("#line11")
    assert lit(browser) == [[11], [12, 13]]
    browser.hover("#line6")
    assert lit(browser) == [[6], [7]]


def test_pointing_at_the_picture_marks_the_line_in_the_text(browser, demo):
    browser.open(demo + BOOK)
    browser.js("document.querySelector('#picture .hyp[data-hyp=\"7\"] .hit')"
               ".dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")  # fmt: skip
    assert browser.js("return [...document.querySelectorAll('#rows li.lit')].map(e => e.id)") == [
        "line6",
        "line17",
    ]


def test_a_click_in_the_picture_brings_the_line_into_sight(browser, demo):
    browser.emulate(1400, 500)
    browser.open(demo + BOOK)
    browser.js("document.querySelector('#picture .gt[data-gt=\"20\"] .hit')"
               ".dispatchEvent(new MouseEvent('click', {bubbles: true}))")  # fmt: skip
    browser.settle()
    browser.wait("document.querySelector('#line20').getBoundingClientRect().bottom < 500")
    assert browser.js("return document.querySelector('#line20').getBoundingClientRect().top") > 0
    assert "line=21" in browser.js("return location.hash")


def test_the_lines_lie_on_the_image_although_it_is_scaled(browser, demo):
    """The image has half the size of the page and is stretched to it."""
    browser.open(demo + BOOK)
    browser.wait("document.querySelector('#picture image')")
    image, baseline = browser.box("#picture image"), browser.box("#picture .gt[data-gt='2'] .ink")
    width, height = image[2] - image[0], image[3] - image[1]
    assert (baseline[0] - image[0]) / width == pytest.approx(220 / 900, abs=0.01)
    assert (baseline[2] - image[0]) / width == pytest.approx(840 / 900, abs=0.01)
    assert (baseline[1] - image[1]) / height == pytest.approx(210 / 1240, abs=0.01)


def test_the_picture_is_zoomed_and_moved_by_buttons_and_keys(browser, demo):
    browser.open(demo + BOOK)
    assert browser.viewbox("#picture") == [0, 0, 900, 1240]
    browser.click(".picture button")
    assert browser.viewbox("#picture")[2] == pytest.approx(600)
    browser.js("document.querySelector('#picture').focus()")
    browser.press("\ue014")  # right
    assert browser.viewbox("#picture")[0] == pytest.approx(150 + 75)
    browser.press("0")
    assert browser.viewbox("#picture") == [0, 0, 900, 1240]


def test_the_picture_is_zoomed_by_the_wheel_and_dragged(browser, demo):
    browser.open(demo + BOOK)
    picture = browser.one("#picture")
    ActionChains(browser.driver).scroll_from_origin(ScrollOrigin.from_element(picture), 0, -300).perform()
    zoomed = browser.viewbox("#picture")
    assert zoomed[2] < 900
    ActionChains(browser.driver).drag_and_drop_by_offset(picture, 60, 40).perform()
    moved = browser.viewbox("#picture")
    assert moved[0] < zoomed[0]
    assert moved[1] < zoomed[1]
    assert moved[2:] == zoomed[2:]


def test_lines_are_found_and_those_without_errors_hidden(browser, demo):
    browser.open(demo + BOOK)
    browser.one("#search").send_keys("margin")
    assert browser.js(
        "return [...document.querySelectorAll('#rows > li[data-gt]')].filter(r => !r.hidden).map(r => r.id)"
    ) == ["line10"]
    assert browser.texts("#found") == ["1 line"]
    browser.one("#search").clear()
    browser.click("#wrong-only")
    shown = browser.js(
        "return [...document.querySelectorAll('#rows > li:not(.head)')].filter(r => !r.hidden).length"
    )
    assert 0 < shown < 21


def test_the_order_view_draws_crossings(browser, demo):
    browser.open(demo + COLUMNS)
    browser.press("v")
    browser.wait("document.querySelector('#order')")
    assert browser.texts("#crossings") == ["8 lines at another position in the reading order (dashed)."]
    assert len(browser.all("#order .band.moved")) == 9  # one of the lines was split
    assert len(browser.all("#order .band")) == 17
    browser.hover("#order .gt li[data-gt='14']")
    assert len(browser.all("#order .hyp li.lit")) == 2


@pytest.mark.parametrize(
    ("measure", "shown", "moved"), [("CER:R", "CER", 9), ("WER:RSG", "WER:SG", 8), ("BOW:G", "WER:G", 7)]
)
def test_order_is_shown_by_the_same_measure_without_r(browser, demo, measure, shown, moved):
    """With R no bands cross, and bags match no lines, so neither shows that columns were exchanged."""
    browser.open(f"{demo}#page=2&measure={measure}&view=order")
    assert f"; this view shows the matching of {shown}. {moved} lines at" in browser.texts("#crossings")[0]
    assert len(browser.all(".band.moved")) >= moved


def test_lines_of_equal_text_are_not_called_moved(browser, tmp_path):
    """They can be matched in any way, so the one that keeps the order is shown."""
    gt = ["Fabrik (Ste)", "first of all", "Fabrik (Ste)", "second of all", "Fabrik (Ste)"]
    evaluation = evaluate(gt, ["Fabrik (Sté)", *gt[1:]], ["CER"])
    assert evaluation["CER"].matches[0].hyp_line != 0, "the solver chooses another line"
    address = write(tmp_path / "report.html", [PageResult("p", "gt", "hyp", evaluation)])
    browser.open(f"{address}#page=p&view=order")
    assert browser.texts("#crossings") == ["All matched lines are in the same order."]
    browser.open(f"{address}#page=p")
    assert browser.texts(".rows .hyp")[0] == "Fabrik (Sté)"


def test_without_a_measure_that_shows_order_a_note_says_so(browser, tmp_path):
    evaluation = evaluate(["one", "two"], ["two", "one"], ["CER:RS"])
    address = write(tmp_path / "report.html", [PageResult("p", "gt", "hyp", evaluation)])
    browser.open(f"{address}#page=1&view=order")
    assert browser.texts("#crossings")[0] == (
        "CER:RS matches lines in reading order only, so it cannot show lines in another order. "
        "Evaluate CER:S as well to see them."
    )


def test_another_measure_matches_differently(browser, demo):
    browser.open(f"{demo}#page=2&measure=CER:R")
    assert browser.all("#rows li.moved") == []
    browser.press("m")
    browser.wait("document.querySelector('#measure').value === 'CER:RG'")
    browser.choose("#measure", "BOW")
    browser.wait("document.querySelector('.figures')?.textContent.startsWith('BOW')")
    assert browser.texts("#line0 .hyp") == ["The measure of a page"]


def test_every_measure_shows_all_errors(browser, demo):
    browser.open(f"{demo}#page=1")
    for measure in browser.texts("#measure option"):
        browser.choose("#measure", measure)
        browser.wait(f"document.querySelector('.figures b')?.textContent.startsWith('{measure} ')")
        titles = browser.js("return [...document.querySelectorAll('#rows .dot')].map(e => e.title)")
        figures = browser.texts(".figures")[0]
        errors = int(figures.split(" · ")[1].split()[0])
        if measure.startswith("BOW"):  # a wrong word is shown as a missing and an extra word
            errors += int(re.search(r"(\d+) wrong", figures)[1])
        assert sum(int(title.split()[0]) for title in titles) == errors, measure


def test_keys_step_through_lines_errors_and_pages(browser, demo):
    browser.open(f"{demo}#page=1&measure=CER:SG")
    browser.press("j")
    assert browser.js("return document.activeElement.id") == "line0"
    browser.press("eee")
    assert browser.js("return document.activeElement.id") == "line3"
    browser.press("k")
    assert browser.js("return document.activeElement.id") == "line2"
    browser.press("p")
    browser.wait("document.querySelector('#page h2')?.textContent === 'columns'")
    browser.press("\ue00c")  # Escape
    browser.wait("document.querySelector('#totals')")


def test_without_positions_there_is_no_picture(browser, many):
    browser.open(f"{many}#page=11")
    assert browser.all("#picture") == []
    assert "say5" in browser.one("#line0").text


def test_an_address_leads_to_a_line(browser, demo):
    browser.open(f"{demo}#page=1&measure=WER:S&line=16")
    assert browser.js("return document.activeElement.id") == "line15"
    browser.driver.back()
    browser.open(f"{demo}#page=99&measure=NONE&line=x")
    assert browser.all("#totals")
