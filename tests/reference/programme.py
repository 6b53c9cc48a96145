"""Independent exact solver: HiGHS chooses among all pairs or runs in an integer programme.

All answers are the least (LD, COR, -SUB): the canonical order as one integer, LD·B² + COR·B − SUB. Only a bag
of words has the most COR.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import highspy
import numpy as np

from reference.brute import Joiner, join_before

FAR = 2**50
Column = tuple[int, list[int]]  # what it saves, the rows it covers


def free(gt: Sequence[Sequence], hyp: Sequence[Sequence], near=None) -> tuple[int, int, int]:
    """Return LD or LD^G, with every pair of lines."""
    base = _base(gt, hyp)
    columns: list[Column] = []
    for x, g in enumerate(gt):
        for y, h in enumerate(hyp):
            if near is None or near[x][y]:
                key = int(_run_keys(g, [h], None, base)[0, 0])
                columns.append((base**2 * (len(g) + len(h)) - key, [x, len(gt) + y]))
    return _least(columns, base, gt, hyp)


def free_segments(
    gt: Sequence[Sequence], words: Sequence[Sequence], joiner: Joiner, near=None, line_of=None
) -> tuple[int, int, int]:
    """Return LD^S or LD^{S,G}, with every run of words of any length."""
    base = _base(gt, words) + len(words)
    columns: list[Column] = []
    for x, g in enumerate(gt):
        keys = _run_keys(g, words, joiner, base)
        for a in range(len(words)):
            letters = 0
            for b in range(a, len(words)):
                if near is not None and not near[x][line_of[b]]:
                    break
                letters += len(words[b])
                saved = base**2 * (len(g) + letters) - int(keys[a, b])
                if saved > 0:
                    columns.append((saved, [x, *range(len(gt) + a, len(gt) + b + 1)]))
    return _least(columns, base, gt, words)


def bag(gt: Sequence[Sequence], hyp: Sequence[Sequence], near=None) -> tuple[int, int, int]:
    """Return LD, the largest COR and -SUB of BOW, with every pair of words (`near`: of neighbouring lines).

    An equal pair saves 2, an unequal pair 1. Of the solutions that save most, one has the most equal pairs.
    """
    base = _base(gt, hyp)
    g = [(word, x) for x, line in enumerate(gt) for word in line]
    h = [(word, y) for y, line in enumerate(hyp) for word in line]
    columns = [
        (2 * base + 1 if word == other else base, [i, len(g) + k])
        for i, (word, x) in enumerate(g)
        for k, (other, y) in enumerate(h)
        if near is None or near[x][y]
    ]
    saved, cor = divmod(_most(columns, len(g) + len(h)), base)
    return len(g) + len(h) - saved, cor, 2 * cor - saved


def _base(*sides: Sequence[Sequence]) -> int:
    """Return a number larger than any count."""
    return 1 + sum(len(tokens) for side in sides for tokens in side)


def _run_keys(g: Sequence, words: Sequence[Sequence], joiner: Joiner, base: int):
    """Return the key of each run from word a to word b with one line, in row a and column b."""
    along = np.arange(len(g) + 1, dtype=np.int64) * base**2
    rows = np.full((len(words), len(g) + 1), FAR, np.int64)
    keys = np.full((len(words), len(words)), FAR, np.int64)
    for b, word in enumerate(words):
        for token in join_before(joiner, b) if b else ():
            rows = _step(rows, token, g, along, base)
        rows[b] = along
        for token in word:
            rows = _step(rows, token, g, along, base)
        rows[b + 1 :] = FAR
        keys[:, b] = rows[:, -1]
    return keys


def _step(rows, token, g, along, base: int):
    last = np.array([base if token == other else base**2 - 1 for other in g], np.int64)
    new = rows + base**2
    new[:, 1:] = np.minimum(new[:, 1:], rows[:, :-1] + last)
    return np.minimum.accumulate(new - along, axis=1) + along


def _least(columns: list[Column], base: int, *sides: Sequence[Sequence]) -> tuple[int, int, int]:
    """Return (LD, COR, -SUB) of the columns that save most."""
    key = base**2 * (_base(*sides) - 1) - _most(columns, sum(map(len, sides)))
    errors = (key + base - 1) // base**2
    rest = key - errors * base**2
    cor = (rest + base - 1) // base
    return errors, cor, rest - cor * base


def _most(columns: list[Column], rows: int) -> int:
    """Return the largest sum of values if every row may be covered once."""
    if not columns:
        return 0
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(columns), rows
    lp.col_cost_ = [-float(value) for value, _ in columns]
    lp.col_lower_, lp.col_upper_ = np.zeros(len(columns)), np.ones(len(columns))
    lp.row_lower_, lp.row_upper_ = np.full(rows, -highspy.kHighsInf), np.ones(rows)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = [0, *accumulate(len(covered) for _, covered in columns)]
    lp.a_matrix_.index_ = [row for _, covered in columns for row in covered]
    lp.a_matrix_.value_ = np.ones(len(lp.a_matrix_.index_))
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("mip_rel_gap", 0.0)
    model.passModel(lp)
    model.run()
    assert model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    # Summed in integers, because the solution of HiGHS is only nearly integral.
    chosen = map(round, model.getSolution().col_value)
    return sum(value for (value, _), taken in zip(columns, chosen, strict=True) if taken)
