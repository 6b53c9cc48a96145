"""A browser that tests control, and reports to open in it."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import ActionChains

from pagemeter.corpus import MeasureSelection, RunConfig
from pagemeter.measure import ALL
from pagemeter.report.html import write_report

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 120  # only to end a hang
EVIL = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"><b>bold"


def available() -> bool:
    """Return True if Chromium and its driver are installed."""
    return all(map(shutil.which, ("chromium", "chromedriver")))


@contextmanager
def chromium():
    """A headless Chromium that logs console messages and network requests."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument("--hide-scrollbars")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_script_timeout(SECONDS)
    try:
        yield driver
    finally:
        driver.quit()


class Browser:
    """A page in Chromium, its console messages and its requests."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, url: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(url)
        self.wait("document.documentElement.dataset.ready === 'yes'")

    def reload_until(self, condition: str) -> None:
        """Load the page again until a condition holds: Chromium stores values some time after the call."""
        end = time.monotonic() + SECONDS
        while True:
            self.driver.refresh()
            self.wait("document.documentElement.dataset.ready === 'yes'")
            if self.js(f"return {condition}"):
                return
            if time.monotonic() > end:
                pytest.fail(f"not true after {SECONDS} s of loading: {condition}")

    def js(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        """Wait until a condition holds in the page, checked before every frame."""
        try:
            self.driver.execute_async_script(
                "const done = arguments[0];"
                f"const check = () => ({condition}) ? done() : requestAnimationFrame(check); check();"
            )
        except TimeoutException:
            pytest.fail(f"not true after {SECONDS} s: {condition}")

    def all(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str):
        return self.driver.find_element("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        return self.js(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
        )

    def box(self, selector: str) -> list[float]:
        """Return the left, top, right and bottom edge of an element in the window."""
        return self.js(
            "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [r.left, r.top, r.right, r.bottom]",
            selector,
        )

    def viewbox(self, selector: str) -> list[float]:
        """Return the left and top edge, the width and the height of the visible part of a drawing."""
        read = "return document.querySelector(arguments[0]).getAttribute('viewBox')"
        return [float(value) for value in self.js(read, selector).split()]

    def click(self, selector: str) -> None:
        self.js("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.settle()
        self.one(selector).click()

    def hover(self, selector: str) -> None:
        self.js("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.settle()
        ActionChains(self.driver).move_to_element(self.one(selector)).perform()

    def settle(self) -> None:
        """Wait until lines that became visible are drawn, because that may move others."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def press(self, keys: str) -> None:
        ActionChains(self.driver).send_keys(keys).perform()

    def choose(self, selector: str, value: str) -> None:
        change = "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))"
        self.js(f"arguments[0].value = arguments[1]; {change}", self.one(selector), value)

    def emulate(self, width: int, height: int = 900, scheme: str = "light") -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)

    def console_messages(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requested(self) -> set[str]:
        """Return the schemes of all requested URLs."""
        return {url.partition(":")[0] for url in self.requested_urls()}

    def requested_urls(self) -> list[str]:
        """Return all URLs that were requested since the last call."""
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def drop(self, selector: str, *paths: Path) -> None:
        """Drop files and folders of this machine on an element, as with the mouse."""
        self.js("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        box = self.one(selector).rect
        scroll = self.js("return [scrollX, scrollY]")
        place = {
            "x": box["x"] - scroll[0] + box["width"] / 2,
            "y": box["y"] - scroll[1] + box["height"] / 2,
        }
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, **place, "data": data}
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", event)


def write(path: Path, results, **options) -> str:
    """Write a report and return its URL."""
    write_report(path, results, RunConfig(MeasureSelection(ALL)).signature, **options)
    return path.as_uri()
