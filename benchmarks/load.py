"""How long loading takes against a bare parse of the same files: `python benchmarks/load.py [FOLDER]`.

The number of lines is compared with the elements counted in the file before anything is timed. CPU time of
this thread, best of several runs; the two are run in turn, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from pathlib import Path

from lxml import etree

from pagemeter.errors import PagemeterError
from pagemeter.formats import load_pages

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "pages"
RUNS = 7
LIMIT = 2.0
COUNTED = {"PcGts": "{*}TextLine", "pcGts": "{*}TextLine", "alto": "{*}TextLine"}


def parsable(folder):
    """The files that lxml can parse at all, by the name of their root."""
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
    """Every TextLine is a line; region text without lines can only add to them."""
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
    """The files that can be loaded, and the number of their lines, by the name of their root."""
    files, lines = parsable(folder), {}
    for name, paths in list(files.items()):
        try:
            lines[name] = sum(check(path, name) for path in paths)
        except PagemeterError as error:
            print(f"{name}: {error}")
            del files[name]
    return files, lines


def ratio(folder=SHARED):
    """The time of loading all files over that of parsing them."""
    files, _ = checked(folder)
    parse, load = compare([path for paths in files.values() for path in paths])
    return load / parse


def main():
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
