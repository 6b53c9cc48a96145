"""A headless Chromium, and reports to open in it."""

from __future__ import annotations

import shutil

import pytest

from browser.driving import EVIL, Browser, available, chromium, write
from pagemeter import Line, Page, evaluate
from pagemeter.cli import main
from pagemeter.corpus import MeasureSelection, PageResult
from pagemeter.demo import GT, HYP
from pagemeter.inputs import pair
from pagemeter.measure import ALL
from pagemeter.runners import evaluate_pairs


@pytest.fixture(scope="session")
def driver():
    if not available():
        pytest.skip("no chromium and chromedriver on this machine: apt-get install chromium chromium-driver")
    with chromium() as made:
        yield made


@pytest.fixture
def browser(driver):
    """A browser for one test; after it there must be no console message and no network request."""
    made = Browser(driver)
    made.emulate(1400)
    made.js("try { localStorage.clear() } catch {}")
    made.console_messages(), made.requested()
    yield made
    assert made.console_messages() == []
    assert made.requested() <= {"file", "data", "about", "blob"}


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The report of the example pages, whose images are linked."""
    return write(
        tmp_path_factory.mktemp("demo") / "report.html",
        evaluate_pairs(pair(GT, HYP).pairs, MeasureSelection(ALL)),
    )


@pytest.fixture(scope="session")
def compared(tmp_path_factory):
    """The example pages as read before, and as read without any error."""
    folder = tmp_path_factory.mktemp("compared")
    path, copy = folder / "report.html", shutil.copytree(GT, folder / "perfect")
    assert main(["compare", str(GT), str(HYP), str(copy), "--name", "rough", "--name", "perfect",
                 "-m", "CER:R,CER:S", "--html", str(path)]) == 0  # fmt: skip
    return path.as_uri()


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """A report of 120 pages: every tenth has errors, one has no hypothesis, one has a text with a script."""
    measures = [measure for measure in ALL if not measure.geometry]

    def result(number):
        gt = [f"page {number} says this", "and a second line"]
        hyp = [f"page {number} say5 this", "and a second line"] if number % 10 == 0 else gt
        if number == 7:
            gt, hyp = Page((Line(EVIL, id=EVIL), Line("مرحبا بالعالم"))), Page((Line(EVIL + "!"),))
        evaluation = evaluate(gt, [] if number == 3 else hyp, measures)
        name = EVIL if number == 7 else f"page-{number:03}"
        return PageResult(name, "gt", None if number == 3 else "hyp", evaluation)

    return write(tmp_path_factory.mktemp("many") / "report.html", map(result, range(120)))
