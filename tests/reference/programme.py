"""An independent exact solver: every pair or run listed, the choice left to HiGHS as an integer programme."""

from __future__ import annotations

import highspy
from rapidfuzz.distance import Levenshtein


def _most(columns: list[tuple[int, list[int]]], rows: int) -> int:
    """The largest sum of values when every row may be covered once."""
    if not columns:
        return 0
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    for value, _ in columns:
        model.addCol(-float(value), 0.0, 1.0, 0, [], [])
        model.changeColIntegrality(model.getNumCol() - 1, highspy.HighsVarType.kInteger)
    covering: list[list[int]] = [[] for _ in range(rows)]
    for column, (_, covered) in enumerate(columns):
        for row in covered:
            covering[row].append(column)
    for members in covering:
        model.addRow(-highspy.kHighsInf, 1.0, len(members), members, [1.0] * len(members))
    model.setOptionValue("mip_rel_gap", 0.0)
    model.run()
    assert model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return -round(model.getInfo().objective_function_value)


def free(gt, hyp, near=None) -> int:
    """LD and LD^G."""
    columns = [
        (len(g) + len(h) - Levenshtein.distance(g, h), [x, len(gt) + y])
        for x, g in enumerate(gt)
        for y, h in enumerate(hyp)
        if near is None or near[x][y]
    ]
    return sum(map(len, gt)) + sum(map(len, hyp)) - _most(columns, len(gt) + len(hyp))


def free_segments(gt, words, joiner: str | None, near=None, line_of=None) -> int:
    """LD^S and LD^{S,G}: every run of words, however long."""
    columns = []
    for x, g in enumerate(gt):
        for a in range(len(words)):
            run: tuple = ()
            letters = 0
            for b in range(a, len(words)):
                if near is not None and not near[x][line_of[b]]:
                    break
                run += ((joiner,) if joiner is not None and b > a else ()) + tuple(words[b])
                letters += len(words[b])
                save = len(g) + letters - Levenshtein.distance(tuple(g), run)
                if save > 0:
                    columns.append((save, [x, *range(len(gt) + a, len(gt) + b + 1)]))
    return sum(map(len, gt)) + sum(map(len, words)) - _most(columns, len(gt) + len(words))
