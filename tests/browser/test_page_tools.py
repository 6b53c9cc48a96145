"""The tools of the page view: images of lines, filters, verdicts, and lines that match badly."""

from __future__ import annotations

import json

import pytest

from browser.driving import write
from pagemeter import Line, Page, evaluate
from pagemeter.corpus import PageResult

LOOP = ["first line of the page", *["the same line again"] * 399, "last line of the page"]


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    """A page whose hypothesis repeats a line, and one whose line is a loop of words."""
    gt = ["first line of the page", "last line of the page"]
    endless = gt[1] + " and so on" * 90
    results = [
        PageResult("lines", "gt", "hyp", evaluate(gt, LOOP, ["CER:R", "CER:S", "BOW"])),
        PageResult("words", "gt", "hyp", evaluate(gt, [gt[0], endless], ["CER:R", "CER:S"])),
    ]
    return write(tmp_path_factory.mktemp("loop") / "report.html", results)


@pytest.mark.parametrize("measure", ["CER:R", "CER:S"])
def test_repeated_lines_without_a_match_are_grouped(browser, loop, measure):
    browser.open(f"{loop}#page=lines&measure={measure}")
    assert browser.texts("#rows li.left .repeated b") == ["399 × the same line"]
    assert len(browser.all("#rows > li")) == 4


@pytest.mark.parametrize("measure", ["CER:R", "CER:S"])
def test_repeated_words_are_shown_once(browser, loop, measure):
    browser.open(f"{loop}#page=words&measure={measure}")
    assert len(browser.one("#rows").text) < 400
    assert browser.texts("#rows .times")[0].strip() in ("× 90", "× 89")


def test_lines_that_match_badly_are_marked_as_a_whole(browser, tmp_path):
    gt, hyp = ["a line that is read", "quite another text"], ["a line that is read", "zzz 5 6 7 zz zz"]
    address = write(tmp_path / "r.html", [PageResult("p", "gt", "hyp", evaluate(gt, hyp, ["CER:R"]))])
    browser.open(f"{address}#page=p")
    assert browser.texts("#line1 .gt ins.whole") == [gt[1]]
    assert browser.texts("#line1 .hyp del.whole") == [hyp[1]]
    assert browser.texts("#line1 .badge") == ["other text"]
    assert browser.all("#line1 mark") == []


def test_a_line_with_another_column_is_marked_letter_by_letter(browser, tmp_path):
    gt, hyp = ["7.304."], ["qe fs 7.304. | traction des metaux"]
    address = write(tmp_path / "r.html", [PageResult("p", "gt", "hyp", evaluate(gt, hyp, ["CER:R"]))])
    browser.open(f"{address}#page=p")
    assert browser.texts("#line0 .hyp del") == ["qe fs ", " | traction des metaux"]
    assert browser.all("#line0 .whole") == []


def test_the_image_of_a_line_is_above_its_text(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S")
    browser.wait("document.querySelector('#line4 .snippet use')")
    box, text = browser.box("#line4 .snippet"), browser.box("#line4 .gt")
    assert box[3] <= text[1] + 1
    assert box[2] - box[0] > 5 * (box[3] - box[1])
    x, y, width, height = browser.viewbox("#line4 .snippet")
    assert (width > 600, 30 < height < 80, x < 0, y < 0) == (True,) * 4
    browser.click("#snippets")
    assert browser.js("return getComputedStyle(document.querySelector('#line4 .snippet')).display") == "none"


def test_a_chosen_line_is_shown_large(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S&line=5")
    view = browser.viewbox("#picture")
    assert view[2] < 900
    baseline = [220, 330]
    assert view[0] < baseline[0] < view[0] + view[2]
    assert view[1] < baseline[1] < view[1] + view[3]


def test_layers_are_faded_and_limited_to_errors(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S")
    browser.js("document.querySelector('.layers').open = true")
    browser.click("#outline-wrong")
    hidden = "return getComputedStyle(document.querySelector('#picture .line.tone0')).display"
    assert browser.js(hidden) == "none"
    browser.js(
        "const o = document.querySelector('#opacity'); o.value = 30; o.dispatchEvent(new Event('input'))"
    )
    assert browser.js("return getComputedStyle(document.querySelector('#picture .gts')).opacity") == "0.3"


def shown(browser):
    return browser.js(
        "return [...document.querySelectorAll('#rows > li:not(.head)')].filter(r => !r.hidden).map(r => r.id)"
    )


def test_lines_are_filtered_by_kind_type_confusion_and_rate(browser, demo):
    browser.open(f"{demo}#page=letter&measure=CER:R")
    browser.choose(".kinds", "invented")
    assert 0 < len(shown(browser)) < 12
    browser.choose(".kinds", "")
    browser.choose(".types", "heading")
    assert shown(browser) == ["line0"]
    browser.choose(".types", "")
    browser.js("document.querySelector('.more-filters').open = true")
    browser.one(".letters").send_keys("s")
    browser.one(".letters:nth-of-type(2)").send_keys("f")
    assert shown(browser) == ["line2"]
    browser.click(".more-filters button")
    everything = len(shown(browser))
    browser.one(".least").send_keys("50")
    assert 0 < len(shown(browser)) < everything


def test_lines_are_found_in_all_pages(browser, demo):
    browser.open(f"{demo}#measure=CER:S")
    browser.one("#find").send_keys("page")
    browser.click("#find-start")
    browser.wait("document.querySelector('#find-status').textContent.includes('found by CER:S')")
    names = {text.partition(":")[0].partition(",")[0] for text in browser.texts("#found-lines a")}
    assert names == {"book", "columns", "letter"}
    browser.click("#found-lines a")
    browser.wait("document.querySelector('#page li.picked')")


def test_a_confusion_leads_to_all_its_lines(browser, demo):
    browser.open(f"{demo}#measure=CER:S")
    browser.click(".confusions .substitution li:first-child button.small")
    browser.wait("document.querySelector('#find-status').textContent.includes('found by CER:S')")
    assert len(browser.all("#found-lines li")) > 5
    assert all("ſ" in text for text in browser.texts("#found-lines .gt"))


def test_verdicts_are_kept_and_exported(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S&line=5")
    browser.press("x")
    browser.click("#ask input[value='gt wrong']")
    browser.one("#verdict-note").send_keys("rn, not m")
    browser.click("#ask button.primary")
    browser.wait("document.querySelector('#line4 .verdict.set')")
    browser.reload_until("document.querySelector('#line4 .verdict.set')")
    browser.choose(".kinds", "marked")
    assert shown(browser) == ["line4"]
    browser.open(f"{demo}#measure=CER:S")
    assert browser.texts("#verdicts li b") == ["GT wrong"]
    keep = "blob.text().then((text) => { window.exported = text }); return '#'"
    browser.js(f"URL.createObjectURL = (blob) => {{ {keep} }}")
    browser.click("#export-verdicts")
    browser.wait("window.exported")
    found = json.loads(browser.js("return window.exported"))
    assert (found["format"], found["version"]) == ("pagemeter-verdicts", 1)
    (one,) = found["verdicts"]
    assert (one["page"], one["line"], one["verdict"], one["note"]) == ("book", 5, "gt wrong", "rn, not m")
    assert one["text"].startswith("letters, he learns")


def test_a_scan_is_no_reason_to_wait(browser, tmp_path):
    """A page whose image cannot be loaded has no empty images of lines."""
    line = Line("a line", ((0, 50), (300, 50)), ((0, 20), (300, 20), (300, 60), (0, 60)))
    (tmp_path / "p.png").write_bytes(b"no image")
    page = Page((line,), width=300, height=100, image="p.png")
    done = PageResult("p", str(tmp_path / "p.xml"), str(tmp_path / "q.xml"), evaluate(page, page, ["CER"]))
    browser.open(f"{write(tmp_path / 'r.html', [done])}#page=p")
    browser.wait("document.querySelector('#image-note').textContent.includes('could not be loaded')")
    assert browser.all("#rows.with-snippets") == []
    browser.console_messages()


def test_errors_are_visible_on_a_chosen_row(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S&line=5")
    browser.hover("#line4")
    style = "return getComputedStyle(document.querySelector('#line4.lit mark')).outlineStyle"
    assert browser.js(style) == "solid"


def test_a_table_with_cells_is_shown_as_a_grid(browser, tmp_path):
    texts = {(0, 0): "year", (0, 1): "price", (1, 0): "1801", (1, 1): "4.50"}
    gt = Page(tuple(Line(text, cell=cell) for cell, text in texts.items()))
    done = PageResult("p", "gt", "hyp", evaluate(gt, ["year", "price", "1807", "4.50"], ["CER:R"]))
    browser.open(f"{write(tmp_path / 'r.html', [done])}#page=p")
    browser.press("vv")
    browser.wait("document.querySelector('#cells')")
    assert [browser.texts(f"#cells tr:nth-child({row}) .gt") for row in (1, 2)] == [
        ["year", "price"],
        ["1801", "4.50"],
    ]
    assert browser.texts("#cells .hyp mark") == ["7"]
