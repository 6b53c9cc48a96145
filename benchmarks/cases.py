"""Seeded pages of known shape. Each case is a ground truth and a hypothesis, both lists of lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Case:
    name: str
    what: str
    gt: list[str]
    hyp: list[str]


def text_lines(rng: random.Random, count: int, length: int) -> list[str]:
    """Return lines of words with 2 to 10 letters, each about `length` characters long."""
    out = []
    for _ in range(count):
        words: list[str] = []
        while sum(map(len, words)) + len(words) < length:
            words.append("".join(rng.choices(LETTERS, k=rng.randint(2, 10))))
        out.append(" ".join(words)[:length].strip())
    return out


def noisy(rng: random.Random, line: str, rate: float) -> str:
    """Return a line with a share `rate` of its characters replaced, removed or followed by another one."""
    out = []
    for c in line:
        if rng.random() >= rate:
            out.append(c)
        else:
            other = rng.choice(LETTERS + " ")
            out.append(rng.choice(("", other, other, c + other)))
    return " ".join("".join(out).split())


def read(rng: random.Random, gt: list[str], rate: float) -> list[str]:
    return [noisy(rng, line, rate) for line in gt]


def small() -> Case:
    rng = random.Random("b")
    gt = text_lines(rng, 50, 60)
    return Case("b", "50 × 60 characters, 5 % errors", gt, read(rng, gt, 0.05))


def medium() -> Case:
    rng = random.Random("c")
    gt = text_lines(rng, 500, 60)
    hyp = read(rng, gt, 0.05)
    for _ in range(10):
        i, k = rng.sample(range(len(hyp)), 2)
        hyp[i], hyp[k] = hyp[k], hyp[i]
    return Case("c", "500 × 60, 5 % errors, 10 swaps of lines", gt, hyp)


def newspaper() -> Case:
    rng = random.Random("d")
    gt = text_lines(rng, 3000, 40)
    return Case("d", "3000 × 40, 5 % errors, in order", gt, read(rng, gt, 0.05))


def columns() -> Case:
    rng = random.Random("d-cols")
    whole = newspaper()
    blocks = [whole.hyp[i : i + 375] for i in range(0, 3000, 375)]
    rng.shuffle(blocks)
    return Case("d-cols", "d with its 8 columns permuted", whole.gt, list(chain(*blocks)))


def merged() -> Case:
    rng = random.Random("d-merge")
    whole = newspaper()
    hyp: list[str] = []
    for line in whole.hyp:
        kind = rng.random()
        if kind < 0.1 and hyp:
            hyp[-1] += " " + line
        elif kind < 0.2 and " " in line:
            words = line.split()
            cut = rng.randint(1, len(words) - 1)
            hyp += [" ".join(words[:cut]), " ".join(words[cut:])]
        else:
            hyp.append(line)
    return Case("d-merge", "d with 10 % of the lines merged and 10 % split", whole.gt, hyp)


def hard() -> Case:
    rng = random.Random("h")
    gt = text_lines(rng, 50, 60)
    return Case("h", "50 × 60, 60 % errors", gt, read(rng, gt, 0.6))


CASES: dict[str, Callable[[], Case]] = {
    "b": small, "c": medium, "d": newspaper, "d-cols": columns, "d-merge": merged, "h": hard,
}  # fmt: skip


def growing() -> Iterator[Case]:
    """Return pages of 10 to 10,000 lines of 40 characters with 5 % errors."""
    for count in (10, 30, 100, 300, 1000, 3000, 10_000):
        rng = random.Random(count)
        gt = text_lines(rng, count, 40)
        yield Case(f"{count}", f"{count} × 40", gt, read(rng, gt, 0.05))
