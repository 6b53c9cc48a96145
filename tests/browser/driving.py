"""What the tests do with a browser, and the reports that they open in it."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from selenium import webdriver
from selenium.webdriver import ActionChains

from pagemeter.corpus import Recipe, Wanted
from pagemeter.measure import ALL
from pagemeter.report.html import write_report

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 20
EVIL = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"><b>bold"


def available() -> bool:
    """Whether there is a browser that can be driven."""
    return all(map(shutil.which, ("chromium", "chromedriver")))


@contextmanager
def chromium():
    """A headless Chromium that remembers what it complained about and what it asked for."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument("--hide-scrollbars")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


class Browser:
    """A page in Chromium: what the tests do with it, and what it complained about."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, url: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(url)
        self.wait("document.documentElement.dataset.ready === 'yes'")

    def js(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        """Waits until a condition holds in the page."""
        end = time.monotonic() + SECONDS
        while not self.js(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"not so after {SECONDS} s: {condition}"
            time.sleep(0.02)

    def all(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str):
        return self.driver.find_element("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        return self.js(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
        )

    def click(self, selector: str) -> None:
        self.js("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.settle()
        self.one(selector).click()

    def hover(self, selector: str) -> None:
        self.js("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.settle()
        ActionChains(self.driver).move_to_element(self.one(selector)).perform()

    def settle(self) -> None:
        """Waits until lines that came into sight have been drawn, which may move others."""
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

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requested(self) -> set[str]:
        """The beginnings of all addresses that were asked for."""
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        urls = (
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        )
        return {url.partition(":")[0] for url in urls}


def write(path: Path, results) -> str:
    """Writes a report; its address."""
    write_report(path, results, Recipe(Wanted(ALL)).signature)
    return path.as_uri()
