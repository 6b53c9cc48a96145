"""The counts of a solution: canonical, by another tool's alignment, or with optional lines and notations.

The text of an optional line costs nothing if it is not matched. With c the length of a line, or 0 for an
optional line, a matched pair saves c(GT) + c(HYP) - LD. With S, the c of a word is 0 if its line is optional.
The errors are the minimum over all matchings, with the errors inside matched optional text. |GT| has required
text only. What a required GT line has right, wrong and missing is counted as always. A pair with an optional
GT line has no tokens of |GT|, so all of its errors are extra.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagemeter.measure import Measure
    from pagemeter.score import Match
    from pagemeter.settings import Settings
    from pagemeter.solve.instance import Instance, Solution
    from pagemeter.text import TokenPage


def add_up(
    measure: Measure, instance: Instance, solution: Solution, settings: Settings | None = None
) -> Score:
    """Return the score of a matching: unmatched GT text is inserted, unmatched HYP text is deleted."""
    if instance.has_optional or instance.notations is not None:
        return replace(_add_up_optional(measure, instance, solution), settings=settings)
    cor, sub = solution.cor, solution.sub
    # With S, |HYP| is that of the chosen segmentation: runs contain joining spaces, unmatched words do not.
    n_hyp = instance.hyp.word_tokens + solution.joins if measure.segmentation else instance.hyp.line_tokens
    counts = Counts(instance.gt.line_tokens - cor - sub, n_hyp - cor - sub, sub, cor)
    bound = counts.errors if solution.lower_bound is None else solution.lower_bound
    return Score(
        measure,
        counts,
        bound,
        solution.canonical,
        solution.matches,
        settings,
        interrupted=solution.interrupted,
    )


def recounted(instance: Instance, solution: Solution, rule: str) -> Solution:
    """Return a solution with the same matches, whose right and wrong tokens are counted by another rule."""
    gt, hyp, matches = instance.gt, instance.hyp, solution.matches
    if not matches:
        return solution
    gt_spans = np.ascontiguousarray(gt.lines[[match.gt for match in matches]])
    hyp_spans = np.array([_span(instance, match) for match in matches], np.int32)
    rows = _kernel.pair_counts(gt.tokens, gt_spans, hyp.tokens, hyp_spans, instance.alphabet, rule)
    new = tuple(
        replace(match, cor=cor, sub=sub) for match, (_, cor, sub) in zip(matches, rows.tolist(), strict=True)
    )
    cor, sub = rows[:, 1:].sum(axis=0).tolist()
    return replace(solution, matches=new, cor=cor, sub=sub, canonical=False)


def _span(instance: Instance, match: Match) -> tuple[int, int]:
    """Return the HYP tokens of a match."""
    hyp = instance.hyp
    if match.hyp_line is not None:
        begin, end = hyp.lines[match.hyp_line].tolist()
    else:
        begin, end = int(hyp.words[match.hyp_words[0], 0]), int(hyp.words[match.hyp_words[-1], 1])
    return begin, end


def _add_up_optional(measure: Measure, instance: Instance, solution: Solution) -> Score:
    """Return the score of a matching of pages with optional lines or with notations."""
    hyp = instance.hyp
    sizes = _LineSizes(instance)
    gt_optional = _flags(len(sizes.unmatched), instance.gt_optional)
    hyp_optional = _flags(len(hyp.lines), instance.hyp_optional)
    required = [match for match in solution.matches if not gt_optional[match.gt]]
    in_optional = [match for match in solution.matches if gt_optional[match.gt]]
    missing = int(sizes.unmatched[~gt_optional].sum()) - sum(
        int(sizes.unmatched[match.gt]) for match in required
    )
    n_gt = missing + sum(map(sizes.matched, required))
    cor = sum(match.cor for match in required)
    if measure.is_bag:
        sub, errors = solution.sub, _bag_errors(instance, solution, hyp_optional, n_gt - cor)
    else:
        sub = sum(match.sub for match in required)
        errors = sum(match.distance for match in solution.matches) + missing
        errors += _unmatched(measure, hyp, hyp_optional, solution)
    return Score(
        measure,
        Counts.solve(errors=errors, cor=cor, sub=sub, n_gt=n_gt),
        errors if solution.lower_bound is None else solution.lower_bound,
        solution.canonical,
        solution.matches,
        optional=sum(
            (_counts(match, sizes.matched(match), bag=measure.is_bag) for match in in_optional), Counts()
        ),
        interrupted=solution.interrupted,
    )


class _LineSizes:
    """The number of tokens of each GT line: without a match, and in a match, which chooses a reading."""

    def __init__(self, instance: Instance) -> None:
        self._notations = notations = instance.notations
        if notations is None:
            self.unmatched = instance.gt.lines[:, 1] - instance.gt.lines[:, 0]
        else:
            self._sizes = notations.sizes
            self.unmatched = np.minimum.reduceat(self._sizes, notations.first[:-1])[
                : len(notations.first) - 1
            ]

    def matched(self, match: Match) -> int:
        """Return the number of tokens of the reading that is matched."""
        if self._notations is None:
            return int(self.unmatched[match.gt])
        return int(self._sizes[self._notations.first[match.gt] + match.reading])


def _flags(lines: int, optional: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return a flag for each line of a page."""
    return np.zeros(lines, np.bool_) if optional is None else optional


def _counts(match: Match, size: int, *, bag: bool) -> Counts:
    """Return the counts of one match; a bag does not count the missing words of an optional line."""
    if bag:
        return Counts(cor=match.cor)
    return Counts.solve(errors=match.distance, cor=match.cor, sub=match.sub, n_gt=size)


def _unmatched(measure: Measure, hyp: TokenPage, optional: NDArray[np.bool_], solution: Solution) -> int:
    """Return the number of required HYP tokens without a match: of words with S, of lines without."""
    if measure.segmentation:
        size = np.where(optional[hyp.word_line], 0, hyp.words[:, 1] - hyp.words[:, 0])
        matched = sum(
            int(size[match.hyp_words[0] : match.hyp_words[-1] + 1].sum()) for match in solution.matches
        )
    else:
        size = np.where(optional, 0, hyp.lines[:, 1] - hyp.lines[:, 0])
        matched = sum(int(size[match.hyp_line]) for match in solution.matches)
    return int(size.sum()) - matched


def _bag_errors(instance: Instance, solution: Solution, hyp_optional: NDArray[np.bool_], missing: int) -> int:
    """Return the errors of a bag: required words without an equal word; an unequal pair is one error."""
    hyp = instance.hyp
    of_token = np.repeat(hyp_optional, hyp.lines[:, 1] - hyp.lines[:, 0])
    equal = [token for match in solution.matches for _, token in match.tokens]
    return missing + int((~of_token).sum()) - int((~of_token[equal]).sum()) - solution.sub - solution.in_gaps
