"""Match lines: R, RG, no letter and G match whole HYP lines with GT lines; with S, runs of HYP words.

S and SG without R are NP-hard. A Lagrangian bound and feasible solutions are improved together until they
meet; most pages are solved by them alone. Where a gap remains, branch and bound over the runs that are left
closes it, and HiGHS suggests multipliers if that takes long. All work is counted, and the search ends when
the effort is spent, so the result does not depend on the speed or the load of the machine.
`docs/design/free-segments.md` derives the method.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.score import Match
from pagemeter.solve.instance import Instance, Matches, Solution, lines_with_text, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import highspy
    from numpy.typing import NDArray

    from pagemeter.text import TokenPage
    from pagemeter.text.encode import Ints

# Whole lines


def solve_ordered_lines(instance: Instance) -> Solution:
    """Solve LD^R and LD^{R,G} (E:LD-ro): the best matching that keeps the reading order."""
    return _solve_lines(_kernel.ordered, instance)


def solve_free_lines(instance: Instance) -> Solution:
    """Solve LD and LD^G (E:LD-vanilla, E:LD-geom): the best matching in any order, a linear assignment."""
    return _solve_lines(_kernel.free, instance)


def _solve_lines(kernel: Callable[..., Ints], instance: Instance) -> Solution:
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    hyp_index, hyp_lines = lines_with_text(hyp), hyp.lines
    if hyp_index is not None:
        hyp_lines = hyp_lines[hyp_index]
        mask = None if mask is None else np.ascontiguousarray(mask[:, hyp_index])
    optional = part(instance.gt_optional, gt_index), part(instance.hyp_optional, hyp_index)
    rows = kernel(gt.tokens, gt_lines, hyp.tokens, hyp_lines, mask, instance.alphabet, *optional)
    for column, index in enumerate((gt_index, hyp_index)):
        if index is not None:
            rows[:, column] = index[rows[:, column]]
    return solution_of_lines(rows, hyp)


def solution_of_lines(rows: Ints, hyp: TokenPage) -> Solution:
    """Return the solution of the kernel's rows: GT line, HYP line, distance, COR, SUB."""
    _, _, _, cor, sub = rows.sum(axis=0).tolist()
    return Solution(Matches(_line_matches, rows, hyp), cor, sub, used=lambda: (rows[:, 0], rows[:, 1]))


def _line_matches(rows: Ints, hyp: TokenPage) -> Iterator[Match]:
    """Yield the matches of whole lines with the words of the HYP lines."""
    ends = np.searchsorted(hyp.word_line, np.arange(len(hyp.lines) + 1)).tolist()
    for x, y, distance, cor, sub in rows.tolist():
        yield Match(x, y, range(ends[y], ends[y + 1]), distance, cor, sub)


# Runs of words

# The branches of one search. A search that was too short is repeated with four times as many.
BRANCHES = 2_000
ROUNDS = tuple(4**n for n in range(6))
# The largest linear programme in runs, and how often it is solved at most.
COLUMNS = 60_000
PRICINGS = 8
# Steps of work in one unit of effort.
UNIT = 1e9
# Work of HiGHS, measured on real pages: an iteration takes 100 ns per entry of the matrix.
INTERIOR_STEPS = 100
INTERIOR_ITERATIONS = 200


def solve_free_segments(instance: Instance) -> Solution:
    """Solve LD^S and LD^{S,G} (E:LD-seg); with the effort spent, return the best solution and the bound."""
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    pool = _kernel.FreeSegments(
        gt.tokens, gt_lines, hyp.tokens, hyp.words, hyp.word_line, mask, instance.alphabet,
        instance.effort * UNIT, math.inf if instance.time_limit is None else instance.time_limit,
        part(instance.gt_optional, gt_index), instance.hyp_optional,
        instance.joiner is not None,
    )  # fmt: skip
    if not pool.canonical and pool.complete:
        _close_gap(pool)
    rows = pool.runs()
    if gt_index is not None:
        rows[:, 0] = gt_index[rows[:, 0]]
    return solution_of(rows, hyp, pool.lower_bound, canonical=pool.canonical, interrupted=pool.interrupted)


def solve_ordered_segments(instance: Instance) -> Solution:
    """Solve LD^{R,S} and LD^{R,S,G} (E:LD-seg over A^R) by a bit-parallel dynamic programme."""
    gt, hyp = instance.gt, instance.hyp
    gt_index, gt_lines, mask = instance.gt_lines_with_text()
    rows = _kernel.ordered_segments(
        gt.tokens, gt_lines, hyp.tokens, hyp.words, hyp.word_line, mask, instance.alphabet,
        part(instance.gt_optional, gt_index), instance.hyp_optional,
    )  # fmt: skip
    if gt_index is not None:
        rows[:, 0] = gt_index[rows[:, 0]]
    return solution_of(rows, hyp)


def solution_of(
    rows: Ints,
    hyp: TokenPage,
    lower_bound: int | None = None,
    *,
    canonical: bool = True,
    interrupted: bool = False,
) -> Solution:
    """Return the solution that consists of the kernel's runs.

    Args:
        rows: One row per run: GT line, first word, end, distance, COR, SUB.
        hyp: The hypothesis.
        lower_bound: A proven lower bound of the errors; None if the runs are proven to be a minimum.
        canonical: True if the counts are proven to be the canonical ones.
        interrupted: True if the time limit ended the search.

    """
    cor, sub = rows[:, 4:].sum(axis=0).tolist()
    gaps = np.zeros(len(hyp.words), np.int32)
    np.cumsum(hyp.words[1:, 0] - hyp.words[:-1, 1], out=gaps[1:])
    joins = int((gaps[rows[:, 2] - 1] - gaps[rows[:, 1]]).sum())
    used = partial(_used, rows, hyp.word_line)
    return Solution(Matches(_matches, rows), cor, sub, joins, lower_bound, canonical, interrupted, used=used)


def _used(rows: Ints, word_line: Ints) -> tuple[Ints, Ints]:
    """Return, for every word in a run, the GT line of the run and the HYP line of the word."""
    sizes = rows[:, 2] - rows[:, 1]
    before = np.cumsum(sizes) - sizes
    words = np.arange(sizes.sum()) + np.repeat(rows[:, 1] - before, sizes)
    return np.repeat(rows[:, 0], sizes), word_line[words]


def _matches(rows: Ints) -> Iterator[Match]:
    for x, begin, end, distance, cor, sub in rows.tolist():
        yield Match(x, None, range(begin, end), distance, cor, sub)


def _close_gap(pool: _kernel.FreeSegments) -> None:
    """Find the fewest errors, then the canonical counts among all solutions with the fewest errors."""
    _settle(pool)
    if pool.proven and not pool.canonical and not pool.exhausted and pool.refine():
        _settle(pool)


def _settle(pool: _kernel.FreeSegments) -> None:
    """Improve the bound and the solution of one stage until they meet."""
    pool.improve_bound()
    for factor in ROUNDS:
        while not pool.settled and pool.decide(factor * BRANCHES):
            pass
        if pool.settled or pool.exhausted:
            return
        pool.improve_bound()
        if factor == ROUNDS[0] and not pool.settled:
            _price(pool)


def _price(pool: _kernel.FreeSegments) -> None:
    """Take multipliers from the linear programme over the best runs, as long as the bound improves."""
    for _ in range(PRICINGS):
        before = pool.stage_bound
        multipliers, steps = _multipliers(*pool.best_runs(COLUMNS), pool.kinds(), pool.seconds_left)
        pool.spend(steps)
        pool.set_multipliers(multipliers)
        pool.improve_bound()
        if pool.settled or pool.stage_bound == before or pool.exhausted:
            return


def _multipliers(
    runs: Ints, saves: NDArray[np.float64], kinds: Ints, seconds: float
) -> tuple[list[float], int]:
    """Return the prices of the kinds of GT lines in the linear relaxation, and the steps of work.

    The programme maximises the sum of saves. Each word is in at most one run, and each kind is used at most
    as often as its supply. Every choice of prices gives a valid bound, so the result of HiGHS needs no check.
    The interior point method without crossover treats interchangeable lines alike, and takes a tenth of the
    time of the simplex method.

    Args:
        runs: One row per run: first word, end, kind.
        saves: The save of each run.
        kinds: One row per kind: supply, and the kind that its runs use as well, or -1.
        seconds: Time limit in seconds, which may be infinite.

    """
    programme = _programme(runs, saves, kinds)
    model = _model(programme, seconds)
    model.setOptionValue("solver", "ipm")
    model.setOptionValue("run_crossover", "off")
    model.setOptionValue("ipm_iteration_limit", INTERIOR_ITERATIONS)
    model.run()
    iterations = 1 + max(0, model.getInfo().ipm_iteration_count)
    steps = INTERIOR_STEPS * len(programme.a_matrix_.value_) * iterations
    duals = np.asarray(model.getSolution().row_dual)[: len(kinds)]
    return np.abs(duals).tolist() if len(duals) == len(kinds) else [0.0] * len(kinds), steps


def _model(programme: highspy.HighsLp, seconds: float) -> highspy.Highs:
    """Return a model whose result does not depend on the machine, unless the time limit ends it."""
    import highspy  # noqa: PLC0415

    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)  # noqa: FBT003
    model.setOptionValue("time_limit", seconds)
    model.setOptionValue("threads", 1)
    model.passModel(programme)
    return model


def _programme(runs: Ints, saves: NDArray[np.float64], kinds: Ints) -> highspy.HighsLp:
    """Return the linear programme with one row per kind, then one row per boundary between words.

    "Each word is in at most one run" is a flow: a run moves one unit from its first boundary to its end, and
    one more column per word moves it past an unused word.
    """
    import highspy  # noqa: PLC0415

    words = int(runs[:, 1].max())
    lp = highspy.HighsLp()
    lp.num_col_ = len(runs) + words
    lp.num_row_ = len(kinds) + words + 1
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.concatenate([saves, np.zeros(words)])
    lp.col_lower_ = np.zeros(lp.num_col_)
    lp.col_upper_ = np.full(lp.num_col_, np.inf)
    flow = np.zeros(words + 1)
    flow[0], flow[-1] = -1.0, 1.0
    lp.row_lower_ = np.concatenate([np.full(len(kinds), -np.inf), flow])
    lp.row_upper_ = np.concatenate([kinds[:, 0], flow])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    start, index, value = _columns(runs, kinds, words)
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = start, index, value
    return lp


def _columns(
    runs: Ints, kinds: Ints, words: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    begin, end, kind = runs.T
    # A missing row (-1) is dropped from its column below.
    run_rows = np.stack([kind, kinds[kind, 1], len(kinds) + begin, len(kinds) + end], axis=1)
    along = len(kinds) + np.arange(words)
    skip_rows = np.stack([np.full(words, -1), np.full(words, -1), along, along + 1], axis=1)
    rows = np.concatenate([run_rows, skip_rows])
    present = rows >= 0
    start = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    value = np.broadcast_to([1.0, 1.0, -1.0, 1.0], rows.shape)
    return start.astype(np.int32), rows[present].astype(np.int32), value[present]
