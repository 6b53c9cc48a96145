"""What each line of the ground truth got, and what of the hypothesis no line got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.alignment import LineAlignment, align

if TYPE_CHECKING:
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure


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
    """HYP text that no GT line got, and its tokens, all of which are deleted.

    `hyp_lines` are the numbers, counted from 1, of the HYP lines that it is of, `ids` theirs.
    """

    hyp: str
    n_hyp: int
    hyp_lines: tuple[int, ...]
    ids: tuple[str | None, ...]


class PageLines(NamedTuple):
    """All lines of a page by one measure, and what no line got."""

    measure: Measure
    lines: tuple[LineResult, ...]
    left_over: tuple[LeftOver, ...]


def lines_of(evaluation: Evaluation, measure: Measure) -> tuple[tuple[LineResult, ...], tuple[LeftOver, ...]]:
    """All GT lines with what they got, and the rest of HYP; together they have the errors of the score.

    >>> from pagemeter import Measure, evaluate
    >>> evaluation = evaluate(["one", "right side"], ["rght side", "two"], ["CER:R"])
    >>> lines, rest = lines_of(evaluation, Measure("CER", order=True))
    >>> [(line.gt, line.hyp, line.distance) for line in lines]
    [('one', None, 3), ('right side', 'rght side', 1)]
    >>> rest
    (LeftOver(hyp='two', n_hyp=3, hyp_lines=(2,), ids=(None,)),)
    """
    page = align(evaluation, measure)
    left_over = (
        LeftOver(
            rest.hyp,
            rest.size,
            tuple(part.line + 1 for part in rest.parts),
            tuple(part.id for part in rest.parts),
        )
        for rest in page.left_over
    )
    return tuple(map(_line, page.lines)), tuple(left_over)


def _line(line: LineAlignment) -> LineResult:
    counts = line.counts
    hyp_line = None if line.hyp_line is None else line.hyp_line + 1
    return LineResult(
        line.gt + 1,
        line.id,
        line.text,
        line.hyp,
        hyp_line,
        counts.errors,
        counts.cor,
        counts.sub,
        counts.n_gt,
    )
