"""Count the S and SG scores that are proven within the default effort, on real and on made pages.

    python benchmarks/proven.py [--sets real,models,loops] [--effort U] [--all]

One row per set, then one row per score that is not proven or not canonical (--all: per score).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from cases import noisy, text_lines
from real import PAGES

import pagemeter as pm
from pagemeter.formats import load_pages
from pagemeter.inputs.arguments import pair
from pagemeter.measure import Measure
from pagemeter.preparation import PreparedPair, Source, as_source

IDS = ("CER:S", "WER:S", "CER:SG", "WER:SG")
GAP = 0.003  # of |GT|: the largest gap that is allowed where a proof is missing


@dataclass(frozen=True, slots=True)
class Problem:
    """Two pages and where they are from."""

    where: str
    gt: Source
    hyp: Source


@dataclass(frozen=True, slots=True)
class Outcome:
    where: str
    score: pm.Score
    seconds: float

    @property
    def gap(self) -> float:
        return (self.score.errors - self.score.lower_bound) / max(1, self.score.n_gt)

    @property
    def closed(self) -> bool:
        return self.score.optimal and self.score.canonical

    def row(self) -> str:
        score = self.score
        proof = "canonical" if self.closed else "proven" if score.optimal else f"gap {self.gap:.2%}"
        numbers = f"{score.errors} / {score.lower_bound}, {proof}, {self.seconds:.2f} s"
        return f"{self.where} {score.measure}: {numbers}"


def real_pages() -> Iterator[Problem]:
    """Return all pairs of the real pages; a hypothesis with several formats is read in each of them."""
    for folder in sorted(PAGES.iterdir()):
        for hyp in sorted(folder.glob("hyp-*")) if (folder / "gt").is_dir() else ():
            for suffix in sorted({file.suffix for file in hyp.iterdir()}):
                for found in pair(folder / "gt", hyp, hyp_suffixes=(suffix,)).pairs:
                    if not (found.gt and found.hyp):
                        continue
                    pages = zip(load_pages(found.gt), load_pages(found.hyp), strict=False)
                    for number, (gt, read) in enumerate(pages):
                        name = f"{folder.name} {hyp.name[4:]} {found.hyp.name} {number}"
                        yield Problem(name, Source.of(gt), Source.of(read))


def model_pages() -> Iterator[Problem]:
    """Return pages as models answer: in one line, in paragraphs, with columns exchanged; 1 to 30 % errors."""
    for count in (30, 60, 120):
        for rate in (0.01, 0.05, 0.15, 0.3):
            rng = random.Random(f"{count}/{rate}")
            gt = text_lines(rng, count, 45)
            read = [noisy(rng, line, rate) for line in gt]
            half = count // 2
            shapes = {
                "one line": [" ".join(read)],
                "paragraphs": [" ".join(read[i : i + 7]) for i in range(0, count, 7)],
                "columns": [" ".join(read[i : i + 7]) for i in (*range(half, count, 7), *range(0, half, 7))],
                "dropped": [line for i, line in enumerate(read) if i % 3],
            }
            for shape, hyp in shapes.items():
                yield Problem(f"{count} lines, {rate:.0%}, {shape}", as_source(gt), as_source(hyp))


def loop_pages() -> Iterator[Problem]:
    """Return pages whose hypothesis repeats itself."""
    rng = random.Random("loops")
    for count, rate in ((40, 0.02), (86, 0.05), (150, 0.1)):
        gt = text_lines(rng, count, 45)
        read = [noisy(rng, line, rate) for line in gt]
        for times in (30, 200):
            yield Problem(
                f"{count} lines, last one {times} times",
                as_source(gt), as_source([*read, *[read[-1]] * times]),
            )  # fmt: skip
            stop = count // 2
            yield Problem(
                f"{count} lines, two lines {times} times in the middle",
                as_source(gt), as_source([*read[:stop], *read[stop - 2 : stop] * times]),
            )  # fmt: skip
    gt = text_lines(rng, 60, 45)
    yield Problem("500 equal lines", as_source(gt), as_source([gt[7]] * 500))
    yield Problem(
        "500 equal lines against 500", as_source([gt[7]] * 500), as_source([gt[7][:-1] + "q"] * 500)
    )
    yield Problem("loop of 32,000 words", as_source(gt), as_source([" ".join(gt[3].split()[:4] * 8000)]))
    yield Problem(
        "page, then loop of 32,000 words", as_source(gt), as_source([*gt, " ".join(gt[3].split()[:4] * 8000)])
    )


SETS = {"real": real_pages, "models": model_pages, "loops": loop_pages}


def outcomes(problems: Iterator[Problem], settings: pm.Settings) -> Iterator[Outcome]:
    for problem in problems:
        prepared = PreparedPair(problem.gt, problem.hyp, settings)
        for name in IDS:
            measure = Measure.parse(name)
            if measure.geometry and not prepared.has_positions:
                continue
            start = time.process_time()
            score = prepared.score(measure)
            yield Outcome(problem.where, score, time.process_time() - start)


def row(name: str, found: list[Outcome]) -> str:
    """Return the table row of a set."""
    seconds = [each.seconds for each in found]
    cells = (
        name,
        f"{len(found)}",
        f"{sum(each.score.optimal for each in found)}",
        f"{sum(each.closed for each in found)}",
        f"{max(each.gap for each in found):.2%}",
        f"{sum(each.gap > GAP for each in found)}",
        f"{sum(seconds):.1f}",
        f"{max(seconds):.1f}",
    )
    return f"| {' | '.join(cells)} |"


HEADER = (
    f"| set | scores | proven | canonical | largest gap | gap > {GAP:.1%} | CPU s | longest |",
    "|---|---:|---:|---:|---:|---:|---:|---:|",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--effort", type=float, default=2.0)
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    settings = pm.Settings(effort=asked.effort)
    rows = []
    for name in asked.sets.split(","):
        found = []
        for outcome in outcomes(SETS[name](), settings):
            found.append(outcome)
            if asked.all or not outcome.closed:
                print(outcome.row(), flush=True)
        rows.append(row(name, found))
    print(*HEADER, *rows, sep="\n")


if __name__ == "__main__":
    main()
