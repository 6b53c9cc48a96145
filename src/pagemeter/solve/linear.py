"""The linear relaxation of S and SG by HiGHS: its duals are the best multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import highspy
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagemeter.text.encode import Ints


def multipliers(pool: Ints, supply: Ints, seconds: float) -> list[float]:
    """The prices of the GT lines in: maximise Σ save, each word in at most one run, each kind of GT line in
    at most `supply` runs.

    `pool` has rows (first word, end, kind of GT line, save). Any prices give a valid bound, so what HiGHS
    returns is used but never trusted.
    """
    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)  # noqa: FBT003
    model.setOptionValue("time_limit", seconds)
    model.setOptionValue("threads", 1)
    model.passModel(_programme(pool, supply))
    model.run()
    duals = np.asarray(model.getSolution().row_dual)[: len(supply)]
    return np.abs(duals).tolist() if len(duals) == len(supply) else [0.0] * len(supply)


def _programme(pool: Ints, supply: Ints) -> highspy.HighsLp:
    """Rows: one a kind of GT line, then one a word, where a run covers its words.

    Covering rows are made sparse by flow: a run moves one unit from its first boundary to its end, and one
    more column a word moves it along unused.
    """
    begin, end, gt, save = pool.T
    words = int(end.max())
    runs, gt_lines = len(pool), len(supply)
    lp = highspy.HighsLp()
    lp.num_col_ = runs + words
    lp.num_row_ = gt_lines + words + 1
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.concatenate([save, np.zeros(words)]).astype(np.float64)
    lp.col_lower_ = np.zeros(lp.num_col_)
    lp.col_upper_ = np.full(lp.num_col_, np.inf)
    flow = np.zeros(words + 1)
    flow[0], flow[-1] = -1.0, 1.0
    lp.row_lower_ = np.concatenate([np.full(gt_lines, -np.inf), flow])
    lp.row_upper_ = np.concatenate([supply, flow])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    start, index, value = _columns(begin, end, gt, gt_lines, words)
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = start, index, value
    return lp


def _columns(
    begin: Ints, end: Ints, gt: Ints, gt_lines: int, words: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    runs = len(begin)
    run_rows = np.stack([gt, gt_lines + begin, gt_lines + end], axis=1).ravel()
    along = np.arange(words)
    skip_rows = np.stack([gt_lines + along, gt_lines + along + 1], axis=1).ravel()
    start = np.concatenate([np.arange(runs) * 3, 3 * runs + np.arange(words + 1) * 2])
    value = np.concatenate([np.tile([1.0, -1.0, 1.0], runs), np.tile([-1.0, 1.0], words)])
    return start.astype(np.int32), np.concatenate([run_rows, skip_rows]).astype(np.int32), value
