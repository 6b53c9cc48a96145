"""Random pages of many shapes that are likely to break a solver."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from pages import noisy

ALPHABETS = ("a", "ab", "abc", "abcdefghijklmnopqrstuvwxyz", "aäſßяж漢字𝔄😀")
LINES = (0, 1, 1, 2, 3, 3, 5, 8)
LENGTHS = (0, 1, 2, 5, 12, 20, 40, 63, 64, 65)  # characters; around a machine word among them
NOISE = (0.0, 0.02, 0.1, 0.3, 0.7)

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Shape:
    """Two pages and the neighbours of each GT line."""

    gt: Lines
    hyp: Lines
    near: list[list[bool]]

    def without_gt(self, x: int) -> Shape:
        return Shape(_without(self.gt, x), self.hyp, _without(self.near, x))

    def without_hyp(self, y: int) -> Shape:
        return Shape(self.gt, _without(self.hyp, y), [_without(row, y) for row in self.near])

    def cells(self) -> int:
        """The number of cells of a table of all GT and HYP characters."""
        return sum(map(len, self.gt)) * sum(map(len, self.hyp))

    def words(self) -> int:
        return sum(len(line.split()) for line in self.hyp)


def shape(rng: random.Random) -> Shape:
    """Return a page, a hypothesis with one to three kinds of damage, and a mask."""
    alphabet = rng.choice(ALPHABETS)
    gt = _page(rng, alphabet)
    hyp = noisy(rng, gt, rng.choice(NOISE), alphabet + " ") if rng.random() < 0.9 else _page(rng, alphabet)
    for mishap in rng.choices(MISHAPS, k=rng.randint(1, 3)):
        hyp = mishap(rng, hyp)
    return Shape(gt, hyp, rng.choice(MASKS)(rng, len(gt), len(hyp)))


def _page(rng: random.Random, alphabet: str) -> Lines:
    """Return lines of similar or of any length, of any or few words, with some lines repeated."""
    lengths = rng.choices(LENGTHS, k=1 if rng.random() < 0.6 else 4)
    words = [_word(rng, alphabet) for _ in range(rng.choice((1, 3, 1000)))]
    page = [_line(rng, words, rng.choice(lengths) + rng.randint(-1, 1)) for _ in range(rng.choice(LINES))]
    return page + rng.choices(page, k=rng.randint(0, 2)) if page and rng.random() < 0.3 else page


def _word(rng: random.Random, alphabet: str) -> str:
    sizes = (5, 9, 70) if rng.random() < 0.1 else (1, 2, 4)
    return "".join(rng.choices(alphabet, k=rng.choice(sizes)))


def _line(rng: random.Random, words: Lines, length: int) -> str:
    line = ""
    while len(line) < length:
        line += rng.choice(words) + " "
    return line[: max(0, length)].strip()


def _as_read(_: random.Random, lines: Lines) -> Lines:
    return lines


def _shuffled(rng: random.Random, lines: Lines) -> Lines:
    return rng.sample(lines, len(lines))


def _columns(rng: random.Random, lines: Lines) -> Lines:
    cut = rng.randint(0, len(lines))
    return lines[cut:] + lines[:cut]


def _merged(rng: random.Random, lines: Lines) -> Lines:
    out: Lines = []
    for line in lines:
        if out and rng.random() < 0.5:
            out[-1] = f"{out[-1]} {line}".strip()
        else:
            out.append(line)
    return out


def _split(rng: random.Random, lines: Lines) -> Lines:
    out: Lines = []
    for line in lines:
        words = line.split()
        cut = rng.randint(0, len(words)) if rng.random() < 0.5 else 0
        out += [" ".join(part) for part in (words[:cut], words[cut:]) if part or not cut]
    return out


def _thinned(rng: random.Random, lines: Lines) -> Lines:
    return [line for line in lines if rng.random() < 0.7]


def _repeated(rng: random.Random, lines: Lines) -> Lines:
    return [line for line in lines for _ in range(rng.choice((1, 1, 2)))]


def _with_blanks(rng: random.Random, lines: Lines) -> Lines:
    return [piece for line in lines for piece in ((line, "") if rng.random() < 0.3 else (line,))]


def _without(items: list, i: int) -> list:
    return items[:i] + items[i + 1 :]


def _all(_: random.Random, gt: int, hyp: int) -> list[list[bool]]:
    return [[True] * hyp for _ in range(gt)]


def _none(_: random.Random, gt: int, hyp: int) -> list[list[bool]]:
    return [[False] * hyp for _ in range(gt)]


def _some(rng: random.Random, gt: int, hyp: int) -> list[list[bool]]:
    density = rng.choice((0.2, 0.5, 0.9))
    return [[rng.random() < density for _ in range(hyp)] for _ in range(gt)]


def _band(rng: random.Random, gt: int, hyp: int) -> list[list[bool]]:
    width = rng.randint(0, 2)
    return [[abs(x - y) <= width for y in range(hyp)] for x in range(gt)]


MISHAPS: tuple[Callable[[random.Random, Lines], Lines], ...] = (
    _as_read, _shuffled, _columns, _merged, _split, _thinned, _repeated, _with_blanks,
)  # fmt: skip
MASKS = (_all, _none, _some, _some, _band)
