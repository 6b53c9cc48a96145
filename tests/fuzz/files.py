"""Mutated files against the loaders: `python tests/fuzz/files.py [INPUTS] [SEED]`, or `make fuzz`.

Real files beside the clone and the example pages are cut, spliced and damaged. Whatever comes, a loader gives
pages or one of our own errors whose message is one line.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pagemeter.errors import PagemeterError
from pagemeter.formats import formats, read_pages

ROOT = Path(__file__).resolve().parents[2]
SEEDS = (ROOT.parent / "shared" / "data" / "pages", ROOT / "src" / "pagemeter" / "demo")
SUFFIXES = {".xml", ".hocr", ".html", ".txt", ".json", ".md"}
LONGEST = 60_000  # a heavier file only slows the fuzzer down
TOKENS = (
    b"<", b">", b"&", b"&#0;", b"&shy;", b"]]>", b"<!--", b"<![CDATA[", b"<?x", b"\x00", b"\xff\xfe", b"\xc3",
    b"\xef\xbb\xbf", b"NaN", b"-1", b"1e999", b"9" * 20, b'points=""', b'index="-3"', b"\x0c", b"{", b"[",
    b"<TextLine/>", b"</TextLine>", b"<Unicode/>", b'CONTENT=""', b'title="bbox"', b'xmlns=""', b"|", b"```",
    b"\r", b"\n\n---\n", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;",
)  # fmt: skip


def seeds() -> list[tuple[str, bytes]]:
    """The files to start from, shortened."""
    paths = (path for folder in SEEDS if folder.is_dir() for path in sorted(folder.rglob("*")))
    return [
        (path.name, path.read_bytes()[:LONGEST])
        for path in paths
        if path.suffix in SUFFIXES and path.is_file()
    ]


def mutated(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """One to four changes: cut, drop, repeat, flip, insert a token, splice another file in."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        a, b = sorted(rng.randrange(len(out) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 8, 200, 5000)))
        kind = rng.randrange(6)
        if kind == 0:
            del out[b:]
        elif kind == 1:
            del out[a:b]
        elif kind == 2:
            out[a:a] = out[a:b]
        elif kind == 3 and a < len(out):
            out[a] = rng.randrange(256)
        elif kind == 4:
            out[a:a] = rng.choice(TOKENS)
        else:
            out[a:b] = other[a:b]
    return bytes(out)


def inputs(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(seed)
    files = seeds()
    for _ in range(count):
        name, data = rng.choice(files)
        yield name, mutated(rng, data, rng.choice(files)[1])


def attempt(name: str, data: bytes, forced: str | None) -> str:
    """What happened: 'pages' or 'refused'; anything else is raised."""
    try:
        pages = read_pages(data, name, format=forced)
    except PagemeterError as error:
        if "\n" in str(error) or name not in str(error):
            raise AssertionError(f"not one line that names the file: {error!r}") from error
        return "refused"
    for page in pages:
        for line in page.lines:
            _ = line.baseline, line.polygon, line.text
    return "pages"


def main(count: int = 100_000, seed: int = 1) -> int:
    names = [None, None, *(known.name for known in formats())]
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
            print(f"input {number} ({name} as {forced or 'detected'}) is kept in {failing}", file=sys.stderr)
            raise
    seconds = time.monotonic() - start
    print(f"{count} inputs in {seconds:.0f} s: {tally['pages']} read, {tally['refused']} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
