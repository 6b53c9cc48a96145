"""The local page in a browser: files are really dropped, and the report opens."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from browser.driving import EVIL, Browser
from browser.test_accessibility import AXE, RUN
from collected import serving, until
from pagemeter.cli import main
from pagemeter.demo import GT, HYP

READY = "document.documentElement.dataset.ready === 'yes'"
REPORT = f"document.title === 'pagemeter report' && {READY}"
GT_AREA, HYP_AREA = (f".drop[data-side={side}]" for side in ("gt", "hyp"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server without results."""
    with serving(tmp_path_factory.mktemp("server")) as (_, url):
        yield url


@pytest.fixture
def page(driver, server):
    """The form. After the test there must be no console message, and no request to another server."""
    browser = Browser(driver)
    browser.emulate(1400)
    browser.console_messages(), browser.requested_urls()
    browser.open(server)
    yield browser
    browser.driver.get("about:blank")
    assert browser.console_messages() == []
    urls = [urlsplit(url) for url in browser.requested_urls()]
    assert {url.netloc for url in urls if url.scheme not in ("about", "data", "blob", "file")} == {
        urlsplit(server).netloc
    }


def choose_demo(page):
    page.drop(GT_AREA, GT)
    page.drop(HYP_AREA, HYP)
    page.wait("document.querySelectorAll('.chosen').length === 2")


def arrive(page, condition):
    """Wait until a condition holds after a navigation, which ends scripts of the page before."""
    until(lambda: page.js(f"return Boolean({condition})"))


def evaluate(page):
    page.click("#evaluate")
    arrive(page, REPORT)


def go_back(page):
    page.driver.back()
    arrive(page, f"document.title === 'pagemeter' && {READY} && document.querySelector('[data-state=done]')")


def error(page):
    page.wait("document.querySelector('#alert .wrong')")
    return page.texts("#alert .wrong")[0]


def test_dropped_folders_become_the_report_of_the_command(page, tmp_path):
    choose_demo(page)
    evaluate(page)
    shown = page.texts("main table")
    main(["eval", str(GT), str(HYP), "--html", str(tmp_path / "report.html")])
    page.open((tmp_path / "report.html").as_uri())
    assert shown == page.texts("main table")
    assert len(shown) >= 2


def test_dropped_files_become_a_report_with_their_images(page):
    page.drop(GT_AREA, GT / "book.xml", GT / "book.svg")
    page.drop(HYP_AREA, HYP / "book.xml")
    page.wait("document.querySelectorAll('.chosen').length === 2")
    assert page.texts(f"{GT_AREA} .names li") == ["book.svg", "book.xml"]
    evaluate(page)
    page.js("location.hash = '#page=1'")
    page.wait("document.querySelector('.scan image')")


def test_chosen_files_become_a_report(page, tmp_path):
    """The dialogs, which also the keyboard opens."""
    (tmp_path / "a.txt").write_text("one line")
    (tmp_path / "b.txt").write_text("one lime")
    for area, name in ((GT_AREA, "a.txt"), (HYP_AREA, "b.txt")):
        page.one(f"{area} input:not([webkitdirectory])").send_keys(str(tmp_path / name))
    page.wait("document.querySelectorAll('.chosen').length === 2")
    assert page.texts(".chosen") == ["1 file, 8 bytes Clear"] * 2
    evaluate(page)
    assert "12.50" in page.js("return document.body.innerText")


def test_a_chosen_folder_keeps_its_paths(page):
    page.one(f"{GT_AREA} [webkitdirectory]").send_keys(str(GT))
    page.wait("document.querySelector('.chosen')")
    assert set(page.texts(f"{GT_AREA} .names li")) <= {f"gt/{path.name}" for path in GT.iterdir()} | {"…"}


def test_a_folder_with_many_files_is_read_completely(page, tmp_path):
    for number in range(250):
        folder = tmp_path / "many" / str(number % 3)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text("x")
    (tmp_path / "many" / ".hidden.txt").write_text("x")
    page.drop(GT_AREA, tmp_path / "many")
    page.wait("document.querySelector('.chosen')")
    assert page.texts(".chosen") == ["250 files, 250 bytes Clear"]


def test_preset_and_measures_are_used(page):
    choose_demo(page)
    page.choose("#preset", "dinglehopper")
    assert page.texts("#about-preset") == ["The numbers of dinglehopper and dinglehopper-summarize."]
    page.click("summary")
    page.click("#measures input[value='CER:T']")
    evaluate(page)
    assert page.js("return [...document.querySelectorAll('#measure option')].map(one => one.value)") == [
        "CER:T"
    ]
    assert "preset:dinglehopper" in page.texts("#signature code")[0]


def test_back_leads_to_the_form_and_its_reports(page):
    choose_demo(page)
    evaluate(page)
    go_back(page)
    before = len(page.all("#jobs > li"))
    save = page.one("#jobs a[download]")
    assert (save.text, save.get_attribute("download")) == ("Save", "gt and hyp.html")
    page.click("#jobs > li button")
    page.wait(f"document.querySelectorAll('#jobs > li').length === {before - 1}")


def test_evaluation_works_by_keyboard(page):
    choose_demo(page)
    page.js("document.querySelector('#evaluate').focus()")
    page.press("\ue007")
    arrive(page, REPORT)


def test_a_missing_side_is_an_error(page):
    page.click("#evaluate")
    assert error(page) == "Add the ground truth first."
    page.drop(GT_AREA, GT)
    page.wait("!document.querySelector('#alert .wrong')")
    page.click("#evaluate")
    assert error(page) == "Add the recognised pages first."


def test_files_that_cannot_be_paired_are_an_error(page, tmp_path):
    for name in ("a/1.txt", "a/2.txt", "b/3.txt", "b/4.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    page.drop(GT_AREA, tmp_path / "a")
    page.drop(HYP_AREA, tmp_path / "b")
    page.wait("document.querySelectorAll('.chosen').length === 2")
    page.click("#evaluate")
    assert "gt/a" in error(page)
    assert page.one("#evaluate").is_enabled()


def test_a_hostile_name_is_text(page, tmp_path):
    name = EVIL.replace("/", "⁄")
    (tmp_path / name).mkdir()
    (tmp_path / name / "1.txt").write_text("one")
    page.drop(GT_AREA, tmp_path / name)
    page.drop(HYP_AREA, tmp_path / name)
    page.wait("document.querySelectorAll('.chosen').length === 2")
    evaluate(page)
    go_back(page)
    assert page.driver.title == "pagemeter"
    assert page.texts("#jobs .title")[0] == f"{name} and {name}"[:200]
    assert not page.all("main img, main b")


def test_a_file_that_is_dropped_beside_the_areas_does_not_replace_the_page(page, tmp_path):
    (tmp_path / "1.txt").write_text("one")
    page.drop("h1", tmp_path / "1.txt")
    page.settle()
    assert page.js(f"return {READY}")
    assert not page.all(".chosen")


def test_clearing_a_side_removes_its_files(page):
    choose_demo(page)
    page.click(f"{GT_AREA} .chosen button")
    assert len(page.all(".chosen")) == 1


def test_a_stopped_server_is_reported(driver, tmp_path):
    browser = Browser(driver)
    browser.emulate(1400)
    with serving(tmp_path) as (process, url):
        browser.open(url)
        choose_demo(browser)
        process.terminate()
        process.wait()
        browser.click("#evaluate")
        assert error(browser) == "pagemeter does not answer. Start it again, and open the new address."
    browser.console_messages(), browser.requested_urls()


@pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is installed by tests/browser/check_scripts.sh, with npm"
)
@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_form(page, scheme, width):
    page.emulate(width, 900, scheme)
    choose_demo(page)
    evaluate(page)
    go_back(page)
    page.drop(GT_AREA, GT)
    page.wait("document.querySelector('.chosen')")
    page.click("#evaluate")
    error(page)
    page.js("for (const one of document.querySelectorAll('details')) one.open = true")
    page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text()})
    assert page.driver.execute_async_script(RUN) == []
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")


def test_linked_images_of_a_report_in_a_folder_are_shown(driver, tmp_path):
    browser = Browser(driver)
    browser.emulate(1400)
    main(["demo", "--pages", str(tmp_path / "demo")])
    main(
        [
            "eval",
            str(tmp_path / "demo" / "gt"),
            str(tmp_path / "demo" / "hyp"),
            "--html",
            str(tmp_path / "demo" / "report.html"),
        ]
    )
    with serving(Path(tmp_path), tmp_path / "demo") as (_, url):
        browser.open(url)
        browser.wait(
            "document.querySelector('main img')?.naturalWidth > 0 || document.querySelector('main image')"
        )
        assert browser.console_messages() == []
        assert any(one.endswith("gt/book.svg") for one in browser.requested_urls())
