"""The time of loaders grows at most like n log n, whatever is repeated, nested or left open in a file.

The CPU time of this process is measured at two sizes, the second of which is four times the first. A linear
loader takes four times as long, a quadratic one sixteen times; the limit is eight. Another process can only
lengthen a measurement, so the shortest of several is compared. A ratio above the limit must also be found at
the next size, where a cache that became too small once has no effect. Times below a twentieth of a second are
not compared, because a loader that is quadratic takes far longer at these sizes.
"""

from __future__ import annotations

import gc
import re
import time
import tracemalloc
from functools import partial
from itertools import cycle
from typing import Any

import pytest

from collected import exhaustive
from fuzz.growth import FAMILIES
from fuzz.growth_models import MODEL_FAMILIES
from fuzz.growth_options import OPTION_FAMILIES
from pagemeter.errors import PagemeterError
from pagemeter.flags import image_warnings
from pagemeter.formats import read_pages
from pagemeter.inputs import page_files
from pagemeter.page import Page
from pagemeter.settings import Settings
from pagemeter.text import normalise
from pagemeter.text.mapping import TextMapping

ALL_FAMILIES = {name: (family, {}) for name, family in (FAMILIES | MODEL_FAMILIES).items()} | OPTION_FAMILIES
BYTES_PER_BYTE = 250  # of memory per byte of a file; the most that a line of one character takes
BASE_MEMORY = (
    25_000_000  # bytes; for the marks of Markdown that each file may have, and modules imported late
)
FIRST_SIZE = 30_000
FACTOR = 4
MAX_RATIO = 8
ATTEMPTS = 4
CONFIRMATIONS = 2
TOO_SHORT = 0.05  # seconds
CLEAR = 1.0  # seconds; a disturbance does not add as many to the shortest measurement


def cpu_time(action) -> float:
    """Return the CPU time of an action without garbage collection, which depends on all other objects."""
    gc.disable()
    try:
        start = time.process_time()
        action()
        return time.process_time() - start
    finally:
        gc.enable()


def too_steep(small, large) -> bool:
    """Return True if the large action takes more than MAX_RATIO times as long in every comparison."""
    shortest, longest = float("inf"), float("inf")
    for _ in range(ATTEMPTS):
        shortest = min(shortest, *(cpu_time(small) for _ in range(3)))
        longest = min(longest, cpu_time(large))
        if longest <= TOO_SHORT or longest <= MAX_RATIO * max(shortest, TOO_SHORT / MAX_RATIO):
            return False
        if longest > CLEAR:
            break
    return True


def check_growth(make_action) -> None:
    """Raise AssertionError if the time of an action grows faster than its size, twice in a row."""
    size = FIRST_SIZE
    for _ in range(CONFIRMATIONS):
        if not too_steep(make_action(size), make_action(FACTOR * size)):
            return
        size *= FACTOR
    raise AssertionError("the time grows faster than the input")


def load(data: bytes, name: str, options: dict[str, Any]) -> None:
    try:
        for page in read_pages(data, "a", format=name, **options):
            for line in page.lines[:1000]:
                _ = line.baseline, line.polygon
    except PagemeterError:
        pass


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ALL_FAMILIES)
def test_time_grows_at_most_like_the_file(name):
    (family, options), known = ALL_FAMILIES[name], name.partition(":")[0]
    check_growth(lambda size: partial(load, family(size), known, options))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", OPTION_FAMILIES)
def test_memory_grows_at_most_like_the_file(name):
    family, options = ALL_FAMILIES[name]
    data = family(FIRST_SIZE * 2)
    tracemalloc.start()
    try:
        load(data, name.partition(":")[0], options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < BASE_MEMORY + BYTES_PER_BYTE * len(data)


@pytest.mark.parametrize("end", [".txt", *exhaustive("", ".txtx")])
@pytest.mark.parametrize("unit", [".gt", ".gt.xml", ".tif", ".page.alto", "_", ".", ".xml"])
def test_time_of_a_page_name(unit, end):
    def parse(name):
        page_files._parse_ending.cache_clear()
        return page_files.page_name(name)

    check_growth(lambda size: partial(parse, "a" + unit * (size // len(unit)) + end))


@pytest.mark.parametrize("unit", [".jpg", ".pdf_page_1", "1", "a1", "/", "_", "#"])
def test_time_of_image_names(unit):
    def action(size):
        pages = [Page(image=f"{side}{unit * (size // len(unit))}z") for side in "xy"]
        return partial(image_warnings, *pages, ["a.xml"])

    check_growth(action)


def test_time_of_a_mapping():
    """A spelling lexicon and a text, both of which grow."""

    def action(size):
        mapping = TextMapping.from_rules({f"{'ab'[i % 2]}b{i:04x}": "c" for i in range(size // 8)})
        return lambda: mapping.apply("ab" * (size // 8))

    check_growth(action)


@pytest.mark.parametrize("hyphens", ["alike", "remove", "join"])
@pytest.mark.parametrize(
    ("unit", "end"),
    [
        *((unit, "-") for unit in ("a\u00ad", "-", "a-", "a\u00ad ", "\u0301", "=", "¬", "\n")),
        *((unit, "-") for unit in ("\u00ad\n", "a-\n", "a-\n\n")),
        *(("\u00ad", end) for end in ("-", "", " ", "x", "=", " -")),
    ],
)
def test_time_of_hyphens(unit, end, hyphens):
    settings = Settings(hyphens=hyphens)

    def action(size):
        lines = ("a" + unit * (size // len(unit)) + end).split("\n")
        return lambda: normalise(lines, settings)

    check_growth(action)


@pytest.mark.exhaustive
def test_the_check_notices_quadratic_time():
    """A pattern that tries each run of spaces from each of its positions."""
    pattern = re.compile(r" *\n")
    with pytest.raises(AssertionError, match="faster than the input"):
        check_growth(lambda size: lambda: pattern.search(" " * (size // 8)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("exponent", [1, 2])
def test_the_check_separates_linear_from_quadratic_time(exponent, monkeypatch):
    """An action takes its size to a power; every third measurement is ten times as long."""
    now, factors = [0.0], cycle((0.1, 0.1, 1.0))
    monkeypatch.setattr(time, "process_time", lambda: now[0])

    def make_action(size):
        def action():
            now[0] += (size / FIRST_SIZE) ** exponent * next(factors)

        return action

    for _ in range(3):
        next(factors)
        if exponent == 1:
            check_growth(make_action)
        else:
            with pytest.raises(AssertionError, match="faster than the input"):
                check_growth(make_action)
