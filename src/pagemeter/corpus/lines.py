"""What each line of the ground truth got, and what of the hypothesis no line got."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from pagemeter.text import TokenPage, encode_pair, normalise, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure
    from pagemeter.score import Match


@dataclass(frozen=True, slots=True)
class LineResult:
    """One GT line as it was compared, and the HYP text it got; `hyp` is None where it got none.

    `number` counts the GT lines from 1. `hyp_line` is the number of the HYP line that was matched as a whole,
    None where words of any lines were (measures with S). `distance` is in tokens, and so is `n_gt`.
    """

    number: int
    id: str | None
    gt: str
    hyp: str | None
    hyp_line: int | None
    distance: int
    cor: int
    sub: int
    n_gt: int


@dataclass(frozen=True, slots=True)
class LeftOver:
    """HYP text that no GT line got, and its tokens, all of which are deleted."""

    hyp: str
    n_hyp: int


def lines_of(evaluation: Evaluation, measure: Measure) -> tuple[tuple[LineResult, ...], tuple[LeftOver, ...]]:
    """All GT lines with what they got, and the rest of HYP; together they have the errors of the score.

    >>> from pagemeter import Measure, evaluate
    >>> evaluation = evaluate(["one", "right side"], ["rght side", "two"], ["CER:R"])
    >>> lines, rest = lines_of(evaluation, Measure("CER", order=True))
    >>> [(line.gt, line.hyp, line.distance) for line in lines], rest
    ([('one', None, 3), ('right side', 'rght side', 1)], (LeftOver(hyp='two', n_hyp=3),))
    """
    gt, hyp = _Spelled.both(evaluation, measure)
    matches = {match.gt: match for match in evaluation[measure].matches}
    lines = tuple(
        _line(number, line.id, gt, hyp, matches.get(number))
        for number, line in enumerate(evaluation.gt.lines)
    )
    left = _words_left(hyp, matches) if measure.segmentation else _lines_left(hyp, matches)
    return lines, tuple(rest for rest in left if rest.n_hyp)


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A page of tokens, and what its lines and words say."""

    page: TokenPage
    lines: tuple[str, ...]
    words: list[str]

    @classmethod
    def both(cls, evaluation: Evaluation, measure: Measure) -> tuple[_Spelled, _Spelled]:
        settings, characterwise = evaluation.settings, measure.unit == "CER"
        texts = [
            normalise([line.text for line in page.lines], settings)
            for page in (evaluation.gt, evaluation.hyp)
        ]
        gt, hyp, *_ = encode_pair(*texts, characterwise=characterwise, settings=settings)
        spell = _pieces if characterwise else lambda line: map("".join, words_of(line, settings.tokeniser))
        words = [[word for line in lines if line for word in spell(line)] for lines in texts]
        return cls(gt, texts[0], words[0]), cls(hyp, texts[1], words[1])

    def size(self, line: int) -> int:
        """The tokens of a line."""
        return int(self.page.lines[line, 1] - self.page.lines[line, 0])


def _pieces(line: str) -> list[str]:
    """The words of a line of characters: every blank is a boundary, so two have an empty word between."""
    return re.split(r"\s", line)


def _line(number: int, id_: str | None, gt: _Spelled, hyp: _Spelled, match: Match | None) -> LineResult:
    text, size = gt.lines[number], gt.size(number)
    if match is None:
        return LineResult(number + 1, id_, text, None, None, size, 0, 0, size)
    if match.hyp_line is not None:
        got = hyp.lines[match.hyp_line]
    else:
        got = " ".join(hyp.words[match.hyp_words[0] : match.hyp_words[-1] + 1])
    hyp_line = None if match.hyp_line is None else match.hyp_line + 1
    return LineResult(number + 1, id_, text, got, hyp_line, match.distance, match.cor, match.sub, size)


def _lines_left(hyp: _Spelled, matches: dict[int, Match]) -> Iterator[LeftOver]:
    got = {match.hyp_line for match in matches.values()}
    for number, text in enumerate(hyp.lines):
        if number not in got:
            yield LeftOver(text, hyp.size(number))


def _words_left(hyp: _Spelled, matches: dict[int, Match]) -> Iterator[LeftOver]:
    """Runs of words that no line got; their joining blanks cost nothing and are not counted."""
    got = {word for match in matches.values() for word in range(match.hyp_words[0], match.hyp_words[-1] + 1)}
    left = (number for number in range(len(hyp.words)) if number not in got)
    for _, run in groupby(enumerate(left), lambda item: item[1] - item[0]):
        numbers = [number for _, number in run]
        sizes = hyp.page.words[numbers, 1] - hyp.page.words[numbers, 0]
        yield LeftOver(" ".join(hyp.words[numbers[0] : numbers[-1] + 1]), int(sizes.sum()))
