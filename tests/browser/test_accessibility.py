"""The report is checked by axe-core: contrast, names, roles and the order of the keyboard, in both themes."""

from __future__ import annotations

from pathlib import Path

import pytest

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def reports(demo, compared):
    return demo, compared


RUN = """
const done = arguments[0];
axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then((result) => done(
  result.violations.map((one) => [one.id, one.nodes.slice(0, 4).map((node) => node.html.slice(0, 160))])));
"""
VIEWS = {
    "overview": "",
    "book": "#page=book&measure=CER:S&line=5",
    "unlike": "#page=letter&measure=CER:R",
    "order": "#page=columns&measure=CER:S&view=order",
    "compared": "",
    "side by side": "#page=book&measure=CER:S",
}


@pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is installed by tests/browser/check_scripts.sh, with npm"
)
@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_violation(browser, reports, view, scheme, width):
    browser.emulate(width, 900, scheme)
    browser.open(reports[view in ("compared", "side by side")] + VIEWS[view])
    browser.js("for (const one of document.querySelectorAll('details')) one.open = true")
    browser.js("document.querySelector('#all-measures')?.click()")
    browser.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text()})
    assert browser.driver.execute_async_script(RUN) == []


def test_everything_that_the_mouse_does_the_keyboard_does_too(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S")
    browser.press("j")
    assert browser.js("return document.activeElement.id") == "line0"
    browser.press("x")
    browser.wait("document.querySelector('#ask').open")
    browser.press("\ue00c")
    browser.wait("!document.querySelector('#ask').open")
    browser.js("document.querySelector('.splitter').focus()")
    before = browser.js("return document.querySelector('.picture').getBoundingClientRect().width")
    browser.press("\ue014\ue014")  # right
    assert browser.js("return document.querySelector('.picture').getBoundingClientRect().width") > before
    assert browser.one(".splitter").get_attribute("aria-valuenow") == "50"


def test_marks_have_a_name_for_screen_readers(browser, demo):
    browser.open(f"{demo}#page=book&measure=CER:S")
    before = "return getComputedStyle(document.querySelector(arguments[0]), '::before').content"
    assert browser.js(before, "#rows mark") == '" wrong: "'
    assert browser.js(before, "#rows ins") == '" missing: "'
