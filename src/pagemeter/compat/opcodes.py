"""The alignment that RapidFuzz 3 returns for two sequences of tokens, as runs of equal operations.

It is one of the alignments with the fewest errors. Which one depends on the order in which RapidFuzz prefers
operations, and, for long texts, on where it divides them. `pagemeter.Settings.counts` has only the counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

_MOST_TABLE_BYTES = 1 << 20
_LEAST_REFERENCE, _LEAST_HYPOTHESIS = 65, 10
"""RapidFuzz divides texts whose table would be larger, unless one of them is shorter than these."""


class Opcode(NamedTuple):
    """An operation and the tokens of both sides to which it applies."""

    kind: str
    ref_begin: int
    ref_end: int
    hyp_begin: int
    hyp_end: int


def opcodes(reference: Sequence[Hashable], hypothesis: Sequence[Hashable]) -> Iterator[Opcode]:
    """Yield the runs of equal operations from the first token on.

    Deletions are tokens of the reference only, insertions tokens of the hypothesis only.

    >>> [tuple(opcode) for opcode in opcodes("abc", "bcd")]
    [('delete', 0, 1, 0, 0), ('equal', 1, 3, 0, 2), ('insert', 3, 3, 2, 3)]
    """
    most = max(len(reference), len(hypothesis))
    i = j = 0
    kind, from_i, from_j = "", 0, 0
    for operation, count in _path(reference, hypothesis, most):
        if operation != kind:
            if kind:
                yield Opcode(kind, from_i, i, from_j, j)
            kind, from_i, from_j = operation, i, j
        i += count * (operation != "insert")
        j += count * (operation != "delete")
    if kind:
        yield Opcode(kind, from_i, i, from_j, j)


def _path(
    reference: Sequence[Hashable], hypothesis: Sequence[Hashable], most: int
) -> Iterator[tuple[str, int]]:
    """Return operations and how often they follow each other.

    Equal tokens at both ends are aligned first. If the table of the rest is large, the rest is divided in the
    middle of the hypothesis, at the first token of the reference where an optimal alignment can be divided.
    `most` is an upper bound of the errors, on which the size of the table depends.
    """
    shortest = min(len(reference), len(hypothesis))
    before = next((i for i in range(shortest) if reference[i] != hypothesis[i]), shortest)
    after = next(
        (i for i in range(shortest - before) if reference[-1 - i] != hypothesis[-1 - i]), shortest - before
    )
    if before:
        yield "equal", before
    gt, hyp = (side[before : len(side) - after] for side in (reference, hypothesis))
    n, m = len(gt), len(hyp)
    most = min(most, max(n, m))
    if not n or not m:
        if n or m:
            yield ("delete", n) if n else ("insert", m)
    elif (
        2 * min(n, 2 * most + 1) * m // 8 < _MOST_TABLE_BYTES or n < _LEAST_REFERENCE or m < _LEAST_HYPOTHESIS
    ):
        yield from reversed([(kind, 1) for kind in _traced(gt, hyp)])
    else:
        half = m // 2
        left = _distances(gt, hyp[:half])
        right = _distances(gt[::-1], hyp[half:][::-1])[::-1]
        at = int(np.argmin(left + right))
        yield from _path(gt[:at], hyp[:half], int(left[at]))
        yield from _path(gt[at:], hyp[half:], int(right[at]))
    if after:
        yield "equal", after


def _columns(gt: Sequence[Hashable], hyp: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Return the columns of the table of distances after each token of the hypothesis.

    A column is a pair of integers. Bit i of the first is 1 where the distance grows by one from i to i + 1
    tokens of the reference, and that of the second where it falls by one (H. Hyyrö, "A bit-vector algorithm
    for computing Levenshtein and Damerau edit distances", 2003).
    """
    places: dict[Hashable, int] = {}
    for i, token in enumerate(gt):
        places[token] = places.get(token, 0) | 1 << i
    every = (1 << len(gt)) - 1
    grows, falls = every, 0
    for token in hyp:
        here = places.get(token, 0) | falls
        diagonal = (((here & grows) + grows) ^ grows) | here
        right = (falls | (every & ~(diagonal | grows))) << 1 | 1
        left = (diagonal & grows) << 1
        grows, falls = (left | ~(diagonal | right)) & every, diagonal & right & every
        yield grows, falls


def _traced(gt: Sequence[Hashable], hyp: Sequence[Hashable]) -> Iterator[str]:
    """Return the operations from the last one to the first one.

    A deletion is preferred, then an insertion if the distance to the left is one less than that above it.
    """
    columns = list(_columns(gt, hyp))
    i, j = len(gt), len(hyp)
    while i and j:
        if columns[j - 1][0] >> (i - 1) & 1:
            i -= 1
            yield "delete"
        elif j > 1 and columns[j - 2][1] >> (i - 1) & 1:
            j -= 1
            yield "insert"
        else:
            i, j = i - 1, j - 1
            yield "equal" if gt[i] == hyp[j] else "substitute"
    yield from ["delete"] * i
    yield from ["insert"] * j


def _distances(gt: Sequence[Hashable], hyp: Sequence[Hashable]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the distances of the hypothesis to all beginnings of the reference."""
    grows, falls = (1 << len(gt)) - 1, 0
    for column in _columns(gt, hyp):
        grows, falls = column
    steps = _bits(grows, len(gt)) - _bits(falls, len(gt))
    return np.concatenate([[0], np.cumsum(steps)]) + len(hyp)


def _bits(number: int, count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    data = np.frombuffer(number.to_bytes(count // 8 + 1, "little"), np.uint8)
    return np.unpackbits(data, bitorder="little")[:count].astype(np.int64)
