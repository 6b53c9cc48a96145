"""BOW and BOW:G: match words one to one, without order and without lines.

Pages with notations are solved by four integer programmes. A wildcard word equals several words, a gap takes
up words, and a line counts as one of its readings. The first programme finds the fewest errors, the second
the most equal pairs among these, the third the fewest tokens of the ground truth, so lines without an equal
pair count as their shortest reading, and the last the most unequal pairs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.errors import InputError
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Matches, Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints
    from pagemeter.text.notations import Notations

Weights = dict[int, float]
"""Coefficients by the number of a variable."""


def solve_bag(instance: Instance) -> Solution:
    """Match words at the lowest cost; with G, only words of neighbouring lines.

    An equal pair costs 0, an unequal pair 1, an unmatched word 1. Among all solutions with the fewest errors,
    the result has the most equal pairs. The matches are the equal pairs; unequal pairs are only counted,
    because any of the other words could form them.
    """
    gt, hyp = instance.gt, instance.hyp
    partners, sub = _kernel.bag(
        gt.tokens, gt.lines, hyp.tokens, hyp.lines, instance.mask, instance.alphabet,
        instance.gt_optional, instance.hyp_optional,
    )  # fmt: skip
    cor = int(np.count_nonzero(partners >= 0))
    # Which words form unequal pairs is not determined, so their lines are unknown.
    within = None if sub else partial(_is_within, partners, gt, hyp)
    return Solution(Matches(_matches, partners, gt, hyp), cor, sub, within=within)


def _is_within(partners: Ints, gt: TokenPage, hyp: TokenPage, mask: NDArray[np.bool_]) -> bool:
    """Return True if the mask allows the GT line of every correct word and the HYP line of its partner."""
    correct = partners >= 0
    return bool(mask[_line_of(gt)[correct], _line_of(hyp)[partners[correct]]].all())


def _line_of(page: TokenPage) -> Ints:
    """Return the line of each token. Tokens are words here, so a line has no tokens between its words."""
    return np.repeat(np.arange(len(page.lines), dtype=np.int32), np.diff(page.lines, axis=1)[:, 0])


def _matches(partners: Ints, gt: TokenPage, hyp: TokenPage) -> Iterator[Match]:
    """Yield one match per GT line that has a correct word."""
    word_of = np.repeat(np.arange(len(hyp.words)), np.diff(hyp.words, axis=1)[:, 0]).tolist()
    sizes = np.diff(gt.lines, axis=1)[:, 0]
    line_of = _line_of(gt).tolist()
    matched = [(token, partner) for token, partner in enumerate(partners.tolist()) if partner >= 0]
    for x, group in groupby(matched, lambda pair: line_of[pair[0]]):
        pairs = tuple(group)
        words = tuple(word_of[partner] for _, partner in pairs)
        yield Match(x, None, words, int(sizes[x]) - len(pairs), len(pairs), 0, pairs)


def solve_noted_bag(instance: Instance, notations: Notations) -> Solution:
    """Match words at the lowest cost over all choices of one reading per line."""
    return _Bag(instance, notations).solve()


class _Bag:
    """The variables and rows of the programmes.

    HYP words are grouped by token and, with G or optional lines, by line. GT words are grouped by token and
    row. `pairs` are the variables of equal pairs, `absorbed` those of words in gaps.
    """

    def __init__(self, instance: Instance, notations: Notations) -> None:
        self._notations, self._near = notations, instance.mask
        self._lines = len(notations.first) - 1
        self._gt_optional = _flags(instance.gt_optional, self._lines)
        self._hyp_optional = _flags(instance.hyp_optional, len(instance.hyp.lines))
        by_line = instance.mask is not None or instance.hyp_optional is not None
        self._hyp: dict[tuple[int, int], list[int]] = defaultdict(list)
        for y, (begin, end) in enumerate(instance.hyp.lines.tolist()):
            for position in range(begin, end):
                token = int(instance.hyp.tokens[position])
                self._hyp[token, y if by_line else 0].append(position)
        self._gt: dict[tuple[int, int], list[int]] = defaultdict(list)
        for row, (begin, end) in enumerate(notations.rows.lines.tolist()):
            for position in range(begin, end):
                self._gt[int(notations.rows.tokens[position]), row].append(position)
        self._row_line = notations.line_of.tolist()
        words = np.diff(instance.hyp.words, axis=1)[:, 0]
        self._word_of = np.repeat(np.arange(len(words)), words).tolist()
        self._upper: list[float] = []
        self._rows: list[tuple[float, float, Weights]] = []
        self.pairs: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
        self.absorbed: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
        self.unequal: list[int] = []
        self._build()

    def solve(self) -> Solution:
        """Return the matching."""
        values = np.zeros(len(self._upper))
        pairs, unequal = (dict.fromkeys(some, -1.0) for some in (self.pairs.values(), self.unequal))
        for objective in (self._cost, pairs, self._tokens, unequal):
            values = _minimise(objective, self._upper, self._rows)
            best = sum(weight * values[variable] for variable, weight in objective.items())
            self._rows.append((-math.inf, best + 0.5, objective))
        return self._decode(np.rint(values).astype(np.int64))

    # Building

    def _build(self) -> None:
        self._chosen = [self._variable(1) for _ in self._row_line]
        for x in range(self._lines):
            rows = range(self._notations.first[x], self._notations.first[x + 1])
            self._rows.append((1, 1, {self._chosen[row]: 1.0 for row in rows}))
        by_token: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for group in self._hyp:
            by_token[group[0]].append(group)
        used_gt, used_hyp = defaultdict(dict), defaultdict(dict)  # type: ignore[var-annotated]
        for gt in self._gt:
            for hyp in self._matched_groups(gt, by_token):
                variable = self._variable(len(self._hyp[hyp]))
                (self.absorbed if self._is_gap(gt[0]) else self.pairs)[gt, hyp] = variable
                used_gt[gt][variable] = used_hyp[hyp][variable] = 1.0
        for gt, positions in self._gt.items():
            self._limit_group(gt, len(positions), used_gt[gt])
        unequal_gt, unequal_hyp = self._add_unequal()
        self._cost: Weights = {}
        self._limit_required(used_gt, used_hyp, unequal_gt, unequal_hyp)
        for hyp, used in used_hyp.items():
            if self._hyp_optional[hyp[1]]:
                self._rows.append((-math.inf, len(self._hyp[hyp]), dict(used)))
        self._tokens = {
            self._chosen[row]: float(size)
            for row, size in enumerate(self._notations.sizes.tolist())
            if not self._gt_optional[self._row_line[row]]
        }

    def _limit_group(self, gt: tuple[int, int], count: int, used: Weights) -> None:
        """Allow as many equal pairs as there are words, or as much text as the gaps take up."""
        token, row = gt
        if self._is_gap(token):
            weight = self._notations.weight
            weights = {
                variable: float(weight[hyp[0]]) for (g, hyp), variable in self.absorbed.items() if g == gt
            }
            most = float(self._notations.gap[token - self._notations.alphabet]) * count
            self._rows.append((-math.inf, 0, weights | {self._chosen[row]: -most}))
        else:
            self._rows.append((-math.inf, 0, used | {self._chosen[row]: -float(count)}))

    def _add_unequal(self) -> tuple[dict[int, Weights], dict[int, Weights]]:
        """Add unequal pairs of required words: between neighbouring lines, or of the whole page."""
        gt: dict[int, Weights] = defaultdict(dict)
        hyp: dict[int, Weights] = defaultdict(dict)
        total = sum(map(len, self._gt.values()))
        places: Iterable[tuple[int, int]] = [(0, 0)]
        if self._near is not None:
            places = [
                (x, y)
                for x, y in zip(*np.nonzero(self._near), strict=True)
                if not self._gt_optional[x] and not self._hyp_optional[y]
            ]
        for x, y in places:
            variable = self._variable(total)
            self.unequal.append(variable)
            gt[int(x)][variable] = hyp[int(y)][variable] = 1.0
        return gt, hyp

    def _limit_required(
        self,
        used_gt: dict[tuple[int, int], Weights],
        used_hyp: dict[tuple[int, int], Weights],
        unequal_gt: dict[int, Weights],
        unequal_hyp: dict[int, Weights],
    ) -> None:
        """Balance the words of each line, and count those without a partner as errors."""
        page = self._near is None
        sums: dict[int, Weights] = defaultdict(dict)
        for row, x in enumerate(self._row_line):
            if not self._gt_optional[x]:
                sums[0 if page else x][self._chosen[row]] = -float(self._notations.sizes[row])
        for (token, row), used in used_gt.items():
            x = self._row_line[row]
            if not self._gt_optional[x] and not self._is_gap(token):
                sums[0 if page else x] |= used
        for place, weights in sums.items():
            missing = self._variable(math.inf)
            self._cost[missing] = 1.0
            self._rows.append((0, 0, weights | unequal_gt[place] | {missing: 1.0}))
        rests: dict[int, tuple[int, Weights]] = {}
        for (token, y), positions in self._hyp.items():
            if not self._hyp_optional[y]:
                count, weights = rests.get(0 if page else y, (0, {}))
                more = used_hyp[token, y]
                rests[0 if page else y] = count + len(positions), weights | more
                self._rows.append((-math.inf, len(positions), dict(more)))
        for place, (count, weights) in rests.items():
            extra = self._variable(math.inf)
            self._cost[extra] = 1.0
            self._rows.append((count, count, weights | unequal_hyp[place] | {extra: 1.0}))
        self._forbid(unequal_gt, set(sums))
        self._forbid(unequal_hyp, set(rests))
        self._cost |= dict.fromkeys(self.unequal, 1.0)

    def _forbid(self, unequal: dict[int, Weights], places: set[int]) -> None:
        """Forbid unequal pairs at places without required words."""
        self._rows += [(0, 0, unequal[place]) for place in unequal.keys() - places]

    def _variable(self, upper: float) -> int:
        self._upper.append(upper)
        return len(self._upper) - 1

    def _is_gap(self, token: int) -> bool:
        special = token - self._notations.alphabet
        return special >= 0 and bool(self._notations.gap[special] >= 0)

    def _matched_groups(
        self, gt: tuple[int, int], by_token: dict[int, list[tuple[int, int]]]
    ) -> Iterable[tuple[int, int]]:
        token, row = gt
        special = token - self._notations.alphabet
        if special < 0:
            tokens: Iterable[int] = (token,)
        elif self._is_gap(token):
            tokens = by_token
        else:
            tokens = np.flatnonzero(self._notations.matches[special]).tolist()
        near = None if self._near is None else self._near[self._row_line[row]]
        for one in tokens:
            yield from (hyp for hyp in by_token.get(one, ()) if near is None or near[hyp[1]])

    # Result

    def _decode(self, values: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]) -> Solution:
        free = {group: list(positions) for group, positions in self._hyp.items()}
        by_row: dict[int, list[tuple[int, int]]] = defaultdict(list)
        left = {group: list(positions) for group, positions in self._gt.items()}
        for (gt, hyp), variable in self.pairs.items():
            for _ in range(values[variable]):
                by_row[gt[1]].append((left[gt].pop(0), free[hyp].pop(0)))
        rest = sum(
            int(values[variable])
            for (_, hyp), variable in self.absorbed.items()
            if not self._hyp_optional[hyp[1]]
        )
        sizes = self._notations.sizes
        matches = [
            Match(
                row,
                None,
                tuple(self._word_of[position] for _, position in pairs),
                int(sizes[row]) - len(pairs),
                len(pairs),
                0,
                pairs,
            )
            for row in sorted(by_row)
            if (pairs := tuple(sorted(by_row[row])))
        ]
        unequal = int(sum(values[variable] for variable in self.unequal))
        return Solution(matches, sum(match.cor for match in matches), unequal, in_gaps=rest)


def _flags(given: np.ndarray[tuple[int], np.dtype[np.bool_]] | None, size: int) -> list[bool]:
    return [False] * size if given is None else given.tolist()


def _minimise(
    objective: Weights, upper: Sequence[float], rows: Sequence[tuple[float, float, Weights]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the values of non-negative whole variables that minimise the objective."""
    import highspy  # noqa: PLC0415  (slow to load and rarely needed)

    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(upper), len(rows)
    costs = np.zeros(len(upper))
    costs[list(objective)] = list(objective.values())
    lp.col_cost_ = costs
    lp.col_lower_ = np.zeros(len(upper))
    lp.col_upper_ = np.array(upper, np.float64)
    lp.row_lower_ = np.array([low for low, _, _ in rows], np.float64)
    lp.row_upper_ = np.array([high for _, high, _ in rows], np.float64)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(weights) for _, _, weights in rows)]).astype(np.int32)
    lp.a_matrix_.index_ = np.array([variable for _, _, weights in rows for variable in weights], np.int32)
    lp.a_matrix_.value_ = np.array([weight for _, _, row in rows for weight in row.values()], np.float64)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(upper)
    model = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5)):
        model.setOptionValue(name, value)
    model.passModel(lp)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise InputError(
            "the words of a page with notations could not be matched", remedy="please report this page"
        )
    return np.asarray(model.getSolution().col_value)
