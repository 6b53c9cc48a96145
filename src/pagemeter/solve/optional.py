"""Scores of pages with optional lines, whose text costs nothing if it is not matched.

With c the length of a line, or 0 for an optional line, a matched pair saves c(GT) + c(HYP) - LD. With S, the
c of a word is 0 if its line is optional. The errors are the minimum over all matchings, with the errors
inside matched optional text. |GT| has required text only. What a required GT line has right, wrong and
missing is counted as always. A pair with an optional GT line has no tokens of |GT|, so all of its errors are
extra.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagemeter.measure import Measure
    from pagemeter.score import Match
    from pagemeter.solve.instance import Instance, Solution
    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints


def add_up_optional(measure: Measure, instance: Instance, solution: Solution) -> Score:
    """Return the score of a matching of pages with optional lines."""
    gt, hyp = instance.gt, instance.hyp
    gt_optional, hyp_optional = flags(gt, instance.gt_optional), flags(hyp, instance.hyp_optional)
    sizes = gt.lines[:, 1] - gt.lines[:, 0]
    required = [match for match in solution.matches if not gt_optional[match.gt]]
    in_optional = [match for match in solution.matches if gt_optional[match.gt]]
    n_gt = int(sizes[~gt_optional].sum())
    cor = sum(match.cor for match in required)
    if measure.is_bag:
        sub, errors = solution.sub, _bag_errors(instance, solution, hyp_optional, n_gt - cor)
    else:
        sub = sum(match.sub for match in required)
        errors = sum(match.distance for match in solution.matches)
        errors += n_gt - sum(int(sizes[match.gt]) for match in required)
        errors += _unmatched(measure, hyp, hyp_optional, solution)
    return Score(
        measure,
        Counts.solve(errors=errors, cor=cor, sub=sub, n_gt=n_gt),
        errors if solution.lower_bound is None else solution.lower_bound,
        solution.canonical,
        solution.matches,
        optional=sum((_counts(match, sizes, bag=measure.is_bag) for match in in_optional), Counts()),
        interrupted=solution.interrupted,
    )


def flags(page: TokenPage, optional: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return a flag for each line of a page."""
    return np.zeros(len(page.lines), np.bool_) if optional is None else optional


def _counts(match: Match, sizes: Ints, *, bag: bool) -> Counts:
    """Return the counts of one match; a bag does not count the missing words of an optional line."""
    if bag:
        return Counts(cor=match.cor)
    return Counts.solve(errors=match.distance, cor=match.cor, sub=match.sub, n_gt=int(sizes[match.gt]))


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
    return missing + int((~of_token).sum()) - int((~of_token[equal]).sum()) - solution.sub
