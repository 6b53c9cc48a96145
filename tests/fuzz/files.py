"""Mutated files against the loaders: `make fuzz`, or `python -m fuzz.files [INPUTS] [SEED]` in tests.

Small pages of each format, the demo and real files are damaged. Whatever the input, a loader returns pages or
raises an error of pagemeter whose message is one line, and pages can be evaluated.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fuzz.mutation import mutated
from fuzz.seeds import seeds
from pagemeter import evaluate
from pagemeter.errors import PagemeterError
from pagemeter.formats import formats, read_pages
from pagemeter.page import Page

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
MAX_CHARACTERS = 3000  # of a page that is evaluated


def inputs(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(seed)
    files = seeds()
    for _ in range(count):
        name, data = rng.choice(files)
        yield name, mutated(rng, data, rng.choice(files)[1])


def attempt(name: str, data: bytes, forced: str | None) -> str:
    """Return "pages" or "refused"; any other exception is a failure."""
    try:
        pages = read_pages(data, name, format=forced)
    except PagemeterError as error:
        check_message(str(error), name)
        return "refused"
    for page in pages:
        for line in page.lines:
            _ = line.baseline, line.polygon, line.text
        for problem in page.warnings:
            check_message(str(problem), "")  # a JSON file repeats warnings of other files
    evaluate_page(pages[0])
    return "pages"


def check_message(message: str, name: str) -> None:
    """Raise AssertionError unless a message is one printable line that names the file."""
    if name not in message or UNPRINTABLE.search(message):
        raise AssertionError(f"not one printable line that names the file: {message!r}")


def evaluate_page(page: Page) -> None:
    """Evaluate a page against its own lines in reverse order."""
    if sum(len(line.text) for line in page.lines) > MAX_CHARACTERS:
        return
    hyp = replace(page, lines=page.lines[::-1])
    for measures in ("CER, WER:RS, BOW", "CER:G, WER:RSG, BOW:G"):
        try:
            scores = evaluate(page, hyp, measures)
        except PagemeterError as error:
            check_message(str(error), "")
        else:
            assert scores[measures.split(",")[0]].errors == 0


def main(count: int = 200_000, seed: int = 1) -> int:
    known = [known.name for known in formats()]
    names = [*[None] * len(known), *known]
    rng = random.Random(seed)
    tally = {"pages": 0, "refused": 0}
    start = time.monotonic()
    for number, (name, data) in enumerate(inputs(count, seed)):
        forced = rng.choice(names)
        try:
            tally[attempt(name, data, forced)] += 1
        except Exception:
            failing = Path(f"fuzz-{seed}-{number}-{forced or 'detected'}-{name}")
            failing.write_bytes(data)
            print(f"input {number} ({name} as {forced or 'detected'}) is saved in {failing}", file=sys.stderr)
            raise
    seconds = time.monotonic() - start
    print(f"{count} inputs in {seconds:.0f} s: {tally['pages']} read, {tally['refused']} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
