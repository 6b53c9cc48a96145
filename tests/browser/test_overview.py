"""The overview of all pages, in a browser."""

from __future__ import annotations

import pytest

from browser.driving import EVIL, write
from pagemeter import evaluate
from pagemeter.corpus import PageResult

NAMES = "table.pages tbody th a"


def attributes(browser, selector, *names):
    """Return numeric attributes of these elements."""
    return browser.js(
        "return [...document.querySelectorAll(arguments[0])]"
        ".map(e => arguments[1].map(n => +e.getAttribute(n)))",
        selector, names,
    )  # fmt: skip


def test_it_shows_the_totals_with_their_meaning_and_the_budget(browser, demo):
    browser.open(demo)
    assert len(browser.all("table.totals tbody tr")) == 6
    browser.click("#all-measures")
    assert len(browser.all("table.totals tbody tr")) == 18
    assert "lines in reading order, matched as a whole" in browser.texts("table.totals tbody th")[0]
    assert browser.texts("table.totals tbody tr:first-child .rate") == ["51.82 %"]
    assert len(browser.all("#budget-CER .cause")) == 7, "every kind and every cause"
    assert browser.texts("#signature code")[0].startswith("measures:CER:R,")


def test_the_table_is_sorted_by_a_column_in_both_directions(browser, many):
    browser.open(many)
    browser.click("th[data-column=name] button")
    assert browser.texts(NAMES)[1:3] == ["page-000", "page-001"]
    browser.click("th[data-column=name] button")
    assert browser.texts(NAMES)[0] == "page-119"
    assert browser.one("th[data-column=name]").get_attribute("aria-sort") == "descending"


def test_the_worst_pages_come_first(browser, many):
    browser.open(many)
    assert browser.texts(NAMES)[0] == "page-003"
    rates = [float(text.partition(" %")[0]) for text in browser.texts("table.pages tbody td.rate")]
    assert rates == sorted(rates, reverse=True)


def test_it_is_filtered_by_name_and_kind(browser, many):
    browser.open(many)
    browser.one("#filter").send_keys("11")
    browser.wait("document.querySelectorAll('table.pages tbody tr').length === 11")
    browser.choose("#kind", "errors")
    browser.wait("document.querySelectorAll('table.pages tbody tr').length === 1")
    assert browser.texts(NAMES) == ["page-110"]
    browser.choose("#kind", "missed")
    browser.one("#filter").send_keys("\ue003\ue003")  # backspaces
    browser.wait("document.querySelectorAll('table.pages tbody tr').length === 1")
    assert browser.texts(NAMES) == ["page-003"]


def test_it_shows_fifty_pages_at_a_time(browser, many):
    browser.open(many)
    assert browser.texts("#listed") == ["1 to 50 of 120 pages"]
    for _ in range(2):
        browser.js(
            "[...document.querySelectorAll('#page-table button')].find(b => b.textContent === 'Next').click()"
        )
    assert browser.texts("#listed") == ["101 to 120 of 120 pages"]
    assert len(browser.all(NAMES)) == 20


def test_another_measure_changes_table_and_charts(browser, demo):
    browser.open(demo)
    browser.choose("#measure", "WER:S")
    browser.wait("document.querySelector('tr.chosen').dataset.measure === 'WER:S'")
    assert "WER:S" in browser.texts("#charts figcaption")[0]
    browser.click("tr[data-measure='CER:S'] button")
    browser.wait("document.querySelector('#measure').value === 'CER:S'")


def test_a_point_of_the_scatter_plot_leads_to_its_page(browser, demo):
    browser.open(demo)
    browser.choose("#across", str(browser.texts("#across option").index("BOW")))
    browser.wait(
        "document.querySelector('#charts figure:last-of-type svg').getAttribute('aria-label').includes('BOW')"
    )
    browser.click("circle[data-page='1']")
    browser.wait("document.querySelector('#page h2')?.textContent === 'columns'")


def test_the_histogram_counts_every_page(browser, many):
    browser.open(many)
    counts = [int(title.split()[0]) for title in browser.texts("#charts rect title")]
    assert sum(counts) == 120


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A report of long names by one measure; the ground truth of the last two pages has no text."""
    folder = "a-long-folder-of-a-collection/and-another-below-it/page"

    def result(number):
        gt = [] if number > 3 else ["a line of the page"]
        return PageResult(
            f"{folder}-{number} & 1", "gt", "hyp", evaluate(gt, ["a line of thc page"], ["CER:S"])
        )

    return write(tmp_path_factory.mktemp("odd") / "report.html", map(result, range(6)))


def test_infinite_rates_are_drawn_beyond_a_break(browser, odd):
    browser.open(odd)
    assert browser.texts("#charts rect title")[0] == "2 pages, ∞: no text in the ground truth"
    (infinite,), *others = attributes(browser, "#charts rect", "x")
    ticks = [place for (place,) in attributes(browser, "#charts text[text-anchor=middle]", "x")]
    assert infinite + 6 == max(ticks)
    assert all(x < sorted(ticks)[-2] for (x,) in others)
    assert "∞" in browser.texts("#charts text")
    assert len(browser.all("#charts .break")) == 1


def test_infinite_rates_are_drawn_apart_in_the_scatter_plot(browser, tmp_path):
    pages = [(["a line"], ["a lime"]), (["more"], ["more"]), ([], ["a line"])]
    results = [
        PageResult(f"p{i}", "gt", "hyp", evaluate(*both, ["CER:R", "CER:S"])) for i, both in enumerate(pages)
    ]
    browser.open(write(tmp_path / "report.html", results))
    *finite, (x, y) = attributes(browser, "circle", "cx", "cy")
    assert x > max(point[0] for point in finite) + 10
    assert y < min(point[1] for point in finite) - 10
    assert len(browser.all("#charts figure:last-of-type .break")) == 2


def test_one_measure_is_not_plotted_against_itself(browser, odd):
    browser.open(odd)
    assert len(browser.all("#charts figure")) == 1
    assert browser.all("#across") == []


def test_long_names_are_shortened_in_the_middle_and_stay_on_one_line(browser, odd):
    browser.open(odd)
    assert browser.texts(".places a")[0] == "a-long-fold…page-0 & 1:1"
    link = browser.one(".places a")
    assert link.get_attribute("title").endswith("/and-another-below-it/page-0 & 1, line 1")
    assert browser.js("return arguments[0].getClientRects().length", link) == 1


def test_addresses_contain_the_name_or_the_number_of_the_page(browser, odd):
    browser.open(odd)
    browser.js(
        "[...document.querySelectorAll('table.pages a')].find(a => a.textContent.endsWith('-2 & 1')).click()"
    )
    browser.wait("document.querySelector('#page h2')?.textContent.endsWith('-2 & 1')")
    assert "page-2+%26+1&" in browser.js("return location.hash")
    browser.open(browser.js("return location.href"))
    assert browser.texts("#page h2")[0].endswith("-2 & 1")
    browser.open(f"{odd}#page=4")
    assert browser.texts("#page h2")[0].endswith("-3 & 1")


def test_labels_of_the_budget_are_whole_or_hidden(browser, demo):
    browser.emulate(390, 844)
    browser.open(demo)
    causes = "return [...document.querySelectorAll('.cause')].map(e => [e.scrollWidth, e.clientWidth])"
    assert all(needed <= there for needed, there in browser.js(causes))
    assert len(browser.all("#budget-CER .key")) == 7


def test_an_example_of_a_confusion_leads_to_its_line(browser, demo):
    browser.open(demo)
    browser.click(".confusions .substitution li:first-child .places a:nth-of-type(2)")
    browser.wait("document.querySelector('#line2.picked')")
    assert browser.js("return document.activeElement.id") == "line2"
    assert "muſt" in browser.one("#line2").text
    assert browser.js("return document.querySelector('#measure').value") == "CER:S"


def test_confusions_name_rare_characters(browser, demo):
    browser.open(demo)
    first = browser.texts(".confusions .substitution li:first-child .what")[0]
    assert first == "ſ → fLATIN SMALL LETTER LONG S"


def test_texts_are_never_executed(browser, many):
    browser.open(many)
    browser.one("#filter").send_keys("script")
    browser.wait("document.querySelectorAll('table.pages tbody tr').length === 1")
    assert browser.texts(NAMES) == [EVIL]
    browser.click(NAMES)
    browser.wait("document.querySelector('#page')")
    assert browser.texts("#line0 .gt")[0] == EVIL
    assert browser.js("return document.title").startswith("</script>")
    assert browser.all("#page .text b, #page img") == []


def test_dark_and_light_follow_the_system_and_the_button(browser, demo):
    def ground():
        return browser.js("return getComputedStyle(document.body).backgroundColor")

    browser.emulate(1400, scheme="dark")
    browser.open(demo)
    dark = ground()
    browser.click("#theme")
    light = ground()
    assert dark != light
    browser.reload_until("document.documentElement.dataset.theme === 'light'")
    assert ground() == light
    browser.emulate(1400, scheme="light")
    browser.press("t")
    assert ground() == dark


def test_it_fits_a_phone(browser, demo):
    browser.emulate(390, 844)
    for address in (demo, f"{demo}#page=1", f"{demo}#page=2&view=order"):
        browser.open(address)
        assert browser.js("return document.documentElement.scrollWidth") <= 390


def test_long_names_are_whole_on_a_phone(browser, tmp_path):
    names = [f"clauren_mimil_1815_00{number}" for number in (23, 40)]
    results = [PageResult(name, "gt", "hyp", evaluate("a line", "a lime", ["CER:R"])) for name in names]
    address = write(tmp_path / "r.html", results)
    browser.emulate(390)
    browser.open(address)
    for selector in (NAMES, ".thumbnails a"):
        assert browser.texts(selector) == names
        sizes = browser.js(
            "return [...document.querySelectorAll(arguments[0])].map(a => a.closest('th, li'))"
            ".map(cell => [cell.scrollWidth, cell.clientWidth])",
            selector,
        )
        assert all(inner <= outer and outer > 80 for inner, outer in sizes)


def test_the_keys_are_listed(browser, demo):
    browser.open(demo)
    browser.press("?")
    assert browser.js("return document.querySelector('#keys').open")
    browser.click("#keys form button")
    assert not browser.js("return document.querySelector('#keys').open")


def test_a_report_of_5000_pages_opens_and_is_usable(browser, tmp_path):
    """The overview does not unpack the details of all pages."""
    lines = [f"line {number} of a page with a middling text" for number in range(8)]
    evaluation = evaluate(lines, [line.replace("middling", "midd1ing") for line in lines], ["CER:R"])
    address = write(
        tmp_path / "report.html", (PageResult(f"p{i}", "gt", "hyp", evaluation) for i in range(5000))
    )
    browser.open(address)
    browser.one("#filter").send_keys("p4999")
    browser.wait("document.querySelectorAll('table.pages tbody tr').length === 1")
    browser.click(NAMES)
    browser.wait("document.querySelectorAll('#rows > li').length === 9")
