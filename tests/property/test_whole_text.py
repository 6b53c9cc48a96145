"""Measures of the page as one text equal their definitions: brute force, and plain tables on larger texts."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

import pagemeter as pm
from pagemeter import _kernel
from pagemeter.measure import Measure
from pagemeter.solve.whole import common_subsequence, score_spelled, score_text
from pagemeter.text.encode import encode_spelled, encode_texts
from reference.brute import pair as brute_pair

CER, HWER = Measure.parse("CER:T"), Measure.parse("HWER")
LENGTHS = (0, 1, 2, 5, 63, 64, 65, 127, 128, 129, 200)


def noisy(rng: random.Random, text: str, letters: str, share: float) -> str:
    """Return a copy of a text with this share of errors."""
    out = []
    for letter in text:
        kind = rng.random() / share if share else 9
        out.append(
            {0: "", 1: rng.choice(letters), 2: letter + rng.choice(letters)}.get(int(3 * kind), letter)
        )
    return "".join(out)


def texts(rng: random.Random, length: int) -> tuple[str, str]:
    """Return two texts that are alike, or have nothing to do with each other, over few or many letters."""
    letters = rng.choice(["ab", "abcd", "abcdefgh ", "".join(map(chr, range(200, 600)))])
    gt = "".join(rng.choices(letters, k=length))
    if rng.random() < 0.3:
        return gt, "".join(rng.choices(letters, k=rng.choice(LENGTHS)))
    moved = gt[length // 2 :] + gt[: length // 2] if rng.random() < 0.2 else gt
    return gt, noisy(rng, moved, letters, rng.random())


def table(gt: str, hyp: str) -> list[list[tuple[int, int]]]:
    """Return the errors and right tokens of all prefixes, by the plain dynamic programme."""
    rows = [[(j, 0) for j in range(len(hyp) + 1)]]
    for i, g in enumerate(gt, 1):
        row = [(i, 0)]
        for j, h in enumerate(hyp, 1):
            (up, up_cor), (left, left_cor), (both, both_cor) = rows[-1][j], row[-1], rows[-1][j - 1]
            row.append(min((up + 1, up_cor), (left + 1, left_cor), (both + (g != h), both_cor + (g == h))))
        rows.append(row)
    return rows


def counts(gt: str, hyp: str, rule: str = "canonical") -> tuple[int, int]:
    found = score_text(CER, encode_texts(gt, hyp), rule)
    assert found.n_gt == len(gt)
    assert found.n_hyp == len(hyp)
    return found.errors, found.cor


def test_equals_brute_force_on_thousands_of_tiny_texts():
    rng = random.Random("tiny")
    for _ in range(3000):
        gt, hyp = ("".join(rng.choices("ab", k=rng.randint(0, 6))) for _ in range(2))
        found = score_text(CER, encode_texts(gt, hyp))
        assert (found.errors, found.cor, -found.sub) == brute_pair(tuple(hyp), tuple(gt)), (gt, hyp)


@pytest.mark.parametrize("length", LENGTHS)
def test_equals_the_plain_table_around_machine_words(length):
    rng = random.Random(f"words {length}")
    for _ in range(12):
        gt, hyp = texts(rng, length)
        assert counts(gt, hyp) == table(gt, hyp)[-1][-1], (gt, hyp)


def test_equals_the_plain_table_on_longer_texts():
    """The band, the stored columns and the second pass over them are used from some hundred tokens on."""
    rng = random.Random("longer")
    for _ in range(6):
        gt, hyp = texts(rng, rng.randint(400, 700))
        assert counts(gt, hyp) == table(gt, hyp)[-1][-1], (gt, hyp)


def test_distance_is_that_of_rapidfuzz_on_long_texts():
    rng = random.Random("long")
    for length, share in ((20_000, 0.01), (20_000, 0.3), (9000, 1.0)):
        gt = "".join(rng.choices("abcdefghijklmnop ", k=length))
        hyp = noisy(rng, gt[length // 3 :] + gt[: length // 3] if share == 0.3 else gt, "abcdef ", share)
        assert counts(gt, hyp)[0] == Levenshtein.distance(gt, hyp)


def test_many_different_tokens_need_no_mask_per_block():
    rng = random.Random("many")
    gt = "".join(chr(0x4E00 + rng.randrange(20_000)) for _ in range(30_000))
    hyp = noisy(rng, gt, "abc", 0.2)
    assert counts(gt, hyp)[0] == Levenshtein.distance(gt, hyp)


def of_rapidfuzz(gt: str, hyp: str) -> tuple[int, int]:
    operations = Levenshtein.opcodes(gt, hyp)
    right = sum(one.src_end - one.src_start for one in operations if one.tag == "equal")
    return Levenshtein.distance(gt, hyp), right


def test_counts_of_rapidfuzz():
    rng = random.Random("rapidfuzz")
    for length in (*LENGTHS, 800, 2000, 3000, 5000):
        for _ in range(40 if length < 300 else 3):
            gt, hyp = texts(rng, length)
            assert counts(gt, hyp, "rapidfuzz") == of_rapidfuzz(gt, hyp), (gt, hyp)


def diagonal(gt: str, hyp: str) -> tuple[int, int]:
    """Return the counts of the path that prefers two tokens, then an extra one, then a missing one."""
    rows = table(gt, hyp)
    i, j, right = len(gt), len(hyp), 0
    while i and j:
        errors = rows[i][j][0]
        if rows[i - 1][j - 1][0] + (gt[i - 1] != hyp[j - 1]) == errors:
            right += gt[i - 1] == hyp[j - 1]
            i, j = i - 1, j - 1
        elif rows[i][j - 1][0] + 1 == errors:
            j -= 1
        else:
            i -= 1
    return rows[-1][-1][0], right


def test_counts_of_the_diagonal_rule():
    rng = random.Random("diagonal")
    for length in (*LENGTHS, 300):
        for _ in range(15):
            gt, hyp = texts(rng, length)
            assert counts(gt, hyp, "diagonal") == diagonal(gt, hyp), (gt, hyp)


def test_longest_common_subsequence():
    rng = random.Random("lcs")
    for length in LENGTHS:
        gt, hyp = texts(rng, length)
        pair = encode_texts(gt, hyp)
        expected = [0] * (len(hyp) + 1)
        for g in gt:
            before = expected
            expected = [0]
            for j, h in enumerate(hyp, 1):
                expected.append(max(before[j], expected[-1], before[j - 1] + (g == h)))
        assert common_subsequence(pair.gt, pair.hyp) == expected[-1]


def assigned_costs(gt: list[str], hyp: list[str]) -> dict[int, set[tuple[int, int]]]:
    """Return, by cost, the numbers of equal and unequal pairs of all assignments of words."""
    longer = max(len(gt), len(hyp))
    places = [*range(len(hyp)), *[None] * len(gt)]
    found: dict[int, set[tuple[int, int]]] = {}
    for chosen in set(permutations(places, len(gt))):
        cost = sum(longer * len(hyp[j]) + 2 for j in range(len(hyp)) if j not in chosen)
        equal = unequal = 0
        for i, j in enumerate(chosen):
            if j is None:
                cost += longer * len(gt[i]) + 2
                continue
            distance = Levenshtein.distance(gt[i], hyp[j])
            cost += 2 * longer * distance + 2 * abs(i - j)
            equal, unequal = equal + (not distance), unequal + bool(distance)
        found.setdefault(cost, set()).add((equal, unequal))
    return found


def test_words_by_an_assignment():
    rng = random.Random("assignment")
    for _ in range(150):
        gt, hyp = (
            [rng.choice(["a", "ab", "abc", "xy", "z"]) for _ in range(rng.randint(0, 3))] for _ in "12"
        )
        costs = assigned_costs(gt, hyp)
        possible = costs[min(costs)]
        longer, shorter = max(len(gt), len(hyp)), min(len(gt), len(hyp))
        # Words without a partner count once for both sides.
        errors = {longer - equal for equal, unequal in possible if equal + unequal <= shorter}
        assert score_spelled(HWER, encode_spelled(gt, hyp, "codepoint")).errors in errors, (gt, hyp)


def test_relations_between_measures():
    rng = random.Random("relations")
    for _ in range(200):
        gt, hyp = (
            ["".join(rng.choices("ab ", k=rng.randint(0, 8))) for _ in range(rng.randint(1, 3))] for _ in "12"
        )
        ev = pm.evaluate(gt, hyp, "CER:T,CER:RS,WER:T,WER:S,BOW,BOC,LCS,HWER", boundaries="spaces")
        assert ev["BOC"].errors <= ev["CER:T"].errors
        assert ev["BOW"].errors <= ev["WER:T"].errors
        assert ev["WER:S"].errors <= ev["WER:T"].errors
        assert ev["BOW"].errors <= ev["HWER"].errors
        assert ev["LCS"].cor >= ev["WER:T"].cor
        one_line = pm.evaluate(" ".join(gt), " ".join(hyp), "CER:R,CER:T,WER:R,WER:T", line_end="space")
        for unit in ("CER", "WER"):
            assert one_line[f"{unit}:T"].counts == one_line[f"{unit}:R"].counts


def test_spans_of_the_kernel_are_independent():
    tokens = np.array([0, 1, 2, 0, 1], np.int32)
    spans = np.array([[0, 3], [1, 3], [2, 2]], np.int32)
    others = np.array([[3, 5], [1, 3], [0, 2]], np.int32)
    rows = _kernel.pair_counts(tokens, spans, tokens, others, 3, "canonical")
    assert rows.tolist() == [[1, 2, 0], [0, 2, 0], [2, 0, 0]]
