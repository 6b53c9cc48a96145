"""The linear relaxation of S and SG by HiGHS: its duals are the best multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import highspy
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pagemeter.text.encode import Ints


def multipliers(runs: Ints, saves: NDArray[np.float64], kinds: Ints, seconds: float) -> list[float]:
    """The prices of the kinds of GT lines in: maximise Σ save, each word in at most one run, each kind used
    up at most as often as its supply.

    `runs` has rows (first word, end, kind), `kinds` (supply, kind that its runs use up too or -1). Any
    prices give a valid bound, so what HiGHS returns is used but never trusted. An interior point is wanted,
    not a corner: it treats alike the lines that could stand for each other, and takes a tenth of the time.
    """
    model = _model(_programme(runs, saves, kinds), seconds)
    model.setOptionValue("solver", "ipm")
    model.setOptionValue("run_crossover", "off")
    model.run()
    duals = np.asarray(model.getSolution().row_dual)[: len(kinds)]
    return np.abs(duals).tolist() if len(duals) == len(kinds) else [0.0] * len(kinds)


def packed(runs: Ints, saves: NDArray[np.float64], kinds: Ints, seconds: float) -> Ints:
    """The rows of the runs that the integer programme chooses in the given time; none if it finds nothing.

    They are as good as HiGHS finds them: what they save is counted elsewhere, and nothing is proven by them.
    """
    programme = _programme(runs, saves, kinds)
    kind = highspy.HighsVarType
    programme.integrality_ = [kind.kInteger] * len(runs) + [kind.kContinuous] * (
        programme.num_col_ - len(runs)
    )
    model = _model(programme, seconds)
    model.run()
    chosen = np.asarray(model.getSolution().col_value)[: len(runs)]
    return runs[chosen > 0.5] if len(chosen) == len(runs) else runs[:0]  # noqa: PLR2004


def _model(programme: highspy.HighsLp, seconds: float) -> highspy.Highs:
    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)  # noqa: FBT003
    model.setOptionValue("time_limit", seconds)
    model.setOptionValue("threads", 1)
    model.passModel(programme)
    return model


def _programme(runs: Ints, saves: NDArray[np.float64], kinds: Ints) -> highspy.HighsLp:
    """Rows: one a kind, then one a boundary between words.

    That each word is in at most one run is a flow: a run moves one unit from its first boundary to its end,
    and one more column a word moves it along unused.
    """
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
    # A row that is not there (-1) is dropped from its column below.
    run_rows = np.stack([kind, kinds[kind, 1], len(kinds) + begin, len(kinds) + end], axis=1)
    along = len(kinds) + np.arange(words)
    skip_rows = np.stack([np.full(words, -1), np.full(words, -1), along, along + 1], axis=1)
    rows = np.concatenate([run_rows, skip_rows])
    there = rows >= 0
    start = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    value = np.broadcast_to([1.0, 1.0, -1.0, 1.0], rows.shape)
    return start.astype(np.int32), rows[there].astype(np.int32), value[there]
