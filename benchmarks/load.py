"""Compare the time of loading files with parsing them by lxml: `python benchmarks/load.py [FOLDER]`.

`python benchmarks/load.py --growth [MEGABYTES [FORMATS]]` doubles the size of a file of ordinary lines in
each format instead, up to 100 MB or the given size. It prints how the time grows, and the peak memory in
bytes per byte of the file. Each file is read in a process of its own. `tests/fuzz/test_growth.py` does so
for hundreds of constructs at small sizes.

The number of lines is compared with the elements counted in the file before anything is timed. CPU time of
this thread, best of several runs; the two are run in turn, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import memory
from lxml import etree

from pagemeter.errors import PagemeterError
from pagemeter.formats import load_pages

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from fuzz.growth import numbered  # noqa: E402  (a module of the tests)

SHARED = ROOT.parent / "shared" / "data" / "pages"
RUNS = 7
LIMIT = 2.0
MEGABYTE = 1_000_000
SMALLEST = 5  # megabytes; a smaller file is read too quickly for its time to be exact
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


WORDS = "Der Herr sprach zu ihm und ging"
PROSE = f"{WORDS}, {WORDS}\n" * 6
PAGE_BOX = "<Coords points='100,@ 900,@ 900,999 100,999'/>"
PAGE_LINE = f"<TextLine id='l@'>{PAGE_BOX}<TextEquiv><Unicode>{WORDS}</Unicode></TextEquiv></TextLine>"
ALTO_WORDS = "<String CONTENT='Herr' HPOS='1' VPOS='@' WIDTH='90' HEIGHT='20'/><SP/>" * 5
HOCR_WORDS = "<span class='ocrx_word' title='bbox 1 @ 99 999'>Herr</span> " * 5
FORMATTED = f"<line baseline='@' l='1' t='1' r='900' b='99'><formatting>{WORDS}</formatting></line>"
# Files of ordinary lines, as functions of a size in bytes.
ORDINARY = {
    "text": numbered("", WORDS + " @\n"),
    "markdown": numbered("", f"# Titel @\n\n{PROSE}{WORDS} *und*\n\n- {WORDS}\n- {WORDS}\n\n"),
    "page": numbered("<PcGts><Page>", f"<TextRegion>{PAGE_LINE}</TextRegion>", "</Page></PcGts>"),
    "alto": numbered(
        "<alto><Layout><Page><PrintSpace>",
        f"<TextBlock><TextLine VPOS='@'>{ALTO_WORDS}</TextLine></TextBlock>",
        "</PrintSpace></Page></Layout></alto>",
    ),
    "tei": numbered("<TEI><text><body><pb/>", f"<p><lb n='@'/>{WORDS}</p>", "</body></text></TEI>"),
    "hocr": numbered(
        "<html><body><div class='ocr_page'>",
        f"<p><span class='ocr_line' title='bbox 1 @ 900 999'>{HOCR_WORDS}</span></p>",
        "</div></body></html>",
    ),
    "abbyy": numbered(
        "<document><page>", f"<block><text><par>{FORMATTED}</par></text></block>", "</page></document>"
    ),
    "json": numbered(
        '{"lines":[', f'{{"id":"l@","text":"{WORDS}","baseline":[[1,9],[900,9]]}},', '{"text":"a"}]}'
    ),
    "dots": numbered("[", f'{{"bbox":[1,2,9,99],"category":"Text","text":"{WORDS} @"}},', '{"text":"a"}]'),
    "mineru": numbered("[", f'{{"type":"text","text":"{WORDS} @","page_idx":0}},', "{}]"),
    "docling": numbered('{"texts":[', f'{{"text":"{WORDS} @","label":"paragraph"}},', '{"text":"a"}]}'),
}


def growth(most_megabytes, formats):
    """Print the time of each format for doubled sizes; return True if it grows at most like n log n."""
    is_linear = True
    print(f"{'format':10} {'MB':>4} {'lines':>9} {'seconds':>8} {'growth':>7} {'memory':>7}")
    for name in formats:
        size, before = most_megabytes * MEGABYTE, None
        while size >= 2 * SMALLEST * MEGABYTE:
            size //= 2
        while size <= most_megabytes * MEGABYTE:
            lines, took, used = in_a_process(name, size)
            times = took / before if before else 0
            is_linear &= times <= MAX_GROWTH
            print(
                f"{name:10} {size // MEGABYTE:4} {lines:9} {took:8.2f} {times:7.2f} {used / size:7.1f}",
                flush=True,
            )
            size, before = 2 * size, took
    return is_linear


def in_a_process(name, size):
    """Return the lines of a file, and the seconds and bytes of memory that reading it takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        too_large = len(ORDINARY[name](size))  # by the digits of the numbers
        path.write_bytes(ORDINARY[name](size * size // too_large))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(measured, (name, path))


def measured(name, path):
    """Read a file in this process; see `in_a_process`."""
    before = memory.peak()
    start = time.thread_time()
    lines = sum(len(page.lines) for page in load_pages(path, format=name))
    return lines, time.thread_time() - start, (memory.peak() - before) * 1024**2


def main():
    if sys.argv[1:2] == ["--growth"]:
        formats = sys.argv[3].split(",") if len(sys.argv) > 3 else ORDINARY
        return growth(int(sys.argv[2]) if len(sys.argv) > 2 else 100, formats)
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
