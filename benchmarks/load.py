"""Compare the time of loading files with parsing them by lxml: `python benchmarks/load.py [FOLDER]`.

`python benchmarks/load.py --growth [MEGABYTES]` doubles the size of a file of each format instead, and prints
how the time grows. `tests/fuzz/test_growth.py` does so for hundreds of constructs at small sizes.

The number of lines is compared with the elements counted in the file before anything is timed. CPU time of
this thread, best of several runs; the two are run in turn, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path

from lxml import etree

from pagemeter.errors import PagemeterError
from pagemeter.formats import load_pages, read_pages

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from fuzz.growth import FAMILIES  # noqa: E402  (a module of the tests)

SHARED = ROOT.parent / "shared" / "data" / "pages"
RUNS = 7
LIMIT = 2.0
MEGABYTE = 1_000_000
MAX_GROWTH = 2.6  # for twice the size; n log n and caches are above 2, quadratic time is 4
COUNTED = {"PcGts": "{*}TextLine", "pcGts": "{*}TextLine", "alto": "{*}TextLine"}


def parsable(folder):
    """Return the files that lxml can parse, by the name of their root element."""
    found = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                root = etree.parse(path).getroot()
            except etree.XMLSyntaxError:
                continue
            found[etree.QName(root).localname].append(path)
    return found


def check(path, root_name):
    """Check that there are at least as many lines as TextLine elements."""
    pages = load_pages(path)
    tag = COUNTED.get(root_name)
    if tag is None:
        return sum(len(page.lines) for page in pages)
    counted = sum(1 for _ in etree.parse(path).getroot().iter(tag))
    lines = sum(len(page.lines) for page in pages)
    assert lines == counted or (lines > counted and any(page.warnings for page in pages)), path
    return lines


def seconds(task, paths):
    start = time.thread_time()
    for path in paths:
        task(path)
    return time.thread_time() - start


def compare(paths):
    parse, load = [], []
    for _ in range(RUNS):
        parse.append(seconds(lambda path: etree.parse(str(path)), paths))
        load.append(seconds(load_pages, paths))
    return min(parse), min(load)


def checked(folder):
    """Return the files that can be loaded and their number of lines, by the name of their root element."""
    files, lines = parsable(folder), {}
    for name, paths in list(files.items()):
        try:
            lines[name] = sum(check(path, name) for path in paths)
        except PagemeterError as error:
            print(f"{name}: {error}")
            del files[name]
    return files, lines


def ratio(folder=SHARED):
    """Return the time of loading all files divided by that of parsing them."""
    files, _ = checked(folder)
    parse, load = compare([path for paths in files.values() for path in paths])
    return load / parse


def growth(most_megabytes):
    """Print the time of each format for doubled sizes; return True if it grows at most like n log n."""
    plain = {}  # the first family of each format repeats its lines
    for name, family in FAMILIES.items():
        plain.setdefault(name.partition(":")[0], family)
    is_linear = True
    print(f"{'format':10} {'MB':>4} {'seconds':>8} {'growth':>7}")
    for name, family in plain.items():
        size, before = MEGABYTE, None
        while size <= most_megabytes * MEGABYTE:
            took = min(seconds(partial(lines_or_refusal, name), [family(size)]) for _ in range(2))
            times = took / before if before else 0
            is_linear &= times <= MAX_GROWTH
            print(f"{name:10} {size // MEGABYTE:4} {took:8.2f} {times:7.2f}")
            size, before = 2 * size, took
    return is_linear


def lines_or_refusal(name, data):
    """Return the number of lines; a file beyond a limit of its format is refused."""
    try:
        return sum(len(page.lines) for page in read_pages(data, "a", format=name))
    except PagemeterError as error:
        return str(error)


def main():
    if sys.argv[1:2] == ["--growth"]:
        return growth(int(sys.argv[2]) if len(sys.argv) > 2 else 64)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED
    files, lines = checked(folder)
    print(f"{'root':10} {'files':>6} {'lines':>7} {'parse ms':>9} {'load ms':>9} {'ratio':>6}")
    every = [path for paths in files.values() for path in paths]
    for name, paths in (*files.items(), ("all", every)):
        parse, load = compare(paths)
        total = lines.get(name, sum(lines.values()))
        print(f"{name:10} {len(paths):6} {total:7} {parse * 1e3:9.1f} {load * 1e3:9.1f} {load / parse:6.2f}")
    return load / parse <= LIMIT


if __name__ == "__main__":
    sys.exit(not main())
