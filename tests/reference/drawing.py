"""Random draws as the kernel makes them, number by number: xoshiro256++ and Lemire's unbiased bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = 2**64 - 1


def words(state: Sequence[int]) -> Iterator[int]:
    """The 64-bit numbers of xoshiro256++ from a state."""
    a, b, c, d = map(int, state)
    while True:
        yield (_rotated((a + d) & _WORD, 23) + a) & _WORD
        shifted = (b << 17) & _WORD
        c, d = c ^ a, d ^ b
        a, b = a ^ d, b ^ c
        c, d = c ^ shifted, _rotated(d, 45)


def resamples(state: Sequence[int], pages: int, count: int) -> list[list[int]]:
    """The pages drawn in each resample, two of every number; the second of an odd last one is not used."""
    drawn, numbers = [], words(state)
    for _ in range(count):
        places: list[int] = []
        while len(places) < pages:
            word = next(numbers)
            halves = (word & 0xFFFFFFFF, word >> 32)
            places += [_below(pages, half, numbers) for half in halves[: pages - len(places)]]
        drawn.append(places)
    return drawn


def _below(bound: int, bits: int, numbers: Iterator[int]) -> int:
    while bits * bound % 2**32 < 2**32 % bound:
        bits = next(numbers) >> 32
    return bits * bound >> 32


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & _WORD
